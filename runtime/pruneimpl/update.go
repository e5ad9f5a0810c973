package pruneimpl

import (
	"reflect"
	"slices"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// InvalidUpdate is Invalid for an object that replaces old: it omits the faults of values that have not changed. The function
// validate recorded the faults. The shape says which values of obj correspond to which of old: the fields that the schema names,
// and the elements of list maps. Other lists are compared as a whole.
func (r *Recorder) InvalidUpdate(obj, old map[string]any, shape *Shape, validate func(any, *Recorder) int) prunert.ErrorList {
	wrongLists := r.hadWrongLists(old, validate) // for lists it is all or nothing
	root := &Correlation{is: obj, was: old, shape: shape}
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
	root := &Correlation{is: is, was: was, shape: shape.of(status)}
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

// Correlation is a value and the one that it replaces in an update. The nil Correlation is a value that replaces none.
type Correlation struct {
	is, was any
	shape   *Shape
	before  Elements // those of a list map before the update
	// compared says that equal has been worked out.
	compared, equal bool
	// below is the field, or the element, that was asked for last. A walk asks for all that is in it before it asks for another one.
	below *Correlation
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

// isUnchanged reports whether the value at the end of steps, or one on the way to it, has not changed. Values below alternatives
// are not compared.
func (c *Correlation) isUnchanged(steps []event) bool {
	if c.IsEqual() {
		return true
	}
	for i, e := range steps {
		switch {
		case e.kind == stepJunctor:
			return false
		case e.kind == stepIndex:
			c = c.Element(e.index)
		case rootOf(steps[:i]) && (e.name == "apiVersion" || e.name == "kind"):
			return false // the API server has converted both objects to one version, and cannot see a change
		default:
			c = c.Field(e.name)
		}
		if c == nil {
			return false
		}
		if c.IsEqual() {
			return true
		}
	}
	return false
}

// rootOf reports whether steps do not lead away from the root, as the API server writes them.
func rootOf(steps []event) bool {
	return !slices.ContainsFunc(steps, func(e event) bool { return e.kind != stepField || e.name != "" })
}

// NewCorrelation returns a value, such as an object, with the one that it replaces. The shape says which values in them correspond.
func NewCorrelation(obj, old any, shape *Shape) *Correlation {
	return &Correlation{is: obj, was: old, shape: shape}
}

// Field returns a field, or the value of a key. It is nil if the schema has no place for it, or the old object has none.
func (c *Correlation) Field(name string) *Correlation {
	if c.asked == askedField && c.name == name {
		return c.below
	}
	c.asked, c.name, c.below = askedField, name, nil
	is, _ := c.is.(map[string]any)
	was, _ := c.was.(map[string]any)
	v, hasIt := is[name]
	old, hadIt := was[name]
	if shape := c.shape.of(name); hasIt && hadIt && shape != nil {
		c.below = &Correlation{is: v, was: old, shape: shape}
	}
	return c.below
}

// Element returns an element of a list map. The elements of other lists replace none.
func (c *Correlation) Element(i int) *Correlation {
	is, isList := c.is.([]any)
	was, wasList := c.was.([]any)
	if c.shape.Items == nil || !isList || !wasList {
		return nil
	}
	if c.asked == askedElement && c.index == i {
		return c.below
	}
	if c.asked == askedNothing {
		c.before = NewElements(was, c.shape.Keys)
	}
	c.asked, c.index, c.below = askedElement, i, nil
	if old, ok := c.before.Like(is[i]); ok {
		c.below = &Correlation{is: is[i], was: old, shape: c.shape.Items}
	}
	return c.below
}

// IsEqual reports whether a value is what it was. A field that the schema has no place for makes a difference, and the order of
// a list map makes none.
func (c *Correlation) IsEqual() bool {
	if c == nil {
		return false
	}
	if !c.compared {
		c.compared, c.equal = true, isEqual(c.is, c.was, c.shape)
	}
	return c.equal
}

// isEqual is IsEqual for a value and the one that it replaces. Without a shape, values are compared as they are.
func isEqual(is, was any, shape *Shape) bool {
	switch is := is.(type) {
	case map[string]any:
		was, ok := was.(map[string]any)
		if !ok || len(is) != len(was) || shape == nil && (is == nil) != (was == nil) {
			return false
		}
		for name, v := range is {
			var below *Shape
			if shape != nil {
				if below = shape.of(name); below == nil {
					return false
				}
			}
			if old, ok := was[name]; !ok || !isEqual(v, old, below) {
				return false
			}
		}
		return true
	case []any:
		was, ok := was.([]any)
		if !ok || len(is) != len(was) {
			return false
		}
		if shape == nil || shape.Items == nil {
			if (is == nil) != (was == nil) {
				return false
			}
			for i, v := range is {
				if !isEqual(v, was[i], nil) {
					return false
				}
			}
			return true
		}
		before := NewElements(was, shape.Keys)
		for _, v := range is {
			if old, ok := before.Like(v); !ok || !isEqual(v, old, shape.Items) {
				return false
			}
		}
		return true
	case string, int64, float64, bool, nil:
		return is == was
	}
	return reflect.DeepEqual(is, was)
}
