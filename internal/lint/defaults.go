package lint

import (
	"strings"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

// defaultErrors returns what the API server refuses about the defaults of a structural schema, in its words and sorted
// by text: pruning must leave each default as it is, its schema must accept it, and the CEL rules of its schema must
// hold for it. The two schemas are the same one, converted and as written. It also returns the CEL rules that do not compile, of the errors
// that say so. The boolean is false if schema and defaults are too large for all of them to be checked.
func defaultErrors(m *meter.Meter, s *structural.Schema, written *structural.JSONSchema, at *structural.Path, e celrules.Environment) (errs []*structural.Error, broken map[*structural.Error]string, whole bool) {
	if s == nil || written == nil {
		return nil, nil, true
	}
	root := s.Resource()
	checker := celrules.NewChecker(e)
	defer checker.Release()
	r := defaultRules{meter: m, rules: ruledDefaults{checker: checker, by: e.Kubernetes(), budget: prunecel.RequestCosts().All, broken: map[*structural.Error]string{}}}
	r.schema(root, written, resourcePlace{schema: root}, at)
	sorted.ByText(r.Errs)
	return r.Errs, r.rules.broken, !r.more
}

// defaultRules checks the defaults of schemas.
type defaultRules struct {
	structural.Errors
	meter *meter.Meter
	rules ruledDefaults
	more  bool // not all defaults were checked
}

// resourcePlace is where a schema stands in the nearest resource above it.
type resourcePlace struct {
	schema     *structural.Schema // of the resource
	inMetadata bool               // below apiVersion, kind or metadata of it
	way        *valueWay          // from the resource to here
}

// valueWay is a way through a value: a field, or the only element of a list.
type valueWay struct {
	parent *valueWay
	field  string
	isItem bool
}

// around returns a resource that has only v, at the end of the way.
func (w *valueWay) around(v any) map[string]any {
	for ; w != nil; w = w.parent {
		if w.isItem {
			v = []any{v}
		} else {
			v = map[string]any{w.field: v}
		}
	}
	obj, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	for k, v := range map[string]any{"kind": "Validation", "apiVersion": "validation/v1"} {
		if _, ok := obj[k]; !ok {
			obj[k] = v
		}
	}
	return obj
}

// schema checks the default of s and those below it. Kubernetes does not look below additionalProperties.
func (r *defaultRules) schema(s *structural.Schema, written *structural.JSONSchema, place resourcePlace, at *structural.Path) {
	if written == nil || r.Full || r.more || r.rules.stopped {
		return
	}
	if s.XEmbeddedResource {
		place = resourcePlace{schema: s}
	}
	if s.Default != nil {
		r.value(s, written, place, at.Child("default"))
	}
	if s.Items != nil && written.Items != nil {
		below := place
		below.way = &valueWay{parent: place.way, isItem: true}
		r.schema(s.Items, written.Items.Schema, below, at.Child("items"))
	}
	for _, k := range sorted.Keys(s.Properties) {
		below := place
		below.inMetadata = place.inMetadata || s.XEmbeddedResource && structural.IsMetaField(k)
		below.way = &valueWay{parent: place.way, field: k}
		r.schema(s.Properties[k], written.Properties[k], below, at.Child("properties").Key(k))
	}
}

// value checks the default of s, which stands at the given path.
func (r *defaultRules) value(s *structural.Schema, written *structural.JSONSchema, place resourcePlace, at *structural.Path) {
	seen := s.Default // by the schema and its CEL rules
	if place.inMetadata {
		if wrong := metadataText(place.way.around(jsonvalue.Copy(s.Default)), place.schema, r.rules.by); wrong != "" {
			r.Invalid(idDefaultMetadata, at, s.Default, "must result in valid metadata: "+wrong)
			return
		}
	} else {
		seen = interpret.CoerceDefault(s)
		dropped := interpret.DroppedFromDefault(s)
		var meta structural.Errors
		interpret.ResourceFaults(s.Default, s, at, r.rules.by, func(f interpret.Fault) { meta.Add(newError(idDefaultMetadata, f)) })
		if len(dropped) > 0 {
			r.Add(&structural.Error{ID: idDefaultPruned, Type: prunert.ErrorTypeInvalid, Path: at, BadValue: seen,
				Detail: "must not have unknown fields",
				Hint:   "specify " + listSome(dropped) + " in the schema, or leave it out of the default: it would be dropped"})
		}
		if len(meta.Errs) > 0 {
			for _, e := range meta.Errs {
				r.Add(e)
			}
			return
		}
	}
	errs := interpret.ValidateDefault(r.meter, r.rules.by, seen, written)
	if r.meter.Spent() {
		r.more = true
		return // half of it would say nothing
	}
	for _, e := range errs {
		below := ""
		if e.Field != "" {
			below = "." + e.Field
		}
		r.Add(&structural.Error{ID: idDefaultInvalid, Type: e.Type, Path: at, BadValue: e.BadValue, Detail: e.Detail, Below: below})
	}
	// For a default, any error prevents CEL rules; for an object, only some do: see prunert.Resource.ValidateRulesAfter.
	if len(errs) > 0 || !structural.HasRules(written) {
		return
	}
	broken, whole := r.rules.validate(s, seen)
	for _, e := range broken {
		e.Path = at
		r.Add(e)
	}
	r.more = r.more || !whole
}

// listSome lists the first few of some names.
func listSome(names []string) string {
	const most = 5
	var all []string
	for _, n := range names[:min(most, len(names))] {
		all = append(all, yamltext.Shorten(n))
	}
	if len(names) > most {
		all = append(all, "...")
	}
	return strings.Join(all, ", ")
}

// metadataText returns what is wrong with the metadata in a resource, in one line; "" if it is valid.
func metadataText(obj map[string]any, s *structural.Schema, by kubeversion.Version) string {
	var errs structural.Errors
	if obj != nil {
		interpret.ResourceFaults(obj, s, nil, by, func(f interpret.Fault) { errs.Add(newError(idDefaultMetadata, f)) })
	}
	if len(errs.Errs) == 0 {
		return ""
	}
	sorted.ByText(errs.Errs)
	var texts []string
	for _, e := range errs.Errs {
		texts = append(texts, e.Error())
	}
	return aggregate(texts)
}

// aggregate writes messages as Kubernetes does: each of them once, in brackets when there are several.
func aggregate(messages []string) string {
	seen := map[string]bool{}
	var distinct []string
	for _, m := range messages {
		if !seen[m] {
			seen[m] = true
			distinct = append(distinct, m)
		}
	}
	if len(distinct) == 1 {
		return distinct[0]
	}
	return "[" + strings.Join(distinct, ", ") + "]"
}
