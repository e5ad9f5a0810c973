package main

import (
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// fields is a schema in OpenAPI that has the fields and the types of a kind, and no constraints.
type fields = map[string]any

// schemaOf returns the schema of a kind, as the API server decodes it: into its Go type.
func schemaOf(kind schema.GroupVersionKind) fields {
	all := ofType(legacyscheme.Scheme.AllKnownTypes()[kind])
	all["properties"].(fields)["metadata"] = fields{"type": "object"} // as every object has it
	return all
}

// scalars are structs that are written as one value.
var scalars = map[reflect.Type]fields{
	reflect.TypeFor[resource.Quantity]():    {"x-kubernetes-int-or-string": true},
	reflect.TypeFor[intstr.IntOrString]():   {"x-kubernetes-int-or-string": true},
	reflect.TypeFor[metav1.Time]():          {"type": "string"},
	reflect.TypeFor[metav1.MicroTime]():     {"type": "string"},
	reflect.TypeFor[metav1.Duration]():      {"type": "string"},
	reflect.TypeFor[metav1.FieldsV1]():      {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
	reflect.TypeFor[runtime.RawExtension](): {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
}

// ofType returns the schema of a Go type.
func ofType(t reflect.Type) fields {
	if scalar, ok := scalars[t]; ok {
		return scalar
	}
	switch t.Kind() {
	case reflect.Pointer:
		return ofType(t.Elem())
	case reflect.Struct:
		properties := fields{}
		addFields(t, properties)
		return fields{"type": "object", "properties": properties}
	case reflect.Map:
		return fields{"type": "object", "additionalProperties": ofType(t.Elem())}
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return fields{"type": "string", "format": "byte"}
		}
		return fields{"type": "array", "items": ofType(t.Elem())}
	case reflect.String:
		return fields{"type": "string"}
	case reflect.Bool:
		return fields{"type": "boolean"}
	case reflect.Float32, reflect.Float64:
		return fields{"type": "number"}
	}
	return fields{"type": "integer"}
}

// addFields adds the fields of a struct.
func addFields(t reflect.Type, to fields) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported():
		case name == "":
			addFields(f.Type, to)
		default:
			to[name] = ofType(f.Type)
		}
	}
}
