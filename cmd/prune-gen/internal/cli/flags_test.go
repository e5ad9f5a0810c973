package cli

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
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

// Flags can be repeated, and say what they have got.
func TestListsGrow(t *testing.T) {
	rules, patterns := &ruleList{}, &patternList{}
	for _, list := range []struct {
		value interface {
			pflag.Value
			cobra.SliceValue
		}
		typ, first, second, all string
		wrong                   string
		message                 string
	}{
		{rules, "rule", "loss/object", "loss/elements,types/n*", "loss/object,loss/elements,types/narrow,types/none", "loss/nothing", "unknown rule loss/nothing"},
		{patterns, "glob", "charts", "**/templates", "charts,**/templates", "[", "syntax error in pattern"},
	} {
		for _, text := range []string{list.first, list.second} {
			if err := list.value.Set(text); err != nil {
				t.Error(err)
			}
		}
		if have := list.value.String(); have != list.all || strings.Join(list.value.GetSlice(), ",") != list.all || list.value.Type() != list.typ {
			t.Errorf("%s %q, want %q", list.value.Type(), have, list.all)
		}
		if err := list.value.Set(list.wrong); err == nil || !strings.HasPrefix(err.Error(), list.message) {
			t.Errorf("%v, want %s", err, list.message)
		}
	}
}
