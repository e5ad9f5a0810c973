package jsondocs

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/numbers"
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

func TestSpellingsDecodeToTheValue(t *testing.T) {
	value := map[string]any{
		"": map[string]any{}, "a/b\\c\"d\x00\n": []any{}, "ä€😀\ufffd": "\ufffd\ufffdä\ufffdx\ufffd\U0001f600\ufffd",
		"numbers": []any{int64(0), int64(-1), int64(math.MaxInt64), int64(math.MinInt64), 0.0, 1.0, -1.5, 1e300, 5e-324, 1e21, 123456789.0, 0.1},
		"list":    []any{nil, true, false, "x", []any{map[string]any{"a": "b", "c": int64(1)}}},
	}
	texts := map[string]bool{}
	for spelling := range Spellings {
		for seed := range uint64(300) {
			doc := Spell(value, spelling, seed)
			texts[string(doc)] = true
			if got := numbers.Convert(decode(doc)); !reflect.DeepEqual(got, any(value)) {
				t.Fatalf("%s\n\thave %#v\n\twant %#v", doc, got, value)
			}
			if twice := len(Duplicates(doc)) > 0; twice && spelling != OddTwice {
				t.Errorf("duplicate keys in spelling %d: %s", spelling, doc)
			}
		}
	}
	if len(texts) < 500 {
		t.Errorf("%d different texts", len(texts))
	}
}
