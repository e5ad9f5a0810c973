// Package cut asks for completions at every place of manifests, with the text cut off there: what really follows should be proposed.
package cut

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/internal/answer/resources"
	"github.com/prune-gen/prune-gen/internal/editor/assist"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// Tally counts keys and values of enums and booleans.
type Tally struct {
	Objects, Asked, Proposed int
	// Keys counts keys, which are asked for at their beginnings and in their middles, and in their middles again with the other lines of the
	// text still there. Free counts those of maps and of objects that keep
	// any field: a schema does not know them.
	Keys, Values, Free int
	// Missed has the paths of what was not proposed.
	Missed []string
}

// Text asks at every place of the objects of known kinds in a text.
func (t *Tally) Text(c assist.Catalog, name string, text []byte) {
	starts := []int{0}
	for i, b := range text {
		if b == '\n' {
			starts = append(starts, i+1)
		}
	}
	offset := func(at yamltext.Pos) int {
		o := starts[at.Line-1]
		for column := 1; column < at.Column; column++ {
			_, size := utf8.DecodeRune(text[o:])
			o += size
		}
		return o
	}
	yamltext.Parse(text, func(d *yamltext.Document) {
		objects.InDocument(d, nil, func(o objects.Object) {
			_, _, b, ok := c.Behavior(o.APIVersion, o.Kind)
			if !ok || o.Implied {
				return
			}
			t.Objects++
			a := asker{t, c, name, text, offset}
			a.node(o.Node, b.Schema.Resource(), nil)
		}, func(*yamltext.Node) {})
	}, func(*yamltext.Problem) {})
}

type asker struct {
	*Tally
	catalog assist.Catalog
	name    string
	text    []byte
	offset  func(yamltext.Pos) int
}

// node asks for the fields of a node and what is below.
func (a asker) node(n *yamltext.Node, s *structural.Schema, path prunert.Path) {
	path = slices.Clip(path)
	for i := range n.Entries {
		e := &n.Entries[i]
		step := prunert.Step{Name: e.Key, Index: -1}
		below := append(path, step)
		at := a.offset(e.Pos)
		isField := s != nil && (s.Properties[e.Key] != nil || s.XEmbeddedResource && structural.IsMetaField(e.Key))
		if s != nil && !isField {
			a.Free++
		}
		if isField {
			a.Keys++
			half := at + len(e.Key)/2
			a.ask(a.text[:at], at, e.Key, below)
			a.ask(a.text[:half], half, e.Key, below)
			if rest := bytes.IndexByte(a.text[half:], '\n'); rest >= 0 {
				a.ask(slices.Concat(a.text[:half], a.text[half+rest:]), half, e.Key, below)
			}
		}
		a.node(e.Value, resources.Below(s, step), below)
	}
	for i, e := range n.List {
		step := prunert.Step{Index: i}
		a.node(e, resources.Below(s, step), append(path, step))
	}
	if s == nil || n.Kind != yamltext.String && n.Kind != yamltext.Bool {
		return
	}
	isIdentity := len(path) == 1 && structural.IsMetaField(path[0].Name)
	if s.Type == "boolean" || s.ValueValidation != nil && slices.Contains(s.ValueValidation.Enum, n.Value()) || isIdentity {
		want := n.Str()
		if n.Kind == yamltext.Bool {
			want = "false"
			if n.Bool() {
				want = "true"
			}
		}
		a.Values++
		at := a.offset(n.Pos)
		a.ask(a.text[:at], at, want, path)
	}
}

// ask asks for one label at an offset of a text.
func (a asker) ask(text []byte, at int, want string, path prunert.Path) {
	a.Asked++
	all, _ := assist.Complete(a.catalog, slices.Clip(text), at)
	if slices.ContainsFunc(all, func(p assist.Proposal) bool { return p.Label == want }) {
		a.Proposed++
		return
	}
	line := bytes.Count(text[:at], []byte("\n")) + 1
	a.Missed = append(a.Missed, fmt.Sprintf("%s:%d: %s, cut: %t", a.name, line, path, at == len(text)))
}
