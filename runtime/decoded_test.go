package prunert

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

const noDecoder = "; decoders make bool, int64, float64, string, []any and map[string]any"

func TestCheckDecodedRefusesWhatNoDecoderMakes(t *testing.T) {
	in := func(v any) map[string]any { return map[string]any{"a": map[string]any{"b": []any{"x", v}}} }
	cycle := map[string]any{}
	cycle["self"] = []any{cycle}
	for _, tt := range []struct {
		obj  map[string]any
		want string
	}{
		{in(map[string]any{"k": nil, "t": true, "i": int64(1), "f": 1.5, "s": ""}), ""},
		{map[string]any{}, ""},
		{nil, "the object is a nil map, where a decoder makes nil"},
		{in(1), "a.b[1] has the Go type int" + noDecoder},
		{in(int32(1)), "a.b[1] has the Go type int32" + noDecoder},
		{in(uint64(1)), "a.b[1] has the Go type uint64" + noDecoder},
		{in(float32(1)), "a.b[1] has the Go type float32" + noDecoder},
		{in(json.Number("1")), "a.b[1] has the Go type json.Number" + noDecoder},
		{in(map[string]string{}), "a.b[1] has the Go type map[string]string" + noDecoder},
		{in([]string{}), "a.b[1] has the Go type []string" + noDecoder},
		{in(struct{}{}), "a.b[1] has the Go type struct {}" + noDecoder},
		{in(math.NaN()), "a.b[1] is NaN, which JSON does not have"},
		{in(math.Inf(-1)), "a.b[1] is -Inf, which JSON does not have"},
		{in(map[string]any(nil)), "a.b[1] is a nil map, where a decoder makes nil"},
		{in([]any(nil)), "a.b[1] is a nil slice, where a decoder makes nil"},
		{map[string]any{"z": 1, "b": uint(2)}, "b has the Go type uint" + noDecoder},
	} {
		got := ""
		if err := CheckDecoded(tt.obj); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%#v: have %q, want %q", tt.obj, got, tt.want)
		}
	}
	err := CheckDecoded(cycle)
	if err == nil || !strings.HasSuffix(err.Error(), "is nested deeper than 10000 levels") || len(err.Error()) > 300 {
		t.Errorf("an object that contains itself: %v", err)
	}
}

func TestCheckDecodedCountsLevelsNotValues(t *testing.T) {
	var v any = "x"
	for range MaxDepth - 2 {
		v = []any{v}
	}
	if err := CheckDecoded(map[string]any{"a": v, "b": v}); err != nil {
		t.Errorf("%d levels: %v", MaxDepth, err)
	}
	if err := CheckDecoded(map[string]any{"a": []any{v}}); err == nil {
		t.Errorf("%d levels are accepted", MaxDepth+1)
	}
}

// A long path is cut to its last two hundred bytes, which say most.
func TestCheckDecodedShowsTheEndOfLongPaths(t *testing.T) {
	for size, want := range map[int]string{
		199: strings.Repeat("k", 199), 200: strings.Repeat("k", 200), 201: "..." + strings.Repeat("k", 200), 500: "..." + strings.Repeat("k", 200),
	} {
		err := CheckDecoded(map[string]any{strings.Repeat("k", size): 1})
		if want += " has the Go type int" + noDecoder; err == nil || err.Error() != want {
			t.Errorf("%d: have %v, want %s", size, err, want)
		}
	}
}

// Values after a correct one are checked, too, each with its own path.
func TestCheckDecodedGoesOn(t *testing.T) {
	good := map[string]any{"b": []any{map[string]any{"c": "x"}}}
	for want, obj := range map[string]map[string]any{
		"z has the Go type int" + noDecoder:         {"a": good, "z": 1},
		"l[2] has the Go type int" + noDecoder:      {"l": []any{good, []any{"x"}, 1}},
		"l[1][0].d has the Go type int" + noDecoder: {"l": []any{[]any{}, []any{map[string]any{"a": good, "d": 1}}}},
		"a..x[0] has the Go type int" + noDecoder:   {"a": map[string]any{"": map[string]any{"x": []any{1}}}},
		"x has the Go type int" + noDecoder:         {"": good, "x": 1},
	} {
		if err := CheckDecoded(obj); err == nil || err.Error() != want {
			t.Errorf("have %v, want %s", err, want)
		}
	}
}
