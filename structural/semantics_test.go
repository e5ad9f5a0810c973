package structural_test

import (
	"testing"

	"github.com/prune-gen/prune-gen/structural"
)

func TestSemanticsHaveNames(t *testing.T) {
	for s, name := range map[structural.Semantics]string{structural.APIServer: "apiserver", structural.KEP2332: "kep-2332"} {
		if s.String() != name {
			t.Errorf("%d is called %q, want %q", s, s, name)
		}
		if got, err := structural.ParseSemantics(name); got != s || err != nil {
			t.Errorf("%q is read as %v, %v", name, got, err)
		}
	}
	if s := structural.Semantics(9).String(); s != "Semantics(9)" {
		t.Errorf("got %q", s)
	}
	if _, err := structural.ParseSemantics("kep-24"); err == nil || err.Error() != `unknown semantics "kep-24": want apiserver or kep-2332` {
		t.Errorf("got %v", err)
	}
	if *new(structural.Semantics) != structural.APIServer {
		t.Error("the default is not what the API server does")
	}
}
