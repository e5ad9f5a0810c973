package pruneimpl

import (
	"slices"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// Recorder collects what a walk has to say: dropped fields and values that are wrong. A nil Recorder records nothing; faults
// count all the same.
//
// It is a log that is written from the leaves to the root. A leaf event comes first; when the walk returns to the
// parent, an event for the step that leads there says how many of the events before it lie below that step.
//
// There are limits to what it records, see prunert.Limits. An event beyond them is counted and forgotten: the walk goes on
// as if nothing had happened there.
type Recorder struct {
	// Kubernetes is the version of the API server whose errors are wanted.
	Kubernetes kubeversion.Version

	events []event
	// Drops and faults have limits of their own: what is dropped does not hide what is wrong.
	drops, faults count
	limits        prunert.Limits
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
		r.limits = prunert.CurrentLimits()
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
		r.events = slices.Grow(r.events, 32+3*n)
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

// Key says that the last n events lie below a key of a map. It is a different thing from a field because the API server
// prints the two alike above a dropped field, but not above metadata.
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
		return n // somebody wants to know that there are faults, and not which
	}
	r.add(event{kind: kind, name: name, index: index, below: n})
	return n + 1
}

// leaves calls visit for each leaf event with the steps that lead to it, root first. Reading the log backwards meets a step before
// everything below it.
func (r *Recorder) leaves(visit func(steps []event, leaf event)) {
	var steps []event
	var ends []int // ends[i] is where the events below steps[i] begin
	for i := len(r.events) - 1; i >= 0; i-- {
		for len(ends) > 0 && i < ends[len(ends)-1] {
			steps, ends = steps[:len(steps)-1], ends[:len(ends)-1]
		}
		e := r.events[i]
		if e.kind < stepField {
			visit(steps, e)
			continue
		}
		if e.kind == stepMetadata {
			e.index = i // tells one metadata from another
		}
		steps, ends = append(steps, e), append(ends, i-e.below)
	}
}
