package kube

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Difference says where two values of the same type differ first, "" where they do not. An empty list or map differs
// from an absent one: Kubernetes tells them apart in places.
func Difference(a, b any) string {
	if reflect.DeepEqual(a, b) {
		return ""
	}
	return difference("", reflect.ValueOf(a), reflect.ValueOf(b))
}

func difference(at string, a, b reflect.Value) string {
	if a.IsValid() != b.IsValid() || a.IsValid() && a.Type() != b.Type() {
		return fmt.Sprintf("%s: %s, not %s", at, show(a), show(b))
	}
	if !a.IsValid() {
		return ""
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			break
		}
		return difference(at, a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			if d := difference(at+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i)); d != "" {
				return d
			}
		}
		return ""
	case reflect.Slice:
		if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			break
		}
		for i := range a.Len() {
			if d := difference(fmt.Sprintf("%s[%d]", at, i), a.Index(i), b.Index(i)); d != "" {
				return d
			}
		}
		return ""
	case reflect.Map:
		if a.IsNil() != b.IsNil() {
			break
		}
		return mapDifference(at, a, b)
	}
	if reflect.DeepEqual(a.Interface(), b.Interface()) {
		return ""
	}
	return fmt.Sprintf("%s: %s, not %s", at, show(a), show(b))
}

func mapDifference(at string, a, b reflect.Value) string {
	keys := a.MapKeys()
	for _, k := range b.MapKeys() {
		if !a.MapIndex(k).IsValid() {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, func(x, y reflect.Value) int { return strings.Compare(x.String(), y.String()) })
	for _, k := range keys {
		if d := difference(fmt.Sprintf("%s[%s]", at, k), a.MapIndex(k), b.MapIndex(k)); d != "" {
			return d
		}
	}
	return ""
}

func show(v reflect.Value) string {
	if !v.IsValid() {
		return "absent"
	}
	s := fmt.Sprintf("%#v", v.Interface())
	if len(s) > 200 {
		s = s[:200] + "..."
	}
	return s
}
