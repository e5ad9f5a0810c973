package pruneimpl

// Shape is a table of the places in an object. Generated code has tables instead of functions for rare tasks: listing fields, validating
// the metadata of embedded resources, and finding what has changed in an update.
type Shape struct {
	// Names are the fields with nothing below them and Fields the others, both sorted.
	Names  []string
	Fields []ShapeField
	// Values is for all other fields, nil if they have no place.
	Values *Shape
	// Items is for the elements of a list, nil if they have no place.
	Items *Shape
	// Keys tell the elements of a list map apart.
	Keys []string
	// Open says that pruning keeps all other fields, with everything in them.
	Open bool
	// Resource says that an object here is a resource with metadata.
	Resource bool
}

// ShapeField is a field of a Shape.
type ShapeField struct {
	Name  string
	Shape *Shape
}

// Shapes that many schemas have.
var (
	Bare    Shape                  // nothing below the value
	Open    = Shape{Open: true}    // everything below the value
	LeafMap = Shape{Values: &Bare} // any key, and nothing below its value
)

// of returns the shape of a field, nil if it has no place.
func (s *Shape) of(name string) *Shape {
	if below, ok := s.named(name); ok {
		return below
	}
	return s.Values
}

// named returns the shape of a field that the table names.
func (s *Shape) named(name string) (*Shape, bool) {
	if i, ok := search(name, len(s.Fields), func(i int) string { return s.Fields[i].Name }); ok {
		return s.Fields[i].Shape, true
	}
	_, ok := search(name, len(s.Names), func(i int) string { return s.Names[i] })
	return &Bare, ok
}

// search finds a name among n that are sorted. A search of package slices would let the name escape.
func search(name string, n int, at func(i int) string) (i int, ok bool) {
	low, high := 0, n
	for low < high {
		mid := int(uint(low+high) / 2)
		switch other := at(mid); {
		case name == other:
			return mid, true
		case name < other:
			high = mid
		default:
			low = mid + 1
		}
	}
	return 0, false
}

// ListFields calls visit with the path of every field of a shape: [] stands for the elements of a list, [*] for the values of a map,
// and ... for everything below a place.
func ListFields(s *Shape, visit func(path string)) { s.list("", visit) }

func (s *Shape) list(at string, visit func(path string)) {
	names := s.Names
	for _, f := range s.Fields {
		for len(names) > 0 && names[0] < f.Name {
			visit(at + "." + names[0])
			names = names[1:]
		}
		visit(at + "." + f.Name)
		f.Shape.list(at+"."+f.Name, visit)
	}
	for _, name := range names {
		visit(at + "." + name)
	}
	if s.Open {
		visit(at + "...")
	}
	if s.Values != nil {
		visit(at + "[*]")
		s.Values.list(at+"[*]", visit)
	}
	if s.Items != nil {
		s.Items.list(at+"[]", visit)
	}
}
