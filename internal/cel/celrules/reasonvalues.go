package celrules

import (
	"math"
	"slices"

	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

// truth is what a boolean can be.
type truth uint8

const (
	isTrueOnly truth = 1 << iota
	isFalseOnly
	isEither = isTrueOnly | isFalseOnly
)

func truthOf(b bool) truth {
	if b {
		return isTrueOnly
	}
	return isFalseOnly
}

func (t truth) not() truth {
	return t&isTrueOnly<<1 | t&isFalseOnly>>1
}

// span is an interval of integers.
type span struct{ lo, hi int64 }

var (
	anyInt  = span{math.MinInt64, math.MaxInt64}
	anySize = span{0, math.MaxInt32} // of a value that fits into a request
)

func (s span) union(o span) span { return span{min(s.lo, o.lo), max(s.hi, o.hi)} }

func (s span) meet(o span) span { return span{max(s.lo, o.lo), min(s.hi, o.hi)} }

// known is what is known about the value of an expression that does not fail.
type known struct {
	key    string // the same for expressions with the same value, "" if it has no name
	typ    *prunecel.Type
	schema *structural.Schema // nil for a value that the rule computes
	truth  truth
	num    span
	size   span
	texts  []string // all that it can be, nil for any
	elem   *known   // of a list that the rule computes
	of     string   // the key of the list that it is an element of
	null   bool     // it may be null
}

// fact is something that is known where an expression is evaluated.
type fact struct {
	next *fact
	kind factKind
	key  string
	span span
	text string
	body *prunecel.Expr
	env  *binding
}

type factKind uint8

const (
	factExists factKind = iota // the value exists
	factTrue
	factFalse
	factNum
	factSize
	factType   // its type is text
	factParses // it is what the function text takes
	factAll    // body is true for all elements
	factSome   // body is true for some element
	factRuns   // the call does not fail
)

func (f *fact) find(kind factKind, key string) *fact {
	for ; f != nil; f = f.next {
		if f.kind == kind && f.key == key && key != "" {
			return f
		}
	}
	return nil
}

func (f *fact) with(kind factKind, key string) *fact {
	if key == "" {
		return f
	}
	return &fact{next: f, kind: kind, key: key}
}

func (f *fact) spans(kind factKind, key string, s span) span {
	for ; f != nil && key != ""; f = f.next {
		if f.kind == kind && f.key == key {
			s = s.meet(f.span)
		}
	}
	return s
}

// binding is a variable of a comprehension.
type binding struct {
	next  *binding
	name  string
	value known
}

// join returns what is known about a value that is one of two.
func (v known) join(o known) known {
	out := known{typ: v.typ, truth: v.truth | o.truth, num: v.num.union(o.num), size: v.size.union(o.size), null: v.null || o.null}
	if v.texts != nil && o.texts != nil {
		out.texts = append(slices.Clone(v.texts), o.texts...)
	}
	if v.key == o.key {
		out.key = v.key
	}
	if v.typ == o.typ && v.schema == o.schema {
		out.schema = v.schema
	}
	if v.elem != nil && o.elem != nil {
		elem := v.elem.join(*o.elem)
		out.elem = &elem
	}
	return out
}
