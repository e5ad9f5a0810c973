package prunecel

import (
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/runtime/pruneimpl/pruneformat"
)

// objectValue is an object or a map in the resource.
type objectValue struct {
	Raw  map[string]any
	Type *Type
}

// listValue is a list in the resource, or a list that a rule made from a set or a list map.
type listValue struct {
	Raw  []any // what the resource has, nil for a list that a rule made
	Elem *Type // of the elements of Raw
	Kind ListKind
	Keys []string
	made []any // the elements of a list that a rule made
}

// Map is a map that a rule makes.
type Map struct {
	at           map[any]int // where a key is, see mapKey
	keys, values []any       // in the order in which they were added
}

// Optional is an optional value.
type Optional struct {
	Value   any
	Present bool
}

// TypeValue is a type as a value, such as the result of type(1).
type TypeValue string

// preservedValue is a value that the schema says nothing about.
type preservedValue struct{ Raw any }

var (
	errNoSuchOverload = errors.New("no such overload")
	errNotNullable    = errors.New("invalid data, got null for schema with nullable=false")
)

// Value returns the value of CEL that stands for raw, which is at a node of the schema. It returns an error if raw does not have the type
// in the schema.
func (t *Type) Value(raw any) any {
	if raw == nil {
		if t.Nullable {
			return nil
		}
		return errNotNullable
	}
	switch t.Kind {
	case KindIntOrString:
		if _, ok := raw.(string); ok {
			return raw
		}
		if v := integer(raw); v != nil {
			return v
		}
		return errors.New("invalid data, expected XIntOrString value to be either a string or integer")
	case KindObject, KindMap, KindOpaque:
		if m, ok := raw.(map[string]any); ok {
			return &objectValue{m, t}
		}
		return errors.New("invalid data, expected a map for the provided schema with type=object")
	case KindList:
		l, ok := raw.([]any)
		if !ok {
			return errors.New("invalid data, expected an array for the provided schema with type=array")
		}
		if t.Elem == nil {
			return errors.New("invalid array type, expected Items with a non-empty Schema")
		}
		return &listValue{Raw: l, Elem: t.Elem, Kind: t.List, Keys: t.Keys}
	case KindDouble:
		switch v := raw.(type) {
		case float64:
			return v
		case float32:
			return float64(v)
		}
		if v, ok := integer(raw).(int64); ok {
			return float64(v)
		}
		return fmt.Errorf("invalid data, expected float, got %T", raw)
	case KindInt:
		if v := integer(raw); v != nil {
			return v
		}
		return fmt.Errorf("invalid data, expected int, got %T", raw)
	case KindBool:
		return expect[bool](raw, "bool")
	case KindString:
		return expect[string](raw, "string")
	case KindPreserved:
		return preservedValue{raw}
	case KindNone:
		return errors.New("invalid type, expected object, array, number, integer, boolean or string, or no type with " +
			"x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got " + t.Name)
	}
	s, ok := raw.(string)
	if !ok {
		return expect[string](raw, "string")
	}
	v, err := t.parse(s)
	if err != nil {
		return err
	}
	return v
}

// integer returns the int64 that stands for raw, nil if raw is not an integer. No decoder makes the other types, which programs put into
// objects, and which the API server reads, too.
func integer(raw any) any {
	switch v := raw.(type) {
	case int64:
		return raw
	case int:
		return int64(v)
	case int32:
		return int64(v)
	}
	return nil
}

// expect returns raw if it has a type, an error otherwise.
func expect[T any](raw any, name string) any {
	if _, ok := raw.(T); ok {
		return raw
	}
	return fmt.Errorf("invalid data, expected %s, got %T", name, raw)
}

// parse returns the value of a text that has a format.
func (t *Type) parse(s string) (v any, err error) {
	var what string
	switch t.Kind {
	case KindDuration:
		what = "duration"
		v, err = pruneformat.ParseDuration(s)
	case KindDate:
		what = "date formatted string"
		v, err = parseSchemaDate(s)
	case KindDateTime:
		what = "date-time formatted string"
		v, err = parseSchemaDateTime(s)
	default:
		what = "byte formatted string"
		v, err = base64.URLEncoding.DecodeString(s)
	}
	if err != nil {
		return nil, fmt.Errorf("Invalid %s %s: %v", what, s, err)
	}
	return v, nil
}

// field returns the type of a property.
func (t *Type) field(name string) *Type {
	switch t.Kind {
	case KindObject:
		return t.Fields[name]
	case KindMap:
		return t.Elem
	}
	return nil
}

// find returns the value of a field or a key, which may be an error. A property that is null counts as missing.
func (o *objectValue) find(key any) (any, bool) {
	k, ok := key.(string)
	if !ok {
		return errNoSuchOverload, true
	}
	isObject := o.Type.Kind == KindObject
	if isObject {
		if k, ok = Unescape(k); !ok {
			return nil, false
		}
	}
	raw, ok := o.Raw[k]
	if !ok || isObject && raw == nil {
		return nil, false
	}
	if t := o.Type.field(k); t != nil {
		return t.Value(raw), true
	}
	return nil, false
}

// keys returns the keys of o as rules see them. The API server has them in any order, this package sorted.
func (o *objectValue) keys() []any {
	var all []any
	for _, k := range sortedKeys(o.Raw) {
		if o.Type.field(k) == nil {
			continue
		}
		if o.Type.Kind == KindObject {
			if escaped, ok := Escape(k); ok {
				k = escaped
			}
		}
		all = append(all, k)
	}
	return all
}

// iterated returns what a comprehension of o goes through: the keys, and as in the API server a null for each one that the schema does
// not specify.
func (o *objectValue) iterated() []any {
	keys := o.keys()
	return append(keys, make([]any, len(o.Raw)-len(keys))...)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// size returns the number of elements.
func (l *listValue) size() int {
	if l.Elem == nil {
		return len(l.made)
	}
	return len(l.Raw)
}

// at returns an element, which may be an error.
func (l *listValue) at(i int) any {
	if l.Elem == nil {
		return l.made[i]
	}
	return l.Elem.Value(l.Raw[i])
}

// add returns the list with the elements of another: a set with those that it does not have, a list map with others in the place
// of those with the same keys.
func (l *listValue) add(other any) (any, error) {
	more, err := itemsOf(other)
	if err != nil {
		return nil, err
	}
	elems, err := itemsOf(l)
	if err != nil {
		return nil, err
	}
	if l.Kind == AtomicList {
		return append(elems, more...), nil
	}
	out := &listValue{Kind: l.Kind, Keys: l.Keys}
	at := map[any]int{}
	for i, e := range elems {
		k, err := out.key(nil, e)
		if err != nil {
			return nil, err
		}
		at[k] = i
	}
	for _, e := range more {
		k, err := out.key(nil, e)
		if err != nil {
			return nil, err
		}
		i, ok := at[k]
		switch {
		case !ok && l.Kind == SetList:
			at[k] = len(elems)
			fallthrough
		case !ok:
			elems = append(elems, e)
		case l.Kind == MapList:
			elems[i] = e
		}
	}
	out.made = elems
	return out, nil
}

// newList returns an empty list for n elements. It has its own memory, because listKey tells lists apart by their memory.
func newList(n int) []any { return make([]any, 0, max(n, 1)) }

// newMap returns an empty map.
func newMap() *Map { return &Map{at: map[any]int{}} }

// listKey is a list as a key of a map, which equals only itself: its first element and its length.
type listKey struct {
	first *any
	size  int
}

// mapKey returns the key of Go for a key. Bytes cannot be one.
func mapKey(k any) any {
	switch k := k.(type) {
	case []byte:
		panic(internalError("runtime error: hash of unhashable type types.Bytes"))
	case Semver:
		panic(internalError("runtime error: hash of unhashable type cel.Semver"))
	case Optional:
		if k.Present {
			return new(byte)
		}
	case []any:
		if cap(k) > 0 {
			return listKey{&k[:1][0], len(k)}
		}
		return new(byte)
	case error:
		return new(byte)
	}
	return k
}

// set sets the value of a key.
func (m *Map) set(k, v any) {
	key := mapKey(k)
	if i, ok := m.at[key]; ok {
		m.values[i] = v
		return
	}
	m.at[key] = len(m.keys)
	m.keys, m.values = append(m.keys, k), append(m.values, v)
}

// remove removes a key.
func (m *Map) remove(k any) {
	i, ok := m.at[mapKey(k)]
	if !ok {
		return
	}
	delete(m.at, mapKey(k))
	m.keys, m.values = slices.Delete(m.keys, i, i+1), slices.Delete(m.values, i, i+1)
	for key, at := range m.at {
		if at > i {
			m.at[key] = at - 1
		}
	}
}

// find returns the value of a key. Numbers of other types find the same key.
func (m *Map) find(k any) (any, bool) {
	if len(m.keys) == 0 {
		return nil, false
	}
	if i, ok := m.at[mapKey(k)]; ok {
		return m.values[i], true
	}
	for _, other := range sameNumbers(k) {
		if i, ok := m.at[other]; ok {
			return m.values[i], true
		}
	}
	return nil, false
}

// isScalar reports whether v can be the key of a map of Go.
func isScalar(v any) bool {
	switch v.(type) {
	case bool, int64, uint64, float64, string:
		return true
	}
	return false
}

// itemsOf returns the elements of a list; some may be errors.
func itemsOf(list any) ([]any, error) {
	switch l := list.(type) {
	case []any:
		return l, nil
	case *listValue:
		all := make([]any, l.size())
		for i := range all {
			all[i] = l.at(i)
		}
		return all, nil
	case error:
		return nil, l
	}
	return nil, errNoSuchOverload
}

// sizeCall is size(). Addresses have a size only where costs are counted.
func sizeCall(v any) (any, error) {
	if n, ok := sizeOf(v); ok {
		return int64(n), nil
	}
	return nil, noOperator(v, "size")
}

// sizeOf returns the size of a value that has one.
func sizeOf(v any) (int, bool) {
	switch v := v.(type) {
	case string:
		return utf8.RuneCountInString(v), true
	case []byte:
		return len(v), true
	case []any:
		return len(v), true
	case *listValue:
		return v.size(), true
	case *Map:
		return len(v.keys), true
	case *objectValue:
		return len(v.Raw), true
	}
	return 0, false
}
