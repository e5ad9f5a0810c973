package rules

import "github.com/google/cel-go/common/types"

// AllTypes is a schema with values of all types, as JSON. Its rules are made up.
const AllTypes = `{"type": "object", "properties": {
	"s": {"type": "string"}, "s2": {"type": "string", "maxLength": 10}, "i": {"type": "integer"}, "i2": {"type": "integer"}, "d": {"type": "number"}, "b": {"type": "boolean"},
	"bytes": {"type": "string", "format": "byte"}, "du": {"type": "string", "format": "duration"}, "dt": {"type": "string", "format": "date-time"},
	"da": {"type": "string", "format": "date"}, "in": {"type": "string"}, "a-b": {"type": "integer"},
	"ios": {"x-kubernetes-int-or-string": true}, "ns": {"type": "string", "nullable": true},
	"l": {"type": "array", "items": {"type": "string"}}, "l2": {"type": "array", "items": {"type": "string"}},
	"set": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
	"set2": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
	"li": {"type": "array", "items": {"type": "integer"}}, "ld": {"type": "array", "items": {"type": "number"}}, "ldu": {"type": "array", "items": {"type": "string", "format": "duration"}},
	"nl": {"type": "array", "items": {"type": "string", "nullable": true}}, "ll": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
	"lios": {"type": "array", "items": {"x-kubernetes-int-or-string": true}},
	"m": {"type": "object", "additionalProperties": {"type": "string"}}, "mi": {"type": "object", "additionalProperties": {"type": "integer"}},
	"nm": {"type": "object", "additionalProperties": {"type": "string", "nullable": true}},
	"o": {"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {"s": {"type": "string"}, "i": {"type": "integer"}, "l": {"type": "array", "items": {"type": "string"}}}},
	"lo": {"type": "array", "items": {"type": "object", "properties": {"s": {"type": "string"}, "i": {"type": "integer"}}}},
	"mo": {"type": "object", "additionalProperties": {"type": "object", "properties": {"s": {"type": "string"}, "i": {"type": "integer"}}}},
	"ml": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["s"],
		"items": {"type": "object", "required": ["s"], "properties": {"s": {"type": "string"}, "i": {"type": "integer"}}}},
	"ml2": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["s", "i"],
		"items": {"type": "object", "required": ["s", "i"], "properties": {"s": {"type": "string"}, "i": {"type": "integer"}, "d": {"type": "number"}}}},
	"empty": {"type": "object"}, "unknown": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
	"e": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true}
}}`

// fields are the types of the fields of AllTypes, and of the objects in it.
var fields = map[string]map[string]*types.Type{
	"root": {
		"s": types.StringType, "s2": types.StringType, "ns": types.StringType, "__in__": types.StringType, "i": types.IntType, "i2": types.IntType, "a__dash__b": types.IntType,
		"d": types.DoubleType, "b": types.BoolType, "bytes": types.BytesType, "du": types.DurationType, "dt": types.TimestampType, "da": types.TimestampType,
		"ios": types.DynType, "l": listOf(types.StringType), "l2": listOf(types.StringType), "set": listOf(types.StringType), "set2": listOf(types.StringType),
		"li": listOf(types.IntType), "ld": listOf(types.DoubleType), "ldu": listOf(types.DurationType), "nl": listOf(types.StringType), "ll": listOf(listOf(types.IntType)),
		"lios": listOf(types.DynType), "m": mapOf(types.StringType), "mi": mapOf(types.IntType), "nm": mapOf(types.StringType),
		"o": types.NewObjectType("o"), "lo": listOf(types.NewObjectType("lo")), "mo": mapOf(types.NewObjectType("mo")), "ml": listOf(types.NewObjectType("ml")),
		"ml2": listOf(types.NewObjectType("ml2")), "empty": types.NewObjectType("empty"), "unknown": types.NewObjectType("unknown"), "e": types.NewObjectType("e"),
	},
	"o":   {"s": types.StringType, "i": types.IntType, "l": listOf(types.StringType)},
	"lo":  {"s": types.StringType, "i": types.IntType},
	"mo":  {"s": types.StringType, "i": types.IntType},
	"ml":  {"s": types.StringType, "i": types.IntType},
	"ml2": {"s": types.StringType, "i": types.IntType, "d": types.DoubleType},
	"e":   {"kind": types.StringType, "apiVersion": types.StringType},
}

func listOf(t *types.Type) *types.Type { return types.NewListType(t) }
func mapOf(t *types.Type) *types.Type  { return types.NewMapType(types.StringType, t) }
