package pruneimpl

import (
	"encoding/binary"
	"slices"
	"strings"
)

// normalized returns what Normalize returns.
func (r *Recorder) normalized() (unknown []string, err error) {
	if errs := r.Errors(); len(errs) > 0 {
		return nil, errs.Err()
	}
	return r.unknown(), nil
}

// DropNulls drops those of the named fields that are null.
func DropNulls(obj map[string]any, names ...string) {
	for _, name := range names {
		if v, ok := obj[name]; ok && v == nil {
			delete(obj, name)
		}
	}
}

// NormalizeLeaves is PruneLeaves, and drops those of the named fields that are null.
func NormalizeLeaves(v any, rec *Recorder, names ...string) (obj map[string]any, left, n int) {
	obj, ok := v.(map[string]any)
	if !ok {
		return nil, 0, PruneLeaf(v, rec)
	}
	left = len(obj)
	for _, name := range names {
		v, ok := obj[name]
		if !ok {
			continue
		}
		if v == nil {
			delete(obj, name)
		} else {
			n += rec.Field(name, PruneLeaf(v, rec))
		}
		if left--; left == 0 {
			break
		}
	}
	return obj, left, n
}

// DropOthers drops every field of obj that is null, or not in known, which is sorted. There is none if no field is left.
func DropOthers(obj map[string]any, rec *Recorder, left int, known ...string) (n int) {
	if left == 0 {
		return 0
	}
	for k, v := range obj {
		if !contains(known, k) {
			n += rec.DropField(obj, k)
		} else if v == nil {
			delete(obj, k)
		}
	}
	return n
}

// NormalizeLeafObject normalizes an object that has only leaves: the named fields, which are sorted, stay
// unless they are null, and others are dropped.
func NormalizeLeafObject(v any, rec *Recorder, names ...string) int {
	obj, left, n := NormalizeLeaves(v, rec, names...)
	return n + DropUnknown(obj, rec, left, names...)
}

// NormalizeLeafMap normalizes a map: its keys stay unless their values are null, and its values are leaves.
func NormalizeLeafMap(v any, rec *Recorder) (n int) {
	obj, ok := v.(map[string]any)
	if !ok {
		return PruneLeaf(v, rec)
	}
	left := len(obj)
	for k, v := range obj {
		if v == nil {
			delete(obj, k)
		} else {
			n += rec.Key(k, PruneLeaf(v, rec))
		}
		if left--; left == 0 {
			break
		}
	}
	return n
}

// maxStrict is the number of unknown fields that the API server's strict decoder reports for one value, each path once. The value is an
// ObjectMeta or, if that is malformed, each field of it in turn.
const maxStrict = 100

// unknown returns the paths of the dropped fields in the order of the API server: those in the metadata of the object, in
// the order of its JSON; those that the schema does not specify, sorted; those in embedded metadata, sorted.
func (r *Recorder) unknown() []string {
	if len(r.events) == 0 {
		return nil
	}
	// field is the field of metadata that the path is in, where they are decoded one by one.
	type path struct{ text, order, field string }
	var root []path
	var embedded []string
	byMetadata := map[int][]path{} // the paths in each embedded metadata
	pruned := newPathList(r.drops.listed)
	bytes, more := 0, r.drops.more
	log := r.read(dotted)
	for leaf := log.next(); leaf != nil; leaf = log.next() {
		if leaf.kind != leafDrop {
			continue
		}
		if !r.fits(pruned.text.Len() + bytes) {
			more++
			continue
		}
		at := slices.IndexFunc(log.steps, func(e event) bool { return e.kind == stepMetadata })
		if at < 0 {
			pruned.add(log.path(), leaf.name, len(log.steps) == 0)
			continue
		}
		steps := log.steps[at:]
		p := path{text: string(log.path()) + "." + leaf.name, order: documentOrder(steps, leaf.name)}
		bytes += len(p.text)
		if steps[0].fault != nil {
			p.field = leaf.name
			if len(steps) > 1 {
				p.field = steps[1].name
			}
		}
		if at == 0 {
			root = append(root, p)
		} else {
			byMetadata[steps[0].index] = append(byMetadata[steps[0].index], p)
		}
	}
	first := func(all []path) (texts []string) {
		slices.SortFunc(all, func(a, b path) int { return strings.Compare(a.order, b.order) })
		type in struct{ field, text string }
		seen := map[in]bool{}
		named := map[string]int{}
		for _, p := range all {
			if at := (in{p.field, p.text}); !seen[at] && named[p.field] < maxStrict {
				texts = append(texts, p.text)
				named[p.field]++
				seen[at] = true
			}
		}
		return texts
	}
	for _, all := range byMetadata {
		embedded = append(embedded, first(all)...)
	}
	unknownInRoot := first(root)
	if r.rootTwice {
		embedded = append(embedded, unknownInRoot...)
	}
	slices.Sort(embedded)
	all := slices.Concat(unknownInRoot, pruned.sorted(), embedded)
	if more > 0 {
		all = append(all, moreText(more))
	}
	return all
}

// documentOrder returns a text that sorts like the place in a JSON document whose keys are sorted.
func documentOrder(steps []event, last string) string {
	var room [128]byte
	b := room[:0]
	key := func(name string) {
		// A key ends in two zeros, and none has two zeros in it.
		b = append(append(b, strings.ReplaceAll(name, "\x00", "\x00\xff")...), 0, 0)
	}
	for _, e := range steps {
		if e.kind == stepIndex {
			b = binary.BigEndian.AppendUint64(b, uint64(e.index))
		} else {
			key(e.name)
		}
	}
	key(last)
	return string(b)
}
