package jsondocs

import (
	"encoding/json"
	"testing"
)

func TestVerdictsAreThoseOfTheStandardLibrary(t *testing.T) {
	count := map[bool]int{}
	for _, text := range All() {
		count[text.Valid]++
		if json.Valid([]byte(text.JSON)) != text.Valid {
			t.Errorf("%s: valid is recorded as %t: %.80q", text.Name, text.Valid, text.JSON)
		}
	}
	t.Logf("%d valid, %d invalid", count[true], count[false])
	if count[true] < 400 || count[false] < 800 {
		t.Errorf("%d valid and %d invalid texts: where are the others?", count[true], count[false])
	}
}

func TestNamesAreDifferent(t *testing.T) {
	names := map[string]bool{}
	for _, text := range All() {
		if names[text.Name] {
			t.Errorf("%s is there twice", text.Name)
		}
		names[text.Name] = true
	}
}
