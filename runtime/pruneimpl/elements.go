package pruneimpl

import (
	"fmt"
	"strings"
)

// Elements finds elements of a list map by their keys. Of elements with the same keys it finds the first.
type Elements struct {
	list  []any
	keys  []string
	byKey map[any]any // made where the list is long
}

// NewElements returns the elements of a list.
func NewElements(list []any, keys []string) Elements { return Elements{list: list, keys: keys} }

// short is how many elements are few enough to look at each.
const short = 16

// Like returns the element with the same keys as e.
func (l *Elements) Like(e any) (like any, ok bool) {
	key, ok := elementKey(e, l.keys)
	if !ok {
		return nil, false
	}
	if len(l.list) <= short && len(l.keys) == 1 {
		for _, other := range l.list {
			if k, ok := elementKey(other, l.keys); ok && k == key {
				return other, true
			}
		}
		return nil, false
	}
	if l.byKey == nil {
		l.byKey = make(map[any]any, len(l.list))
		for _, other := range l.list {
			k, ok := elementKey(other, l.keys)
			if _, taken := l.byKey[k]; ok && !taken {
				l.byKey[k] = other
			}
		}
	}
	like, ok = l.byKey[key]
	return like, ok
}

// elementKey returns the key that identifies an element of a list map; ok is false if one of its parts is not a scalar.
func elementKey(e any, keys []string) (key any, ok bool) {
	obj, _ := e.(map[string]any)
	if len(keys) == 1 {
		switch v := obj[keys[0]].(type) {
		case string, bool, int64, float64:
			return v, true
		}
		return nil, false
	}
	var text strings.Builder
	for _, k := range keys {
		switch v := obj[k].(type) {
		case float64:
			fmt.Fprintf(&text, "%f\x00", v)
		case string, bool, int64:
			fmt.Fprintf(&text, "%#v\x00", v)
		default:
			return nil, false
		}
	}
	return text.String(), len(keys) > 0
}
