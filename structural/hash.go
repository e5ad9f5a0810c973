package structural

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// Hash identifies a schema by what decides behaviour: how objects are pruned, defaulted, checked and validated. Schemas
// that differ in descriptions, titles, examples and links only have the same hash.
func Hash(s *Schema, pruned bool, semantics Semantics) string {
	sum := sha256.New()
	h := hasher{bufio.NewWriter(sum)}
	h.flag("pruned", pruned)
	h.text("semantics", semantics.String())
	h.schema(s)
	h.Flush()
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}

// hasher writes a schema as a sequence of keywords and values from which it could be read again, so that different
// schemas give different sequences. What is not set is not written, as in a CRD.
type hasher struct{ *bufio.Writer }

// text writes a keyword and its value. The length of the value says where it ends.
func (h hasher) text(keyword, value string) {
	if value == "" {
		return
	}
	h.WriteString(keyword)
	h.WriteByte(' ')
	h.WriteString(strconv.Itoa(len(value)))
	h.WriteByte(' ')
	h.WriteString(value)
}

func (h hasher) flag(keyword string, set bool) {
	if set {
		h.text(keyword, "true")
	}
}

func (h hasher) integer(keyword string, value *int64) {
	if value != nil {
		h.text(keyword, strconv.FormatInt(*value, 10))
	}
}

func (h hasher) number(keyword string, value *float64) {
	if value != nil {
		h.text(keyword, strconv.FormatFloat(*value, 'g', -1, 64))
	}
}

// value writes any value, by way of JSON, in which maps are sorted.
func (h hasher) value(keyword string, value any) {
	b, err := json.Marshal(value)
	if err != nil {
		b = fmt.Appendf(nil, "%#v", value) // infinities and the like, which JSON does not have
	}
	h.text(keyword, string(b))
}

func (h hasher) schema(s *Schema) {
	h.WriteByte('{')
	defer h.WriteByte('}')
	if s == nil {
		h.text("schema", "none")
		return
	}
	h.generic(s.Generic)
	h.extensions(s.Extensions)
	h.rules(s.XValidations)
	if s.ValueValidation != nil {
		h.valueValidation(s.ValueValidation)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		h.value("property", name)
		h.schema(s.Properties[name])
	}
	if s.Items != nil {
		h.text("items", "schema")
		h.schema(s.Items)
	}
	if ap := s.AdditionalProperties; ap != nil {
		h.text("additionalProperties", strconv.FormatBool(ap.Bool))
		h.schema(ap.Schema)
	}
}

func (h hasher) generic(g Generic) {
	h.text("type", g.Type)
	h.flag("nullable", g.Nullable)
	if g.Default != nil {
		h.value("default", g.Default)
	}
}

func (h hasher) extensions(x Extensions) {
	h.flag("preserve", x.XPreserveUnknownFields)
	h.flag("embedded", x.XEmbeddedResource)
	h.flag("intOrString", x.XIntOrString)
	if len(x.XListMapKeys) > 0 || x.XListType != nil || x.XMapType != nil {
		h.value("topology", []any{x.XListMapKeys, x.XListType, x.XMapType})
	}
	if len(x.XUnions) > 0 {
		h.value("unions", x.XUnions)
	}
}

func (h hasher) rules(rules []ValidationRule) {
	if len(rules) > 0 {
		h.value("rules", rules)
	}
}

func (h hasher) valueValidation(v *ValueValidation) {
	h.text("format", v.Format)
	h.text("pattern", v.Pattern)
	h.number("maximum", v.Maximum)
	h.flag("exclusiveMaximum", v.ExclusiveMaximum)
	h.number("minimum", v.Minimum)
	h.flag("exclusiveMinimum", v.ExclusiveMinimum)
	h.number("multipleOf", v.MultipleOf)
	h.integer("maxLength", v.MaxLength)
	h.integer("minLength", v.MinLength)
	h.integer("maxItems", v.MaxItems)
	h.integer("minItems", v.MinItems)
	h.flag("uniqueItems", v.UniqueItems)
	h.integer("maxProperties", v.MaxProperties)
	h.integer("minProperties", v.MinProperties)
	if len(v.Enum) > 0 {
		h.value("enum", v.Enum)
	}
	if len(v.Required) > 0 {
		h.value("required", v.Required)
	}
	h.junctor("allOf", v.AllOf)
	h.junctor("anyOf", v.AnyOf)
	h.junctor("oneOf", v.OneOf)
	if v.Not != nil {
		h.junctor("not", []*NestedValueValidation{v.Not})
	}
}

func (h hasher) junctor(keyword string, list []*NestedValueValidation) {
	if len(list) == 0 {
		return
	}
	h.text(keyword, strconv.Itoa(len(list)))
	for _, n := range list {
		h.nested(n)
	}
}

func (h hasher) nested(n *NestedValueValidation) {
	h.WriteByte('{')
	defer h.WriteByte('}')
	if n == nil {
		return
	}
	h.generic(n.ForbiddenGenerics)
	h.extensions(n.ForbiddenExtensions)
	h.rules(n.XValidations)
	h.valueValidation(&n.ValueValidation)
	for _, name := range slices.Sorted(maps.Keys(n.Properties)) {
		h.value("property", name)
		h.nested(n.Properties[name])
	}
	if n.Items != nil {
		h.text("items", "schema")
		h.nested(n.Items)
	}
	if n.AdditionalProperties != nil {
		h.text("additionalProperties", "schema")
		h.nested(n.AdditionalProperties)
	}
}
