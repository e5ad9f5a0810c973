package pruneimpl

import (
	"slices"

	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// Recorder collects the events of a walk: dropped fields and wrong values. A nil Recorder records nothing, but faults are still counted.
//
// It is a log, written from the leaves to the root. A leaf event comes first; when the walk returns to the
// parent, an event for the step that leads there says how many of the events before it lie below that step.
//
// There are limits to what it records, see prunelimits.Limits. An event beyond them is counted and forgotten: the walk goes on
// as if nothing had happened there.
type Recorder struct {
	// Kubernetes is the version of the API server whose errors are wanted.
	Kubernetes kubeversion.Version

	events []event
	// Drops and faults have limits of their own: what is dropped does not hide what is wrong.
	drops, faults count
	limits        prunelimits.Limits
	// How an object is normalized.
	mode   prunert.Source
	silent bool // dropped fields are not recorded
	// fieldByField says that the metadata that is being walked is malformed, and so is decoded field by field.
	fieldByField bool
	// rootTwice says that what is unknown in the metadata of the object counts as embedded, too.
	rootTwice bool
	// choosing says that alternatives are being compared, and matches is how much of a schema the value matches so far.
	choosing bool
	matches  int
	// listFaults counts the faults of lists as sets and maps, recorded or not.
	listFaults int
}

// count counts leaves of one kind.
type count struct {
	listed int
	more   int // that were not recorded
}

type event struct {
	kind  eventKind
	below int    // for a step: how many events before this one lie below it
	index int    // for stepIndex
	name  string // the field or the key
	fault *fault // for leafFault; apart from the event because most events have none
}

type eventKind uint8

const (
	leafDrop     eventKind = iota // name was dropped
	leafFault                     // something is wrong with the value
	stepField                     // into a field that the schema names
	stepKey                       // into a key of a map
	stepIndex                     // into an element of a list
	stepMetadata                  // into the metadata of a resource
	stepJunctor                   // into an alternative for the same value
)

// Drop records that the field key was dropped.
func (r *Recorder) Drop(key string) int {
	if r == nil {
		return 0
	}
	return r.drop(key)
}

// DropField drops a field of an object.
func (r *Recorder) DropField(obj map[string]any, key string) int {
	delete(obj, key)
	return r.Drop(key)
}

//go:noinline
func (r *Recorder) drop(key string) int {
	if r.silent {
		return 0
	}
	return r.record(event{kind: leafDrop, name: key})
}

// record records a leaf, if there is room for it.
func (r *Recorder) record(e event) int {
	if r.drops == (count{}) && r.faults == (count{}) {
		r.limits = prunelimits.Current()
	}
	c := &r.drops
	if e.kind == leafFault {
		c = &r.faults
	}
	if r.limits.Entries > 0 && c.listed >= r.limits.Entries {
		c.more++
		return 0
	}
	c.listed++
	r.add(e)
	return 1
}

// add adds an event. The log grows in large steps: where there are many events, there are many more.
func (r *Recorder) add(e event) {
	if n := len(r.events); n == cap(r.events) {
		r.events = slices.Grow(r.events, 8+3*n)
	}
	r.events = append(r.events, e)
}

// forget takes back the last n events.
func (r *Recorder) forget(n int) {
	for _, e := range r.events[len(r.events)-n:] {
		switch e.kind {
		case leafDrop:
			r.drops.listed--
		case leafFault:
			r.faults.listed--
		}
	}
	clear(r.events[len(r.events)-n:])
	r.events = r.events[:len(r.events)-n]
}

// fits reports whether texts of that many bytes may be listed.
func (r *Recorder) fits(bytes int) bool { return r.limits.Bytes <= 0 || bytes <= r.limits.Bytes }

// Field says that the last n events lie below a field that the schema names.
func (r *Recorder) Field(name string, n int) int {
	if n == 0 {
		return 0
	}
	return r.step(stepField, name, 0, n)
}

// Last says that the last below events lie below a field that the schema names, and adds them to n. Of the left fields of the object that were not
// found yet, this is one; Last reports whether it is the last.
func (r *Recorder) Last(name string, below int, n, left *int) bool {
	if below != 0 {
		*n += r.step(stepField, name, 0, below)
	}
	*left--
	return *left == 0
}

// Key says that the last n events lie below a key of a map. It differs from Field because the API server prints the two alike above a
// dropped field, but not above metadata.
func (r *Recorder) Key(key string, n int) int {
	if n == 0 {
		return 0
	}
	return r.step(stepKey, key, 0, n)
}

// Index says that the last n events lie below element i of a list.
func (r *Recorder) Index(i, n int) int {
	if n == 0 {
		return 0
	}
	return r.step(stepIndex, "", i, n)
}

// Metadata says that the last n events lie below the metadata of a resource, which was walked for dropped fields alone.
func (r *Recorder) Metadata(n int) int { return r.metadata(n) }

// metadata says that the last n events lie below the metadata of a resource.
func (r *Recorder) metadata(n int) int {
	fieldByField := r != nil && r.fieldByField
	if fieldByField {
		r.fieldByField = false
	}
	if n == 0 {
		return 0
	}
	n = r.step(stepMetadata, "metadata", 0, n)
	if fieldByField {
		r.events[len(r.events)-1].fault = &fault{}
	}
	return n
}

// step is kept out of its callers so that they are small enough to be inlined: it runs only when there is an event.
//
//go:noinline
func (r *Recorder) step(kind eventKind, name string, index, n int) int {
	if r == nil {
		return n // the caller wants to know whether there are faults, not which
	}
	r.add(event{kind: kind, name: name, index: index, below: n})
	return n + 1
}

// logReader reads the leaves of a log and the paths that lead to them. It reads backwards: that meets a step before everything below it.
type logReader struct {
	rest  []event
	style pathStyle
	// steps lead to the leaf that was read last, root first.
	steps []event
	// begins[i] is where the events below steps[i] begin. paths[i] is the path to steps[i] in text, which has each path that is
	// written here after those above it: a path continues the one above, except at metadata, which changes how that is written.
	begins []int
	paths  []span
	text   []byte
}

// span is a part of a text.
type span struct{ begin, end int }

// read returns a reader of all leaves, which writes paths in a style.
func (r *Recorder) read(style pathStyle) logReader {
	const depth = 8 // of most errors
	return logReader{
		rest: r.events, style: style,
		steps: make([]event, 0, depth), begins: make([]int, 0, depth), paths: make([]span, 0, depth), text: make([]byte, 0, 128),
	}
}

// next returns the next leaf, nil at the end.
func (l *logReader) next() *event {
	for i := len(l.rest) - 1; i >= 0; i-- {
		for n := len(l.begins) - 1; n >= 0 && i < l.begins[n]; n-- {
			l.steps, l.begins, l.paths = l.steps[:n], l.begins[:n], l.paths[:n]
		}
		e := &l.rest[i]
		if e.kind < stepField {
			l.rest = l.rest[:i]
			return e
		}
		l.step(*e, i)
	}
	return nil
}

// step goes into the step that is event i of the log.
func (l *logReader) step(e event, i int) {
	if e.kind == stepMetadata {
		e.index = i // tells one metadata from another
	}
	above := l.place()
	l.steps, l.begins = append(l.steps, e), append(l.begins, i-e.below)
	if l.text = l.text[:above.end]; e.kind == stepMetadata {
		above.begin = len(l.text)
		l.text = appendPath(l.text, l.steps, bracketed)
	} else {
		l.text = appendStep(l.text, above.begin, &e, l.style, len(l.steps) == 1)
	}
	l.paths = append(l.paths, span{above.begin, len(l.text)})
}

// path returns the path that the steps lead to.
func (l *logReader) path() []byte {
	at := l.place()
	return l.text[at.begin:at.end]
}

func (l *logReader) place() span {
	if len(l.paths) == 0 {
		return span{}
	}
	return l.paths[len(l.paths)-1]
}
