package prunecel

import (
	"slices"
	"testing"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// The names of steps are parts of the text of the path, whatever is in them.
func TestFieldsOfErrorsHaveTheirSteps(t *testing.T) {
	root := &place{}
	field := func(around *place, name string) *place { return &place{around: around, step: stepField, name: name} }
	key := func(around *place, name string) *place { return &place{around: around, step: stepKey, name: name} }
	element := func(around *place, i int) *place { return &place{around: around, step: stepIndex, index: i} }
	name := func(name string) prunert.Step { return prunert.Step{Name: name, Index: -1} }
	for _, c := range []struct {
		at   *place
		more string
		text string
		path prunert.Path
	}{
		{root, "", "<nil>", prunert.Path{}},
		{root, "a", "a", prunert.Path{name("a")}},
		{field(element(field(root, "list"), 12), "x"), "", "list[12].x", prunert.Path{name("list"), {Index: 12}, name("x")}},
		{key(field(root, "a"), "k[0].b]"), "c.d[e]", "a[k[0].b]].c.d[e]", prunert.Path{name("a"), name("k[0].b]"), name("c"), name("d"), name("e")}},
		{field(field(root, "a."), ".b"), "", "a...b", prunert.Path{name("a."), name(".b")}},
		{field(field(root, ""), "a"), "", "a", prunert.Path{name(""), name("a")}},
		{element(key(field(root, ""), ""), 0), "", "[][0]", prunert.Path{name(""), name(""), {}}},
		{field(root, ""), "", "<nil>", prunert.Path{name("")}},
	} {
		if text, path := c.at.field(c.more); text != c.text || !slices.Equal(path, c.path) {
			t.Errorf("%q, %q; want %q, %q", text, path, c.text, c.path)
		}
	}
}

// Steps take no memory of their own.
func TestAFieldTakesTwoAllocationsHoweverDeepItIs(t *testing.T) {
	at := &place{}
	for range 30 {
		at = &place{around: at, step: stepKey, name: "k"}
	}
	if n := testing.AllocsPerRun(10, func() { at.field("") }); n != 2 {
		t.Errorf("%v allocations", n)
	}
}
