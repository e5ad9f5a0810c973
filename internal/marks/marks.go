package marks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Kind says what happens at a place.
type Kind string

const (
	// Dropped is what the API server does not store.
	Dropped Kind = "dropped"
	// Filled is what it adds. The place is the nearest one above that is written.
	Filled Kind = "filled"
	// Changed is a value that it stores otherwise.
	Changed Kind = "changed"
	// Refused is why it refuses the object.
	Refused Kind = "refused"
	// Unknown is an object of a kind that is not known.
	Unknown Kind = "unknown"
	// Unreadable is a text that is neither YAML nor JSON.
	Unreadable Kind = "unreadable"
)

// Mark is something that happens at a place of a manifest.
type Mark struct {
	Kind Kind `json:"kind"`
	// Line and Column are where the key or the element begins, from 1. EndLine is the last line of what is dropped.
	Line    int `json:"line"`
	Column  int `json:"column"`
	EndLine int `json:"endLine,omitempty"`
	// Path is in the object, empty for all of it.
	Path string `json:"path,omitempty"`
	// Message describes it; for what is refused, it is the text of the API server.
	Message string `json:"message"`
	// Text is what is filled in, as YAML in one line.
	Text string `json:"text,omitempty"`
}

// Object is an object of a manifest.
type Object struct {
	Line       int    `json:"line"`
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
	Accepted   bool   `json:"accepted"`
	// Known reports whether there is a resource for it.
	Known bool `json:"known"`
	// Stored is the object as it would be stored, in lines of YAML. Where the object is refused, it is what was validated.
	Stored []StoredLine `json:"stored,omitempty"`
	// Warnings are those of the API server that are not about a place: of a deprecated version, for example.
	Warnings []string `json:"warnings,omitempty"`
}

// Result is the answer to a manifest.
type Result struct {
	Marks   []Mark   `json:"marks"`
	Objects []Object `json:"objects"`
	// Full says that there are more marks than fit into a result. One of the marks says so.
	Full bool `json:"-"`
}

// maxMarks is how many bytes the texts of the marks of a result may have: paths repeat the names above a field, and defaults can be long.
const maxMarks = 64 << 20

// Manifest is a text with objects.
type Manifest struct {
	docs     []*yamltext.Document
	problems []*yamltext.Problem
	data     []byte
	lines    *yamltext.Lines // nil if nothing of it can be read
}

// Read reads a manifest, YAML or JSON, that shares a budget with others. Objects of kinds that are in none of the known take less of it.
func Read(b *yamltext.Budget, manifest []byte, known ...*Kinds) *Manifest {
	m := &Manifest{data: yamltext.Decode(manifest)}
	wrong := func(p *yamltext.Problem) { m.problems = append(m.problems, p) }
	m.lines = b.ParseText(m.data, func(d *yamltext.Document) {
		p, ok := count(b, d.Root, func(apiVersion, kind string) bool {
			return kind == "" || slices.ContainsFunc(known, func(k *Kinds) bool { return k.has(apiVersion, kind) })
		})
		if p != nil {
			wrong(p)
		}
		if ok {
			m.docs = append(m.docs, d)
		}
	}, wrong)
	return m
}

// count counts the objects in a value, and reports whether the budget has room for all of them.
func count(b *yamltext.Budget, n *yamltext.Node, isKnown func(apiVersion, kind string) bool) (p *yamltext.Problem, ok bool) {
	items, _, isList := items(n)
	if !isList {
		ok, p = b.AddObject(n, isKnown(n.Child("apiVersion").Str(), n.Child("kind").Str()))
		return p, ok
	}
	for _, item := range items {
		if p, ok = count(b, item, isKnown); !ok {
			return p, false
		}
	}
	return nil, true
}

// items returns the items of a list, and the kind that they have if they name none. It is false for what is not a list.
func items(n *yamltext.Node) (list []*yamltext.Node, kind string, ok bool) {
	items := n.Child("items")
	kind, isList := strings.CutSuffix(n.Child("kind").Str(), "List")
	if !isList || items == nil || items.Kind != yamltext.List && !items.IsNull() {
		return nil, "", false
	}
	return items.List, kind, true
}

// Of returns what happens to the objects in a manifest, as YAML or JSON, in the order of lines. The resources must be able to
// answer requests: those that dynamic.Compile returns are.
func Of(resources []prunert.Resource, manifest []byte) Result {
	kinds := NewKinds(resources)
	m := &marker{Manifest: Read(yamltext.NewBudget(), manifest, kinds), kinds: kinds, prints: true}
	return m.mark()
}

// Of is the function Of without Stored, which can be much larger than the manifest.
func (k *Kinds) Of(manifest *Manifest) Result {
	m := &marker{Manifest: manifest, kinds: k}
	return m.mark()
}

// marker marks one manifest.
type marker struct {
	*Manifest
	kinds  *Kinds
	prints bool // what is stored
	bytes  int  // of the texts of marks
	result Result
}

func (m *marker) mark() Result {
	m.result = Result{Marks: []Mark{}, Objects: []Object{}}
	for _, p := range m.problems {
		m.add(Mark{Kind: Unreadable, Line: p.Pos.Line, Column: p.Pos.Column, Message: p.Message})
	}
	if m.lines == nil {
		return m.result
	}
	last, _ := m.lines.At(len(m.data))
	for i, d := range m.docs {
		end := last
		if i+1 < len(m.docs) {
			end = max(d.Root.Pos.Line, m.docs[i+1].Root.Pos.Line-1)
		}
		m.document(d, end)
	}
	slices.SortStableFunc(m.result.Marks, func(a, b Mark) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), strings.Compare(string(a.Kind), string(b.Kind)))
	})
	return m.result
}

func (m *marker) add(mark Mark) {
	if m.result.Full {
		return
	}
	if m.bytes += len(mark.Path) + len(mark.Message) + len(mark.Text); m.bytes > maxMarks {
		m.result.Full = true
		mark = Mark{Kind: Unreadable, Line: mark.Line, Column: mark.Column, Message: fmt.Sprintf("the marks of the objects exceed the limit of %d MiB", maxMarks>>20)}
	}
	mark.Line, mark.Column = max(1, mark.Line), max(1, mark.Column)
	m.result.Marks = append(m.result.Marks, mark)
}

// document marks the objects of a document, which ends with the given line.
func (m *marker) document(d *yamltext.Document, end int) {
	duplicates := 0
	for _, flaws := range d.Flaws {
		for _, f := range flaws {
			if f.Rule == yamltext.RuleDuplicateKey {
				duplicates++
				m.add(Mark{Kind: Unreadable, Line: f.Pos.Line, Column: f.Pos.Column, Message: fmt.Sprintf("key %q is already set on line %d", yamltext.Shorten(f.Key), f.First.Line)})
			}
		}
	}
	if duplicates == 0 {
		m.objects(d.Root, "", "", end)
	}
}

// objects marks an object or the items of a list. An item may leave out apiVersion and kind where the list has a kind of its own.
func (m *marker) objects(n *yamltext.Node, apiVersion, kind string, end int) {
	if n.Kind != yamltext.Map {
		m.add(Mark{Kind: Unreadable, Line: n.Pos.Line, Column: n.Pos.Column, Message: "got " + n.Describe() + ", want an object"})
		return
	}
	list, of, isList := items(n)
	if !isList {
		m.object(n, apiVersion, kind, end)
		return
	}
	for i, item := range list {
		m.objects(item, n.Child("apiVersion").Str(), of, limit(list, i, end))
	}
}

// limit returns the last line of element i of a list that ends with the given line.
func limit(list []*yamltext.Node, i, end int) int {
	if i+1 < len(list) {
		return max(list[i].Pos.Line, list[i+1].Pos.Line-1)
	}
	return max(list[i].Pos.Line, end)
}
