package numbers

import (
	"reflect"
	"testing"
)

func TestDecode(t *testing.T) {
	got, err := Decode([]byte(`{"a": [1, 1.0, 1e2, 9223372036854775807, 9223372036854775808], "b": {"c": -0}}`))
	want := map[string]any{"a": []any{int64(1), 1.0, 100.0, int64(9223372036854775807), 9223372036854775808.0}, "b": map[string]any{"c": int64(0)}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	for _, text := range []string{"", "[]", "null", "{", `{"a": [1e400]}`} {
		if obj, err := Decode([]byte(text)); err == nil {
			t.Errorf("%q: %v", text, obj)
		}
	}
}

func TestEncodeIsTheInverseOfDecode(t *testing.T) {
	obj := map[string]any{"a": []any{int64(1), 1.0, 1e20, 1e21, -0.5, int64(-9223372036854775808)}, "<b>": map[string]any{"c": nil}}
	for _, indent := range []string{"", "  "} {
		text := Encode(obj, indent)
		if got, err := Decode([]byte(text)); err != nil || !reflect.DeepEqual(got, obj) {
			t.Errorf("%v, %v: %s", got, err, text)
		}
	}
}
