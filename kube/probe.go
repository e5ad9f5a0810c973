package kube

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// probe knows what a projection drops: before has something in all fields that are known, with one element in lists and maps, and after is what is
// left of it.
type probe struct{ before, after map[string]any }

// anyKey is the key in the maps of before. No field of a Go type can have this name.
const anyKey = `"`

func newProbe[T any](f func(T)) probe {
	t := reflect.TypeFor[T]()
	switch f := any(f).(type) {
	case func(map[string]any):
		metadata := &metav1.ObjectMeta{}
		populate(reflect.ValueOf(metadata).Elem(), nil)
		p := probe{map[string]any{"metadata": content(metadata)}, map[string]any{"metadata": content(metadata)}}
		f(p.after)
		return p
	case func(T):
		if t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct {
			obj := reflect.New(t.Elem())
			populate(obj.Elem(), nil)
			before := content(obj.Interface())
			f(obj.Interface().(T))
			return probe{before, content(obj.Interface())}
		}
	}
	return probe{}
}

// content returns a struct as JSON, nil if it has none.
func content(obj any) (out map[string]any) {
	if data, err := json.Marshal(obj); err != nil || utiljson.Unmarshal(data, &out) != nil {
		return nil
	}
	return out
}

// samples are values that types with JSON of their own may take.
var samples = []string{`{"x":"x"}`, `"2001-02-03T04:05:06.000007Z"`, `"1"`, `1`, `true`}

// populate sets what is in v, which types above contain, to something. It reports whether this is all; lists and maps are filled only if it is.
func populate(v reflect.Value, above []reflect.Type) bool {
	if u, ok := v.Addr().Interface().(json.Unmarshaler); ok {
		return slices.ContainsFunc(samples, func(s string) bool { return u.UnmarshalJSON([]byte(s)) == nil && !v.IsZero() })
	}
	if slices.Contains(above, v.Type()) {
		return false
	}
	above = append(slices.Clip(above), v.Type())
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return populate(v.Elem(), above)
	case reflect.Struct:
		all := true
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				all = populate(v.Field(i), above) && all
			}
		}
		return all
	case reflect.Slice:
		list := reflect.MakeSlice(v.Type(), 1, 1)
		if !populate(list.Index(0), above) {
			return false
		}
		v.Set(list)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		if key.Kind() != reflect.String || !populate(value, above) {
			return false
		}
		key.SetString(anyKey)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(1)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(1)
	default:
		return false
	}
	return true
}

// replaced returns the path of something that a patch replaces as a whole although objects in the cache may lack a part of it, or "".
func (p probe) replaced(kind types.PatchType, data []byte) (string, error) {
	switch kind {
	case types.MergePatchType, types.StrategicMergePatchType:
		var patch map[string]any
		err := utiljson.Unmarshal(data, &patch)
		return replaced("", patch, p.before, p.after, kind == types.StrategicMergePatchType), err
	case types.JSONPatchType:
		var ops []struct {
			Op    string `json:"op"`
			From  string `json:"from"`
			Path  string `json:"path"`
			Value any    `json:"value"`
		}
		err := utiljson.Unmarshal(data, &ops)
		for _, op := range ops {
			if op.Op != "test" && !(p.whole(op.From, nil) && p.whole(op.Path, op.Value)) {
				return "", fmt.Errorf("it is a JSON patch of a list or map that may lack something, at %s", op.Path)
			}
		}
		return "", err
	}
	return "", fmt.Errorf("it is of type %q", kind)
}

// whole reports whether the lists and maps are whole, in the cache, that an operation of a JSON patch replaces with a value, or has the path of an
// element of. Patches that are made of two objects change elements of lists one by one.
func (p probe) whole(path string, value any) bool {
	var before, after any = p.before, p.after
	for _, key := range strings.Split(path, "/")[1:] {
		_, isList := before.([]any)
		if isList || before == nil && listIndex.MatchString(key) {
			return same(before, after)
		}
		key = pointerEscapes.Replace(key)
		before, after = below(before, key), below(after, key)
	}
	_, isList := before.([]any)
	return isScalar(value) || (isList || isMap(before)) && same(before, after)
}

// listIndex matches what stands for an element of a list.
var listIndex = regexp.MustCompile(`^([0-9]+|-)$`)

var pointerEscapes = strings.NewReplacer("~1", "/", "~0", "~")

// replaced returns the path in a merge patch of a list that the projection changes, of a field that it drops and the patch sets to zero, or of
// a directive that removes what is not mentioned. Go types encode some fields that nobody has set.
func replaced(path string, patch, before, after any, strategic bool) string {
	switch patch := patch.(type) {
	case []any:
		if !same(before, after) {
			return path
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(patch)) {
			field := key
			if strategic && strings.HasPrefix(key, "$") {
				var ok bool
				if _, field, ok = strings.Cut(key, "/"); !ok { // unlike $setElementOrder/field and $deleteFromPrimitiveList/field
					return strings.TrimPrefix(path+"."+key, ".")
				}
			}
			at := strings.TrimPrefix(path+"."+field, ".")
			was := below(before, field)
			if isMap(before) && isScalar(patch[key]) {
				continue // nobody has encoded it who has not put it there
			}
			if was == nil && after == nil {
				was = before // everything is dropped, also what is not known below a recursive type
			}
			if at := replaced(at, patch[key], was, below(after, field), strategic); at != "" {
				return at
			}
		}
	default:
		if isZero(patch) && before != nil && isZero(after) {
			return path
		}
	}
	return ""
}

// isMap reports whether what a probe has at a place is a map, and not a struct.
func isMap(v any) bool {
	fields, _ := v.(map[string]any)
	_, ok := fields[anyKey]
	return ok
}

func isScalar(v any) bool {
	switch v.(type) {
	case []any, map[string]any:
		return false
	}
	return true
}

// isZero reports whether a value may be the encoding of a zero value: of a scalar, a list, a quantity or a duration.
func isZero(v any) bool {
	return slices.Contains([]any{nil, "", "0", "0s", int64(0), float64(0), false}, v)
}

// same reports whether a projection leaves a value as it is. Of an empty one that is not known.
func same(before, after any) bool {
	fields, isMap := before.(map[string]any)
	return before != nil && !(isMap && len(fields) == 0) && reflect.DeepEqual(before, after)
}

// below returns the value of a field, or that of any key of a map.
func below(v any, key string) any {
	fields, _ := v.(map[string]any)
	if v, ok := fields[key]; ok {
		return v
	}
	return fields[anyKey]
}
