package yamltext

import (
	"bytes"

	"github.com/prune-gen/prune-gen/internal/base/meter"
)

// Exceeded returns a problem at the given place if the run exceeds a limit, else nil.
func Exceeded(m *meter.Meter, at Pos) *Problem { return tooLarge(m.Err(), at) }

func tooLarge(err error, at Pos) *Problem {
	if err == nil {
		return nil
	}
	return problemf(IDTooLarge, at, "%s", err)
}

// Hold counts nodes that stay in memory after they were visited, with what their aliases stand for.
func (n *Node) Hold(m *meter.Meter) bool {
	return n == nil || m.Spend(n.size*meter.UnitsOfNode) && m.SpendMemory(n.bytes)
}

// Object counts an object. It also counts its content if it will be validated, since each path may appear in several messages and repeats
// the keys above it. It returns a problem if the run exceeds a limit.
func (n *Node) Object(m *meter.Meter, answered bool) *Problem {
	m.Spend(meter.UnitsOfObject)
	if answered {
		m.Spend(n.size * meter.UnitsOfAnswer)
		m.SpendMemory(int(n.paths))
	}
	return Exceeded(m, n.Pos)
}

// Spend counts units for each value, with what its aliases stand for.
func (n *Node) Spend(m *meter.Meter, units int) bool { return m.Spend(n.size * units) }

// hold counts units for the tree of the YAML parser and for nodes, which are in memory while the documents of a part of the text are
// visited. Callers that keep nodes count them with Hold.
func (src *source) hold(units int) {
	src.meter.Spend(units)
	src.held += units
}

// release refunds what is held.
func (src *source) release() {
	src.meter.Refund(src.held)
	src.held = 0
}

// addValue counts a value.
func (src *source) addValue(at Pos) *Problem {
	src.meter.Spend(meter.UnitsOfValue)
	src.hold(meter.UnitsOfNode)
	return Exceeded(src.meter, at)
}

// addAlias counts what an alias stands for, because a walk through the tree visits it again.
func (src *source) addAlias(n *Node, at Pos) *Problem {
	src.meter.Spend(n.size * meter.UnitsOfValue)
	src.meter.SpendMemory(n.bytes)
	return Exceeded(src.meter, at)
}

// addMerged counts entries that are copied from one map to another.
func (src *source) addMerged(entries int, at Pos) *Problem {
	src.meter.Spend(entries * meter.UnitsOfNode)
	return Exceeded(src.meter, at)
}

// countSeparators returns how many characters in text can stand between two values or lines. In YAML, a text has at most
// twice as many nodes, and one more.
func countSeparators(text []byte) int {
	n := 0
	for _, separator := range []string{",", ":", "-", "?", "[", "{", "\n", "\r", "\u0085", "\u2028", "\u2029"} {
		n += bytes.Count(text, []byte(separator))
	}
	return n
}
