package assist_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/editor/assist"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// writer writes random YAML in all styles in which people write manifests.
type writer struct {
	bytes.Buffer
	r *rand.Rand
}

var someKeys = []string{"a", "spec", "app.kubernetes.io/name", `"on"`, `'it''s'`, `"tab\tin"`, "é", "with space", "x:y", "-dash", "a#b", `"a: b"`}

var someScalars = []string{
	"1", "true", "text", `"quoted"`, `'single'`, `"with # and : in"`, "http://host:80/x", "a b  c", `"esc \" \\"`, `'it''s'`, "{{ .Values.x }}x", "é #", "- ", "a:b", "~",
	`"äöü {"`, "-1", "--x", "?x", "*", "!!str x", "&anchor y", `"over\nlines"`,
}

func (w *writer) pick(all []string) string { return all[w.r.IntN(len(all))] }

// keys returns different keys.
func (w *writer) keys(isFlow bool) (all []string) {
	for range 1 + w.r.IntN(4) {
		k := w.pick(someKeys)
		if !slices.Contains(all, k) && !(isFlow && strings.ContainsAny(k[:1], "-")) {
			all = append(all, k)
		}
	}
	return all
}

func (w *writer) line(indent int) {
	if w.r.IntN(8) == 0 {
		w.WriteString("  # a: comment")
	}
	w.WriteString("\n")
	if w.r.IntN(12) == 0 {
		w.WriteString("\n# - between: [\n")
	}
	w.WriteString(strings.Repeat(" ", indent))
}

func (w *writer) scalar() string {
	for {
		if s := w.pick(someScalars); s != "- " && s != "*" && s != "é #" {
			return s
		}
	}
}

// inBrackets writes a value in flow style.
func (w *writer) inBrackets(depth, indent int) {
	gap := func() {
		if w.r.IntN(3) == 0 {
			w.line(indent + w.r.IntN(3))
		}
	}
	switch k := w.r.IntN(6); {
	case k == 0 && depth > 0:
		w.WriteString("[")
		for i := range w.r.IntN(4) {
			if i > 0 {
				w.WriteString(", ")
			}
			gap()
			w.inBrackets(depth-1, indent)
		}
		w.WriteString(" ]")
	case k < 4 && depth > 0:
		w.WriteString("{")
		for i, key := range w.keys(true) {
			if i > 0 {
				w.WriteString(",")
			}
			gap()
			w.WriteString(key + ":")
			if w.r.IntN(2) == 0 && key[0] == '"' {
				w.WriteString(`"adjacent"`)
				continue
			}
			w.WriteString(" ")
			w.inBrackets(depth-1, indent)
		}
		gap()
		w.WriteString("}")
	case k == 5 && w.r.IntN(4) == 0:
		w.WriteString("plain\n" + strings.Repeat(" ", indent+2) + "goes on")
	default:
		for {
			if s := w.scalar(); s != "?x" && (!strings.ContainsAny(s, "{[") || s[0] == '"') {
				w.WriteString(s)
				return
			}
		}
	}
}

// value writes a value after a key or a dash, whose column is indent. The columns of its children are deeper, except that a list can be in
// the column of its key.
func (w *writer) value(depth, indent int, afterDash bool) {
	inner := indent + 1 + w.r.IntN(4)
	switch k := w.r.IntN(12); {
	case k < 4 && depth > 0:
		if !afterDash || w.r.IntN(4) == 0 {
			w.line(inner)
		} else {
			blanks := 1 + w.r.IntN(2)
			w.WriteString(strings.Repeat(" ", blanks))
			inner = indent + 1 + blanks
		}
		w.blockMap(depth-1, inner)
	case k < 7 && depth > 0:
		if afterDash {
			w.WriteString(" ")
			inner = indent + 2
		} else {
			if w.r.IntN(2) == 0 {
				inner = indent
			}
			w.line(inner)
		}
		for i := range 1 + w.r.IntN(3) {
			if i > 0 {
				w.line(inner)
			}
			w.WriteString("-")
			w.value(depth-1, inner, true)
		}
	case k == 7:
		w.WriteString(" ")
		w.inBrackets(3, indent+1)
	case k == 8:
		w.WriteString(w.pick([]string{" |", " >-", " |+", " |2-"}))
		w.WriteString("\n" + strings.Repeat(" ", indent+2) + "key: text\n\n" + strings.Repeat(" ", indent+3) + "# - more {")
	case k == 9:
		w.WriteString(" plain text\n" + strings.Repeat(" ", indent+1) + "- goes on\n\n" + strings.Repeat(" ", indent+2) + "here")
	case k == 10:
		w.WriteString(w.pick([]string{"", " ", " \"in quotes\n\n  - a: b\n  over lines\"", "\n" + strings.Repeat(" ", inner) + w.scalar()}))
	default:
		w.WriteString(" " + w.scalar())
	}
}

func (w *writer) blockMap(depth, indent int) {
	for i, key := range w.keys(false) {
		if i > 0 {
			w.line(indent)
		}
		w.WriteString(key + ":")
		w.value(depth, indent, false)
	}
}

// specified is a catalog in which all objects are of one kind.
type specified struct{ schema *structural.Schema }

func (specified) Kinds() []manifest.Kind { return nil }

func (c specified) Behavior(_, _ string) (*structural.CRD, *structural.Version, structural.Behavior, bool) {
	return &structural.CRD{}, &structural.Version{}, structural.Behavior{Schema: c.schema}, true
}

// specify adds the fields and elements of a value to a schema.
func specify(s *structural.Schema, n *yamltext.Node) *structural.Schema {
	if s == nil {
		s = &structural.Schema{}
	}
	for _, e := range n.Entries {
		if s.Properties == nil {
			s.Properties = map[string]*structural.Schema{}
		}
		s.Properties[e.Key] = specify(s.Properties[e.Key], e.Value)
	}
	for _, e := range n.List {
		s.Items = specify(s.Items, e)
	}
	return s
}

// keyOf returns what a key is read as: true for yes, for example.
func keyOf(written string) (key string) {
	yamltext.Parse([]byte("? "+written+"\n: 0\n"), func(d *yamltext.Document) {
		if len(d.Root.Entries) == 1 {
			key = d.Root.Entries[0].Key
		}
	}, func(*yamltext.Problem) {})
	return key
}

// hoverEverywhere compares what Hover finds at every key and scalar with what the parser finds. It returns the number of them.
func hoverEverywhere(t *testing.T, name string, text []byte) int {
	t.Helper()
	asked := 0
	var docs []*yamltext.Document
	var c specified
	lines := yamltext.Parse(text, func(d *yamltext.Document) {
		docs = append(docs, d)
		c.schema = specify(c.schema, d.Root)
	}, func(p *yamltext.Problem) { docs = nil })
	ask := func(at yamltext.Pos, path prunert.Path, is func(written string) bool) {
		asked++
		o := lines.Offset(text, at)
		if text[o] == '{' || text[o] == '[' {
			return
		}
		markdown, start, end, ok := assist.Hover(c, text, o)
		if !ok && structural.IsMetaField(path[0].Name) {
			return // a field that none of them has
		}
		want := strings.Map(func(r rune) rune {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				return -1 // hidden from people
			}
			return r
		}, strings.Join(strings.Fields(path.String()), " "))
		have, _, _ := strings.Cut(markdown, ": `")
		isType := len(path) == 1 && (path[0].Name == "apiVersion" || path[0].Name == "kind")
		if !ok || !isType && strings.Trim(have, "` ") != strings.Trim(want, "` ") || start != o || !is(string(text[start:end])) {
			t.Errorf("%s:%d:%d (%d): %.50q from %d to %d, want %q\n%s", name, at.Line, at.Column, o, markdown, start, end, want, text[max(0, o-300):min(len(text), o+60)])
		}
	}
	var walk func(n *yamltext.Node, d *yamltext.Document, path prunert.Path)
	seen := map[*yamltext.Node]bool{} // aliases share a node
	walk = func(n *yamltext.Node, d *yamltext.Document, path prunert.Path) {
		if seen[n] {
			return
		}
		seen[n] = true
		path = slices.Clip(path)
		for i := range n.Entries {
			e := &n.Entries[i]
			below := append(path, prunert.Step{Name: e.Key, Index: -1})
			ask(e.Pos, below, func(written string) bool {
				return strings.Trim(written, `"`) == e.Key || keyOf(written) == e.Key
			})
			walk(e.Value, d, below)
		}
		for i, e := range n.List {
			walk(e, d, append(path, prunert.Step{Index: i}))
		}
		if n.Entries == nil && n.List == nil && !n.IsNull() {
			if o := lines.Offset(text, n.Pos); o < len(text) && strings.IndexByte("&!*", text[o]) < 0 {
				ask(n.Pos, path, func(written string) bool {
					if strings.ContainsAny(written, "\r\n") || n.Kind == yamltext.Float || n.Kind == yamltext.String && strings.Trim(written, `"'`) == n.Str() {
						return true
					}
					p, ok := parseOne(written)
					return ok && p.root.Value() == n.Value()
				})
			}
		}
	}
	for _, d := range docs {
		if d.Flaws == nil {
			walk(d.Root, d, nil)
		}
	}
	return asked
}

func TestPlacesAreThoseOfTheParser(t *testing.T) {
	texts, asked, seeds := 0, 0, uint64(100)
	if testsize.All() {
		seeds = 20000
	}
	for seed := range seeds {
		w := &writer{r: rand.New(rand.NewPCG(seed, 0))}
		for i := range 1 + w.r.IntN(2) {
			if i > 0 {
				w.WriteString("\n---\n")
			}
			w.blockMap(4, 0)
		}
		text := w.Bytes()
		if w.r.IntN(4) == 0 {
			text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
		}
		if n := hoverEverywhere(t, fmt.Sprint(seed), text); n > 0 {
			texts++
			asked += n
		}
		if t.Failed() {
			break
		}
	}
	t.Logf("%d texts, %d places", texts, asked)
	if texts < int(seeds/2) {
		t.Errorf("only %d texts parse", texts)
	}
}

func TestPlacesInTheRepositoryAreThoseOfTheParser(t *testing.T) {
	testsize.NotShort(t)
	asked, files, every := 0, 0, testsize.Pick(4, 1)
	for _, dir := range []string{"golden", "examples", "cmd", "internal"} {
		filepath.WalkDir(filepath.Join("..", "..", "..", dir), func(name string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !slices.Contains([]string{".yaml", ".json", ".yml"}, filepath.Ext(name)) {
				return err
			}
			text, err := os.ReadFile(name)
			if files++; err == nil && len(text) < 2<<10 && files%every == 0 {
				asked += hoverEverywhere(t, name, text)
			}
			return err
		})
	}
	t.Logf("%d places", asked)
	if asked < 5000/every {
		t.Errorf("only %d places", asked)
	}
}
