package lspcmd_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/validatecmd"
	"github.com/prune-gen/prune-gen/internal/editor/lsp"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/structural"
)

// pieces are lines of random manifests.
var pieces = []string{
	"  cronSpec: x", "  cronSpec: 5 # é", "  replicas: 50", "  replica: 1", "  policy: \"Alow\"", "  '😀': {a: 1, cronSpec: 2}", "  suspend: nope", "  memory: 12MB", "# 😀 é",
	"  cronSpec: |\n    a\n    b", "  ? replicas\n  : 70", "  \"replic\\u0061s\": 80", "status: {}", "metadata: {name: A}", "---", "{\"apiVersion\": \"stable.example.com/v1\", \"kind\": \"CronTab\", \"spec\": {\"é😀\": 1, \"replicas\": 99}}",
	"apiVersion: stable.example.com/v1\nkind: CronTab\nspec:", "  policy: [", "\t", "  cronSpec: \"\u2028\" \n  replicas: 51", "kind: List\nitems:\n- apiVersion: stable.example.com/v1\n  kind: CronTab\n  spec: {cronSpec: é, colour: 1}",
}

func randomText(r *rand.Rand) string {
	lines := []string{strings.TrimSuffix(head, "\n"), "spec:"}
	for range r.IntN(6) {
		lines = append(lines, pieces[r.IntN(len(pieces))])
	}
	return strings.ReplaceAll(strings.Join(lines, "\n"), "\n", []string{"\n", "\r\n", "\r"}[r.IntN(8)%3])
}

// Editors show what validate prints, at the same places.
func TestPlacesAreThoseOfValidate(t *testing.T) {
	n := testsize.Pick(100, 1000)
	r := rand.New(rand.NewPCG(1, 2))
	files := map[string]string{"crds/crontab.yaml": crd}
	for i := range n {
		files[fmt.Sprintf("%d.yaml", i)] = randomText(r)
	}
	c := start(t, files)
	var out bytes.Buffer
	env := cli.NewEnvironment(strings.NewReader(""), &out, io.Discard)
	cmd := validatecmd.Command(env)
	cmd.SetArgs([]string{"--output=json", "--crd=crds", "."})
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.Execute()
	env.Stdout.Flush()
	var printed struct{ Findings []structural.Finding }
	if err := json.Unmarshal(out.Bytes(), &printed); err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{}
	for _, f := range printed.Findings {
		want[f.File] = append(want[f.File], fmt.Sprintf("%d:%d %s %s", f.Line, f.Column, f.ID, f.Message))
	}
	if len(printed.Findings) < n {
		t.Errorf("%d findings in %d files", len(printed.Findings), n)
	}
	delete(files, "crds/crontab.yaml")
	for _, name := range slices.Sorted(maps.Keys(files)) {
		c.open(name, files[name])
		var have []string
		for _, d := range c.diagnostics(name, 1, any1) {
			message := d.Message
			for _, remark := range []string{"\nhint: ", "\nalso: "} {
				message, _, _ = strings.Cut(message, remark)
			}
			line, column := place(files[name], d.Range.Start)
			have = append(have, fmt.Sprintf("%d:%d %s %s", line, column, d.Code, message))
		}
		if !slices.Equal(have, want[name]) {
			t.Errorf("%q:\n%s\nvalidate:\n%s", files[name], strings.Join(have, "\n"), strings.Join(want[name], "\n"))
		}
	}
}

// place returns the line of a position as YAML counts it, and the column in characters.
func place(text string, p lsp.Position) (line, column int) {
	before := text[:lsp.NewText([]byte(text)).Offset(p)]
	before = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n").Replace(before)
	last := before[strings.LastIndex(before, "\n")+1:]
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(last) + 1
}

// Whatever an editor sends, the server goes on, has the text of the editor in the end, and does not grow.
func TestRandomEditsAndRequests(t *testing.T) {
	n := testsize.Pick(300, 30_000)
	c := start(t, map[string]string{"crds/crontab.yaml": crd})
	r := rand.New(rand.NewPCG(3, 4))
	names := []string{"a.yaml", "b.json", "crds/crontab.yaml"}
	texts := map[string]*lsp.Text{"a.yaml": lsp.NewText([]byte(randomText(r))), "b.json": lsp.NewText([]byte(pieces[15])), "crds/crontab.yaml": lsp.NewText([]byte(crd))}
	for _, name := range names {
		c.open(name, string(texts[name].Bytes))
	}
	position := func() lsp.Position { return lsp.Position{Line: r.IntN(40) - 1, Character: r.IntN(60) - 1} }
	var early runtime.MemStats
	for i := range n {
		name := names[r.IntN(10)%3]
		at := map[string]any{"textDocument": map[string]any{"uri": c.uri(name)}, "position": position(), "range": lsp.Range{Start: position(), End: position()}, "context": map[string]any{}}
		if i == n/3 {
			runtime.GC()
			runtime.ReadMemStats(&early)
		}
		switch r.IntN(4) {
		case 0:
			method := []string{"completion", "hover", "definition", "codeAction"}[r.IntN(4)]
			ctx, cancel := context.WithCancel(t.Context())
			id := jsonrpc2.ID{Num: uint64(1000 + i)}
			wait, err := c.conn.DispatchCall(ctx, "textDocument/"+method, at, jsonrpc2.PickID(id))
			if err != nil {
				t.Fatal(err)
			}
			if r.IntN(2) == 0 {
				c.notify("$/cancelRequest", map[string]any{"id": id})
			}
			var refused *jsonrpc2.Error
			if err := wait.Wait(ctx, nil); err != nil && (!asError(err, &refused) || refused.Code != -32800) {
				t.Fatalf("%s: %v", method, err)
			}
			cancel()
		default:
			change := lsp.Change{Range: &lsp.Range{Start: position(), End: position()}, Text: []string{"", "a", ":", "\n", "  ", "😀", "- ", "{", "\"", pieces[r.IntN(len(pieces))]}[r.IntN(10)]}
			if len(texts[name].Bytes) > 3000 || r.IntN(50) == 0 {
				change = lsp.Change{Text: randomText(r)}
			}
			texts[name] = texts[name].Change([]lsp.Change{change})
			c.change(name, i+2, change.Range, change.Text)
		}
	}
	for _, name := range names {
		c.change(name, n+2, &lsp.Range{}, "")
		have := said(c.diagnostics(name, n+2, any1))
		if name == "crds/crontab.yaml" {
			continue // another file would be another CRD
		}
		other := filepath.Join("copy", name)
		c.open(other, string(texts[name].Bytes))
		if want := said(c.diagnostics(other, 1, any1)); have != want {
			t.Errorf("%q:\n%s\nopened anew:\n%s", texts[name].Bytes, have, want)
		}
	}
	var late runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&late)
	if late.HeapAlloc > early.HeapAlloc+50<<20 || runtime.NumGoroutine() > 100 {
		t.Errorf("%d MB, %d MB after a third; %d goroutines", late.HeapAlloc>>20, early.HeapAlloc>>20, runtime.NumGoroutine())
	}
}

func asError(err error, to **jsonrpc2.Error) bool {
	e, ok := err.(*jsonrpc2.Error)
	*to = e
	return ok
}

func TestManyAndLargeDocuments(t *testing.T) {
	many, size := testsize.Pick(50, 1000), testsize.Pick(100<<10, 5<<20)
	c := start(t, map[string]string{"crds/crontab.yaml": crd})
	for i := range many {
		c.open(fmt.Sprintf("%d.yaml", i), head+"spec: {cronSpec: x, replicas: 20}\n")
	}
	large := head + "spec:\n  cronSpec: x\n" + strings.Repeat("---\n"+head+"spec: {cronSpec: x, replicas: 3}\n", size/110)
	c.open("large.yaml", large)
	for version := 2; version < 5; version++ { // nobody waits for the first ones
		c.change("large.yaml", version, &lsp.Range{Start: lsp.Position{Line: 5}, End: lsp.Position{Line: 5}}, fmt.Sprintf("  unknown%d: 1\n", version))
	}
	at := map[string]any{"textDocument": map[string]any{"uri": c.uri("large.yaml")}, "position": lsp.Position{Line: 5, Character: 3}}
	var list lsp.CompletionList
	c.call("textDocument/completion", at, &list)
	c.diagnostics("large.yaml", 4, func(d []lsp.Diagnostic) bool { return len(d) == 3 })
	c.write("crds/crontab.yaml", strings.Replace(crd, "maximum: 10", "maximum: 20", 1))
	for i := range many {
		c.diagnostics(fmt.Sprintf("%d.yaml", i), 1, none)
	}
}
