package yamltext

import (
	"bytes"
	"errors"
	"io"

	"github.com/prune-gen/prune-gen/internal/meter"
)

// What reading costs, in units of work. A tree of the YAML parser and the nodes are in memory while the documents of a part of the text
// are visited. Whoever keeps nodes counts them with Hold.
const (
	unitsOfSeparator = 2
	unitsOfValue     = 5
	unitsOfScalar    = 10 // that is resolved
	unitsOfNode      = 10 // that is held
	unitsOfYAML      = 16 // for each separator; what is between two can be two nodes of the parser
	bytesOfUnit      = 64 // that are looked at for a unit

	unitsOfObject = 50
	unitsOfAnswer = 4 // for each value; validating takes several times as long as reading
)

// Read returns the text of r, as Decode does. The error is a *Problem if the run exceeds a limit.
func Read(m *meter.Meter, r io.Reader) ([]byte, error) {
	data, err := m.ReadAll(r)
	var limit *meter.Error
	switch {
	case errors.As(err, &limit):
		return nil, tooLarge(limit, Pos{1, 1})
	case err != nil:
		return nil, err
	}
	return Decode(data), nil
}

// Exceeded returns the problem that the run exceeds a limit with what is at the given place, nil if it does not.
func Exceeded(m *meter.Meter, at Pos) *Problem { return tooLarge(m.Err(), at) }

func tooLarge(err error, at Pos) *Problem {
	if err == nil {
		return nil
	}
	return problemf(RuleTooLarge, at, "%s", err)
}

// Hold counts nodes that stay in memory after they were visited, with what their aliases stand for.
func (n *Node) Hold(m *meter.Meter) bool {
	return n == nil || m.Spend(n.size*unitsOfNode) && m.SpendMemory(n.bytes)
}

// Object counts an object, and what is in it if it is answered for. Every path of it can then be in several messages, and repeats the
// keys above it. The problem is that the run exceeds a limit with it.
func (n *Node) Object(m *meter.Meter, answered bool) *Problem {
	m.Spend(unitsOfObject)
	if answered {
		m.Spend(n.size * unitsOfAnswer)
		m.SpendMemory(int(n.paths))
	}
	return Exceeded(m, n.Pos)
}

// hold counts units until the part of the text is visited.
func (src *source) hold(units int) {
	src.meter.Spend(units)
	src.held += units
}

// release gives back what is held.
func (src *source) release() {
	src.meter.Refund(src.held)
	src.held = 0
}

// addValue counts a value.
func (src *source) addValue(at Pos) *Problem {
	src.meter.Spend(unitsOfValue)
	src.hold(unitsOfNode)
	return Exceeded(src.meter, at)
}

// addAlias counts what an alias stands for: whoever walks the tree meets it again.
func (src *source) addAlias(n *Node, at Pos) *Problem {
	src.meter.Spend(n.size * unitsOfValue)
	src.meter.SpendMemory(n.bytes)
	return Exceeded(src.meter, at)
}

// addMerged counts entries that are copied from one map to another.
func (src *source) addMerged(entries int, at Pos) *Problem {
	src.meter.Spend(entries * unitsOfNode)
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
