package prunert

import (
	"strings"
	"testing"
)

func TestErrorsOfDocumentsNameTheOffset(t *testing.T) {
	for want, err := range map[string]error{
		"unexpected end at offset 12": &SyntaxError{Offset: 12, Message: "unexpected end"},
		"the object at offset 7 is larger than 9 bytes: see prunert.StreamReader": &ObjectSizeError{Offset: 7, Limit: 9},
		"the item at offset 3 has no kind of its own, and the kind of the list comes after it: " +
			"write kind and apiVersion before items, or see prunert.StreamReader": &LateKindError{Offset: 3},
	} {
		if got := err.Error(); got != want {
			t.Errorf("have %s, want %s", got, want)
		}
	}
}

func TestStreamReadersSayHowLargeObjectsMayBe(t *testing.T) {
	r := strings.NewReader("")
	for n, want := range map[int]int{0: DefaultMaxStreamObject, -1: DefaultMaxStreamObject, 7: 7} {
		if have := MaxStreamObject(StreamReader{Reader: r, MaxObject: n}); have != want {
			t.Errorf("%d: %d, want %d", n, have, want)
		}
	}
	if have := MaxStreamObject(r); have != DefaultMaxStreamObject {
		t.Errorf("a reader that does not say so: %d", have)
	}
}
