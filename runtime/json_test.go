package prunert

import "testing"

func TestErrorsOfDocumentsNameTheOffset(t *testing.T) {
	for want, err := range map[string]error{
		"unexpected end at offset 12": &SyntaxError{Offset: 12, Message: "unexpected end"},
		"the object at offset 7 is larger than 9 bytes: see prunert.SetMaxStreamObject": &ObjectSizeError{Offset: 7, Limit: 9},
		"the item at offset 3 has no kind of its own, and the kind of the list comes after it: " +
			"write kind and apiVersion before items, or see prunert.SetMaxStreamObject": &LateKindError{Offset: 3},
	} {
		if got := err.Error(); got != want {
			t.Errorf("have %s, want %s", got, want)
		}
	}
}

func TestMaxStreamObjectIsWhatWasSet(t *testing.T) {
	if n := MaxStreamObject(); n != DefaultMaxStreamObject {
		t.Errorf("%d at first", n)
	}
	if previous := SetMaxStreamObject(7); previous != DefaultMaxStreamObject || MaxStreamObject() != 7 {
		t.Errorf("%d, then %d", previous, MaxStreamObject())
	}
	if previous := SetMaxStreamObject(0); previous != 7 || MaxStreamObject() != DefaultMaxStreamObject {
		t.Errorf("%d, then %d", previous, MaxStreamObject())
	}
}
