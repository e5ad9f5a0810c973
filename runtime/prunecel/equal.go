package prunecel

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"time"
)

// isEqual reports whether two values are equal, as == does. Which rules apply depends on the left one.
func isEqual(a, b any) (bool, error) {
	switch v := equal(a, b).(type) {
	case bool:
		return v, nil
	case error:
		return false, v
	}
	return false, errNoSuchOverload
}

// equal returns a bool or an error.
func equal(a, b any) any {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return equalValues(a, b)
}

// equalValues is equal for values that are not null, or are elements of lists.
func equalValues(a, b any) any {
	switch a := a.(type) {
	case nil:
		return b == nil
	case bool, string:
		return a == b
	case int64, uint64, float64:
		return isNumber(b) && compareNumbers(a, b) == 0
	case []byte:
		b, ok := b.([]byte)
		return ok && bytes.Equal(a, b)
	case time.Duration:
		return a == b
	case time.Time:
		b, ok := b.(time.Time)
		return ok && a.Equal(b)
	case TypeValue:
		return a == b
	case Optional:
		b, ok := b.(Optional)
		if !ok || !a.Present || !b.Present {
			return ok && !a.Present && !b.Present
		}
		return equalValues(a.Value, b.Value)
	case []any:
		return equalLists(a, b)
	case *Map:
		return a.equal(b)
	case *objectValue:
		return a.equal(b)
	case *listValue:
		return a.equal(b)
	case preservedValue:
		return reflect.DeepEqual(a.Raw, rawOf(b))
	case error:
		return a
	}
	return equalLibrary(a, b)
}

func isNumber(v any) bool {
	switch v.(type) {
	case int64, uint64, float64:
		return true
	}
	return false
}

// incomparable is what compareNumbers returns for a number that is NaN.
const incomparable = 2

// compareNumbers compares two numbers, of any types: -1, 0, 1, or incomparable.
func compareNumbers(a, b any) int {
	switch a := a.(type) {
	case int64:
		switch b := b.(type) {
		case int64:
			return compare(a, b)
		case uint64:
			if a < 0 || b > math.MaxInt64 {
				return -1
			}
			return compare(uint64(a), b)
		case float64:
			return compareIntFloat(a, b)
		}
	case uint64:
		switch b := b.(type) {
		case uint64:
			return compare(a, b)
		case int64:
			return -compareNumbers(b, a)
		case float64:
			return compareUintFloat(a, b)
		}
	case float64:
		switch b := b.(type) {
		case float64:
			if math.IsNaN(a) || math.IsNaN(b) {
				return incomparable
			}
			return compare(a, b)
		case int64:
			return reversed(compareIntFloat(b, a))
		case uint64:
			return reversed(compareUintFloat(b, a))
		}
	}
	return incomparable
}

func reversed(order int) int {
	if order == incomparable {
		return order
	}
	return -order
}

func compare[T int64 | uint64 | float64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func compareIntFloat(a int64, b float64) int {
	switch {
	case math.IsNaN(b):
		return incomparable
	case b < math.MinInt64:
		return 1
	case b > math.MaxInt64:
		return -1
	}
	return compare(float64(a), b)
}

func compareUintFloat(a uint64, b float64) int {
	switch {
	case math.IsNaN(b):
		return incomparable
	case b < 0:
		return 1
	case b > math.MaxUint64:
		return -1
	}
	return compare(float64(a), b)
}

// sameNumbers returns the numbers of other types that equal a number without loss.
func sameNumbers(v any) []any {
	switch v := v.(type) {
	case float64:
		var all []any
		// The server takes the lowest integer for one that does not fit, too.
		if i := int64(v); v > math.MinInt64 && v < math.MaxInt64 && float64(i) == v {
			all = append(all, i)
		}
		if v >= 0 && v < math.MaxUint64 && float64(uint64(v)) == v {
			all = append(all, uint64(v))
		}
		return all
	case int64:
		if v >= 0 {
			return []any{uint64(v)}
		}
	case uint64:
		if v <= math.MaxInt64 {
			return []any{int64(v)}
		}
	}
	return nil
}

// equalLists compares a list that a rule made with another. An element that cannot be compared counts as equal.
func equalLists(a []any, b any) any {
	n, at, ok := elements(b)
	if !ok || len(a) != n {
		return false
	}
	for i := range a {
		if equal(a[i], at(i)) == false {
			return false
		}
	}
	return true
}

// elements returns the size and the elements of a list.
func elements(v any) (n int, at func(int) any, ok bool) {
	switch l := v.(type) {
	case []any:
		return len(l), func(i int) any { return l[i] }, true
	case *listValue:
		return l.size(), l.at, true
	}
	return 0, nil, false
}

// equal compares a list of the resource with another: a set and a list map in any order, others element by element.
func (l *listValue) equal(other any) any {
	n, at, ok := elements(other)
	switch {
	case !ok:
		return notEqualTo(other)
	case n != l.size():
		return false
	case l.Kind != AtomicList:
		return l.equalByKey(n, at)
	}
	for i := range n {
		if eq := equalValues(l.at(i), at(i)); eq != true {
			return eq
		}
	}
	return true
}

// equalByKey compares by the keys of elements. In a list map those with the same key must be equal.
func (l *listValue) equalByKey(n int, at func(int) any) any {
	mine := map[any]int{}
	for i := range n {
		k, err := l.key(l.rawAt(i), l.at(i))
		if err != nil {
			return err
		}
		mine[k] = i
	}
	seen := map[any]bool{}
	for i := range n {
		v := at(i)
		k, err := l.key(rawOf(v), v)
		if err != nil {
			return err
		}
		same, ok := mine[k]
		if !ok {
			return false
		}
		if l.Kind == MapList {
			if eq := equalValues(l.at(same), v); eq != true {
				return eq
			}
		}
		seen[k] = true
	}
	return len(seen) == len(mine)
}

// notEqualTo returns the error of a comparison with a value of another type.
func notEqualTo(other any) any {
	if isError(other) {
		return other
	}
	return errNoSuchOverload
}

// setKey returns a key of Go for an element of a set.
func setKey(v any) (any, error) {
	switch v.(type) {
	case []any, *listValue, *Map, *objectValue:
		return nil, errors.New("listSet operations are only supported on lists of scalar values")
	case error:
		return new(byte), nil // it equals no other
	}
	return hashable(rawOf(v)), nil
}

// hashable returns v, or a text for it if v cannot be the key of a map of Go.
func hashable(v any) any {
	if v != nil && !reflect.TypeOf(v).Comparable() {
		return fmt.Sprintf("%#v", v)
	}
	return v
}

// rawAt returns an element as the resource has it.
func (l *listValue) rawAt(i int) any {
	if l.Elem == nil {
		return rawOf(l.made[i])
	}
	return l.Raw[i]
}

// key returns what identifies an element of a set or a list map. In a list map of the resource the values of keys are read from the decoded
// JSON, in one that a rule made from the values of CEL.
func (l *listValue) key(raw, v any) (any, error) {
	if l.Kind == SetList {
		return setKey(v)
	}
	read := func(name string) any { return valueKey(v, name) }
	if l.Elem != nil {
		m, ok := raw.(map[string]any)
		if !ok {
			return new(byte), nil // it equals no other
		}
		read = func(name string) any { return m[name] }
	}
	switch k := l.Keys; len(k) {
	case 1:
		return hashed(read(k[0])), nil
	case 2:
		return [2]any{hashed(read(k[0])), hashed(read(k[1]))}, nil
	case 3:
		return [3]any{hashed(read(k[0])), hashed(read(k[1])), hashed(read(k[2]))}, nil
	}
	all := make([]any, len(l.Keys))
	for i, name := range l.Keys {
		all[i] = read(name)
	}
	return fmt.Sprintf("%#v", all), nil
}

// valueKey returns the value of a key in an element that is a value of CEL, nil for none.
func valueKey(v any, name string) any {
	_, find, ok := entries(v)
	if !ok {
		return nil
	}
	found, ok := find(name)
	if !ok || isError(found) {
		return nil
	}
	return hashable(rawOf(found))
}

// hashed returns the value of a key. The API server panics where it is not a scalar.
func hashed(v any) any {
	switch v.(type) {
	case map[string]any, []any:
		panic(internalError(fmt.Sprintf("runtime error: hash of unhashable type %T", v)))
	}
	return v
}

// rawOf returns a value as plain Go: for a value of the resource, its decoded JSON.
func rawOf(v any) any {
	switch v := v.(type) {
	case *objectValue:
		return v.Raw
	case *listValue:
		if v.Elem != nil {
			return v.Raw
		}
		return v.made
	case preservedValue:
		return v.Raw
	}
	return v
}

// entries returns the size of a map or an object, and a function that finds a key.
func entries(v any) (n int, find func(any) (any, bool), ok bool) {
	switch m := v.(type) {
	case *Map:
		return len(m.keys), m.find, true
	case *objectValue:
		return len(m.Raw), m.find, true
	}
	return 0, nil, false
}

// equal compares a map that a rule made with another. A value that cannot be compared counts as equal.
func (m *Map) equal(other any) any {
	n, find, ok := entries(other)
	if !ok || n != len(m.keys) {
		return false
	}
	for i, k := range m.keys {
		o, ok := find(k)
		if !ok || equal(m.values[i], o) == false {
			return false
		}
	}
	return true
}

// equal compares an object or a map of the resource with another. Null properties count for its size, and unspecified fields are compared
// only if both have them.
func (o *objectValue) equal(other any) any {
	n, find, ok := entries(other)
	if !ok {
		return notEqualTo(other)
	}
	if n != len(o.Raw) {
		return false
	}
	for _, k := range sortedKeys(o.Raw) {
		if o.Type.field(k) == nil {
			b, ok := other.(*objectValue)
			if !ok {
				return notEqualTo(other)
			}
			if v, ok := b.Raw[k]; ok && !reflect.DeepEqual(o.Raw[k], v) {
				return false
			}
			continue
		}
		mine, has := o.find(k)
		theirs, have := find(k)
		if has != have {
			return false
		}
		if !has {
			continue
		}
		if eq := equalValues(mine, theirs); eq != true {
			return eq
		}
	}
	return true
}
