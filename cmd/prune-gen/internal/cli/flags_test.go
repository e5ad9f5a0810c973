package cli

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/prune-gen/prune-gen/internal/base/meter"
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
	rules, patterns := &idList{}, &patternList{}
	for _, list := range []struct {
		value interface {
			pflag.Value
			cobra.SliceValue
		}
		typ, first, second, all string
		wrong                   string
		message                 string
	}{
		{rules, "id", "loss/object", "loss/elements,types/n*", "loss/object,loss/elements,types/narrow,types/none", "loss/nothing", "unknown id loss/nothing"},
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

// A limit is a number of times, of which none is not one.
func TestLimitsAreNumbersOfTimes(t *testing.T) {
	for args, want := range map[string]string{
		"": "1", "--limit 2": "2", "--limit 65535": "65535",
		"--limit 0":     `invalid argument "0" for "--limit" flag: want a number from 1 to 65535`,
		"--limit 65536": `invalid argument "65536" for "--limit" flag: want a number from 1 to 65535`,
		"--limit -1":    `invalid argument "-1" for "--limit" flag: want a number from 1 to 65535`,
		"--limit x":     `invalid argument "x" for "--limit" flag: want a number from 1 to 65535`,
	} {
		cmd := &cobra.Command{}
		l := AddLimit(cmd)
		have := ""
		if err := cmd.ParseFlags(strings.Fields(args)); err != nil {
			have = err.Error()
		} else {
			have = fmt.Sprint(l.Meter().Left() / meter.Work)
		}
		if have != want {
			t.Errorf("%s: %s, want %s", args, have, want)
		}
	}
}
