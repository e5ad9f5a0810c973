package crddiff

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/crd/kept"
	"github.com/prune-gen/prune-gen/structural"
)

// An API server tolerates in an update what was there before. It does so in five ways, and the level of a change follows from them:
//
//   - What a schema says about a value, in the schema or in alternatives, is tolerated if the value, or one around it, is the same as before.
//     For that it must be known which value it was before: it is not where the schema does not specify a field, or where an element of a list
//     map has no key of its own. Nothing around such a value counts as the same. Lists that are not list maps are compared as they are.
//   - apiVersion and kind of the object are never tolerated; nor are fields of these names in the status, in an update of the status.
//   - apiVersion, kind and metadata of embedded resources are never tolerated, except in an update of the status.
//   - Duplicates in list sets and list maps are tolerated if the object had any before.
//   - CEL rules that are false are tolerated like values, unless they refer to oldSelf. A rule whose evaluation fails is not.
//
// An update of the status is validated by the schema of the status, and by all CEL rules.

// spot is a place of two schemas that are compared.
type spot struct {
	place  *kept.Place
	around *spot // nil for the whole object
	step   step
	name   string             // of a field
	old    *structural.Schema // nil for any value
	new    *structural.Schema
}

// step is how a spot is reached from the one around it.
type step uint8

const (
	stepField step = iota
	stepValues
	stepElements
)

func (s *spot) field(name string, old, new *structural.Schema) *spot {
	return &spot{s.place.Field(name), s, stepField, name, old, new}
}

func (s *spot) values(old, new *structural.Schema) *spot {
	return &spot{s.place.Values(), s, stepValues, "", old, new}
}

func (s *spot) elements(old, new *structural.Schema) *spot {
	return &spot{s.place.Elements(), s, stepElements, "", old, new}
}

// chain returns the spots from the first one below the object to s.
func (s *spot) chain() []*spot {
	if s.around == nil {
		return nil
	}
	return append(s.around.chain(), s)
}

func isTypeMeta(s *spot) bool {
	return s.step == stepField && (s.name == "apiVersion" || s.name == "kind")
}

// stuck returns, as a clause, why an update is refused because of an unchanged value at a spot, "" if the value is tolerated.
func (w *walker) stuck(s *spot) string {
	chain := s.chain()
	if len(chain) == 0 {
		return "the whole object never counts as unchanged, because its metadata changes"
	}
	if isTypeMeta(chain[0]) {
		return "apiVersion and kind are always checked"
	}
	if w.hasStatus && len(chain) > 1 && chain[0].name == "status" && isTypeMeta(chain[1]) {
		return "in one of the status, its apiVersion and kind are always checked"
	}
	for _, on := range chain {
		if on.step != stepElements {
			continue
		}
		if !isListMap(on.around.new) {
			return "" // the list is compared as it is
		}
		if why := looseKeys(on.around.old, on.around.new); why != "" {
			return "elements of " + on.around.place.String() + " " + why
		}
	}
	return w.uncorrelated(s.old, s.new, s.place)
}

// uncorrelated returns, as a clause, why a value never counts as unchanged, "" if it can.
func (w *walker) uncorrelated(old, new *structural.Schema, at *kept.Place) string {
	pair := [2]*structural.Schema{old, new}
	why, known := w.correlations[pair]
	if !known && w.meter.Spend(1) {
		why = w.findUncorrelated(old, new, at)
		w.correlations[pair] = why
	}
	return why
}

func (w *walker) findUncorrelated(old, new *structural.Schema, at *kept.Place) string {
	isMap := old == nil || old.Type == "object" || typeOf(old) == anyType
	isList := old == nil || old.Type == "array" || typeOf(old) == anyType
	const uncounted = ", so that it never counts as unchanged"
	switch {
	case isMap && keepsUnspecified(new) && hasUnspecified(old, new):
		return at.String() + " may have fields that are not specified" + uncounted
	case isMap && new.XEmbeddedResource:
		return at.String() + " has metadata that is not specified" + uncounted
	case isList && isListMap(new):
		if why := looseKeys(old, new); why != "" {
			return "elements of " + at.String() + " " + why
		}
		return w.uncorrelated(old.Items, new.Items, at.Elements())
	}
	for _, name := range slices.Sorted(maps.Keys(new.Properties)) {
		was, is := schemaFor(old, name), new.Properties[name]
		if was == nil && old != nil && !old.XPreserveUnknownFields && is.Default == nil {
			continue // no value has it
		}
		if why := w.uncorrelated(was, is, at.Field(name)); why != "" {
			return why
		}
	}
	if is := valuesOf(new); is != nil {
		return w.uncorrelated(valuesOf(old), is, at.Values())
	}
	return ""
}

func isListMap(s *structural.Schema) bool { return wordOf(s.XListType, "") == "map" && s.Items != nil }

// looseKeys returns why elements of a list map cannot be matched with old ones, "" if they can.
func looseKeys(old, new *structural.Schema) string {
	const loose = "may have the keys of others or none, and are not known from before"
	if old == nil || !isListMap(old) || old.Items.Type != "object" || new.Items.Type != "object" {
		return loose
	}
	for _, key := range old.XListMapKeys {
		if !slices.Contains(new.XListMapKeys, key) {
			return loose // those that differed in it only
		}
	}
	for _, key := range new.XListMapKeys {
		was, is := old.Items.Properties[key], new.Items.Properties[key]
		if was == nil || is == nil || was.Type != is.Type || was.Nullable || is.Default == nil && (was.Default != nil || !slices.Contains(requiredOf(old.Items), key)) {
			return loose
		}
	}
	return ""
}

// keepsUnspecified reports whether objects keep fields that have no schema, be it to refuse them.
func keepsUnspecified(s *structural.Schema) bool {
	ap := s.AdditionalProperties
	return s.XPreserveUnknownFields || ap != nil && ap.Schema == nil
}

// refusesFields reports whether a schema refuses all fields of an object. It has no properties then.
func refusesFields(s *structural.Schema) bool {
	ap := s.AdditionalProperties
	return ap != nil && ap.Schema == nil && !ap.Bool
}

// hasUnspecified reports whether a value of old can have a field that new does not specify.
func hasUnspecified(old, new *structural.Schema) bool {
	if old == nil || old.XPreserveUnknownFields || old.XEmbeddedResource || old.AdditionalProperties != nil && !refusesFields(old) {
		return true
	}
	for name := range old.Properties {
		if new.Field(name) == nil {
			return true
		}
	}
	return false
}

// aroundRefuses returns whom a change breaks because an object has more, fewer or other fields at a spot than before: schemas around it
// can refuse that. Stays says that stored objects have these fields, too.
func (w *walker) aroundRefuses(s *spot, stays bool) (level Level, why string) {
	if stays && s.new.Default != nil && w.scaleRefusesDefault(s) {
		return Stored, "scale refuses it in every update"
	}
	if stays && s.new.Default != nil && hasDefaultsIn(s.new) {
		own := *s.new
		own.XValidations = nil // which are judged by themselves
		if constrained, ruled := restricts(&own); ruled || constrained && w.stuck(s) != "" {
			level, why = Stored, "with the defaults in it, it can be refused in every update"
		} else if constrained {
			level, why = Requests, "with the defaults in it, it can be refused"
		}
		if level == Stored {
			return level, why
		}
	}
	path := []*spot{}
	for a := s; a.around != nil; a = a.around {
		path = append([]*spot{a}, path...)
		in := a.around
		keyword := dependsOn(orNothing(in.new.ValueValidation), path)
		if keyword == "" {
			continue
		}
		where := "the object"
		if in.place != nil {
			where = in.place.String()
		}
		if clause := w.stuck(in); clause != "" && stays {
			return Stored, keyword + " of " + where + " can refuse it, in every update: " + clause
		}
		level, why = Requests, keyword+" of "+where+" can refuse it"
	}
	return level, why
}

// scaleRefusesDefault reports whether scale reads a field in a default, or in the defaults within it, and does not take its value.
func (w *walker) scaleRefusesDefault(s *spot) bool {
	if w.scale == nil {
		return false
	}
	at := "." + s.place.String()
	for _, path := range []string{w.scale.SpecReplicas, w.scale.StatusReplicas, w.scale.LabelSelector} {
		below, ok := strings.CutPrefix(path+".", at+".")
		if !ok {
			continue
		}
		schema, value := s.new, s.new.Default
		for _, name := range strings.FieldsFunc(below, func(r rune) bool { return r == '.' }) {
			fields, _ := value.(map[string]any)
			if value, schema = fields[name], schemaFor(schema, name); value == nil && schema != nil {
				value = schema.Default
			}
		}
		if value != nil && w.scaleRefuses(path, value) {
			return true
		}
	}
	return false
}

// scaleRefuses reports whether scale reads a field at a path and does not take a value of it.
func (w *walker) scaleRefuses(path string, value any) bool {
	if w.scale == nil {
		return false
	}
	n, isInt := value.(int64)
	_, isText := value.(string)
	isReplicas := path == w.scale.SpecReplicas || path == w.scale.StatusReplicas
	return isReplicas && (!isInt || n < 0 || n > math.MaxInt32) || path == w.scale.LabelSelector && !isText
}

// restricts reports whether keywords at or below a schema restrict objects with more fields, and whether CEL rules do.
func restricts(s *structural.Schema) (constrained, ruled bool) {
	if s == nil {
		return false, false
	}
	v := orNothing(s.ValueValidation)
	constrained = v.MaxProperties != nil || slices.ContainsFunc(junctorsOf(v), func(j junctor) bool { return len(j.all) > 0 })
	ruled = len(s.XValidations) > 0
	below := []*structural.Schema{s.Items, valuesOf(s)}
	for _, p := range s.Properties {
		below = append(below, p)
	}
	for _, p := range below {
		c, r := restricts(p)
		constrained, ruled = constrained || c, ruled || r
	}
	return constrained, ruled
}

// dependsOn returns a keyword whose result for an object can depend on whether the field at a path exists and on its value; "" for none.
func dependsOn(v *structural.ValueValidation, path []*spot) string {
	switch {
	case len(v.Enum) > 0:
		return "enum"
	case len(path) == 1 && path[0].step != stepElements && v.MaxProperties != nil:
		return "maxProperties"
	case len(path) == 1 && path[0].step != stepElements && v.MinProperties != nil:
		return "minProperties"
	}
	for _, j := range junctorsOf(v) {
		for _, n := range j.all {
			if mentions(n, path) {
				return j.name
			}
		}
	}
	return ""
}

// mentions reports whether a part of a junctor says something about a value at a path, or about which fields exist around it.
func mentions(n *structural.NestedValueValidation, path []*spot) bool {
	if len(path) == 0 {
		return true
	}
	next := path[0]
	switch {
	case dependsOn(&n.ValueValidation, path) != "", next.step == stepField && len(path) == 1 && slices.Contains(n.Required, next.name):
		return true
	case next.step == stepElements:
		return n.Items != nil && mentions(n.Items, path[1:])
	case next.step == stepField && n.Properties[next.name] != nil:
		return mentions(n.Properties[next.name], path[1:])
	}
	return n.AdditionalProperties != nil
}
