package gosource

import "testing"

func TestListingStaysInsideTheFile(t *testing.T) {
	e := &Error{File: "x.go", Line: 1, Message: "m", Source: []byte("\tone\ntwo\n")}
	if want := "> 1      one\n  2  two\n"; e.Listing() != want {
		t.Errorf("%q, want %q", e.Listing(), want)
	}
	if e := (&Error{File: "x.go", Message: "m"}); e.Listing() != "" || e.Error() != "x.go: m" {
		t.Errorf("%q %q", e.Error(), e.Listing())
	}
}
