package celrules

import (
	"reflect"
	"slices"

	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

// Met describes the values that the CEL rules of a schema are evaluated on: values that another schema accepted, as an API server reads
// them with this one and its defaults. If both are the same schema, they are the values that it accepts.
type Met struct {
	// Schema has the types, list types and fields of the schema, and the bounds of the other one. A field is required if all values have
	// it.
	Schema *structural.Schema
	// TrustFormats says that no text has a format which CEL cannot read, as in ordinary objects.
	TrustFormats bool
	root         bool
	doubts       map[*structural.Schema]doubt
	// differs has the schemas whose values rules see differently than with the other schema; below has the schemas that contain one of
	// those.
	differs, below map[*structural.Schema]bool
	// refilled has fields of self, or of objects in it, that differ only in their defaults: the value of the field if it was missing, nil
	// if it stays missing.
	refilled map[*structural.Schema]any
}

// doubt says how values may differ from what the schema says.
type doubt uint8

const (
	otherType doubt = 1 << iota // of any type
	isAbsent                    // no value has the field
)

// NewMet returns the values that old accepted, as the rules of new see them. Both are schemas of the whole object if root says so.
func NewMet(old, new *structural.Schema, root bool) *Met {
	m := &Met{root: root, doubts: map[*structural.Schema]doubt{}, differs: map[*structural.Schema]bool{}, below: map[*structural.Schema]bool{}, refilled: map[*structural.Schema]any{}}
	m.Schema = m.merge(old, new, root, true)
	if old != nil { // rules are not evaluated on null
		as := *old
		if as.Nullable = new.Nullable; !hasDefaultsBelow(new) { // nor on defaults that they do not allow
			as.Default = new.Default
		}
		m.differs[m.Schema] = !SeenAlike(&as, new)
	}
	return m
}

// merge returns the schema of the values. A nil old accepts any value. Single says that an object has one such value at most.
func (m *Met) merge(old, new *structural.Schema, isResource, single bool) *structural.Schema {
	out := &structural.Schema{Generic: new.Generic, Extensions: new.Extensions, ValueValidation: &structural.ValueValidation{Format: validation(new).Format}}
	out.Default = nil
	if new.Type == "integer" && (old == nil || validation(old).Format != out.ValueValidation.Format) {
		out.ValueValidation.Format = "" // it is no type to rules, and larger values were accepted
	}
	differs := old == nil || !SeenAlike(old, new)
	if old == nil || !fits(old, new) {
		m.doubts[out] |= otherType
	} else {
		m.bounds(out, old, new)
	}
	below := false
	add := func(was, is *structural.Schema, single bool) *structural.Schema {
		child := m.merge(was, is, is.XEmbeddedResource, single)
		below = below || m.differs[child] || m.below[child]
		return child
	}
	if new.Items != nil {
		var was *structural.Schema
		if old != nil {
			was = old.Items
		}
		out.Items = add(was, new.Items, false)
		hasNull := was != nil && (was.Nullable || was.Type == "" && !was.XIntOrString) // otherwise it was refused
		out.Items.Nullable = was == nil || hasNull
		if hasNull && !new.Items.Nullable {
			m.doubts[out.Items] |= otherType // null is an error then
		}
	}
	if ap := new.AdditionalProperties; ap != nil {
		out.AdditionalProperties = &structural.SchemaOrBool{Bool: ap.Bool}
		if ap.Schema != nil {
			var was *structural.Schema
			if old != nil && old.AdditionalProperties != nil && len(old.Properties) == 0 {
				was = old.AdditionalProperties.Schema
			}
			out.AdditionalProperties.Schema = add(was, ap.Schema, false)
		}
	}
	for name, is := range new.Properties {
		if out.Properties == nil {
			out.Properties = map[string]*structural.Schema{}
		}
		was, known := schemaOf(old, name, isResource)
		if was != nil && was.Default != nil && old.Properties[name] == nil { // which values of a map get only in place of null
			as := *was
			as.Default = nil
			was = &as
		}
		var child *structural.Schema
		if !known && is.Default == nil { // what it would be does not matter
			child = m.merge(is, is, is.XEmbeddedResource, false)
			m.doubts[child] = isAbsent
		} else if child = add(was, is, single); !known {
			delete(m.doubts, child)
			child.ValueValidation.Enum = []any{is.Default}
		}
		// Objects that were stored before the field had its default lack it.
		hadIt := known && was != nil && !was.Nullable && was.Default == nil && slices.Contains(validation(old).Required, name)
		if hadIt || is.Default != nil && !is.Nullable {
			out.ValueValidation.Required = append(out.ValueValidation.Required, name)
		}
		out.Properties[name] = child
		if single && m.differs[child] && known && was != nil {
			if as := *was; !reflect.DeepEqual(was.Default, is.Default) && !was.Nullable {
				if as.Default = is.Default; SeenAlike(&as, is) {
					m.refilled[child] = is.Default
				}
			}
		}
	}
	if old != nil {
		for name := range old.Properties {
			below = below || new.Properties[name] == nil
		}
	}
	m.differs[out], m.below[out] = differs, below
	return out
}

// hasDefaultsBelow reports whether a schema below s has a default, which a default of s gets, too.
func hasDefaultsBelow(s *structural.Schema) bool {
	has := func(s *structural.Schema) bool { return s != nil && (s.Default != nil || hasDefaultsBelow(s)) }
	if has(s.Items) || has(s.Values()) {
		return true
	}
	for _, p := range s.Properties {
		if has(p) {
			return true
		}
	}
	return false
}

// schemaOf returns the schema of a field, nil if it allows any value. It is not known if no value has the field.
func schemaOf(s *structural.Schema, name string, isResource bool) (field *structural.Schema, known bool) {
	switch {
	case s == nil:
		return nil, true
	case s.Properties[name] != nil:
		return s.Properties[name], true
	case s.AdditionalProperties != nil:
		return s.AdditionalProperties.Schema, true
	}
	if structural.IsMetaField(name) && (isResource || s.XEmbeddedResource) {
		return withMetadata(&structural.Schema{})[name], true
	}
	return nil, s.XPreserveUnknownFields
}

// SeenAlike reports whether rules see a value the same way with both schemas, apart from what it contains.
func SeenAlike(a, b *structural.Schema) bool {
	return kindOf(a, false) == kindOf(b, false) && a.Nullable == b.Nullable && reflect.DeepEqual(a.Default, b.Default) && a.XEmbeddedResource == b.XEmbeddedResource &&
		(a.XPreserveUnknownFields == b.XPreserveUnknownFields || a.Type == "array") && listType(a) == listType(b) && slices.Equal(a.XListMapKeys, b.XListMapKeys)
}

func listType(s *structural.Schema) string {
	if s.XListType == nil {
		return "atomic"
	}
	return *s.XListType
}

// fits reports whether the values of old can be read as those of new, apart from what they contain.
func fits(old, new *structural.Schema) bool {
	was, is := kindOf(old, false), kindOf(new, false)
	isText := was == prunecel.KindString || was == prunecel.KindBytes || was == prunecel.KindDuration || was == prunecel.KindDate || was == prunecel.KindDateTime
	isMap := func(k prunecel.Kind) bool {
		return k == prunecel.KindObject || k == prunecel.KindMap || k == prunecel.KindOpaque
	}
	switch {
	case was == is, is == prunecel.KindPreserved, isMap(was) && isMap(is):
		return true
	case is == prunecel.KindString:
		return isText
	case is == prunecel.KindIntOrString:
		return isText || was == prunecel.KindInt
	case is == prunecel.KindDouble:
		return was == prunecel.KindInt
	}
	return false
}

// bounds copies the bounds of old. A new default may be outside of them.
func (m *Met) bounds(out, old, new *structural.Schema) {
	was := *validation(old)
	was.Format, was.Required = out.ValueValidation.Format, nil
	if new.Default != nil && !reflect.DeepEqual(old.Default, new.Default) {
		enum := was.Enum
		if was = (structural.ValueValidation{Format: was.Format}); len(enum) > 0 {
			was.Enum = append(slices.Clone(enum), new.Default)
		}
	}
	*out.ValueValidation = was
}
