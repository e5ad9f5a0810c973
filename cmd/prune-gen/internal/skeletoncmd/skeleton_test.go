package skeletoncmd

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	sigsyaml "sigs.k8s.io/yaml"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
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
	testsize.NotShort(t)
	for _, more := range []int{0, 1} {
		names := map[string]any{}
		for i := range (largestYAML-4)/2 + more {
			names[fmt.Sprint("k", i)] = map[string]any{"type": "string"}
		}
		// properties, items, the two items, and a name and a keyword for each property.
		skeleton := map[string]any{"properties": names, "items": []any{map[string]any{}, map[string]any{}}}
		if got, want := size(skeleton), largestYAML+2*more; got != want {
			t.Fatalf("the skeleton has a size of %d, not %d", got, want)
		}
		text := marshal(skeleton)
		if got, want := json.Valid(text), more > 0; got != want {
			t.Errorf("a skeleton of size %d is JSON: %t, want %t", size(skeleton), got, want)
		}
		var again map[string]any
		if err := sigsyaml.Unmarshal(text, &again); err != nil || !reflect.DeepEqual(again, skeleton) {
			t.Errorf("the skeleton is another one when it is read: %v", err)
		}
	}
}
