package skeletoncmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"testing"

	sigsyaml "sigs.k8s.io/yaml"

	"github.com/prune-gen/prune-gen/internal/testsize"
	"github.com/prune-gen/prune-gen/structural"
)

// brokenWriter fails from a write on, each time with another error.
type brokenWriter struct{ left, failed int }

func (w *brokenWriter) Write(p []byte) (int, error) {
	if w.left--; w.left >= 0 {
		return len(p), nil
	}
	w.failed++
	return 0, fmt.Errorf("error %d", w.failed)
}

// Wherever the writer fails, its first error is that of the skeletons, and nothing is written after it.
func TestTheFirstErrorOfTheWriterIsReturned(t *testing.T) {
	one, two := &structural.JSONSchema{}, &structural.JSONSchema{}
	object := map[string]any{"type": "object"}
	for format, open := range map[string]func(io.Writer) skeletonWriter{
		"yaml": func(w io.Writer) skeletonWriter { return &skeletonYAML{w: w} },
		"json": func(w io.Writer) skeletonWriter { return &skeletonJSON{w: w} },
	} {
		for _, all := range [][]skeleton{nil, {{schema: one, Skeleton: object}, {schema: one, Skeleton: object}, {}, {schema: two, Skeleton: object}}} {
			for left := 0; ; left++ {
				w := &brokenWriter{left: left}
				out := open(w)
				for _, s := range all {
					out.add(s)
				}
				err := out.finish()
				if w.failed == 0 {
					if err != nil {
						t.Errorf("%s: %v", format, err)
					}
					break
				}
				if err == nil || err.Error() != "error 1" || w.failed > 1 {
					t.Errorf("%s: %v after %d writes, %d of which failed", format, err, left, w.failed)
				}
			}
		}
	}
}

func TestNamesThatCannotBeShownAreNotPrintable(t *testing.T) {
	for text, want := range map[string]bool{"": true, "a: b\n  c: d\n": true, "a\n::b\n": false, "  ::b: {}\n": false, "a::b\n": true, "a\x1b\n": false, "a\tb\n": false, "a\n\nb": true, "##[x]": false} {
		if printable([]byte(text)) != want {
			t.Errorf("%q is printable: %t", text, !want)
		}
	}
	if !errors.Is((&skeletonYAML{err: io.EOF}).finish(), io.EOF) {
		t.Error("the error is gone")
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
		text, err := marshal(skeleton)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := json.Valid(text), more > 0; got != want {
			t.Errorf("a skeleton of size %d is JSON: %t, want %t", size(skeleton), got, want)
		}
		var again map[string]any
		if err := sigsyaml.Unmarshal(text, &again); err != nil || !reflect.DeepEqual(again, skeleton) {
			t.Errorf("the skeleton is another one when it is read: %v", err)
		}
	}
}
