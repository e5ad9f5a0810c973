package target

import (
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestConstraintsMayHaveTwelveTags(t *testing.T) {
	all := strings.Split("a b c d e f g h i j k l m", " ")
	for n, ok := range map[int]bool{1: true, maxTags: true, maxTags + 1: false} {
		c, err := ParseConstraint(strings.Join(all[:n], " && "))
		if (err == nil) != ok || ok && len(c.Tags) != n {
			t.Errorf("%d tags: %q, %v", n, c.Tags, err)
		}
	}
}

// The tags are the fewest that satisfy an expression on this platform. One that only another platform satisfies is told apart.
func TestConstraintsAreSatisfiedByTheFewestTags(t *testing.T) {
	other := "plan9"
	if runtime.GOOS == other {
		other = "windows"
	}
	isUnix := !slices.Contains([]string{"windows", "plan9", "js", "wasip1"}, runtime.GOOS)
	for _, test := range []struct {
		text, tags string
		elsewhere  bool
		err        string
	}{
		{"", "", false, ""},
		{"a", "a", false, ""},
		{"!a", "", false, ""},
		{"b || a", "a", false, ""},
		{"(a && b) || c", "c", false, ""},
		{"(c && b) || a", "a", false, ""},
		{"(a && b) || (c && d)", "a b", false, ""},
		{"(a || b) && (b || c)", "b", false, ""},
		{"b && a && !c", "a b", false, ""},
		{runtime.GOOS, "", false, ""},
		{runtime.GOOS + " && a", "a", false, ""},
		{runtime.GOOS + " || a", "", false, ""},
		{"!" + runtime.GOOS, "", true, ""},
		{"!unix", "", isUnix, ""},
		{"unix", "", !isUnix, ""},
		{"!gc && !gccgo", "", true, ""},
		{other, "", true, ""},
		{other + " && a", "", true, ""},
		{other + " || a", "a", false, ""},
		{"a && !a", "", false, "no tags satisfy it"},
		{other + " && !" + other, "", false, "no tags satisfy it"},
		{"a &&", "", false, "unexpected end of expression"},
	} {
		c, err := ParseConstraint(test.text)
		switch {
		case test.err != "":
			if err == nil || err.Error() != test.err {
				t.Errorf("%s: %v, want %s", test.text, err, test.err)
			}
		case err != nil || strings.Join(c.Tags, " ") != test.tags || c.Elsewhere != test.elsewhere || c.Expr != test.text:
			t.Errorf("%s: %+v, %v, want the tags %q, elsewhere %t", test.text, c, err, test.tags, test.elsewhere)
		}
	}
}
