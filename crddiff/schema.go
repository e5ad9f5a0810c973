package crddiff

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/crd/kept"
	"github.com/prune-gen/prune-gen/internal/text/spelling"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
)

// walker compares the schemas of a version.
type walker struct {
	version string
	root    *structural.Path    // of the new schema
	by      kubeversion.Version // of the API server
	changes []Change
	meter   *meter.Meter
	// hasStatus says that the status is a subresource, and scale which fields the subresource scale reads, nil without one.
	hasStatus bool
	scale     *structural.ScalePaths
	// typeMeta has the values of apiVersion and kind in all objects, which the schema as it is written may constrain.
	typeMeta map[string]string
	written  *structural.JSONSchema
	// correlations has why values do not count as unchanged, and alikes whether rules see them alike.
	correlations map[[2]*structural.Schema]string
	alikes       map[[2]*structural.Schema]alike
}

func newWalker(version string, root *structural.Path, by kubeversion.Version, m *meter.Meter) *walker {
	return &walker{version: version, root: root, by: by, meter: m, correlations: map[[2]*structural.Schema]string{}, alikes: map[[2]*structural.Schema]alike{}}
}

// add adds a change at a place. Keywords are the way from the schema of the place to what has changed.
func (w *walker) add(id structural.ID, level Level, at *kept.Place, what, why string, keywords ...string) {
	if !at.Spend(w.meter) {
		return
	}
	w.changes = append(w.changes, Change{ID: id, Level: level, Version: w.version, place: at,
		At: at.InSchema(w.root).Child(keywords...), What: what, Why: why})
}

// refuse adds a change after which the API server refuses values at a spot that it accepted before. The change is shown at another place
// if it is about a missing field.
func (w *walker) refuse(id structural.ID, s *spot, at *kept.Place, what, why string, keywords ...string) {
	if clause := w.stuck(s); clause != "" {
		w.add(id, Stored, at, what, why+", in every update: "+clause, keywords...)
		return
	}
	w.add(id, Requests, at, what, why, keywords...)
}

// spread returns a schema in which elements say what lists say for them: x-kubernetes-preserve-unknown-fields of a list is about the
// objects in it.
func spread(s *structural.Schema) *structural.Schema {
	if s == nil {
		return nil
	}
	out, items := *s, s.Items
	if items != nil && s.XPreserveUnknownFields && !items.XPreserveUnknownFields {
		said := *items
		said.XPreserveUnknownFields = true
		items = &said
	}
	out.Items = spread(items)
	if values := s.Values(); values != nil {
		out.AdditionalProperties = &structural.SchemaOrBool{Bool: s.AdditionalProperties.Bool, Schema: spread(values)}
	}
	out.Properties = maps.Clone(s.Properties)
	for name, p := range s.Properties {
		out.Properties[name] = spread(p)
	}
	return &out
}

// kept compares what objects keep.
func (w *walker) kept(old, new *kept.Tree) {
	gone, added := old.Without(new, w.meter), new.Without(old, w.meter)
	siblings := map[string][]string{} // the names of new fields, by what they are in
	for _, p := range added {
		if parent, name := p.SplitField(); name != "" {
			siblings[parent] = append(siblings[parent], name)
		}
	}
	for _, p := range gone {
		switch {
		case p.IsRest():
			w.add(idPreserve, Stored, p, "fields that are not specified are dropped", "they were kept")
		default:
			why := "objects that have it lose it"
			parent, name := p.SplitField()
			if name = renamed(name, siblings[parent]); name != "" {
				why += "; if it is called " + show(name) + " now, nothing moves the values"
			}
			w.add(idFieldRemoved, Stored, p, "the field is gone", why)
		}
	}
	for _, p := range added {
		switch {
		case p.IsRest():
			w.add(idPreserve, None, p, "fields that are not specified are kept", "they were dropped")
		default:
			w.add(idFieldAdded, None, p, "the field is new", "objects that have it keep it")
		}
	}
}

// renamed returns the one of some new fields that may be a new name of one that is gone, "" for none: names that are spelled nearly alike,
// or one of which contains the other.
func renamed(name string, fields []string) string {
	const most = 100 // among more, a field says little about another, and to compare them takes time
	if name == "" || len(fields) > most {
		return ""
	}
	if near := spelling.Nearest(name, fields); near != "" {
		return near
	}
	for _, field := range fields {
		was, is := strings.ToLower(name), strings.ToLower(field)
		if len(was) > 2 && len(is) > 2 && (strings.Contains(was, is) || strings.Contains(is, was)) {
			return field
		}
	}
	return ""
}

// schema compares two schemas of a spot.
func (w *walker) schema(s *spot) {
	if !w.meter.Spend(meter.UnitsOfSchemaPair) {
		return
	}
	w.types(s)
	w.generic(s)
	w.extensions(s)
	w.required(s)
	w.valueValidation(s)
	w.rules(s)
	w.children(s)
}

// children compares the schemas below two others, as far as both describe the same values.
func (w *walker) children(s *spot) {
	old, new := s.old, s.new
	names := maps.Clone(old.Properties)
	if names == nil {
		names = map[string]*structural.Schema{}
	}
	maps.Copy(names, new.Properties)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		before, after := schemaFor(old, name), schemaFor(new, name)
		if structural.IsMetaField(name) && (s.around == nil || old.XEmbeddedResource && new.XEmbeddedResource) {
			w.metadata(s.field(name, orMeta(before, name), orMeta(after, name)))
			if at := s.field(name, before, after); before != nil && after == nil && !before.Nullable && at.isTypeMeta() {
				w.add(idSpecified, Requests, at.place, "the field is no longer specified", "null was dropped, and is refused now")
			}
			continue
		}
		switch {
		case before != nil && after != nil:
			w.schema(s.field(name, before, after))
		case before != nil && new.XPreserveUnknownFields:
			w.unspecified(s.field(name, before, &structural.Schema{}))
		case after != nil && old.XPreserveUnknownFields:
			w.specified(s.field(name, nil, after))
		case after != nil && after.Default != nil:
			w.newDefault(s.field(name, nil, after))
		}
	}
	switch before, after := valuesOf(old), valuesOf(new); {
	case refusesFields(new) && !refusesFields(old) && hasUnspecified(old, new):
		w.refuse(idSpecified, s, s.place, "no field is allowed any more", "objects that have one are refused", "additionalProperties")
	case before != nil && after != nil:
		w.schema(s.values(before, after))
	case before != nil && new.XPreserveUnknownFields:
		w.unspecified(s.values(before, &structural.Schema{}))
	case after != nil && old.XPreserveUnknownFields:
		w.specified(s.values(nil, after))
	case after != nil && after.Nullable && old.AdditionalProperties != nil: // false
		w.add(idNullable, Readers, s.place.Values(), "the value may be null", "null was dropped")
	}
	switch {
	case old.Items != nil && new.Items != nil:
		w.schema(s.elements(old.Items, new.Items))
	case old.Items != nil && new.XPreserveUnknownFields:
		w.unspecified(s.elements(old.Items, &structural.Schema{}))
	case new.Items != nil && old.XPreserveUnknownFields:
		w.specified(s.elements(nil, new.Items))
	}
}

// metadata compares what schemas say about apiVersion, kind or metadata of a resource; in metadata, only the names count.
func (w *walker) metadata(s *spot) {
	switch {
	case s.name != "metadata" && s.around.around == nil:
		w.constant(s, w.typeMeta[s.name])
	case s.name != "metadata":
		w.schema(s)
	case s.around.around == nil:
		for _, name := range []string{"generateName", "name"} { // about nothing else can the root say something
			w.schema(s.field(name, orMeta(s.old.Properties[name], name), orMeta(s.new.Properties[name], name)))
		}
	case reflect.DeepEqual(s.old.Properties, s.new.Properties) && reflect.DeepEqual(s.old.AdditionalProperties, s.new.AdditionalProperties):
		old, new := *s.old, *s.new
		old.XPreserveUnknownFields, new.XPreserveUnknownFields = true, true // as it has fields that are not specified
		w.schema(s.around.field(s.name, &old, &new))
	case !reflect.DeepEqual(s.old, s.new):
		w.add(idEmbedded, Stored, s.place, "what the schema says about metadata has changed", refusesMore+", in every update: metadata never counts as unchanged")
	}
}

// constant compares what schemas say about a field that has the same value in all objects.
func (w *walker) constant(s *spot, value string) {
	n := len(w.changes)
	if w.schema(s); n == len(w.changes) {
		return
	}
	is := w.written.Properties[s.name]
	if is != nil {
		if errs := interpret.ValidateDefault(w.meter, w.by, value, is); len(errs) > 0 {
			return
		}
	}
	for i := range w.changes[n:] {
		if change := &w.changes[n+i]; change.ID != idValidation && slices.Contains(Levels(change.ID), None) {
			change.Level, change.Why = None, "it is "+show(value)+" in all objects, which is accepted"
		}
	}
}

// orMeta returns a schema of apiVersion, kind, metadata or a name, or what holds for it without one.
func orMeta(s *structural.Schema, name string) *structural.Schema {
	switch {
	case s != nil:
		return s
	case name == "metadata":
		return &structural.Schema{Generic: structural.Generic{Type: "object"}}
	}
	return &structural.Schema{Generic: structural.Generic{Type: "string"}}
}

// schemaFor returns the schema of a field, nil if it is not specified.
func schemaFor(s *structural.Schema, name string) *structural.Schema {
	if s == nil {
		return nil
	}
	if p, ok := s.Properties[name]; ok {
		return p
	}
	return valuesOf(s)
}

// valuesOf returns the schema of the values of a map, nil if s is not one.
func valuesOf(s *structural.Schema) *structural.Schema {
	switch {
	case s == nil || s.AdditionalProperties == nil:
		return nil
	case s.AdditionalProperties.Schema == nil && s.AdditionalProperties.Bool:
		return anyValue
	}
	return s.AdditionalProperties.Schema
}

// anyValue is the schema of the values of a map with additionalProperties: true. Null is one of them.
var anyValue = &structural.Schema{Generic: structural.Generic{Nullable: true}}

// unspecified adds the change that a field is kept, but no longer specified.
func (w *walker) unspecified(s *spot) {
	level, why := Readers, "it is kept as it is, with any value"
	if typeOf(s.old) == anyType && s.old.Nullable {
		level = None
	}
	if refused, because := w.aroundRefuses(s, false); refused > level && !s.old.Nullable && s.step != stepElements { // null was dropped
		level, why = refused, "null is kept: "+because
	}
	if level < Requests && contains(s.old, func(s *structural.Schema) bool { return s.XEmbeddedResource }) {
		level, why = Requests, "embedded resources are kept as they are written"
	}
	if level < Requests && !s.old.Nullable && w.scaleRefuses("."+s.place.String(), nil) {
		level, why = Requests, "null was dropped, and scale refuses it"
	}
	w.add(idSpecified, level, s.place, "the field is no longer specified", why)
	if s.old.Default != nil {
		w.goneDefault(s)
	} else if hasDefaults(s.old) {
		w.add(idDefault, Requests, s.place, "the defaults in it are gone", "objects without its fields no longer get them")
	}
}

// contains reports whether something is true of a schema or of one below it.
func contains(s *structural.Schema, is func(*structural.Schema) bool) bool {
	if s == nil {
		return false
	}
	if is(s) || contains(s.Items, is) || contains(valuesOf(s), is) {
		return true
	}
	for _, p := range s.Properties {
		if contains(p, is) {
			return true
		}
	}
	return false
}

// hasDefaults reports whether a schema or one below it has a default.
func hasDefaults(s *structural.Schema) bool {
	return contains(s, func(s *structural.Schema) bool { return s.Default != nil })
}

// hasDefaultsIn reports whether a schema below another one has a default.
func hasDefaultsIn(s *structural.Schema) bool {
	without := *s
	without.Default = nil
	return hasDefaults(&without)
}

// specified adds the change that a field is specified that objects could already have, with any value.
func (w *walker) specified(s *spot) {
	what := "the field is specified as " + typeOf(s.new)
	switch {
	case typeOf(s.new) == anyType && keepsAll(s.new) && s.new.Nullable:
		w.add(idSpecified, None, s.place, what, "it was kept with any value")
	case typeOf(s.new) == anyType && keepsAll(s.new):
		w.add(idSpecified, Stored, s.place, what, "it was kept with any value, and null is dropped")
	default:
		w.add(idSpecified, Stored, s.place, what, "it was kept with any value, and other values are refused or lose what is not specified")
	}
}

// required compares which fields objects must have.
func (w *walker) required(s *spot) {
	was, is := requiredOf(s.old), requiredOf(s.new)
	wasRequired, isRequired := setOf(was), setOf(is)
	refuse := func(name, what string) {
		lacking := *s // the field, in which there is nothing then that could count as changed
		lacking.old, lacking.new = withoutField(s.old, name), withoutField(s.new, name)
		if clause := w.stuck(&lacking); clause != "" {
			w.add(idRequired, Stored, s.place.Field(name), what, "objects without it are refused, in every update: "+clause)
		} else {
			w.add(idRequired, Requests, s.place.Field(name), what, "new objects without it are refused; those that already lack it are tolerated")
		}
	}
	for i, name := range is {
		n := len(w.changes)
		had, has := hasDefault(s.old, name), hasDefault(s.new, name)
		switch {
		case wasRequired[name] && (has || !had):
		case wasRequired[name]:
			refuse(name, "the field is required and has no default any more")
		case has && w.lacksDefault(s) && name == "status":
			w.add(idRequired, Requests, s.place.Field(name), "the field is required", newLackStatus)
		case has:
			w.add(idRequired, None, s.place.Field(name), "the field is required", "its default is filled in where it is missing")
		case s.around == nil && structural.IsMetaField(name):
		default:
			refuse(name, "the field is required")
		}
		if len(w.changes) > n && !wasRequired[name] {
			w.changes[n].At = s.place.InSchema(w.root).Child("required").Index(i)
		}
	}
	for _, name := range was {
		if !isRequired[name] && schemaFor(s.new, name) != nil {
			w.add(idRequired, None, s.place.Field(name), "the field is no longer required", "more objects are accepted")
		}
	}
}

// newLackStatus is a reason: where the status is a subresource, it is dropped from a new object after defaults are filled in.
const newLackStatus = "new objects are refused, which do not even have the default of the status"

// lacksDefault reports whether new objects lack the status although it has a default.
func (w *walker) lacksDefault(s *spot) bool {
	return w.hasStatus && s.around == nil && hasDefault(s.new, "status")
}

// withoutField returns a schema without a field.
func withoutField(s *structural.Schema, name string) *structural.Schema {
	out := *s
	out.Properties = maps.Clone(s.Properties)
	delete(out.Properties, name)
	return &out
}

func hasDefault(s *structural.Schema, name string) bool {
	child := s.Properties[name]
	return child != nil && child.Default != nil
}

func setOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

func requiredOf(s *structural.Schema) []string {
	if s.ValueValidation == nil {
		return nil
	}
	return s.ValueValidation.Required
}
