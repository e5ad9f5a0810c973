package lower

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// segment is one step of a schema path.
type segment struct {
	name string // of a property, or anyOf[0] for a branch; empty for the other two
	kind segmentKind
}

type segmentKind uint8

const (
	segmentProperty segmentKind = iota
	segmentValues               // additionalProperties
	segmentItems
	segmentBranch // of a junctor
)

// maxSegment is the length in bytes above which the middle of the name of a property is replaced by a hash. Every node has the steps
// of all nodes above it, so a name of megabytes would be read for each node below it.
const maxSegment = 400

// propertySegment returns the step into a property.
func propertySegment(name string) segment {
	if len(name) > maxSegment {
		name = plan.FirstBytes(name, maxSegment/2) + "_" + shortHash(name) + "_" + plan.LastBytes(name, maxSegment/4)
	}
	return segment{name: name}
}

// compare orders the steps that lead on from one place: the fields by name, then the values of a map, then elements.
func (s segment) compare(t segment) int {
	return cmp.Or(cmp.Compare(s.kind, t.kind), strings.Compare(s.name, t.name))
}

// identifier returns s as part of a Go identifier.
func (s segment) identifier() string {
	switch s.kind {
	case segmentItems:
		return "Item"
	case segmentValues:
		return "Value"
	case segmentBranch:
		return branchIdentifier.Replace(strings.ToUpper(s.name[:1]) + s.name[1:])
	}
	return identifier(s.name)
}

var branchIdentifier = strings.NewReplacer("[", "", "]", "")

// branchSegment returns the step into a branch of a junctor, the i-th.
func branchSegment(j plan.Junctor, i int) segment {
	name := j.String()
	if j != plan.Not {
		name += "[" + strconv.Itoa(i) + "]"
	}
	return segment{name, segmentBranch}
}

// pathString writes a schema path for people: .spec.containers[].env[*]["odd key"]
func pathString(path []segment) string {
	var b strings.Builder
	for _, s := range path {
		switch s.kind {
		case segmentItems:
			b.WriteString("[]")
		case segmentValues:
			b.WriteString("[*]")
		case segmentBranch:
			b.WriteString("{" + s.name + "}")
		case segmentProperty:
			if plan.PlainKey(s.name) {
				b.WriteString("." + s.name)
			} else {
				b.WriteString("[" + plan.Key(s.name) + "]")
			}
		}
	}
	return b.String()
}

// maxPath is the maximum length of a path in a comment. Without it, a deep and wide schema would make files many times its size.
const maxPath = 160

// shortPath writes a path for comments. It omits the middle of a long one.
func shortPath(path []segment) string {
	const end = maxPath/2 - len("...")
	s := pathString(path)
	if len(s) > maxPath {
		s = s[:end] + "..." + s[len(s)-end:]
	}
	return s
}
