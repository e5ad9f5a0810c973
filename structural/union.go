package structural

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// unfoldUnions says by oneOf that of each union one field is set, and by enum what its discriminator may be:
//
//	x-kubernetes-unions: [{discriminator: type, fields: {bar: Bar, foo: Foo}}]
//	oneOf:
//	- required: [bar]
//	- required: [foo]
//	properties:
//	  type:
//	    type: string
//	    enum: [Bar, Foo]
//
// Where oneOf or enum is taken, by another union perhaps, the condition is and'ed by allOf.
func (s *Schema) unfoldUnions() {
	if s.XIntOrString {
		return // has no fields
	}
	var conditions []ValueValidation
	discriminators := map[string][]ValueValidation{}
	for _, u := range s.XUnions {
		if len(u.Fields) == 0 {
			continue
		}
		var oneOf, enum ValueValidation
		seen := map[string]bool{}
		for _, f := range slices.Sorted(maps.Keys(u.Fields)) {
			oneOf.OneOf = append(oneOf.OneOf, &NestedValueValidation{ValueValidation: ValueValidation{Required: []string{f}}})
			if v := u.Fields[f]; !seen[v] {
				seen[v] = true
				enum.Enum = append(enum.Enum, v)
			}
		}
		conditions = append(conditions, oneOf)
		discriminators[u.Discriminator] = append(discriminators[u.Discriminator], enum)
	}
	if len(conditions) == 0 {
		return
	}

	vv := s.validation()
	if vv.OneOf == nil {
		vv.OneOf = conditions[0].OneOf
	}
	vv.and(conditions)
	delete(discriminators, "") // a union may be without one
	for k, conditions := range discriminators {
		if p := s.discriminator(k); p != nil {
			vv := p.validation()
			if vv.Enum == nil {
				vv.Enum = conditions[0].Enum
			}
			vv.and(conditions)
		}
	}
}

// discriminator returns the schema of field k, which is added if there is none; nil if s is a map and has no fields.
func (s *Schema) discriminator(k string) *Schema {
	if p, ok := s.Properties[k]; ok {
		return p
	}
	if s.AdditionalProperties != nil {
		return nil
	}
	if s.Properties == nil {
		s.Properties = map[string]*Schema{}
	}
	p := &Schema{Generic: Generic{Type: "string"}}
	s.Properties[k] = p
	return p
}

// and adds to the front of allOf those of the conditions that vv does not have already, each of them a oneOf or an enum.
func (vv *ValueValidation) and(conditions []ValueValidation) {
	have := map[string]bool{
		(&ValueValidation{OneOf: vv.OneOf}).unionKey(): true,
		(&ValueValidation{Enum: vv.Enum}).unionKey():   true,
	}
	for _, n := range vv.AllOf {
		have[n.unionKey()] = true
	}
	var added []*NestedValueValidation
	for _, c := range conditions {
		if key := c.unionKey(); !have[key] {
			have[key] = true
			added = append(added, &NestedValueValidation{ValueValidation: c})
		}
	}
	vv.AllOf = append(added, vv.AllOf...)
}

// unionKey returns a text that is the same for two conditions that say the same about a union, in whatever order, and
// empty for what no union says.
func (vv *ValueValidation) unionKey() string {
	var fields, values []string
	for _, n := range vv.OneOf {
		if !reflect.DeepEqual(*n, NestedValueValidation{ValueValidation: ValueValidation{Required: n.Required}}) {
			return ""
		}
		fields = append(fields, fmt.Sprintf("%q", n.Required))
	}
	for _, v := range vv.Enum {
		values = append(values, fmt.Sprintf("%#v", v))
	}
	slices.Sort(fields)
	slices.Sort(values)
	return fmt.Sprintf("%q %q", fields, slices.Compact(values))
}
