package structural

import "reflect"

// copyJSON returns a copy of a JSON value that shares nothing with it.
func copyJSON(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = copyJSON(e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = copyJSON(e)
		}
		return out
	default:
		return v
	}
}

// copy returns a copy of s that shares nothing with it.
func (s *Schema) copy() *Schema {
	return copyValue(reflect.ValueOf(s)).Interface().(*Schema)
}

// copyValue returns a copy of v that shares nothing with it, whatever fields the structs in it have.
func copyValue(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			out.Set(reflect.ValueOf(copyJSON(v.Interface())))
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
