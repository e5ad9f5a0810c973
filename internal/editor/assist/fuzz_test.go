package assist_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/editor/assist"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// ask asks everything at an offset, and checks what is answered.
func ask(t *testing.T, c assist.Catalog, text []byte, offset int) {
	all, _ := assist.Complete(c, text, offset)
	for _, p := range all {
		if p.Start < 0 || p.Start > offset || p.End < offset || p.End > len(text) || strings.ContainsAny(string(text[p.Start:p.End]), "\r\n") {
			t.Fatalf("%q at %d: %+v", text, offset, p)
		}
	}
	if markdown, start, end, ok := assist.Hover(c, text, offset); ok && (start < 0 || start > offset || end < offset || end > len(text) || markdown == "") {
		t.Fatalf("%q at %d: %d to %d", text, offset, start, end)
	}
	if crd, path, ok := assist.Definition(c, text, offset); ok && (crd == nil || len(path) == 0) {
		t.Fatalf("%q at %d: no place", text, offset)
	}
}

func FuzzAssist(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed), len(seed)/2)
	}
	c := catalog(f, crd)
	f.Fuzz(func(t *testing.T, text []byte, offset int) {
		ask(t, c, text, offset)
		ask(t, c, text, len(text))
	})
}

var seeds = []string{
	head + "spec:\n  image: \"x\"\n  ports:\n  - name: a\n    protocol: TCP\n  labels: {a: b, c: [d]}\n  any: |\n    text\n---\na: b\n...\n",
	`{"apiVersion": "example.com/v1", "kind": "App", "spec": {"ports": [{"name": "a"}], "template": {"metadata": {}}}}`,
	"apiVersion: v1\r\nkind: List\r\nitems:\r\n- apiVersion: example.com/v1\r\n  kind: App\r\n  spec:\r\n    ? mode\r\n    : Fast\r\n    {{ .x }}: y\r\n",
}

// Whatever is typed, removed and pasted, there is an answer.
func TestEditedTextsAreAnswered(t *testing.T) {
	c := catalog(t, crd)
	pieces := []string{"\n", "  ", "- ", ": ", "{", "}", "[", "]", ",", "\"", "'", "|", ">", "#", "&a ", "*a", "!!t ", "{{", "}}", "---\n", "...", "\t", "\r\n", "? ", "é", "\xff", "\ufeff", "spec", "mode", "ports:\n"}
	r := rand.New(rand.NewPCG(1, 2))
	for _, seed := range seeds {
		text := []byte(seed)
		for range testsize.Pick(300, 1500) {
			at := r.IntN(len(text) + 1)
			end := at
			if r.IntN(2) == 0 {
				end = min(len(text), at+r.IntN(6))
			}
			piece := pieces[r.IntN(len(pieces))]
			text = append(append(append([]byte{}, text[:at]...), piece...), text[end:]...)
			if len(text) > 2*len(seed) {
				text = []byte(seed)
				continue
			}
			ask(t, c, text, min(len(text), at+r.IntN(len(piece)+1)))
		}
	}
}
