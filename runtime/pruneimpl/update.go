package pruneimpl

import (
	"slices"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// InvalidUpdate is Invalid for an object that replaces old: it omits the faults of values that have not changed. The function
// validate recorded the faults. The shape says which values of obj correspond to which of old: the fields that the schema names,
// and the elements of list maps. Other lists are compared as a whole.
func (r *Recorder) InvalidUpdate(obj, old map[string]any, shape *Shape, validate func(any, *Recorder) int) prunert.ErrorList {
	wrongLists := r.hadWrongLists(old, validate) // for lists it is all or nothing
	root := &trail{Correlation: NewCorrelation(obj, old, shape)}
	return r.invalid(func(steps []event, f *fault) (said, bool) {
		switch {
		case f.kind.isListFault():
			if wrongLists {
				return said{}, false
			}
		case f.isOfResource(steps): // not a fault by the schema
		case root.isUnchanged(steps):
			return said{}, false
		}
		return f.say(steps), true
	})
}

// isOfResource reports whether a fault is about apiVersion, kind or metadata of a resource.
func (f *fault) isOfResource(steps []event) bool {
	return f.kind == faultTypeMeta || f.kind == faultNoTypeMeta || f.kind == faultRootType ||
		slices.ContainsFunc(steps, func(e event) bool { return e.kind == stepMetadata })
}

// InvalidStatus is InvalidUpdate for an object that differs from old in its status alone, and of which nothing else is
// validated. The API server validates the status by itself: texts do not name it, and resources in it are not looked at.
func (r *Recorder) InvalidStatus(obj, old map[string]any, shape *Shape, validate func(any, *Recorder) int) prunert.ErrorList {
	const status = "status"
	wrongLists := r.hadWrongLists(old, validate)
	is, was := obj[status], old[status]
	root := &trail{Correlation: NewCorrelation(is, was, shape.of(status))}
	return r.invalid(func(steps []event, f *fault) (said, bool) {
		switch {
		case len(steps) == 0 || steps[0].kind != stepField || steps[0].name != status:
			return said{}, false
		case f.kind.isListFault():
			return f.say(steps), !wrongLists
		case f.isOfResource(steps) || root.isUnchanged(steps[1:]):
			return said{}, false
		}
		s := f.say(steps[1:])
		if s.err.Field == errorField("") {
			s.err.Field = status
		} else {
			s.err.Field = status + "." + s.err.Field
		}
		return s, true
	})
}

// hadWrongLists reports whether there are faults of lists as sets and maps, and were before.
func (r *Recorder) hadWrongLists(old map[string]any, validate func(any, *Recorder) int) bool {
	if r.listFaults == 0 {
		return false
	}
	before := &Recorder{}
	validate(old, before)
	return before.listFaults > 0
}

// trail is a value with the one that it replaces, and the field or the element of it that was asked for last. A walk asks for all that is
// in that before it asks for another one.
type trail struct {
	Correlation
	below *trail // nil if it replaces nothing
	asked asked
	name  string
	index int
}

// asked says what was asked for last.
type asked uint8

const (
	askedNothing asked = iota
	askedField
	askedElement
)

// field returns a field, nil if it replaces nothing.
func (t *trail) field(name string) *trail {
	if t.asked != askedField || t.name != name {
		t.asked, t.name, t.below = askedField, name, nil
		if below := new(trail); t.Field(name, &below.Correlation) {
			t.below = below
		}
	}
	return t.below
}

// element returns an element, nil if it replaces nothing.
func (t *trail) element(i int) *trail {
	if t.asked != askedElement || t.index != i {
		t.asked, t.index, t.below = askedElement, i, nil
		if below := new(trail); t.Element(i, &below.Correlation) {
			t.below = below
		}
	}
	return t.below
}

// isUnchanged reports whether the value at the end of steps, or one on the way to it, has not changed. Values below alternatives
// are not compared.
func (t *trail) isUnchanged(steps []event) bool {
	if t.IsEqual() {
		return true
	}
	for i, e := range steps {
		switch {
		case e.kind == stepJunctor:
			return false
		case e.kind == stepIndex:
			t = t.element(e.index)
		case rootOf(steps[:i]) && (e.name == "apiVersion" || e.name == "kind"):
			return false // the API server has converted both objects to one version, and cannot see a change
		default:
			t = t.field(e.name)
		}
		if t == nil {
			return false
		}
		if t.IsEqual() {
			return true
		}
	}
	return false
}

// rootOf reports whether steps do not lead away from the root, as the API server writes them.
func rootOf(steps []event) bool {
	return !slices.ContainsFunc(steps, func(e event) bool { return e.kind != stepField || e.name != "" })
}
