package interpretjson

import (
	"fmt"
	"slices"

	"github.com/prune-gen/prune-gen/internal/interpret"
	"github.com/prune-gen/prune-gen/internal/pruning"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// With returns r with functions on JSON bytes that follow the schema s.
func With(r prunert.Resource, s *structural.Schema, opts interpret.PruneOptions) prunert.Resource {
	p := newJSONPruner(r, s, opts)
	r.PruneJSON, r.PruneJSONReport, r.DecodeJSON, r.PruneStream = p.prune, p.pruneReport, p.decode, p.stream
	return r
}

// jsonPruner prunes JSON documents that hold objects of one version of a kind, or lists of them. The package prunert says
// what that means in detail.
//
// A document is gone through twice: once to see that it is right and what it is, and once to prune it.
type jsonPruner struct {
	apiVersion, kind, listKind string
	schema                     *structural.Schema
	opts                       interpret.PruneOptions
}

// newJSONPruner returns a pruner for the objects of r, whose schema is s.
func newJSONPruner(r prunert.Resource, s *structural.Schema, opts interpret.PruneOptions) *jsonPruner {
	p := &jsonPruner{apiVersion: r.APIVersion(), kind: r.Kind, listKind: r.ListKind, schema: s.Resource(), opts: opts}
	if p.listKind == "" {
		p.listKind = p.kind + "List"
	}
	return p
}

// prune appends the pruned document to dst.
func (p *jsonPruner) prune(dst, src []byte) ([]byte, error) {
	w := jsonWalk{jsonPruner: p, out: dst}
	if err := w.document(src); err != nil {
		return nil, err
	}
	return w.out, nil
}

// pruneReport is prune with a report.
func (p *jsonPruner) pruneReport(dst, src []byte) ([]byte, prunert.JSONReport, error) {
	w := jsonWalk{jsonPruner: p, out: dst, report: &jsonReport{limits: prunert.CurrentLimits()}}
	if err := w.document(src); err != nil {
		return nil, prunert.JSONReport{}, err
	}
	return w.out, prunert.JSONReport{Dropped: w.report.paths(), Duplicate: w.report.duplicate}, nil
}

// decode returns the pruned document as a value.
func (p *jsonPruner) decode(src []byte) (map[string]any, error) {
	w := jsonWalk{jsonPruner: p, build: true}
	if err := w.document(src); err != nil {
		return nil, err
	}
	return w.value.(map[string]any), nil
}

// jsonWalk is a walk through a document.
type jsonWalk struct {
	*jsonPruner
	jsonText

	// out ends with what is kept of src[:copied].
	out    []byte
	copied int

	// value is what the document holds, if build asks for it.
	build bool
	value any

	report *jsonReport // nil for none
}

// document prunes a document.
func (w *jsonWalk) document(src []byte) error {
	w.src = src
	is, err := w.survey()
	if err != nil {
		return err
	}
	w.jsonText = jsonText{src: src}
	w.blanks()
	switch w.listOf(is) {
	case noList:
		w.value, err = w.walkValue(w.resource(nil))
	case ownList:
		w.value, err = w.walkItemsOf(func(jsonIdentity) bool { return true })
	case anyList:
		w.value, err = w.walkItemsOf(w.matches)
	}
	w.cut(len(src), len(src))
	return err
}

// cut leaves out src[from:to].
func (w *jsonWalk) cut(from, to int) {
	w.out = append(w.out, w.src[w.copied:from]...)
	w.copied = to
}

// jsonRule says how a value is pruned, as the arguments of pruner.walk do.
type jsonRule struct {
	schema   *structural.Schema
	preserve bool
	opts     interpret.PruneOptions
	at       *structural.Path
}

// resource returns the rule for an object of the kind at a path.
func (w *jsonWalk) resource(at *structural.Path) jsonRule {
	return jsonRule{schema: w.schema, preserve: w.schema.XPreserveUnknownFields, opts: w.opts, at: at}
}

// specifiesNothing reports whether every member of an object goes, whatever its key.
func (r jsonRule) specifiesNothing() bool {
	return !r.preserve && !r.opts.PreserveUnknownFields && !r.schema.XEmbeddedResource &&
		len(r.schema.Properties) == 0 && r.schema.AdditionalProperties == nil
}

// walkValue reads a value and prunes it. It returns what is left of it, if that is to be built.
func (w *jsonWalk) walkValue(r jsonRule) (any, error) {
	switch w.peek() {
	case '{':
		return w.walkObject(r)
	case '[':
		return w.walkList(r)
	}
	return w.keep()
}

// keep reads a value of which everything is kept.
func (w *jsonWalk) keep() (any, error) {
	if w.build {
		return w.jsonText.decode()
	}
	return nil, w.skip()
}

func (w *jsonWalk) walkList(r jsonRule) (any, error) {
	items := r.schema.Items
	if items == nil {
		items = &structural.Schema{}
	}
	l := []any{}
	err := w.list(func(i int) error {
		v, err := w.walkValue(jsonRule{items, r.opts.Preserves(items, r.preserve), r.opts, r.at.Index(i)})
		if w.build {
			l = append(l, v)
		}
		return err
	})
	return l, err
}

func (w *jsonWalk) walkObject(r jsonRule) (any, error) {
	m := map[string]any{}
	var (
		brace   = w.pos
		first   = -1    // where the first member begins
		kept    = false // there is a member before this one that was kept
		dropped = 0     // where the last of the members ends that were dropped while none was kept
	)
	err := w.object(func(member jsonMember) error {
		if first < 0 {
			first = member.begin
		}
		read := w.reader(r, member.key)
		if read == nil {
			if err := w.skip(); err != nil {
				return err
			}
			w.report.drop(r.at, member.key)
			if kept {
				w.cut(member.comma, w.pos)
			} else {
				dropped = w.pos
			}
			return nil
		}
		if !kept && dropped > 0 {
			w.cut(first, member.begin)
		}
		kept = true
		v, err := read()
		if w.build {
			m[member.key] = v
		}
		return err
	})
	switch {
	case err != nil || kept || dropped == 0:
	case r.specifiesNothing():
		w.cut(brace+1, w.pos-1)
	default:
		w.cut(first, dropped)
	}
	return m, err
}

// reader returns a function that reads the value of a key and prunes it. It is nil where the member is dropped.
func (w *jsonWalk) reader(r jsonRule, key string) func() (any, error) {
	walk := func(r jsonRule) func() (any, error) { return func() (any, error) { return w.walkValue(r) } }
	if r.schema.XEmbeddedResource && structural.IsMetaField(key) {
		if key == "metadata" && w.peek() == '{' {
			return walk(jsonRule{schema: pruning.ObjectMeta(), at: r.at.Metadata()})
		}
		return w.keep
	}
	if child, at := pruning.Specified(r.schema, key, r.at); child != nil {
		preserve := r.opts.Preserves(child, r.preserve && r.opts.Semantics == structural.KEP2332)
		return walk(jsonRule{child, preserve, r.opts, at})
	}
	if r.preserve || r.opts.PreserveUnknownFields {
		return w.keep
	}
	return nil
}

// jsonReport collects what there is to say about a document. A nil one collects nothing.
type jsonReport struct {
	limits    prunert.Limits
	dropped   []string
	more      int // that are not in dropped
	bytes     int // of dropped
	duplicate []string
	seen      map[string]bool // what is in duplicate
	seenBytes int
}

// drop says that a key at a place was dropped.
func (r *jsonReport) drop(at *structural.Path, key string) {
	if r == nil {
		return
	}
	if r.limits.Entries > 0 && len(r.dropped) >= r.limits.Entries || r.limits.Bytes > 0 && r.bytes > r.limits.Bytes {
		r.more++
		return
	}
	text := at.Key(key).Dotted()
	r.bytes += len(text)
	r.dropped = append(r.dropped, text)
}

// paths returns the paths of what was dropped.
func (r *jsonReport) paths() []string {
	slices.Sort(r.dropped)
	if r.more > 0 {
		r.dropped = append(r.dropped, fmt.Sprintf("... and %d more", r.more))
	}
	return r.dropped
}

// twice says that an object has a key twice, which the decoder of the API server says once for a path.
func (r *jsonReport) twice(at *structural.Path) {
	if len(r.duplicate) >= prunert.MaxDuplicates || r.limits.Bytes > 0 && r.seenBytes > r.limits.Bytes {
		return
	}
	text := at.Dotted()
	if r.seen[text] {
		return
	}
	if r.seen == nil {
		r.seen = map[string]bool{}
	}
	r.seen[text] = true
	r.seenBytes += len(text)
	r.duplicate = append(r.duplicate, text)
}
