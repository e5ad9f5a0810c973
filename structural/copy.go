package structural

import (
	"reflect"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
)

// Copy returns a copy of s that shares nothing with it.
func (s *Schema) Copy() *Schema {
	return copyValue(reflect.ValueOf(s)).Interface().(*Schema)
}

// copyValue returns a copy of v that shares nothing with it, whatever fields the structs in it have.
func copyValue(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			out.Set(reflect.ValueOf(jsonvalue.Copy(v.Interface())))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(copyValue(v.Elem()).Addr())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			out.Field(i).Set(copyValue(v.Field(i)))
		}
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				out.Index(i).Set(copyValue(v.Index(i)))
			}
		}
	case reflect.Map:
		if !v.IsNil() {
			out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
			for k, e := range v.Seq2() {
				out.SetMapIndex(k, copyValue(e))
			}
		}
	default:
		out.Set(v)
	}
	return out
}

// withoutWords returns a copy of s without what is only for people: descriptions, titles, examples and links.
func (s *JSONSchema) withoutWords() *JSONSchema {
	out := copyValue(reflect.ValueOf(s)).Interface().(*JSONSchema)
	out.Any(func(s *JSONSchema) bool {
		s.Description, s.Title, s.Example, s.ExternalDocs = "", "", nil, nil
		return false
	})
	return out
}
