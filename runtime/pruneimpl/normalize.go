package pruneimpl

import (
	"encoding/binary"
	"slices"
	"strings"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// NewNormalizer returns a Recorder for normalizing an object.
func NewNormalizer(opts prunert.NormalizeOptions) Recorder {
	return Recorder{mode: opts.Source, silent: !opts.ReportUnknown}
}

// Normalized returns what a Normalize function returns: the paths of the dropped fields and the faults of metadata.
func (r *Recorder) Normalized() (unknown []string, err error) {
	if errs := r.Errors(); len(errs) > 0 {
		return nil, errs.Err()
	}
	return r.unknown(), nil
}

// DropNulls drops those of the named fields that are null.
func DropNulls(obj map[string]any, names ...string) {
	for _, name := range names {
		dropNull(obj, name)
	}
}

// NormalizeLeaves does to those of the named fields that obj has what PruneLeaf does to one value, and drops those that are
// null. It also returns how many are left.
func NormalizeLeaves(obj map[string]any, rec *Recorder, names ...string) (known, n int) {
	for _, name := range names {
		v, ok := obj[name]
		if !ok {
			continue
		}
		if v == nil {
			delete(obj, name)
			continue
		}
		n += rec.Field(name, PruneLeaf(v, rec))
		if known++; known == len(obj) {
			break
		}
	}
	return known, n
}

// NormalizeLeafObject normalizes an object that has leaves and nothing else: the named fields, which are sorted, stay
// unless they are null, and others are dropped.
func NormalizeLeafObject(v any, rec *Recorder, names ...string) (n int) {
	obj, ok := v.(map[string]any)
	if !ok {
		return PruneLeaf(v, rec)
	}
	if len(obj) < len(names)/4 || len(obj) > len(names) {
		for k, v := range obj {
			switch {
			case !contains(names, k):
				delete(obj, k)
				n += rec.Drop(k)
			case v == nil:
				delete(obj, k)
			default:
				n += rec.Field(k, PruneLeaf(v, rec))
			}
		}
		return n
	}
	known, n := NormalizeLeaves(obj, rec, names...)
	if known < len(obj) {
		n += DropUnknown(obj, rec, names...)
	}
	return n
}

// NormalizeLeafMap normalizes a map: its keys stay unless their values are null, and its values are leaves.
func NormalizeLeafMap(v any, rec *Recorder) (n int) {
	obj, ok := v.(map[string]any)
	if !ok {
		return PruneLeaf(v, rec)
	}
	for k, v := range obj {
		if v == nil {
			delete(obj, k)
			continue
		}
		n += rec.Key(k, PruneLeaf(v, rec))
	}
	return n
}

// maxStrict is how many unknown fields the API server's strict decoder names in one ObjectMeta, each path once. It does not
// hold where malformed metadata is decoded field by field.
const maxStrict = 100

// unknown returns the paths of the dropped fields in the order of the API server: those in the metadata of the object, in
// the order of its JSON; those that the schema does not specify, sorted; those in embedded metadata, sorted.
func (r *Recorder) unknown() []string {
	if len(r.events) == 0 {
		return nil
	}
	type path struct{ text, order string }
	var root []path
	var pruned, embedded []string
	byMetadata := map[int][]path{} // the paths in each embedded metadata
	unlimited := map[int]bool{}
	bytes, more := 0, r.more
	r.leaves(func(steps []event, _ int, leaf event) {
		if leaf.kind != leafDrop {
			return
		}
		if !r.fits(bytes) {
			more++
			return
		}
		at := slices.IndexFunc(steps, func(e event) bool { return e.kind == stepMetadata })
		text := render(steps, leaf.name)
		bytes += len(text)
		switch {
		case at < 0:
			pruned = append(pruned, text)
		case at == 0:
			root = append(root, path{text, documentOrder(steps, leaf.name)})
			unlimited[-1] = steps[0].fault != nil
		default:
			key := steps[at].index
			unlimited[key] = steps[at].fault != nil
			byMetadata[key] = append(byMetadata[key], path{text, documentOrder(steps[at:], leaf.name)})
		}
	})
	first := func(all []path, unlimited bool) (texts []string) {
		slices.SortFunc(all, func(a, b path) int { return strings.Compare(a.order, b.order) })
		seen := map[string]bool{}
		for _, p := range all {
			if !seen[p.text] && (len(texts) < maxStrict || unlimited) {
				texts = append(texts, p.text)
			}
			seen[p.text] = true
		}
		return texts
	}
	for key, all := range byMetadata {
		embedded = append(embedded, first(all, unlimited[key])...)
	}
	unknownInRoot := first(root, unlimited[-1])
	if r.rootTwice {
		embedded = append(embedded, unknownInRoot...)
	}
	slices.Sort(pruned)
	slices.Sort(embedded)
	all := slices.Concat(unknownInRoot, pruned, embedded)
	if more > 0 {
		all = append(all, moreText(more))
	}
	return all
}

// documentOrder returns a text that sorts like the place in a JSON document whose keys are sorted.
func documentOrder(steps []event, last string) string {
	var b []byte
	for _, e := range steps {
		if e.kind == stepIndex {
			b = binary.BigEndian.AppendUint64(b, uint64(e.index))
		} else {
			b = append(append(b, e.name...), 0)
		}
	}
	return string(append(b, last...))
}
