package steps_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/steps"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

func TestStepsAreThoseOfThePath(t *testing.T) {
	field, element := func(name string) prunert.Step { return prunert.Step{Name: name, Index: -1} }, func(i int) prunert.Step { return prunert.Step{Index: i} }
	seen := map[steps.Steps]prunert.Path{}
	for _, p := range []prunert.Path{
		nil,
		{field("")},
		{field(""), field("")},
		{field("spec"), field("ports"), element(0), field("name")},
		{field("spec.ports[0].name")},
		{field("spec"), field("ports[0]"), field("name")},
		{field("4:spec")}, {field("4"), field("spec")}, {field("[0]")}, {element(0)}, {element(0), element(0)}, {element(1<<31 - 1)},
		{field("a\x00b"), field("\xff:1:"), field("]"), field(strings.Repeat("x", 1000)), element(10)},
	} {
		s := steps.Of(p)
		if got := s.Path(); !slices.Equal(got, p) || (got == nil) != (len(p) == 0) {
			t.Errorf("%q: %#v, want %#v", s, got, p)
		}
		if other, ok := seen[s]; ok {
			t.Errorf("%#v and %#v are both %q", other, p, s)
		}
		seen[s] = p
	}
}
