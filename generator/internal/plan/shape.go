package plan

// Shape is the payload of the pass that says which values of an object correspond to which old values in an update.
type Shape struct {
	Kind ShapeKind
	// Keys tell the elements of a list map apart, a list of strings; nil for other lists.
	Keys *Value
	// Of is the kind whose root it is.
	Of string
}

// ShapeKind says how much a schema names.
type ShapeKind uint8

const (
	ShapeWalk ShapeKind = iota // a shape of its own
	ShapeBare                  // nothing below the value
)

func (s Shape) Func() bool { return s.Kind == ShapeWalk }

func (s Shape) String() string {
	switch {
	case s.Kind == ShapeBare:
		return "bare"
	case s.Keys != nil:
		return "list map by " + s.Keys.Text
	}
	return ""
}
