package manifest

import (
	"fmt"
	"strings"
	"testing"
)

// The API server writes paths as texts. What they mean depends on the object.
func TestPathOf(t *testing.T) {
	obj := map[string]any{
		"spec": map[string]any{
			"list": []any{map[string]any{"name": "a"}},
			"map":  map[string]any{"a.b/c": "x", "a": map[string]any{"b": "y"}},
		},
	}
	for text, want := range map[string]string{
		"spec.list[0].name":    "spec.list[0].name",
		"spec.list[0].missing": "spec.list[0].missing",
		"spec.list[1].name":    "spec.list",
		"spec.list[7].name":    "spec.list",
		"spec.list[-1].name":   "spec.list",
		"spec.list[x]":         "spec.list",
		"spec.map.a.b":         "spec.map.a.b",
		"spec.map.a.b/c":       "spec.map.[a.b/c]",
		"spec.map[a.b/c]":      "spec.map.[a.b/c]",
		"spec.List[0].Name":    "spec.list[0].name",
		"spec.map.A":           "spec.map.a",
		"other[0].x":           "other.0.x",
		"spec[":                "spec.[",
		"":                     "",
	} {
		var have []string
		for _, s := range PathOf(text, obj) {
			switch {
			case s.Index >= 0:
				have[len(have)-1] += fmt.Sprintf("[%d]", s.Index)
			case strings.ContainsAny(s.Name, "./"):
				have = append(have, "["+s.Name+"]")
			default:
				have = append(have, s.Name)
			}
		}
		if have := strings.Join(have, "."); have != want {
			t.Errorf("%s is %s, want %s", text, have, want)
		}
	}
}
