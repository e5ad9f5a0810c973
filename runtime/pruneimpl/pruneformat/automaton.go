package pruneformat

import (
	"regexp/syntax"
	"slices"
)

// automaton is a regular expression as a table, which matches a string with one look at each of its bytes. It knows ASCII only.
type automaton struct {
	classes [128]uint8 // of the bytes: the expression does not tell those of one class apart
	width   int        // how many classes there are
	next    []uint16   // the state that follows a state and a class
	ends    []bool     // whether a string matches that ends in a state
}

// The states of an automaton.
const (
	stateNo    = iota // no string that begins like this matches
	stateYes          // every string that begins like this matches
	stateStart        // nothing was read yet
)

// Larger automata are not made: expressions are untrusted.
const (
	mostInstructions = 256
	mostStates       = 512
	mostCells        = 1 << 14 // of the table of states and classes
)

// match reports whether the expression matches s; ok is false if it cannot tell, for example because there is no automaton.
func (a *automaton) match(s string) (matches, ok bool) {
	if a == nil {
		return false, false
	}
	state := stateStart
	for i := range len(s) {
		c := s[i]
		if int(c) >= len(a.classes) {
			return false, false
		}
		state = int(a.next[state*a.width+int(a.classes[c])])
		if state < stateStart {
			return state == stateYes, true
		}
	}
	return a.ends[state], true
}

// newAutomaton returns the automaton for a valid expression, nil if it would be too large, or if the expression asks for the
// borders of words or lines.
func newAutomaton(text string) *automaton {
	re, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil
	}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil || len(prog.Inst) > mostInstructions {
		return nil
	}
	for _, inst := range prog.Inst {
		if inst.Op == syntax.InstEmptyWidth && syntax.EmptyOp(inst.Arg)&^(syntax.EmptyBeginText|syntax.EmptyEndText) != 0 {
			return nil
		}
	}
	b := &builder{prog: prog, states: map[string]uint16{}}
	return b.build()
}

// builder makes an automaton. A state is the set of instructions that may come next: those that read a character, and those
// that want the text to end.
type builder struct {
	prog *syntax.Prog
	a    automaton
	// samples has a byte of each class. sets has the instructions of each state, and states the states by their sets.
	samples []byte
	sets    [][]uint32
	states  map[string]uint16
}

func (b *builder) build() *automaton {
	b.classify()
	b.sets = make([][]uint32, stateStart)
	b.a.ends = []bool{stateNo: false, stateYes: true}
	start, yes := b.follow([]uint32{uint32(b.prog.Start)}, syntax.EmptyBeginText)
	if yes {
		return nil // every string matches, which the expression says as fast
	}
	b.add(start, syntax.EmptyBeginText)
	b.a.next = make([]uint16, stateStart*b.a.width)
	for state := stateStart; state < len(b.sets); state++ {
		for _, c := range b.samples {
			next, ok := b.step(b.sets[state], c)
			if !ok {
				return nil
			}
			b.a.next = append(b.a.next, next)
		}
	}
	return &b.a
}

// classify puts the bytes into classes.
func (b *builder) classify() {
	classes := map[string]uint8{}
	for c := range b.a.classes {
		var read []byte
		for i := range b.prog.Inst {
			if b.reads(uint32(i), byte(c)) {
				read = append(read, byte(i))
			}
		}
		class, ok := classes[string(read)]
		if !ok {
			class = uint8(len(classes))
			classes[string(read)] = class
			b.samples = append(b.samples, byte(c))
		}
		b.a.classes[c] = class
	}
	b.a.width = len(b.samples)
}

// reads reports whether an instruction is one that reads the character c.
func (b *builder) reads(i uint32, c byte) bool {
	switch inst := &b.prog.Inst[i]; inst.Op {
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return inst.MatchRune(rune(c))
	}
	return false
}

// step returns the state that follows a set of instructions after a character; ok is false if there are too many states.
func (b *builder) step(set []uint32, c byte) (state uint16, ok bool) {
	from := []uint32{uint32(b.prog.Start)} // a match may begin anywhere
	for _, i := range set {
		if b.reads(i, c) {
			from = append(from, b.prog.Inst[i].Out)
		}
	}
	next, yes := b.follow(from, 0)
	switch {
	case yes:
		return stateYes, true
	case len(next) == 0:
		return stateNo, true
	}
	key := make([]byte, len(next))
	for i, inst := range next {
		key[i] = byte(inst)
	}
	state, ok = b.states[string(key)]
	if !ok {
		if len(b.sets) == mostStates || len(b.sets)*b.a.width >= mostCells {
			return 0, false
		}
		state = b.add(next, 0)
		b.states[string(key)] = state
	}
	return state, true
}

// add adds a state. At is where in the text it can be.
func (b *builder) add(set []uint32, at syntax.EmptyOp) uint16 {
	b.sets = append(b.sets, set)
	_, ends := b.follow(set, at|syntax.EmptyEndText)
	b.a.ends = append(b.a.ends, ends)
	return uint16(len(b.sets) - 1)
}

// follow returns, sorted, the instructions to which some others lead without reading, at a place in the text. Yes says that the
// expression matches there.
func (b *builder) follow(from []uint32, at syntax.EmptyOp) (set []uint32, yes bool) {
	var seen [mostInstructions]bool
	var visit func(i uint32)
	visit = func(i uint32) {
		if seen[i] {
			return
		}
		seen[i] = true
		switch inst := &b.prog.Inst[i]; inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			visit(inst.Out)
			visit(inst.Arg)
		case syntax.InstCapture, syntax.InstNop:
			visit(inst.Out)
		case syntax.InstEmptyWidth:
			switch missing := syntax.EmptyOp(inst.Arg) &^ at; missing {
			case 0:
				visit(inst.Out)
			case syntax.EmptyEndText:
				set = append(set, i)
			}
		case syntax.InstMatch:
			yes = true
		case syntax.InstFail:
		default:
			set = append(set, i)
		}
	}
	for _, i := range from {
		visit(i)
	}
	slices.Sort(set)
	return set, yes
}
