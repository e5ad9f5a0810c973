package crdjudge

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/specimen"
	"github.com/prune-gen/prune-gen/structural"
)

// near returns values around the bounds of a schema, and others that it may keep.
func (m *mutator) near(s *structural.Schema, depth int) []any {
	v := s.ValueValidation
	if v == nil {
		v = &structural.ValueValidation{}
	}
	var all []any
	if s.Nullable || m.oneIn(4) {
		all = append(all, nil, nil, nil)
	}
	if s.Default != nil {
		all = append(all, s.Default)
	}
	all = append(all, v.Enum...)
	sizes := func(bounds ...*int64) []int {
		sizes := []int{0, 1, 2}
		for _, b := range bounds {
			if b != nil && *b < 100 {
				sizes = append(sizes, int(max(*b-1, 0)), int(*b), int(*b+1))
			}
		}
		return sizes
	}
	texts := func() {
		if v.Pattern != "" || v.Format != "" || len(s.XValidations) > 0 {
			all = append(all, specimen.Value(s, m.Uint64(), nil), specimen.Value(s, m.Uint64(), nil))
		}
		for _, n := range sizes(v.MinLength, v.MaxLength) {
			all = append(all, strings.Repeat("a", n))
		}
		all = append(all, "x", "ab", "b", "A", "50%", "2020-01-01", "2020-01-01T00:00:00Z", "2020-01-01T00:00:00ZTx", "1h", "1.2.3.4", "https://a", "a/b", "5", "1Gi", "YWJj", "+/+/", "00000000-0000-4000-8000-000000000000")
	}
	numbers := func() {
		all = append(all, int64(-1), int64(0), int64(1), int64(2), int64(3), int64(math.MaxInt32)+1, int64(math.MaxInt64), int64(math.MinInt64))
		for _, b := range []*float64{v.Minimum, v.Maximum, v.MultipleOf} {
			if b != nil && math.Abs(*b) < 1e15 {
				all = append(all, int64(*b), int64(*b)+1, int64(*b)-1)
			}
		}
	}
	if s.XIntOrString {
		texts()
		numbers()
		return all
	}
	switch s.Type {
	case "string":
		texts()
	case "integer":
		numbers()
	case "number":
		numbers()
		for _, b := range []*float64{v.Minimum, v.Maximum} {
			if b != nil {
				all = append(all, *b, *b+0.5, *b-0.25)
			}
		}
		all = append(all, 0.5, 1.5, 2.5, 1e300)
	case "boolean":
		all = append(all, true, false)
	case "array":
		for _, n := range append(sizes(v.MinItems, v.MaxItems), 2, 3) {
			list := []any{}
			for range min(n, 20) {
				list = append(list, m.element(s.Items, depth))
			}
			if len(list) > 1 && m.oneIn(3) {
				list[1] = list[0]
			}
			all = append(all, list)
		}
	case "object":
		for range 8 {
			all = append(all, m.fields(s, v, depth))
		}
	default:
		all = append(all, "a", int64(1), true, 1.5, object{}, object{"x": int64(1)}, []any{}, []any{object{"x": nil}}, object{"a": object{"b": nil}})
	}
	return all
}

func (m *mutator) element(s *structural.Schema, depth int) any {
	if s == nil {
		return choose[any](m, "a", int64(1), object{"x": int64(1)})
	}
	if depth <= 0 {
		return m.plain(s)
	}
	return choose(m, m.near(s, depth-1)...)
}

// fields returns an object, with more or fewer fields.
func (m *mutator) fields(s *structural.Schema, v *structural.ValueValidation, depth int) object {
	obj := object{}
	chance := m.IntN(4) // of 3
	for _, k := range slices.Sorted(maps.Keys(s.Properties)) {
		required := slices.Contains(v.Required, k)
		if required && !m.oneIn(8) || !required && m.IntN(3) < chance {
			obj[k] = m.element(s.Properties[k], depth)
		}
	}
	if ap := s.AdditionalProperties; ap != nil {
		for _, k := range []string{"a", "b", "abc", "x"}[:m.IntN(5)] {
			if obj[k] == nil {
				obj[k] = m.element(ap.Schema, depth)
			}
		}
	}
	if s.XEmbeddedResource {
		obj["apiVersion"], obj["kind"] = "v1", choose[any](m, "Pod", "Pod", "Pod", int64(1))
		if m.oneIn(2) {
			obj["metadata"] = choose(m, object{"name": "a"}, object{"labels": object{"a": "b"}})
		}
	}
	if s.XPreserveUnknownFields && !m.oneIn(3) {
		k := choose(m, "x", "a", "b", "apiVersion", "metadata")
		if _, ok := obj[k]; !ok {
			obj[k] = choose[any](m, int64(1), "a", nil, object{"x": int64(1)}, object{"a": nil}, []any{object{"x": int64(1)}})
		}
	}
	return obj
}

// plain returns a value that a schema is likely to take.
func (m *mutator) plain(s *structural.Schema) any {
	v := s.ValueValidation
	switch {
	case s.Default != nil:
		return s.Default
	case v != nil && len(v.Enum) > 0:
		return v.Enum[0]
	case s.XIntOrString:
		return int64(1)
	}
	switch s.Type {
	case "string":
		if v != nil && (v.Pattern != "" || v.Format != "") {
			return specimen.Value(s, m.Uint64(), nil)
		}
		n := int64(1)
		if v != nil && v.MinLength != nil {
			n = min(max(*v.MinLength, 1), 100)
		}
		if v != nil && v.MaxLength != nil {
			n = min(n, *v.MaxLength)
		}
		return strings.Repeat("a", int(n))
	case "integer", "number":
		if v != nil && v.Minimum != nil && math.Abs(*v.Minimum) < 1e9 {
			return int64(*v.Minimum) + 1
		}
		return int64(1)
	case "boolean":
		return true
	case "array":
		return []any{}
	}
	return m.with(s, nil, object{})
}

// with returns a value of a schema that has another one at a path, and besides it what is required.
func (m *mutator) with(s *structural.Schema, path []string, value any) any {
	if len(path) == 0 {
		obj, ok := value.(object)
		if ok && s.ValueValidation != nil && len(obj) == 0 {
			m.addRequired(s, obj)
		}
		return value
	}
	switch path[0] {
	case stepItems:
		list := []any{m.with(s.Items, path[1:], value)}
		if s.ValueValidation != nil && s.ValueValidation.MinItems != nil {
			for int64(len(list)) < min(*s.ValueValidation.MinItems, 10) {
				list = append(list, list[0])
			}
		}
		return list
	case stepValues:
		return object{"a": m.with(s.AdditionalProperties.Schema, path[1:], value)}
	}
	obj := object{path[0]: m.with(s.Properties[path[0]], path[1:], value)}
	m.addRequired(s, obj)
	if m.oneIn(3) {
		for _, k := range slices.Sorted(maps.Keys(s.Properties)) {
			if obj[k] == nil && m.oneIn(3) && !structural.IsMetaField(k) {
				obj[k] = m.element(s.Properties[k], 1)
			}
		}
	}
	if s.XPreserveUnknownFields && m.oneIn(2) {
		obj["unspecified"] = int64(1)
	}
	return obj
}

// addRequired adds the fields that an object must have.
func (m *mutator) addRequired(s *structural.Schema, obj object) {
	if s.ValueValidation != nil {
		for _, k := range s.ValueValidation.Required {
			if child := s.Properties[k]; child != nil && obj[k] == nil {
				obj[k] = m.plain(child)
			}
		}
	}
	if s.XEmbeddedResource && obj["kind"] == nil {
		obj["apiVersion"], obj["kind"] = "v1", "Pod"
	}
}
