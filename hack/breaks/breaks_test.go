package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// The breaks themselves take long. This sees to it that what they break is still there.
func TestBreaksFitTheSources(t *testing.T) {
	all := table()
	if len(all) < 80 {
		t.Errorf("%d breaks", len(all))
	}
	names := map[string]bool{}
	for _, b := range all {
		if names[b.Name] {
			t.Errorf("two breaks are called %q", b.Name)
		}
		names[b.Name] = true
		source, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(b.File)))
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := b.apply(source); err != nil || b.Old == b.New {
			t.Errorf("%s: %v", b.Name, err)
		}
	}
}

func TestBreaksThatSurviveAreMadeTogetherAtTheEnd(t *testing.T) {
	a, b, c, d := Break{Name: "a", Survives: "why"}, Break{Name: "b"}, Break{Name: "c", Survives: "why"}, Break{Name: "d"}
	for _, test := range []struct {
		each bool
		want [][]Break
	}{
		{false, [][]Break{{b}, {d}, {a, c}}},
		{true, [][]Break{{a}, {b}, {c}, {d}}},
	} {
		if have := groups([]Break{a, b, c, d}, test.each); !reflect.DeepEqual(have, test.want) {
			t.Errorf("each %t: %v, want %v", test.each, have, test.want)
		}
	}
	if have := groups([]Break{b}, false); len(have) != 1 {
		t.Errorf("%v", have)
	}
}

// A sample is tried with what make test runs.
func TestComparedAreThePackagesOfMakeTest(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	if want := "\nCONFORMANCE := " + strings.Join(compared, " ") + "\n"; !strings.Contains(string(makefile), want) {
		t.Errorf("the Makefile does not have %s", want)
	}
}
