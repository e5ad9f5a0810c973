package jsonschema

import (
	"slices"

	"github.com/prune-gen/prune-gen/structural"
)

// junctors adds allOf, anyOf, oneOf and not. If a part of them accepts more than it should, so does the result.
func (c *converter) junctors(s, of *structural.JSONSchema, out schema) {
	outside := c.loose
	nested := func(all []*structural.JSONSchema) (list []any) {
		for _, n := range all {
			list = append(list, c.schema(n, of, refuseNull))
		}
		return list
	}
	if all := nested(s.AllOf); len(all) > 0 {
		out["allOf"] = append(toList(out["allOf"]), all...)
	}
	if some := nested(s.AnyOf); len(some) > 0 && !(s.XIntOrString && isIntOrString(s.AnyOf)) {
		out["anyOf"] = some
	}
	inner := c.loose
	c.loose = false
	switch one := nested(s.OneOf); {
	case len(one) == 0:
	case !c.loose:
		out["oneOf"] = one
	case out["anyOf"] == nil:
		out["anyOf"] = one
	default:
		out["allOf"] = append(toList(out["allOf"]), schema{"anyOf": one})
	}
	inner = inner || c.loose
	c.loose = false
	if s.Not != nil {
		if not := c.schema(s.Not, of, refuseNull); !c.loose {
			out["not"] = not
		}
	}
	c.loose = c.loose || inner || outside
}

// toList returns the value of a keyword that has a list, nil if it is missing.
func toList(v any) []any {
	list, _ := v.([]any)
	return list
}

// isIntOrString reports whether alternatives say no more than x-kubernetes-int-or-string.
func isIntOrString(all []*structural.JSONSchema) bool {
	return len(all) == 2 && all[0].Type == "integer" && all[1].Type == "string"
}

// addNull lets null be a value.
func addNull(out schema) {
	switch types := out["type"].(type) {
	case string:
		out["type"] = []any{types, "null"}
	case []any:
		out["type"] = append(types, "null")
	}
	if enum, ok := out["enum"].([]any); ok {
		out["enum"] = append(enum, nil)
	}
}

// guardNull keeps the junctors of a schema from nulls, to which the API server does not apply them.
func guardNull(out schema) {
	if _, ok := out["type"].(string); ok {
		return
	}
	if types, ok := out["type"].([]any); ok && !slices.Contains(types, any("null")) {
		return
	}
	moved := schema{}
	for _, k := range []string{"allOf", "anyOf", "oneOf", "not"} {
		if v, ok := out[k]; ok && concernsNull(k, v) {
			moved[k] = v
			delete(out, k)
		}
	}
	if len(moved) > 0 {
		out["if"], out["else"] = schema{"type": "null"}, moved
	}
}

// concernsNull reports whether a junctor can refuse null.
func concernsNull(junctor string, v any) bool {
	if junctor == "not" {
		return true
	}
	return slices.ContainsFunc(v.([]any), func(n any) bool {
		for k, v := range n.(schema) {
			switch k {
			case "type", "enum", "not", "oneOf", "if":
				return true
			case "allOf", "anyOf":
				if concernsNull(k, v) {
					return true
				}
			}
		}
		return junctor == "oneOf" // null can fit several
	})
}
