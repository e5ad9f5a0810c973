package pruneimpl

import (
	"slices"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// CheckUpdate is Check for an object that replaces old: it omits the faults of values that have not changed. The shape says which values of obj
// correspond to which of old: the fields that the schema names, and the elements of list maps. Other lists are compared as a whole.
func CheckUpdate(obj, old map[string]any, shape *Shape, validate func(any, *Recorder) int, by ...kubeversion.Version) prunert.ErrorList {
	r := borrow(by)
	defer r.giveBack()
	if validate(obj, r) == 0 {
		return nil
	}
	wrongLists := r.hadWrongLists(old, validate) // for lists it is all or nothing
	root := &trail{Correlation: NewCorrelation(obj, old, shape)}
	return r.errors(func(steps []event, path []byte, f *fault) (said, bool) {
		switch {
		case f.kind.isListFault():
			if wrongLists {
				return said{}, false
			}
		case f.isOfResource(steps): // not a fault by the schema
		case root.isUnchanged(steps):
			return said{}, false
		}
		return f.say(steps, path, r.Kubernetes), true
	})
}

// isOfResource reports whether a fault is about apiVersion, kind or metadata of a resource.
func (f *fault) isOfResource(steps []event) bool {
	return f.kind == faultTypeMeta || f.kind == faultNoTypeMeta || f.kind == faultRootType ||
		slices.ContainsFunc(steps, func(e event) bool { return e.kind == stepMetadata })
}

// CheckStatus is CheckUpdate for an object that differs from old in its status alone, and of which nothing else is validated. The API server
// validates the status by itself: texts do not name it, and resources in it are not validated.
func CheckStatus(obj, old map[string]any, shape *Shape, validate func(any, *Recorder) int, by ...kubeversion.Version) prunert.ErrorList {
	r := borrow(by)
	defer r.giveBack()
	if validate(obj, r) == 0 {
		return nil
	}
	const status = "status"
	wrongLists := r.hadWrongLists(old, validate)
	is, was := obj[status], old[status]
	root := &trail{Correlation: NewCorrelation(is, was, shape.of(status))}
	return r.errors(func(steps []event, path []byte, f *fault) (said, bool) {
		switch {
		case len(steps) == 0 || steps[0].kind != stepField || steps[0].name != status:
			return said{}, false
		case f.kind.isListFault():
			return f.say(steps, path, r.Kubernetes), !wrongLists
		case f.isOfResource(steps) || root.isUnchanged(steps[1:]):
			return said{}, false
		}
		s := f.say(steps[1:], appendPath(nil, steps[1:], inBody), r.Kubernetes)
		if s.err.Field == errorField("") {
			s.err.Field = status
		} else {
			s.err.Field = status + "." + s.err.Field
		}
		return s, true
	})
}

// hadWrongLists reports whether both the new and the old object have faults of list sets and list maps.
func (r *Recorder) hadWrongLists(old map[string]any, validate func(any, *Recorder) int) bool {
	if r.listFaults == 0 {
		return false
	}
	before := &Recorder{}
	validate(old, before)
	return before.listFaults > 0
}

// trail is a value with the one that it replaces, and the last value in it that was asked for. A walk asks for everything in that value
// before it asks for the next one.
type trail struct {
	Correlation
	asked *event
	below *trail // nil if it replaces nothing
}

// step returns the field or the element that a step leads to, nil if it replaces nothing.
func (t *trail) step(e event) *trail {
	if t.asked != nil && t.asked.kind == e.kind && t.asked.name == e.name && t.asked.index == e.index {
		return t.below
	}
	below, ok := new(trail), false
	if e.kind == stepIndex {
		ok = t.Element(e.index, &below.Correlation)
	} else {
		ok = t.Field(e.name, &below.Correlation)
	}
	if t.asked, t.below = &e, nil; ok {
		t.below = below
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
		if e.kind == stepJunctor {
			return false
		}
		if e.kind != stepIndex && rootOf(steps[:i]) && (e.name == "apiVersion" || e.name == "kind") {
			return false // the API server has converted both objects to one version, and cannot see a change
		}
		if t = t.step(e); t == nil {
			return false
		}
		if t.IsEqual() {
			return true
		}
	}
	return false
}

// rootOf reports whether steps stay at the root in the paths of the API server.
func rootOf(steps []event) bool {
	return !slices.ContainsFunc(steps, func(e event) bool { return e.kind != stepField || e.name != "" })
}
