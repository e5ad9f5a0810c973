package plan

import "strings"

// Check is the payload of the pass that checks types.
type Check struct {
	Kind CheckKind
	// Types are the types that the value may have; none means any.
	Types Types
}

// CheckKind says how much there is to check.
type CheckKind uint8

const (
	CheckWalk     CheckKind = iota // walk the value: a function of its own
	CheckNothing                   // anything goes
	CheckLeaf                      // the type counts and nothing else
	CheckMetadata                  // the metadata of a resource
)

func (c Check) Func() bool { return c.Kind == CheckWalk }

func (c Check) String() string {
	switch c.Kind {
	case CheckNothing:
		return "keep"
	case CheckMetadata:
		return "metadata"
	}
	return c.Types.String()
}

// Types is a set of types.
type Types uint16

// The types, in the order in which a message names them.
const (
	TypeInteger Types = 1 << iota
	TypeString
	TypeBoolean
	TypeNumber
	TypeObject
	TypeArray
	TypeInt64 // of ObjectMeta: an integer that a Go int64 can hold
	TypeTime  // of ObjectMeta: an RFC 3339 time
	TypeNull

	typeEnd
)

var typeNames = [...]string{"integer", "string", "boolean", "number", "object", "array", "int64", "time"}

// TypeNamed returns the type with the name that schemas use, none if there is no such type.
func TypeNamed(name string) Types {
	for i, n := range typeNames {
		if n == name {
			return 1 << i
		}
	}
	return 0
}

// Each returns the types in the set, one by one.
func (t Types) Each() []Types {
	var all []Types
	for one := TypeInteger; one < typeEnd; one <<= 1 {
		if t&one != 0 {
			all = append(all, one)
		}
	}
	return all
}

// String names the types: "integer,string or null".
func (t Types) String() string {
	var names []string
	for i, name := range typeNames {
		if t&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	s := strings.Join(names, ",")
	if t&TypeNull != 0 {
		s += " or null"
	}
	return s
}
