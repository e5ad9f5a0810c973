package manifest

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/base/steps"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// ChangeKind says what the server does to a value.
type ChangeKind string

const (
	// Dropped is what it does not store.
	Dropped ChangeKind = "dropped"
	// Filled is what it adds. The place is the nearest one above that is written.
	Filled ChangeKind = "filled"
	// Changed is a value that it stores differently.
	Changed ChangeKind = "changed"
)

// Change is a difference between an object as written and as stored.
type Change struct {
	Kind ChangeKind
	// Pos is where the key or the element begins, and last the last line that can be a part of it.
	Pos  yamltext.Pos
	last int
	// Path is the text of the path, and Steps are its steps.
	Path  string
	Steps steps.Steps
	// Message describes it.
	Message string
	// Text is the value that is stored, as YAML in one line, with the key of one that is filled in.
	Text string
}

// Changes returns what the server changes in an object before it stores it or, if it refuses it, before it validates it.
func (a *Judged) Changes() []Change { return a.ChangesTo(a.Result()) }

// ChangesTo returns what makes a result of the object as written.
func (a *Judged) ChangesTo(to map[string]any) []Change {
	if to == nil {
		return nil
	}
	var all []Change
	a.compare(a.Node, to, nil, a.Node.Pos, a.Last, func(c Change) { all = append(all, c) })
	return all
}

// Result returns what is stored or, of an object that is refused, what was validated. It is nil if the object cannot be decoded.
func (a *Judged) Result() map[string]any {
	if a.Stored != nil {
		return a.Stored
	}
	return a.Validated()
}

// Validated returns what is validated, whether or not it is then refused. It is nil if the object cannot be decoded.
func (a *Judged) Validated() map[string]any {
	if a.written == nil {
		return nil
	}
	normal := jsonvalue.Copy(a.written)
	if _, err := a.Resource.Normalize(normal, prunert.NormalizeOptions{}); err != nil {
		return nil
	}
	return normal
}

// compare calls visit with the differences between n, at a path, and a value. The key or element of n begins at a place, and n ends at
// the given line or before.
func (a *Judged) compare(n *yamltext.Node, v any, path *structural.Path, at yamltext.Pos, last int, visit func(Change)) {
	switch v := v.(type) {
	case map[string]any:
		if n.Kind == yamltext.Map {
			a.compareMap(n, v, path, at, last, visit)
			return
		}
	case []any:
		if n.Kind == yamltext.List && len(n.List) == len(v) {
			for i, e := range n.List {
				a.compare(e, v[i], path.Index(i), e.Pos, objects.LastLine(n.List, i, last), visit)
			}
			return
		}
	}
	if !reflect.DeepEqual(n.Value(), v) {
		a.change(Change{Kind: Changed, Pos: at, Message: "becomes " + yamltext.Flow(v), Text: yamltext.Flow(v)}, path, visit)
	}
}

func (a *Judged) compareMap(n *yamltext.Node, v map[string]any, path *structural.Path, at yamltext.Pos, last int, visit func(Change)) {
	stay := 0
	for i := range n.Entries {
		e := &n.Entries[i]
		value, stays := v[e.Key]
		if stays {
			stay++
		}
		if stays && isScalar(e.Value, value) {
			continue // most values: do not make a path
		}
		end := max(e.Pos.Line, last)
		if i+1 < len(n.Entries) && n.Entries[i+1].Pos.Line >= e.Pos.Line {
			end = max(e.Pos.Line, n.Entries[i+1].Pos.Line-1)
		}
		below := path.Key(e.Key)
		if stays {
			a.compare(e.Value, value, below, e.Pos, end, visit)
		} else {
			a.change(Change{Kind: Dropped, Pos: e.Pos, last: end, Message: a.whyDropped(e, below)}, below, visit)
		}
	}
	if stay == len(v) {
		return
	}
	written := make(map[string]bool, len(n.Entries))
	for i := range n.Entries {
		written[n.Entries[i].Key] = true
	}
	for _, k := range slices.Sorted(maps.Keys(v)) {
		if !written[k] && !(a.Implied && path == nil && structural.IsMetaField(k)) {
			a.change(Change{Kind: Filled, Pos: at, Message: "is filled in", Text: yamltext.Flow(k) + ": " + yamltext.Flow(v[k])}, path.Key(k), visit)
		}
	}
}

// isScalar reports whether n is a scalar with the given value.
func isScalar(n *yamltext.Node, v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return false
	}
	return n.Kind != yamltext.Map && n.Kind != yamltext.List && n.Value() == v
}

// change calls visit with a change at a path. Paths repeat the names above a field, and defaults can be long.
func (a *Judged) change(c Change, path *structural.Path, visit func(Change)) {
	if a.server.meter.SpendMemory(meter.CopiesOfPath*path.TextSize() + len(c.Message) + len(c.Text)) {
		c.Path, c.Steps = path.Dotted(), steps.Of(path.Steps())
		visit(c)
	}
}

// whyDropped says why a field is not stored.
func (a *Judged) whyDropped(e *yamltext.Entry, path *structural.Path) string {
	switch {
	case a.isUnknown(e):
		return fmt.Sprintf("unknown field %q", path.Dotted())
	case e.Value.IsNull():
		return "null is dropped"
	case a.Resource.Status && path.Dotted() == "status":
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
