package generation

import (
	"slices"
	"testing"
)

func TestLongListsSayHowManyMoreThereAre(t *testing.T) {
	names := slices.Repeat([]string{"a"}, 13)
	if got, want := listed(names), "a, a, a, a, a, a, a, a, a, a and 3 more"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := listed(names[:10]), "a, a, a, a, a, a, a, a, a, a"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Groups are named only where every kind comes with its group.
func TestKindsNameGroupsWhereAllDo(t *testing.T) {
	for _, test := range []struct {
		s    selection
		want bool
	}{
		{selection{}, false},
		{selection{groups: []string{"a.com"}}, true},
		{selection{kinds: []string{"a.com/A"}}, true},
		{selection{kinds: []string{"A"}}, false},
		{selection{kinds: []string{"a.com/A", "B"}}, false},
	} {
		if got := test.s.namesGroups(); got != test.want {
			t.Errorf("%+v: %t", test.s, got)
		}
	}
}
