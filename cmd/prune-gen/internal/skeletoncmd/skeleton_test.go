package skeletoncmd

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	sigsyaml "sigs.k8s.io/yaml"
)

func TestNamesThatCannotBeShownAreNotPrintable(t *testing.T) {
	for text, want := range map[string]bool{"": true, "a: b\n  c: d\n": true, "a\n::b\n": false, "  ::b: {}\n": false, "a::b\n": true, "a\x1b\n": false, "a\tb\n": false, "a\n\nb": true, "##[x]": false} {
		if printable([]byte(text)) != want {
			t.Errorf("%q is printable: %t", text, !want)
		}
	}
}

// A skeleton that is very large is written as JSON, which takes less memory. Both formats of a skeleton are YAML.
func TestVeryLargeSkeletonsAreJSON(t *testing.T) {
	for _, n := range []int{10, largestYAML / 30} {
		names := map[string]any{}
		for i := range n {
			names[fmt.Sprint("k", i)] = map[string]any{"type": "string"}
		}
		skeleton := map[string]any{"properties": names, "items": []any{map[string]any{}, map[string]any{}}}
		text := document(skeleton)
		if got, want := json.Valid(text), n > 10; got != want {
			t.Errorf("a skeleton with %d names is JSON: %t, want %t", n, got, want)
		}
		var again map[string]any
		if err := sigsyaml.Unmarshal(text, &again); err != nil || !reflect.DeepEqual(again, skeleton) {
			t.Errorf("the skeleton is another one when it is read: %v", err)
		}
	}
}
