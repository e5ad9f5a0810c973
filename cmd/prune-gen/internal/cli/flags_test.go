package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

func TestClosest(t *testing.T) {
	words := []string{"json", "junit", "output", "quiet"}
	for word, want := range map[string]string{
		"jsn": "json", "out": "output", "ou": "", "outputs": "output", "nothing": "", "qui": "quiet",
	} {
		if got := Closest(word, words); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

// Flags that can be repeated are lists for programs that set flags one by one: they add to the list, or replace it.
func TestListsAreReplacedAsAWhole(t *testing.T) {
	rules, patterns := &ruleList{}, &patternList{}
	for _, list := range []struct {
		value interface {
			pflag.Value
			pflag.SliceValue
		}
		typ, first, second string
		wrong              string
		message            string
	}{
		{rules, "rule", "loss/object", "loss/elements", "loss/nothing", "unknown rule loss/nothing"},
		{patterns, "glob", "charts", "**/templates", "[", "syntax error in pattern"},
	} {
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		want := func(words ...string) {
			t.Helper()
			if !slices.Equal(list.value.GetSlice(), words) || list.value.String() != strings.Join(words, ",") {
				t.Errorf("%q, %q, want %q", list.value.GetSlice(), list.value, words)
			}
		}
		want()
		must(list.value.Set(list.first))
		must(list.value.Append(list.second))
		want(list.first, list.second)
		must(list.value.Replace([]string{list.second}))
		want(list.second)
		if err := list.value.Replace([]string{list.first, list.wrong}); err == nil || !strings.HasPrefix(err.Error(), list.message) {
			t.Errorf("%v, want %s", err, list.message)
		}
		want(list.first)
		if list.value.Type() != list.typ {
			t.Errorf("the type is %s", list.value.Type())
		}
	}
	if len(rules.rules) != 1 || rules.rules[0] != "loss/object" {
		t.Errorf("the rules are %v", rules.rules)
	}
}
