package prunert_test

import (
	"testing"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

func TestPathsAreWrittenWithDotsAndIndices(t *testing.T) {
	for want, path := range map[string]prunert.Path{
		"":                 nil,
		"metadata.name":    prunert.FieldPath("metadata", "name"),
		"spec.list[0].a":   {{Name: "spec", Index: -1}, {Name: "list", Index: -1}, {Index: 0}, {Name: "a", Index: -1}},
		"spec.a.b":         {{Name: "spec", Index: -1}, {Name: "a.b", Index: -1}},
		"spec.lists[1][2]": {{Name: "spec", Index: -1}, {Name: "lists", Index: -1}, {Index: 1}, {Index: 2}},
	} {
		if have := path.String(); have != want {
			t.Errorf("%#v: %s, want %s", path, have, want)
		}
	}
}
