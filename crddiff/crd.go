package crddiff

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/crd/kept"
	"github.com/prune-gen/prune-gen/internal/crd/origin"
	"github.com/prune-gen/prune-gen/structural"
)

// Compare returns what changes for users of old when new replaces it, in the order of versions and fields. A nil old or new stands for a
// CRD that does not exist. It fails if the CRDs exceed a limit: then there may be more changes.
func Compare(old, new *structural.CRD) ([]Change, error) {
	name := structural.NewPath("metadata", "name")
	switch {
	case old == nil && new == nil:
		return nil, nil
	case old == nil:
		return []Change{{ID: idCRDAdded, At: name, What: "the CRD " + new.Name + " is new", Why: "no object is affected"}}, nil
	case new == nil:
		return []Change{{ID: idCRDRemoved, Level: Stored, At: name, What: "the CRD " + old.Name + " is gone", Why: "its objects are deleted with it"}}, nil
	}
	c := &crdComparison{
		old: old, new: new, meter: origin.Limits(new),
		kept: map[structural.Behavior]*kept.Tree{}, compared: map[pair][]Change{}, oldVersions: byName(old), newVersions: byName(new),
	}
	c.definition()
	c.versions()
	sortChanges(c.changes)
	return c.changes, c.meter.Err()
}

type crdComparison struct {
	old, new *structural.CRD
	kept     map[structural.Behavior]*kept.Tree
	compared map[pair][]Change // what has changed between schemas that versions share
	changes  []Change
	meter    *meter.Meter

	oldVersions, newVersions map[string]*structural.Version
}

type pair struct {
	old, new  structural.Behavior
	hasStatus bool
	scale     structural.ScalePaths
	typeMeta  [2]string // if the schema says something about it
}

func (c *crdComparison) add(change Change) {
	if change.place.Spend(c.meter) {
		c.changes = append(c.changes, change)
	}
}

const (
	recreated = "the API server refuses to change it: the CRD must be deleted first, and its objects with it"
	typed     = "only what people type changes"
)

// definition compares what is the same for all versions.
func (c *crdComparison) definition() {
	spec := structural.NewPath("spec")
	if old, new := c.old.Scope, c.new.Scope; old != new {
		c.add(Change{ID: idScope, Level: Stored, At: spec.Child("scope"), What: changed("the scope", old, new), Why: recreated})
	}
	names := spec.Child("names")
	for _, n := range []struct {
		field, old, new string
		level           Level
		why             string
	}{
		{"kind", c.old.Names.Kind, c.new.Names.Kind, Stored, recreated},
		{"listKind", c.old.Names.ListKind, c.new.Names.ListKind, Readers, "lists have the new kind"},
		{"singular", c.old.Names.Singular, c.new.Names.Singular, None, typed},
		{"shortNames", strings.Join(c.old.Names.ShortNames, ", "), strings.Join(c.new.Names.ShortNames, ", "), None, typed},
		{"categories", strings.Join(c.old.Names.Categories, ", "), strings.Join(c.new.Names.Categories, ", "), None, typed},
	} {
		if n.old != n.new {
			c.add(Change{ID: idNames, Level: n.level, At: names.Child(n.field), What: changed(n.field, n.old, n.new), Why: n.why})
		}
	}
	if old, new := c.old.ConversionStrategy(), c.new.ConversionStrategy(); old != new {
		change := Change{ID: idConversion, At: spec.Child("conversion", "strategy"), What: changed("the conversion", old, new),
			Why: "objects of other versions are converted by a webhook"}
		if new == "None" && len(c.new.Versions) > 1 {
			change.Level, change.Why = Stored, "only apiVersion changes between versions now: fields with other names are dropped"
		} else if new == "None" {
			change.Why = "there is one version"
		}
		c.add(change)
	}
	c.storage(spec.Child("versions"))
}

// storage compares the versions in which objects are stored.
func (c *crdComparison) storage(at *structural.Path) {
	old, new := storageOf(c.old), storageOf(c.new)
	if old == nil || new == nil || old.Name == new.Name {
		return
	}
	i := slices.Index(c.new.Versions, new)
	change := Change{ID: idStorage, At: at.Index(i).Child("storage"), What: changed("the stored version", old.Name, new.Name),
		Why: "objects are converted when they are written again"}
	if c.new.ConversionStrategy() == "None" {
		lost := c.keptBy(structural.NewBehavior(c.old, old, structural.APIServer)).Without(c.keptBy(structural.NewBehavior(c.new, new, structural.APIServer)), c.meter)
		if change.Why = "nothing is lost between the two"; len(lost) > 0 {
			change.Level, change.Why = Stored, "objects that are stored already lose "+kept.List(lost)
		}
	}
	c.add(change)
}

func storageOf(crd *structural.CRD) *structural.Version {
	for _, v := range crd.Versions {
		if v.Storage {
			return v
		}
	}
	return nil
}

// byName returns the versions of crd by their names.
func byName(crd *structural.CRD) map[string]*structural.Version {
	all := map[string]*structural.Version{}
	for _, v := range slices.Backward(crd.Versions) { // the first of a name counts
		all[v.Name] = v
	}
	return all
}

// versions compares the versions by their names.
func (c *crdComparison) versions() {
	at := structural.NewPath("spec", "versions")
	for _, old := range c.old.Versions {
		if c.newVersions[old.Name] != nil {
			continue
		}
		change := Change{ID: idVersion, At: at, What: "version " + old.Name + " is gone", Why: "it was not served"}
		switch {
		case old.Storage:
			change.Level, change.Why = Stored, "objects that are stored in it cannot be read"
		case old.Served:
			change.Level, change.Why = Requests, "requests for it are refused"
		}
		change.Why += "; the API server refuses the new CRD as long as status.storedVersions has " + old.Name
		c.add(change)
	}
	for i, new := range c.new.Versions {
		old := c.oldVersions[new.Name]
		if old == nil {
			c.add(Change{ID: idVersion, Version: new.Name, At: at.Index(i).Child("name"), What: "version " + new.Name + " is new", Why: "no object is affected"})
			continue
		}
		c.version(old, new, at.Index(i))
	}
}

// version compares two versions of the same name. The new one is at the given path.
func (c *crdComparison) version(old, new *structural.Version, at *structural.Path) {
	find := func(id structural.ID, level Level, at *structural.Path, what, why string) {
		c.add(Change{ID: id, Level: level, Version: new.Name, At: at, What: what, Why: why})
	}
	switch {
	case old.Served && !new.Served:
		find(idVersion, Requests, at.Child("served"), "version "+new.Name+" is no longer served", "requests for it are refused")
	case !old.Served && new.Served:
		find(idVersion, None, at.Child("served"), "version "+new.Name+" is served", "no object is affected")
	}
	if was, is := structural.DeprecationWarning(c.old, old), structural.DeprecationWarning(c.new, new); was != is {
		find(idDeprecation, None, at.Child("deprecated"), changed("the deprecation warning", was, is), "requests are answered as before")
	}
	c.subresources(old, new, at.Child("subresources"), find)
	was, is := old.SelectableFields, new.SelectableFields
	for _, field := range was {
		if !slices.Contains(is, field) {
			find(idSelectable, Requests, at.Child("selectableFields"), "objects cannot be selected by "+show(field), "requests with such a field selector are refused")
		}
	}
	for _, field := range is {
		if !slices.Contains(was, field) {
			find(idSelectable, None, at.Child("selectableFields"), "objects can be selected by "+show(field), "no object is affected")
		}
	}
	c.columns(old, new, at.Child("additionalPrinterColumns"), find)
	c.schema(old, new)
}

// columns compares what kubectl get prints.
func (c *crdComparison) columns(old, new *structural.Version, at *structural.Path,
	find func(id structural.ID, level Level, at *structural.Path, what, why string)) {
	const why = "only what kubectl get prints changes"
	was, is := columnsOf(old), columnsOf(new)
	wasAt, isAt := places(was), places(is)
	common := 0 // columns of both, as long as they are in the same order
	for _, before := range was {
		switch i, ok := isAt[before.columnKey]; {
		case !ok:
			find(idColumn, None, at, "the column "+show(before.name)+" is gone", why)
		case is[i] != before:
			find(idColumn, None, at.Index(i), changed("the column "+show(before.name), before.String(), is[i].String()), why)
		}
	}
	for i, after := range is {
		j, ok := wasAt[after.columnKey]
		if !ok {
			find(idColumn, None, at.Index(i), "the column "+show(after.name)+" is new", why)
			continue
		}
		if j < common {
			find(idColumn, None, at.Index(i), "the column "+show(after.name)+" has moved", why)
		}
		common = max(common, j)
	}
}

// places returns where columns are.
func places(all []column) map[columnKey]int {
	at := map[columnKey]int{}
	for i, c := range all {
		at[c.columnKey] = i
	}
	return at
}

// columnKey tells columns apart: several can have one name.
type columnKey struct {
	name string
	nth  int
}

// column is a column of additionalPrinterColumns, with what changes the output of kubectl get.
type column struct {
	columnKey
	typ, format, path, priority string
}

func (c column) String() string {
	text := strings.Join(strings.Fields(c.path+" "+c.typ+" "+c.format), " ")
	if c.priority != "" {
		text += " with priority " + c.priority
	}
	return text
}

func columnsOf(v *structural.Version) (all []column) {
	count := map[string]int{}
	for _, c := range v.Columns {
		of := column{columnKey: columnKey{c.Name, count[c.Name]}, typ: c.Type, format: c.Format, path: c.JSONPath}
		if c.Priority != 0 {
			of.priority = fmt.Sprint(c.Priority)
		}
		count[c.Name]++
		all = append(all, of)
	}
	return all
}

// subresources compares the subresources of a version.
func (c *crdComparison) subresources(old, new *structural.Version, at *structural.Path,
	find func(id structural.ID, level Level, at *structural.Path, what, why string)) {
	switch {
	case !old.HasStatus && new.HasStatus:
		find(idSubresource, Requests, at.Child("status"), "the status has become a subresource",
			"requests that write it with the object lose it: it must be written to /status")
	case old.HasStatus && !new.HasStatus:
		find(idSubresource, Requests, at.Child("status"), "the status is no longer a subresource", "requests to /status are refused")
	}
	before := structural.NewBehavior(c.old, old, structural.APIServer).Schema
	switch refused := scaleRefuses(old.Scale, new.Scale, before); {
	case reflect.DeepEqual(old.Scale, new.Scale):
	case new.Scale == nil:
		find(idSubresource, Requests, at.Child("scale"), "the scale subresource is gone", "kubectl scale and autoscalers are refused")
	case old.Scale == nil && refused == "":
		find(idSubresource, None, at.Child("scale"), "the scale subresource is new", "no object is affected")
	case old.Scale == nil:
		find(idSubresource, Stored, at.Child("scale"), "the scale subresource is new", refused)
	case refused != "":
		find(idSubresource, Stored, at.Child("scale"), changed("the scale subresource", describeScale(old.Scale), describeScale(new.Scale)), refused)
	case old.Scale.LabelSelector == "" && old.Scale.SpecReplicas == new.Scale.SpecReplicas && old.Scale.StatusReplicas == new.Scale.StatusReplicas:
		find(idSubresource, None, at.Child("scale"), "the scale subresource has a selector: "+show(new.Scale.LabelSelector), "it reads and writes the same fields")
	default:
		find(idSubresource, Requests, at.Child("scale"), changed("the scale subresource", describeScale(old.Scale), describeScale(new.Scale)),
			"it reads and writes other fields")
	}
}

// scaleRefuses returns why updates can be refused because of a field that scale reads now and did not read before, "" if they cannot.
func scaleRefuses(old, new *structural.ScalePaths, s *structural.Schema) string {
	if new == nil {
		return ""
	}
	if old == nil {
		old = &structural.ScalePaths{}
	}
	for _, replicas := range [][2]string{{old.SpecReplicas, new.SpecReplicas}, {old.StatusReplicas, new.StatusReplicas}} {
		if path := replicas[1]; path != replicas[0] && !holdsAt(s, path, isReplicas) {
			return "in every update, " + show(path) + " is refused if it is not between 0 and 2147483647"
		}
	}
	isText := func(s *structural.Schema) bool { return s.Type == "string" && !s.Nullable }
	if path := new.LabelSelector; path != "" && path != old.LabelSelector && !holdsAt(s, path, isText) {
		return "in every update, " + show(path) + " is refused if it is not a string"
	}
	return ""
}

// holdsAt reports whether something holds for the values of a field at a path such as .spec.replicas, or no object has one.
func holdsAt(s *structural.Schema, path string, holds func(*structural.Schema) bool) bool {
	for _, name := range strings.Split(strings.TrimPrefix(path, "."), ".") {
		if s == nil || s.XPreserveUnknownFields || s.XEmbeddedResource && structural.IsMetaField(name) || s.Type != "object" {
			return false
		}
		if s.AdditionalProperties != nil {
			s = s.Values()
		} else if s = s.Properties[name]; s == nil {
			return true
		}
	}
	return s != nil && holds(s)
}

// isReplicas reports whether scale accepts all values of a schema as replicas.
func isReplicas(s *structural.Schema) bool {
	v := orNothing(s.ValueValidation)
	return s.Type == "integer" && !s.Nullable && v.Minimum != nil && *v.Minimum >= 0 && (v.Format == "int32" || v.Maximum != nil && *v.Maximum <= math.MaxInt32)
}

func describeScale(s *structural.ScalePaths) string {
	paths := []string{s.SpecReplicas, s.StatusReplicas, s.LabelSelector}
	return strings.Join(slices.DeleteFunc(paths, func(path string) bool { return path == "" }), ", ")
}

// schema compares the schemas of two versions: first which fields objects keep, then the constraints on their values.
func (c *crdComparison) schema(old, new *structural.Version) {
	w := newWalker(new.Name, schemaPath(c.new, new), c.new.Kubernetes, c.meter)
	w.hasStatus, w.scale, w.written = new.HasStatus, new.Scale, new.Schema
	w.typeMeta = map[string]string{"apiVersion": c.new.Group + "/" + new.Name, "kind": c.new.Names.Kind}
	if c.meter.Spent() {
		return
	}
	before, after := structural.NewBehavior(c.old, old, structural.APIServer), structural.NewBehavior(c.new, new, structural.APIServer)
	both := pair{old: before, new: after, hasStatus: new.HasStatus}
	if s := after.Schema; s != nil && s.Properties["apiVersion"] != nil && s.Properties["apiVersion"].ValueValidation != nil {
		both.typeMeta = [2]string{c.new.Group, new.Name}
	}
	if new.Scale != nil {
		both.scale = *new.Scale
	}
	changes, known := c.compared[both]
	if !known {
		w.kept(c.keptBy(before), c.keptBy(after))
		switch {
		case before.Schema != nil && after.Schema != nil:
			w.schema(&spot{old: spread(before.Schema), new: spread(after.Schema)})
			w.costs(before.Schema, after.Schema)
		case !reflect.DeepEqual(before.Written, after.Written):
			w.add(idSchema, Stored, nil, "the schema has changed", "what it says about values cannot be compared: one of the two is missing or not structural")
		}
		changes = w.changes
		c.compared[both] = changes
	}
	for _, change := range changes {
		if change.ID == idFieldRemoved {
			change.Was = change.place.InSchema(schemaPath(c.old, old))
		}
		if change.Version = new.Name; new.Schema == nil {
			change.At = change.place.InSchema(w.root)
		}
		c.add(change)
	}
}

// schemaPath returns where the schema of a version is, or would be.
func schemaPath(crd *structural.CRD, v *structural.Version) *structural.Path {
	if v.SchemaPath != nil {
		return v.SchemaPath
	}
	return structural.VersionSchemaPath(slices.Index(crd.Versions, v))
}

// keptBy is kept.By, once for each behavior.
func (c *crdComparison) keptBy(b structural.Behavior) *kept.Tree {
	k, ok := c.kept[b]
	if !ok {
		k = kept.By(b)
		c.kept[b] = k
	}
	return k
}

// changed says that something had one value and has another.
func changed(what, old, new string) string {
	switch {
	case old == "":
		return fmt.Sprintf("%s is new: %s", what, show(new))
	case new == "":
		return fmt.Sprintf("%s is gone: it was %s", what, show(old))
	}
	return fmt.Sprintf("%s was %s and is %s", what, show(old), show(new))
}
