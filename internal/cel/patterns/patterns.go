// Package patterns compares regular expressions.
package patterns

import (
	"fmt"
	"regexp/syntax"
	"slices"

	"github.com/prune-gen/prune-gen/internal/base/meter"
)

// Inclusion says whether one pattern matches every text that another matches.
type Inclusion uint8

const (
	CannotTell Inclusion = iota
	Included
	NotIncluded
)

// Includes compares two patterns by reading all texts with both at once. It gives no answer for patterns with \b or (?i), and for large
// ones.
func Includes(old, new string, m *meter.Meter) Inclusion {
	a, b := newMatcher(old), newMatcher(new)
	if a == nil || b == nil {
		return CannotTell
	}
	runes := samples(a.prog, b.prog)
	type pair struct{ a, b states }
	queue := []pair{{a.close([]int{a.prog.Start}, true), b.close([]int{b.prog.Start}, true)}}
	seen := map[string]bool{}
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		if p.a.ends && !p.b.ends {
			return NotIncluded
		}
		for _, r := range runes {
			before := a.steps + b.steps
			next := pair{a.next(p.a, r), b.next(p.b, r)}
			if steps := a.steps + b.steps; steps > meter.PatternSteps || !m.Spend(steps-before) {
				return CannotTell
			}
			if key := fmt.Sprint(next); !next.b.done && !seen[key] {
				seen[key] = true
				queue = append(queue, next)
			}
		}
	}
	return Included
}

// matcher reads texts with a pattern, which may match anywhere in them.
type matcher struct {
	prog  *syntax.Prog
	steps int // so far
}

// newMatcher returns nil for a pattern that is not compared.
func newMatcher(pattern string) *matcher {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil || len(prog.Inst) > meter.Pattern {
		return nil
	}
	for _, i := range prog.Inst {
		isWord := i.Op == syntax.InstEmptyWidth && syntax.EmptyOp(i.Arg) != syntax.EmptyBeginText && syntax.EmptyOp(i.Arg) != syntax.EmptyEndText
		isFolded := (i.Op == syntax.InstRune || i.Op == syntax.InstRune1) && syntax.Flags(i.Arg)&syntax.FoldCase != 0
		if isWord || isFolded {
			return nil
		}
	}
	return &matcher{prog: prog}
}

// states is where a matcher is in a text: at instructions that wait for a rune, done if it has matched whatever follows, and ends if it
// matches provided that nothing follows.
type states struct {
	at         []int
	done, ends bool
}

// close follows the instructions that do not wait for a rune.
func (m *matcher) close(from []int, atStart bool) states {
	var s states
	var follow func(pc int, onlyAtEnd bool)
	seen := map[[2]int]bool{}
	follow = func(pc int, onlyAtEnd bool) {
		m.steps++
		key := [2]int{pc, 0}
		if onlyAtEnd {
			key[1] = 1
		}
		if seen[key] {
			return
		}
		seen[key] = true
		switch i := m.prog.Inst[pc]; i.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			follow(int(i.Out), onlyAtEnd)
			follow(int(i.Arg), onlyAtEnd)
		case syntax.InstCapture, syntax.InstNop:
			follow(int(i.Out), onlyAtEnd)
		case syntax.InstEmptyWidth:
			isEnd := syntax.EmptyOp(i.Arg) == syntax.EmptyEndText
			if isEnd || atStart {
				follow(int(i.Out), onlyAtEnd || isEnd)
			}
		case syntax.InstMatch:
			s.ends = true
			s.done = s.done || !onlyAtEnd
		case syntax.InstFail:
		default:
			if !onlyAtEnd {
				s.at = append(s.at, pc)
			}
		}
	}
	for _, pc := range from {
		follow(pc, false)
	}
	if s.done {
		return states{done: true, ends: true}
	}
	slices.Sort(s.at)
	return s
}

// next returns where the matcher is after a rune. A match may begin there.
func (m *matcher) next(s states, r rune) states {
	if s.done {
		return s
	}
	m.steps += 1 + len(s.at)
	to := []int{m.prog.Start}
	for _, pc := range s.at {
		if m.prog.Inst[pc].MatchRune(r) {
			to = append(to, int(m.prog.Inst[pc].Out))
		}
	}
	return m.close(to, false)
}

// samples returns a rune of each set of runes that no instruction of the programs distinguishes.
func samples(progs ...*syntax.Prog) []rune {
	all := []rune{0, '\n', '\n' + 1}
	for _, p := range progs {
		for _, i := range p.Inst {
			for k, r := range i.Rune {
				if all = append(all, r, r+1); k%2 == 0 && len(i.Rune) > 1 {
					all = all[:len(all)-1] // the beginning of a range
				}
			}
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return slices.DeleteFunc(all, func(r rune) bool { return r > 0x10FFFF || r >= 0xD800 && r <= 0xDFFF })
}
