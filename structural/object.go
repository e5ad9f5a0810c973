package structural

import (
	"reflect"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
)

// Object returns s as a JSON object with the keywords that are set, as a CRD has it. It shares no maps or lists
// with s.
func (s *JSONSchema) Object() map[string]any {
	return toObject(s)
}

// toObject writes the struct that p points to, whose fields are keywords.
func toObject(p any) map[string]any {
	o := map[string]any{}
	for k, v := range keywordsOf(p) {
		if v.IsZero() {
			continue
		}
		if value := toValue(v); value != nil {
			o[k.Name] = value
		}
	}
	return o
}

// toValue returns the value of a keyword, or of a part of it, as JSON values.
func toValue(v reflect.Value) any {
	switch v := v.Interface().(type) {
	case *JSONSchemaOrArray:
		if v.Schema != nil {
			return toObject(v.Schema)
		}
		return toValue(reflect.ValueOf(v.Schemas))
	case *JSONSchemaOrBool:
		if v.Schema != nil {
			return toObject(v.Schema)
		}
		return v.Allows
	case JSONSchemaOrStrings:
		if v.Schema != nil {
			return toObject(v.Schema)
		}
		return toValue(reflect.ValueOf(append([]string{}, v.Strings...)))
	}
	switch v.Kind() {
	case reflect.Interface:
		return jsonvalue.Copy(v.Interface())
	case reflect.Pointer:
		return toValue(v.Elem())
	case reflect.Struct:
		return toObject(addressable(v))
	case reflect.Slice:
		if v.IsNil() {
			return nil
		}
		list := make([]any, v.Len())
		for i := range list {
			list[i] = toValue(v.Index(i))
		}
		return list
	case reflect.Map:
		m := make(map[string]any, v.Len())
		for k, e := range v.Seq2() {
			m[k.String()] = toValue(e)
		}
		return m
	}
	return v.Interface()
}

// addressable returns a pointer to v, or to a copy of it.
func addressable(v reflect.Value) any {
	if v.CanAddr() {
		return v.Addr().Interface()
	}
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p.Interface()
}
