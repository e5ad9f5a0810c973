package plan

import (
	"testing"
)

func TestValuesOfANodeAreCounted(t *testing.T) {
	value := func(v any) *Value { return &Value{JSON: v} }
	list, object := value([]any{"a", int64(1)}), value(map[string]any{"a": []any{nil}, "b": map[string]any{}})
	slot := NullRule{Default: object}
	for _, test := range []struct {
		name string
		node Node
		want int
	}{
		{"nothing", Node{Do: PruneWalk}, 0},
		{"an enum, the keys of a list map and required fields", Node{Do: Validate{Rules: Rules{Enum: list, ListMapKeys: value([]any{"k"}), Required: value([]any{})}}}, 3 + 2 + 1},
		{"a shape", Node{Do: Shape{Keys: list}}, 3},
		{"defaults everywhere", Node{Do: PruneWalk, Fields: []Field{{Slot: slot}, {Slot: NullRule{Null: NullDrop}}, {Slot: Presence{}}}, RestSlot: slot, ElemSlot: NullRule{Default: list}}, 4 + 4 + 3},
	} {
		if got := test.node.Values(); got != test.want {
			t.Errorf("%s: %d values, want %d", test.name, got, test.want)
		}
	}
}

// No two values are written alike.
func TestValuesAreWrittenApart(t *testing.T) {
	for want, v := range map[string]any{
		`null`: nil, `true`: true, `1`: int64(1), `1.0`: 1.0, `1.5`: 1.5, `1e+30`: 1e30, `"1"`: "1", `"a\"\u00e9"`: "a\"é", `[]`: []any{}, `{}`: map[string]any{},
		`[1, "a"]`: []any{int64(1), "a"}, `{"a": 1, "b": [null]}`: map[string]any{"b": []any{nil}, "a": int64(1)},
	} {
		if got := ValueText(v); got != want {
			t.Errorf("%#v is written %s, want %s", v, got, want)
		}
	}
}
