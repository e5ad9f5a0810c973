package target

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/meter"
)

func TestConstraintsMayHaveTwelveTags(t *testing.T) {
	all := strings.Split("a b c d e f g h i j k l m", " ")
	for n, ok := range map[int]bool{1: true, meter.Tags: true, meter.Tags + 1: false} {
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

func TestTagsOfThePlatform(t *testing.T) {
	for tag, want := range map[string]bool{
		"unix": true, "cgo": true, "gc": true, "gccgo": true, "linux": true, "windows": true, "plan9": true, "amd64": true, "arm64": true, "wasm": true,
		"go1.1": true, "go1.999": true, "go1": false, "go2.1": false, "a": false, "Linux": false, "unixes": false, "ignore": false, "race": false,
	} {
		if have := isPlatform(tag); have != want {
			t.Errorf("%s: %t", tag, have)
		}
	}
	for tag, want := range map[string]bool{runtime.GOOS: true, runtime.GOARCH: true, "go1.1": true, "go1.999": false, "gc": true, "gccgo": false} {
		if have := isSet(tag); have != want {
			t.Errorf("%s is set: %t", tag, have)
		}
	}
}

// Tags that the platform decides count among those that are tried, and are not among those that are set.
func TestPlatformsCountAsTags(t *testing.T) {
	most := strings.Join(strings.Split("a b c d e f g h i j k", " "), " && ")
	if c, err := ParseConstraint(most + " && " + runtime.GOOS); err != nil || len(c.Tags) != meter.Tags-1 {
		t.Errorf("%+v, %v", c, err)
	}
	_, err := ParseConstraint(most + " && " + runtime.GOOS + " && " + runtime.GOARCH)
	if err == nil || err.Error() != "more than 12 tags" {
		t.Errorf("%v", err)
	}
	if c, err := ParseConstraint(most + " && l && (a || b) && !" + "m || l"); err == nil {
		t.Errorf("%+v", c)
	}
	if c, err := ParseConstraint("(a&&a)||a"); err != nil || c.Expr != "(a && a) || a" || !slices.Equal(c.Tags, []string{"a"}) {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestTagsInGOFLAGS(t *testing.T) {
	for flags, want := range map[string]string{
		"": "", "-v": "", "-tags=a": "a", "--tags=a": "a", "-tags=a,b": "a b", " -v  -tags=b,a -x": "b a", "-tags=": "", "-tags=,a,,b,": "a b",
		"-tags=a -tags=b": "b", "-tags=a --tags=": "", "tags=a": "", "---tags=a": "", "-tagsx=a": "",
	} {
		t.Setenv("GOFLAGS", flags)
		if have := strings.Join(FromEnvironment(), " "); have != want {
			t.Errorf("%q: %q, want %q", flags, have, want)
		}
	}
}
