package jsonschema

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// portable returns a pattern that means for ECMAScript and for Go what text means for Go. It reports false if there is none.
func portable(text string) (string, bool) {
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return "", false
	}
	if isPortable.MatchString(text) {
		return text, true
	}
	var r renderer
	r.render(tree)
	return r.String(), !r.failed
}

// What a pattern that is the same for both consists of, besides ( | and ). In a class, a dash begins a range, or is the first or the last
// character; a set, such as \d, is neither end of a range. ECMAScript repeats an assertion only if it is in a group.
const (
	escape    = `\\[\^$\\.*+?()\[\]{}|/nrtfv]`
	set       = `\\[dDwW]`
	class     = `\[\^?-?(?:` + set + `|(?:[^\]\[\\^-]|\\-|` + escape + `)(?:-[^\]\[\\])?)+-?\]`
	literal   = `[^\\.\[\](){}^$|*+?]`
	assertion = `\^|\$|\\[bB]`
	times     = `(?:(?:[*+?]|\{\d+(?:,\d*)?\})\??)?`
)

// isPortable matches a pattern for Go that is the same for ECMAScript, with the flag u and without it.
var isPortable = regexp.MustCompile(`^(?:\||\((?:\?:)?|` + assertion + `|(?:\)|` + literal + `|` + escape + `|` + set + `|` + class + `)` + times + `)*$`)

// renderer writes a pattern in what ECMAScript and Go have in common.
type renderer struct {
	strings.Builder
	failed bool
}

func (r *renderer) render(e *syntax.Regexp) {
	switch e.Op {
	case syntax.OpEmptyMatch:
		r.WriteString("(?:)")
	case syntax.OpLiteral:
		for _, c := range e.Rune {
			if same := folds(c); e.Flags&syntax.FoldCase != 0 && len(same) > 2 {
				r.class(same)
			} else {
				r.rune(c)
			}
		}
	case syntax.OpCharClass:
		r.class(e.Rune)
	case syntax.OpAnyCharNotNL:
		r.WriteString(`[^\n]`)
	case syntax.OpAnyChar:
		r.WriteString(`[\s\S]`)
	case syntax.OpBeginText:
		r.WriteByte('^')
	case syntax.OpEndText:
		r.WriteByte('$')
	case syntax.OpWordBoundary:
		r.WriteString(`\b`)
	case syntax.OpNoWordBoundary:
		r.WriteString(`\B`)
	case syntax.OpCapture:
		r.group("(", e.Sub[0])
	case syntax.OpStar:
		r.repeat(e.Sub[0], "*")
	case syntax.OpPlus:
		r.repeat(e.Sub[0], "+")
	case syntax.OpQuest:
		r.repeat(e.Sub[0], "?")
	case syntax.OpRepeat:
		times := "{" + strconv.Itoa(e.Min)
		if e.Max != e.Min {
			times += ","
		}
		if e.Max > e.Min {
			times += strconv.Itoa(e.Max)
		}
		r.repeat(e.Sub[0], times+"}")
	case syntax.OpConcat:
		for _, sub := range e.Sub {
			if sub.Op == syntax.OpAlternate {
				r.group("(?:", sub)
			} else {
				r.render(sub)
			}
		}
	case syntax.OpAlternate:
		for i, sub := range e.Sub {
			if i > 0 {
				r.WriteByte('|')
			}
			r.render(sub)
		}
	default: // the borders of lines, and what matches nothing
		r.failed = true
	}
}

func (r *renderer) group(open string, e *syntax.Regexp) {
	r.WriteString(open)
	r.render(e)
	r.WriteByte(')')
}

func (r *renderer) repeat(e *syntax.Regexp, times string) {
	switch {
	case e.Op == syntax.OpCharClass, e.Op == syntax.OpAnyChar, e.Op == syntax.OpAnyCharNotNL, e.Op == syntax.OpCapture, e.Op == syntax.OpLiteral && len(e.Rune) == 1:
		r.render(e)
	default:
		r.group("(?:", e)
	}
	r.WriteString(times)
}

// folds returns, as a class, the runes that differ from c in their case only.
func folds(c rune) []rune {
	all := []rune{c, c}
	for f := unicode.SimpleFold(c); f != c; f = unicode.SimpleFold(f) {
		all = append(all, f, f)
	}
	return all
}

// mostRanges is how many ranges of a class are written out: those of whole scripts are longer than anything that people read.
const mostRanges = 64

// class writes a class of ranges, which are pairs of runes.
func (r *renderer) class(ranges []rune) {
	open := "["
	if n := len(ranges); n > 2 && ranges[0] == 0 && ranges[n-1] == unicode.MaxRune {
		open = "[^"
		gaps := slices.Clone(ranges[1 : n-1])
		for i := range gaps {
			gaps[i] += rune(1 - i%2*2)
		}
		ranges = gaps
	}
	if len(ranges) == 0 || len(ranges) > 2*mostRanges {
		r.failed = true
		return
	}
	r.WriteString(open)
	for i := 0; i < len(ranges); i += 2 {
		r.rune(ranges[i])
		if ranges[i+1] > ranges[i]+1 {
			r.WriteByte('-')
		}
		if ranges[i+1] > ranges[i] {
			r.rune(ranges[i+1])
		}
	}
	r.WriteByte(']')
}

// rune writes a rune, in a class or outside of one.
func (r *renderer) rune(c rune) {
	switch {
	case strings.ContainsRune(`^$\.*+?()[]{}|/`, c):
		r.WriteString(`\` + string(c))
	case c == '-', c < ' ', c == 0x7f:
		r.WriteString(`\x` + strconv.FormatInt(int64(c)+0x100, 16)[1:])
	case c > 0xffff, !utf8.ValidRune(c):
		r.failed = true // one rune for Go, and two characters for ECMAScript without the flag u, or half of one
	default:
		r.WriteRune(c)
	}
}
