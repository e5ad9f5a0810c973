package structural

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"maps"
	"slices"
)

// Hash identifies a schema by what decides behaviour: how objects are pruned, defaulted, checked and validated. Schemas
// that differ in descriptions, titles, examples and links only have the same hash.
func Hash(s *Schema, pruned bool, semantics Semantics) string {
	h := hasher{sha256.New()}
	h.put("pruned", pruned)
	h.put("semantics", semantics.String())
	h.schema(s)
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

type hasher struct{ hash.Hash }

// put writes one keyword and its value. Zero values are written, too: where a value ends has to be clear.
func (h hasher) put(keyword string, value any) {
	b, err := json.Marshal(value)
	if err != nil {
		b = fmt.Appendf(nil, "%#v", value) // infinities and the like, which JSON does not have
	}
	fmt.Fprintf(h, "%q %d ", keyword, len(b))
	h.Write(b)
}

func (h hasher) schema(s *Schema) {
	if s == nil {
		h.put("schema", nil)
		return
	}
	h.generic(s.Generic)
	h.put("x", s.Extensions)
	h.put("rules", s.XValidations)
	h.valueValidation(s.ValueValidation)
	h.put("properties", len(s.Properties))
	for _, k := range slices.Sorted(maps.Keys(s.Properties)) {
		h.put("property", k)
		h.schema(s.Properties[k])
	}
	h.put("items", s.Items != nil)
	h.schema(s.Items)
	h.put("additionalProperties", s.AdditionalProperties != nil)
	if ap := s.AdditionalProperties; ap != nil {
		h.put("bool", ap.Bool)
		h.schema(ap.Schema)
	}
}

func (h hasher) generic(g Generic) {
	h.put("type", g.Type)
	h.put("default", g.Default)
	h.put("nullable", g.Nullable)
}

func (h hasher) valueValidation(v *ValueValidation) {
	if v == nil {
		v = &ValueValidation{}
	}
	flat := *v
	flat.AllOf, flat.AnyOf, flat.OneOf, flat.Not = nil, nil, nil, nil
	h.put("values", flat)
	for _, list := range [][]*NestedValueValidation{v.AllOf, v.AnyOf, v.OneOf, {v.Not}} {
		h.put("of", len(list))
		for _, n := range list {
			h.nested(n)
		}
	}
}

func (h hasher) nested(n *NestedValueValidation) {
	if n == nil {
		h.put("nested", nil)
		return
	}
	h.generic(n.ForbiddenGenerics)
	h.put("x", n.ForbiddenExtensions)
	h.put("rules", n.XValidations)
	h.valueValidation(&n.ValueValidation)
	h.put("properties", len(n.Properties))
	for _, k := range slices.Sorted(maps.Keys(n.Properties)) {
		h.put("property", k)
		h.nested(n.Properties[k])
	}
	h.nested(n.Items)
	h.nested(n.AdditionalProperties)
}
