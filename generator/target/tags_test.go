package target

import (
	"go/build"
	"slices"
	"strings"
	"testing"
)

func TestConstraintIsSatisfiedWithFewTags(t *testing.T) {
	other := "windows"
	if build.Default.GOOS == other {
		other = "plan9"
	}
	tests := []struct {
		text, expr string
		tags       []string
		elsewhere  bool
	}{
		{"", "", nil, false},
		{"prune", "prune", []string{"prune"}, false},
		{"!noprune", "!noprune", nil, false},
		{"b&&a", "b && a", []string{"a", "b"}, false},
		{"a || (b && c)", "a || (b && c)", []string{"a"}, false},
		{"a && !b", "a && !b", []string{"a"}, false},
		{"go1.5", "go1.5", nil, false},
		{"!go1.5 || a", "!go1.5 || a", []string{"a"}, false},
		{build.Default.GOOS, build.Default.GOOS, nil, false},
		{build.Default.GOARCH + " && a", build.Default.GOARCH + " && a", []string{"a"}, false},
		{other, other, nil, true},
		{other + " && a", other + " && a", nil, true},
		{other + " || a", other + " || a", []string{"a"}, false},
	}
	for _, test := range tests {
		c, err := ParseConstraint(test.text)
		if err != nil || c.Expr != test.expr || !slices.Equal(c.Tags, test.tags) || c.Elsewhere != test.elsewhere {
			t.Errorf("%q: %+v, %v; want %+v", test.text, c, err, test)
		}
	}
}

func TestConstraintThatCannotBeIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"a b":                     "unexpected token b",
		"a &&":                    "unexpected end of expression",
		"a\n//go:build b":         "not a build constraint",
		"a\n\npackage x":          "not a build constraint",
		"a && !a":                 "no tags satisfy it",
		"linux && !linux":         "no tags satisfy it",
		"a*b":                     "invalid syntax at *",
		strings.Repeat("(", 2000): "too large",
		"a && b && c && d && e && f && g && h && i && j && k && l && m": "more than 12 tags",
	} {
		if c, err := ParseConstraint(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30q: %+v, %v; want %s", text, c, err, want)
		}
	}
}

func TestTagsOfTheEnvironmentCount(t *testing.T) {
	for flags, want := range map[string][]string{
		"":                             nil,
		"-mod=mod":                     nil,
		"-tags=a,b -mod=mod":           {"a", "b"},
		"-buildvcs=false --tags=a":     {"a"},
		"-tags= -trimpath":             nil,
		"-tags=a -tags=b":              {"b"},
		"-ldflags=-tags=c -tags=other": {"other"},
	} {
		t.Setenv("GOFLAGS", flags)
		if got := FromEnvironment(); !slices.Equal(got, want) {
			t.Errorf("GOFLAGS=%q: %q, want %q", flags, got, want)
		}
	}
}
