package lspcmd_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/editor/lsp"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
)

// deep has required fields in lists and below optional ones.
var deep = strings.Replace(strings.Replace(crd, "        type: object\n", "        type: object\n        required: [spec]\n", 1), "              suspend: {type: boolean}\n", `              suspend: {type: boolean}
              items:
                type: array
                items: {type: object, required: [name], properties: {name: {type: string}, value: {type: string}}}
              inner: {type: object, required: [must], properties: {must: {type: string}, opt: {type: string}}}
`, 1)

// leaves returns the scalars of a text by their paths, and which of its documents do not parse.
func leaves(text string) map[string]string {
	all, n := map[string]string{}, 0
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, e := range v {
				walk(path+"."+k, e)
			}
		case []any:
			for i, e := range v {
				walk(fmt.Sprintf("%s[%d]", path, i), e)
			}
		default:
			all[path] = fmt.Sprintf("%T %v", v, v)
		}
	}
	yamltext.ParseText(meter.New(1), []byte(strings.TrimPrefix(text, "\ufeff")), func(d *yamltext.Document) {
		walk(fmt.Sprint(n), d.Root.Value())
		n++
	}, func(*yamltext.Problem) {
		all[fmt.Sprint(n)] = "broken"
		n++
	})
	return all
}

// every returns the actions for a whole text, and the text that each makes.
func (c *client) every(name, text string) map[string]string {
	c.t.Helper()
	var all []lsp.CodeAction
	c.call("textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": c.uri(name)}, "range": lsp.Range{End: lsp.Position{Line: math.MaxInt32}}, "context": map[string]any{}}, &all)
	edited := map[string]string{}
	for i, a := range all {
		of := lsp.NewText([]byte(text))
		for _, e := range a.Edit.Changes[c.uri(name)] {
			of = of.Change([]lsp.Change{{Range: &e.Range, Text: e.Text}})
		}
		edited[fmt.Sprintf("%s (%d)", a.Title, i)] = string(of.Bytes)
	}
	return edited
}

// An action changes what its title says, and no other value.
func TestActionsChangeWhatTheySay(t *testing.T) {
	c := start(t, map[string]string{"crds/crontab.yaml": deep})
	const ok = "spec:\n  cronSpec: x\n"
	texts := []string{
		head + ok + "  policy: Path Prefix\n", head + ok + "  policy: Allo w # x\n", head + ok + "  policy: >-\n    Alow\n", head + ok + "  policy: &a Alow\n  memory: *a\n",
		head + ok + "  replicas: !!str 5\n", head + ok + "  repli cas: 5\n", head + ok + "  policy: \"Al\n    ow\"\n", head + "spec: {policy: Alow, cronSpec: x}\n",
		head + ok + "  items:\n  - {value: d}\n  - value: e\n    # why\n", head + "spec: {cronSpc: x, replicas: 1}\n", head + "---\n" + head, head + "spec: {}\n",
		`{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"a"},"spec":{"policy":"Alow","colour":{"a":1}}}`,
		"kind: List\napiVersion: v1\nitems:\n- " + strings.ReplaceAll(strings.TrimSuffix(head, "\n"), "\n", "\n  ") + "\n- " + strings.ReplaceAll(strings.TrimSuffix(head, "\n"), "\n", "\n  ") + "\n",
		head + ok + "  inner:\n    opt: |+\n      a\n\n", "\ufeff" + strings.ReplaceAll(head+"spec:\n  replicas: 1\n  colour: red", "\n", "\r\n"), head + ok + "  a: &x {b: 1}\n  inner: *x\n",
	}
	n := testsize.Pick(30, 1000)
	r := rand.New(rand.NewPCG(5, 6))
	for range n {
		texts = append(texts, randomText(r))
	}
	tried := map[string]int{}
	for i, text := range texts {
		name := fmt.Sprintf("%d.yaml", i)
		if strings.HasPrefix(text, "{") {
			name = fmt.Sprintf("%d.json", i)
		}
		c.open(name, text)
		c.diagnostics(name, 1, any1)
		was := leaves(text)
		for title, edited := range c.every(name, text) {
			is := leaves(edited)
			var gone, added, changed []string
			for path, v := range was {
				if w, ok := is[path]; !ok {
					gone = append(gone, path)
				} else if v != w {
					changed = append(changed, path)
				}
			}
			for path := range is {
				if _, ok := was[path]; !ok {
					added = append(added, path)
				}
			}
			verb, _, _ := strings.Cut(title, " ")
			tried[verb]++
			good := map[string]bool{
				"Ignore": len(gone)+len(added)+len(changed) == 0, "Add": len(gone)+len(changed) == 0 && len(added) == 1 || len(was) == 0,
				"Remove": len(added)+len(changed) == 0, "Change": len(changed) == 1 && len(gone)+len(added) == 0 || len(changed) == 0 && len(gone) == len(added) && len(gone) > 0,
			}[verb]
			if !good || strings.Contains(text, "\r\n") && strings.Contains(strings.ReplaceAll(edited, "\r\n", ""), "\n") || name[len(name)-1] == 'n' && !json.Valid([]byte(edited)) {
				t.Errorf("%q: %s makes %q: gone %q, added %q, changed %q", text, title, edited, gone, added, changed)
			}
		}
	}
	for _, verb := range []string{"Add", "Change", "Ignore", "Remove"} {
		if tried[verb] < 5 {
			t.Errorf("%d actions %s", tried[verb], verb)
		}
	}
}

// A mistake in one object is mended in that one.
func TestActionsAreForTheirObject(t *testing.T) {
	c := start(t, map[string]string{"crds/crontab.yaml": deep})
	c.open("a.yaml", head+"---\n"+head)
	found := c.diagnostics("a.yaml", 1, func(d []lsp.Diagnostic) bool { return len(d) == 2 })
	have := c.act("a.yaml", head+"---\n"+head, "Add spec", lsp.Range{Start: found[1].Range.Start, End: found[1].Range.Start})
	if want := head + "---\n" + head + "spec:\n  cronSpec: \"\"\n"; have != want {
		t.Errorf("%s\nwant\n%s", have, want)
	}
}

// Editors ask for source.fixAll whenever a text is saved: it must not remove what was mistyped.
func TestNothingIsRemovedOnSave(t *testing.T) {
	c := start(t, map[string]string{"crds/crontab.yaml": crd})
	c.open("a.yaml", head+"spec: {cronSpec: x, replcas: 3}\n")
	c.diagnostics("a.yaml", 1, some)
	for only, want := range map[string]int{"source.fixAll": 0, "source": 1, "source.prune": 1, "quickfix": 3, "refactor": 0} {
		var all []lsp.CodeAction
		c.call("textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": c.uri("a.yaml")}, "range": lsp.Range{End: lsp.Position{Line: 9}}, "context": map[string]any{"only": []string{only}}}, &all)
		if len(all) != want {
			t.Errorf("%s: %d actions, want %d", only, len(all), want)
		}
	}
}

// A range with many findings is answered, with edits for the first ones.
func TestActionsForManyFindings(t *testing.T) {
	c := start(t, map[string]string{"crds/crontab.yaml": crd})
	text := head + "spec:\n  cronSpec: x\n"
	for i := range 200 {
		text += fmt.Sprintf("  unknown%d: 1\n", i)
	}
	c.open("a.yaml", text)
	c.diagnostics("a.yaml", 1, some)
	all := c.every("a.yaml", text)
	if titles := slices.Collect(mapsKeys(all)); len(titles) != 41 || !slices.ContainsFunc(titles, func(t string) bool { return strings.Contains(t, "API server") }) {
		t.Errorf("%d actions", len(titles))
	}
	for _, edited := range all {
		if reflect.DeepEqual(leaves(edited), leaves(text)) && !strings.Contains(edited, "ignore") {
			t.Errorf("nothing has changed")
		}
	}
}

func mapsKeys(m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}
