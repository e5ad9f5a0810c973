package yamltext

import (
	"bytes"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/prune-gen/prune-gen/internal/base/meter"
)

// Editable is a document of a text that can be edited.
type Editable struct {
	Document
	tree  *yaml.Node
	src   *source
	line  int // added to each line of the parser
	end   int // the offset at which the part of the text with the document ends
	nodes map[*yaml.Node]*Node
	keys  map[*yaml.Node]string
}

// ParseEditable is ParseText for a text that is to be edited. It reads JSON as YAML, but reports the same problems.
func ParseEditable(m *meter.Meter, data []byte, visit func(*Editable), report func(*Problem)) *Lines {
	if p := tooLarge(m.SpendText(len(data)), Pos{1, 1}); p != nil {
		report(p)
		return nil
	}
	return parseParts(m, data, all, func(src *source, in part) {
		p := src.eachYAML(in, func(c *yamlConverter, tree *yaml.Node) {
			if !c.doc.Root.IsNull() {
				visit(&Editable{Document: *c.doc, tree: tree, src: src, line: c.line, end: in.start + len(in.text), nodes: c.nodes, keys: c.keys})
			}
		}, keepNodes)
		if p == nil {
			return
		}
		if in.maybeJSON() {
			if _, asJSON := src.parseJSON(in); wasJSON(asJSON, p) {
				p = asJSON
			}
		}
		report(src.asTemplate(in, p))
	}, report)
}

// Edit replaces a piece of a text.
type Edit struct {
	Start, End int // offsets in the text
	With       string
}

// Apply returns a text with edits, which are in any order and do not overlap, unless one is a part of another.
func Apply(data []byte, edits []Edit) []byte {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return b.End - a.End
	})
	var out []byte
	at := 0
	for _, e := range edits {
		if e.Start < at {
			continue
		}
		out = append(out, data[at:e.Start]...)
		out = append(out, e.With...)
		at = e.End
	}
	return append(out, data[at:]...)
}

// Reduce returns the edits that remove the fields missing from values, and keys that a later one replaces. Comments, order, anchors and styles stay as they are. The
// comments of a field are removed with it: those beside it, those below it that are indented deeper, and those directly above it. A map
// that loses all its fields becomes {}.
//
// It returns a problem if a field cannot be removed, because an alias elsewhere refers to it, or if the run exceeds a limit. Callers
// should read the text that Apply returns and compare: not all corners of YAML are handled.
func (d *Editable) Reduce(values map[*Node]map[string]any) ([]Edit, *Problem) {
	r := &reducer{
		Editable: d, values: values, replaced: map[Pos]bool{},
		dropped: map[*yaml.Node]map[string]bool{}, gone: map[*yaml.Node]bool{}, limits: map[*yaml.Node]int{},
	}
	for _, flaws := range d.Flaws {
		for _, f := range flaws {
			r.replaced[f.First] = r.replaced[f.First] || f.ID == IDDuplicateKey
		}
	}
	if r.noteLimits(d.tree, d.end); d.src.meter.Spent() {
		return nil, Exceeded(d.src.meter, d.Root.Pos)
	}
	r.find(d.tree, d.end)
	if r.problem == nil {
		r.checkAliases(d.tree)
	}
	return r.edits, r.problem
}

// reducer is the work on one value.
type reducer struct {
	*Editable
	values map[*Node]map[string]any
	// replaced are the places of keys that a later one replaces.
	replaced map[Pos]bool
	limits   map[*yaml.Node]int             // where the text after nodes with anchors begins
	dropped  map[*yaml.Node]map[string]bool // what is removed from the visited maps
	gone     map[*yaml.Node]bool            // values that are removed
	flow     flowPairs
	edits    []Edit
	problem  *Problem
}

func (r *reducer) at(y *yaml.Node) Pos { return Pos{y.Line + r.line, y.Column} }

func (r *reducer) offset(at Pos) int { return r.src.offset(at) }

func (r *reducer) lineStart(at Pos) int { return r.src.lines.start(at.Line) }

// find looks for nodes below y that get other values. The text after y begins at limit.
func (r *reducer) find(y *yaml.Node, limit int) {
	if n := r.nodes[y]; n != nil {
		if to, ok := r.values[n]; ok {
			r.walk(y, limit, to)
			return
		}
	}
	for i, child := range y.Content {
		r.find(child, r.limitOf(y, i, limit))
	}
}

// noteLimits records where the text after each node with an anchor below y begins. It counts the nodes, each of which is visited a few
// times.
func (r *reducer) noteLimits(y *yaml.Node, limit int) {
	if !r.src.meter.Spend(1) {
		return
	}
	if y.Anchor != "" {
		r.limits[y] = limit
	}
	for i, child := range y.Content {
		r.noteLimits(child, r.limitOf(y, i, limit))
	}
}

// limitOf returns where the text after child i of y begins.
func (r *reducer) limitOf(y *yaml.Node, i, limit int) int {
	switch next := i/2*2 + 2; { // the key of the next pair
	case y.Style&yaml.FlowStyle != 0:
	case y.Kind == yaml.MappingNode && next < len(y.Content):
		return r.lineStart(r.at(y.Content[next]))
	case y.Kind == yaml.SequenceNode && i+1 < len(y.Content):
		return r.dashLine(r.at(y.Content[i+1]))
	}
	return limit
}

// dashLine returns where the line with the dash of the element at a place begins. The dash can be on a line above the element.
func (r *reducer) dashLine(at Pos) int {
	data := r.src.data
	start := r.lineStart(at)
	if len(bytes.TrimLeft(data[start:r.offset(at)], " \t")) > 0 {
		return start
	}
	for line := at.Line - 1; line > 0; line-- {
		start = r.src.lines.start(line)
		if text := bytes.TrimLeft(data[start:r.src.lines.start(line+1)], " \t"); len(text) > 0 && text[0] == '-' {
			return start
		}
	}
	return start
}

// walk removes from y what is not in to.
func (r *reducer) walk(y *yaml.Node, limit int, to any) {
	if y.Kind == yaml.AliasNode {
		y, limit = y.Alias, r.limits[y.Alias] // what has an anchor is edited where it is
	}
	switch to := to.(type) {
	case map[string]any:
		if y.Kind == yaml.MappingNode {
			r.walkMap(y, limit, to)
		}
	case []any:
		if y.Kind == yaml.SequenceNode && len(y.Content) == len(to) {
			for i, e := range y.Content {
				r.walk(e, r.limitOf(y, i, limit), to[i])
			}
		}
	}
}

func (r *reducer) walkMap(y *yaml.Node, limit int, to map[string]any) {
	drops := map[string]bool{}
	var pairs []pair
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, value := y.Content[i], y.Content[i+1]
		_, kept := to[r.keys[key]]
		drop := !kept && !isMerge(key) || r.replaced[r.at(key)]
		if drop {
			drops[r.keys[key]], r.gone[value] = true, true
		}
		pairs = append(pairs, pair{key, value, drop})
	}
	if before, seen := r.dropped[y]; seen {
		if !maps.Equal(before, drops) {
			r.conflict(y)
		}
	} else if r.dropped[y] = drops; len(drops) > 0 {
		if y.Style&yaml.FlowStyle != 0 {
			r.cutFlow(y, pairs)
		} else {
			r.cutBlock(pairs, limit)
		}
	}
	for i, p := range pairs {
		below := r.limitOf(y, 2*i+1, limit)
		switch {
		case p.drop:
		case isMerge(p.key):
			for _, m := range mergedMaps(p.value) {
				r.walk(m, below, to)
			}
		default:
			r.walk(p.value, below, to[r.keys[p.key]])
		}
	}
}

// mergedMaps returns the maps that a merge key has as its value.
func mergedMaps(y *yaml.Node) []*yaml.Node {
	if y.Kind == yaml.SequenceNode {
		return y.Content
	}
	return []*yaml.Node{y}
}

// conflict says that a map with aliases loses fields in one place and keeps them in another.
func (r *reducer) conflict(y *yaml.Node) {
	if r.problem == nil {
		r.problem = problemf(IDAnchor, r.at(y), "anchor %q is used for fields that are dropped in one place and kept in another", Shorten(y.Anchor))
		r.problem.Hint = "write the value out in place of its aliases"
	}
}

// checkAliases looks for an alias that stays while its anchor is removed.
func (r *reducer) checkAliases(tree *yaml.Node) {
	goes := map[*yaml.Node]bool{}
	var note func(y *yaml.Node, gone bool)
	note = func(y *yaml.Node, gone bool) {
		gone = gone || r.gone[y]
		if gone && y.Anchor != "" && y.Kind != yaml.AliasNode {
			goes[y] = true
		}
		for _, child := range y.Content {
			note(child, gone)
		}
	}
	note(tree, false)
	var look func(y *yaml.Node)
	look = func(y *yaml.Node) {
		if r.gone[y] || r.problem != nil {
			return
		}
		if y.Kind == yaml.AliasNode && goes[y.Alias] {
			r.problem = problemf(IDAnchor, r.at(y), "anchor %q is in a field that is dropped, on line %d, and is used here", Shorten(y.Value), r.at(y.Alias).Line)
			r.problem.Hint = "write the value out here"
		}
		for _, child := range y.Content {
			look(child)
		}
	}
	if len(goes) > 0 {
		look(tree)
	}
}

// pair is a key with its value.
type pair struct {
	key, value *yaml.Node
	drop       bool
}

// cut replaces a piece of the text. A piece that ends before it begins comes from a text that is not understood, and is kept.
func (r *reducer) cut(start, end int, with string) {
	if start <= end {
		r.edits = append(r.edits, Edit{start, end, with})
	}
}
