// Package kube is Kubernetes as the other side of a comparison: thin adapters that give its functions the shape of ours.
// Nothing here decides anything that Kubernetes' own code can decide.
package kube

import (
	"reflect"

	"github.com/prune-gen/prune-gen/structural"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// Convert returns a schema of ours as Kubernetes' type, or one of Kubernetes as ours. Fields go by their names, which are the same
// on both sides; those that only one side has are left out.
func Convert[T any](schema any) T {
	var out T
	convert(reflect.ValueOf(&out).Elem(), reflect.ValueOf(schema))
	return out
}

// names are the fields that have another name on the other side.
var names = map[string]string{
	"JSONSchemas": "Schemas", "Schemas": "JSONSchemas", "Strings": "Property", "Property": "Strings", "Structural": "Schema",
}

func convert(to, from reflect.Value) {
	if from.IsValid() && from.Type() == reflect.TypeFor[structuralschema.JSON]() {
		from = from.FieldByName("Object")
	}
	if to.Type() == reflect.TypeFor[structuralschema.JSON]() {
		to = to.FieldByName("Object")
	}
	if from.Kind() == reflect.Pointer || from.Kind() == reflect.Interface {
		if from.IsNil() && to.Type() == reflect.TypeFor[*structural.ValueValidation]() {
			to.Set(reflect.ValueOf(&structural.ValueValidation{})) // ours always has one
		}
		if from.IsNil() {
			return
		}
		from = from.Elem()
	}
	if to.Kind() == reflect.Pointer {
		to.Set(reflect.New(to.Type().Elem()))
		to = to.Elem()
	}
	switch from.Kind() {
	case reflect.Struct:
		for i := range from.NumField() {
			name := from.Type().Field(i).Name
			field := to.FieldByName(name)
			if !field.IsValid() {
				field = to.FieldByName(names[name])
			}
			if field.IsValid() {
				convert(field, from.Field(i))
			}
		}
		return
	case reflect.Slice:
		if to.Kind() != reflect.Slice {
			break
		}
		if !from.IsNil() {
			to.Set(reflect.MakeSlice(to.Type(), from.Len(), from.Len()))
		}
		for i := range from.Len() {
			convert(to.Index(i), from.Index(i))
		}
		return
	case reflect.Map:
		if to.Kind() != reflect.Map {
			break
		}
		if !from.IsNil() {
			to.Set(reflect.MakeMap(to.Type()))
		}
		for _, k := range from.MapKeys() {
			value := reflect.New(to.Type().Elem()).Elem()
			convert(value, from.MapIndex(k))
			to.SetMapIndex(k, value)
		}
		return
	}
	to.Set(from.Convert(to.Type()))
}

// Decoded returns a value that a test has written in Go as a decoder of JSON makes it.
func Decoded(v any) any {
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Map:
		if r.IsNil() {
			return nil
		}
		out := map[string]any{}
		for _, k := range r.MapKeys() {
			out[k.String()] = Decoded(r.MapIndex(k).Interface())
		}
		return out
	case reflect.Slice:
		if r.IsNil() {
			return nil
		}
		out := make([]any, r.Len())
		for i := range out {
			out[i] = Decoded(r.Index(i).Interface())
		}
		return out
	case reflect.Int, reflect.Int32:
		return r.Int()
	case reflect.Float32:
		return r.Float()
	}
	return v
}
