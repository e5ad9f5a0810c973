package manifest

import (
	"reflect"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	want := map[string]any{"i": int64(9007199254740993), "f": 1.5, "big": 1e20, "l": []any{int64(1), "a", nil, true}, "m": map[string]any{"x": int64(2)}}
	for _, text := range []string{
		"i: 9007199254740993\nf: 1.5\nbig: 1e20\nl: [1, a, null, true]\nm: {x: 2}\n",
		`{"i": 9007199254740993, "f": 1.5, "big": 1e20, "l": [1, "a", null, true], "m": {"x": 2}}`,
	} {
		obj, err := Read(strings.NewReader(text))
		if err != nil || !reflect.DeepEqual(obj, want) {
			t.Errorf("%s: %#v, %v; want %#v", text, obj, err, want)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":           "not an object",
		"- a":        "not an object",
		"a: [":       "yaml",
		"a: 1\na: 2": "already",
	} {
		if obj, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want %s", text, obj, err, want)
		}
	}
}

func TestWriteAndReadAgain(t *testing.T) {
	obj := map[string]any{"i": int64(9007199254740993), "s": "1", "l": []any{map[string]any{}}}
	var b strings.Builder
	if err := Write(&b, obj); err != nil {
		t.Fatal(err)
	}
	if again, err := Read(strings.NewReader(b.String())); err != nil || !reflect.DeepEqual(again, obj) {
		t.Errorf("%#v, %v\n%s", again, err, b.String())
	}
}

func TestPrintableLeavesNothingForATerminalToObey(t *testing.T) {
	if got, want := Printable("a\x1b[31mb\r\n\u202e\u009bc é"), "a?[31mb????c é"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
