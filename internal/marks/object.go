package marks

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// object marks an object that ends with the given line.
func (m *marker) object(n *yamltext.Node, apiVersion, kind string, end int) {
	value, _ := n.Value().(map[string]any)
	w := &walk{marker: m, unknown: map[yamltext.Pos]bool{}}
	if _, ok := value["apiVersion"]; !ok && kind != "" && value["kind"] == nil {
		value["apiVersion"], value["kind"] = apiVersion, kind
		w.ofList = true
	}
	o := Object{Line: n.Pos.Line, Name: n.Child("metadata").Child("name").Str()}
	o.APIVersion, _ = value["apiVersion"].(string)
	o.Kind, _ = value["kind"].(string)
	r, known := m.kinds.resources[id{o.APIVersion, o.Kind}]
	if o.Known = known; known {
		w.status = r.Status
		w.answer(&o, r, n, value, end)
	} else {
		m.add(Mark{Kind: Unknown, Line: n.Pos.Line, Column: n.Pos.Column, Message: m.kinds.unknown(o)})
	}
	m.result.Objects = append(m.result.Objects, o)
}

// answer marks what becomes of an object when it is created.
func (w *walk) answer(o *Object, r prunert.Resource, n *yamltext.Node, value map[string]any, end int) {
	normal := jsonvalue.Copy(value).(map[string]any)
	unknown, err := r.Normalize(normal, prunert.NormalizeOptions{ReportUnknown: true})
	a := r.Create(jsonvalue.Copy(value).(map[string]any), prunert.Request{FieldValidation: prunert.FieldValidationIgnore})
	o.Warnings, o.Accepted = a.Warnings, a.Refusal == nil
	nodes := structural.NewFinder(n)
	for _, path := range unknown {
		if _, at, whole := nodes.Find(structural.ParsePath(path)); whole {
			w.unknown[at] = true
		}
	}
	switch {
	case a.Refusal == nil:
		w.compare(n, a.Object, nil, n.Pos, end)
		w.store(o, n, value, a.Object)
	case err == nil:
		w.refused(a.Refusal, n, nodes)
		w.compare(n, normal, nil, n.Pos, end)
		w.store(o, n, value, normal)
	default:
		w.refused(a.Refusal, n, nodes)
	}
}

// store prints an object as it is stored, if that is wanted.
func (m *marker) store(o *Object, n *yamltext.Node, written, value map[string]any) {
	if m.prints {
		o.Stored = stored(n, written, value)
	}
}

// refused marks the reasons of a refusal.
func (m *marker) refused(why *prunert.Refusal, n *yamltext.Node, nodes *structural.Finder) {
	if len(why.Causes) == 0 {
		m.add(Mark{Kind: Refused, Line: n.Pos.Line, Column: n.Pos.Column, Message: why.Message})
		return
	}
	seen := map[prunert.Cause]bool{}
	for _, c := range why.Causes {
		if seen[c] {
			continue
		}
		seen[c] = true
		_, at, _ := nodes.Find(structural.ParsePath(c.Field))
		path := c.Field
		if path == "<nil>" {
			path = ""
		}
		m.add(Mark{Kind: Refused, Line: at.Line, Column: at.Column, Path: path, Message: c.Message})
	}
}

// walk compares an object as it is written with what is stored.
type walk struct {
	*marker
	unknown map[yamltext.Pos]bool // where the fields are that the schema does not specify
	status  bool                  // the status is a subresource
	ofList  bool                  // apiVersion and kind are those of the list that the object is in
}

// compare marks the differences between n, which is at a path, and a value. Its key or element begins at the given place, and it
// ends with the given line.
func (w *walk) compare(n *yamltext.Node, v any, path *structural.Path, at yamltext.Pos, end int) {
	if w.result.Full {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		if n.Kind == yamltext.Map {
			w.compareMap(n, v, path, at, end)
			return
		}
	case []any:
		if n.Kind == yamltext.List && len(n.List) == len(v) {
			for i, e := range n.List {
				w.compare(e, v[i], path.Index(i), e.Pos, limit(n.List, i, end))
			}
			return
		}
	}
	if !reflect.DeepEqual(n.Value(), v) {
		w.add(Mark{Kind: Changed, Line: at.Line, Column: at.Column, Path: path.Dotted(), Message: "becomes " + flow(v), Text: flow(v)})
	}
}

func (w *walk) compareMap(n *yamltext.Node, v map[string]any, path *structural.Path, at yamltext.Pos, end int) {
	written := map[string]bool{}
	for i := range n.Entries {
		e := &n.Entries[i]
		written[e.Key] = true
		last := max(e.Pos.Line, end)
		if i+1 < len(n.Entries) && n.Entries[i+1].Pos.Line >= e.Pos.Line {
			last = max(e.Pos.Line, n.Entries[i+1].Pos.Line-1)
		}
		below := path.Key(e.Key)
		value, stays := v[e.Key]
		if !stays {
			w.add(Mark{Kind: Dropped, Line: e.Pos.Line, Column: e.Pos.Column, EndLine: w.lastLine(e.Pos.Line, last), Path: below.Dotted(), Message: w.whyDropped(e, below)})
			continue
		}
		w.compare(e.Value, value, below, e.Pos, last)
	}
	for _, k := range slices.Sorted(maps.Keys(v)) {
		if !written[k] && !(w.ofList && path == nil && structural.IsMetaField(k)) {
			w.add(Mark{Kind: Filled, Line: at.Line, Column: at.Column, Path: path.Key(k).Dotted(), Message: "is filled in", Text: scalar(k) + ": " + flow(v[k])})
		}
	}
}

// whyDropped says why a field is not stored.
func (w *walk) whyDropped(e *yamltext.Entry, path *structural.Path) string {
	switch {
	case w.unknown[e.Pos]:
		return fmt.Sprintf("unknown field %q", path.Dotted())
	case e.Value.IsNull():
		return "null is dropped"
	case w.status && path.Dotted() == "status":
		return "the status is a subresource: it is dropped when an object is created"
	case path.First() == "metadata" && !isEmpty(e.Value):
		return "the API server sets it"
	}
	return "is dropped"
}

// isEmpty reports whether n is a map, a list or a string with nothing in it, which metadata does not store.
func isEmpty(n *yamltext.Node) bool {
	switch n.Kind {
	case yamltext.Map, yamltext.List:
		return len(n.Entries)+len(n.List) == 0
	}
	return n.Value() == ""
}

// lastLine returns the last line from first to last that is neither empty nor a comment.
func (w *walk) lastLine(first, last int) int {
	for ; last > first; last-- {
		line := strings.TrimSpace(string(w.lines.Line(w.data, last)))
		if line != "" && !strings.HasPrefix(line, "#") && line != "---" && line != "..." {
			break
		}
	}
	return last
}
