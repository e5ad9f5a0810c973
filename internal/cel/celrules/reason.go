package celrules

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

// Failure is why the evaluation of a rule can fail.
type Failure struct {
	Kind FailureKind
	Text string // a clause: "self.a may be missing"
}

// FailureKind is the kind of a Failure.
type FailureKind uint8

const (
	FailsMissing    FailureKind = iota + 1 // a field, an entry or an element may not exist
	FailsType                              // a value may have a type that the rule does not expect
	FailsConversion                        // a text may not be what it is converted to, or a function does not take a value
	FailsZero                              // a division by zero
	FailsNumber                            // an overflow
	FailsFormat                            // a text has the format of its schema, but CEL cannot parse it
	FailsCost                              // the rule may cost too much
	FailsUnknown                           // nothing is known about a part of the rule
)

// Outcome is what can be told about a rule.
type Outcome struct {
	// Failure is why its evaluation can fail, nil if it cannot.
	Failure *Failure
	// Holds reports whether it is true wherever its evaluation does not fail.
	Holds bool
	// Differs reports whether it sees something that the two schemas of a Met describe differently. Refilled reports whether that is only
	// the default of a field, and the rule holds for values that did not have the field.
	Differs, Refilled bool
	// UsesOldSelf reports whether it refers to oldSelf.
	UsesOldSelf bool
	// Err says why the rule does not compile, in the words of the API server.
	Err string
}

// Reasoner tells what rules evaluate to on the values of a Met. It follows the typed expression of a rule: which fields exist, which
// types values have, between which bounds numbers and sizes are, and what is known because a part is evaluated only if others are true or
// false.
type Reasoner struct {
	met     *Met
	meter   *meter.Meter
	checker *Checker
	self    *Type
	types   schemaTypes
	schemas map[*prunecel.Type]*structural.Schema
	parsing map[[2]string]bool // whether a function accepts all texts that match a pattern
}

// NewReasoner returns a Reasoner for rules about the values of a schema. Release it. The meter counts comparisons of patterns.
func NewReasoner(m *Met, e Environment, spend *meter.Meter) *Reasoner {
	isResource := m.root || m.Schema.XEmbeddedResource
	r := &Reasoner{met: m, meter: spend, checker: NewChecker(e), self: NewType(m.Schema, isResource), types: schemaTypes{}, parsing: map[[2]string]bool{}}
	r.types.of(m.Schema, isResource)
	r.schemas = make(map[*prunecel.Type]*structural.Schema, len(r.types))
	for n, t := range r.types {
		r.schemas[t] = n.schema
	}
	return r
}

// Release lets others use what r has. The caller must not use it any more.
func (r *Reasoner) Release() { r.checker.Release() }

// Rule returns what can be told about a rule if others hold. If unchanged, oldSelf is the same as self, except for metadata of the whole
// object.
func (r *Reasoner) Rule(rule structural.ValidationRule, given []structural.ValidationRule, unchanged bool) Outcome {
	if r.self == nil {
		return Outcome{Err: NotVisible}
	}
	c := &reasoning{Reasoner: r, unchanged: unchanged, seen: map[*structural.Schema]bool{}}
	e, checked := r.expr(rule)
	out := Outcome{UsesOldSelf: checked.UsesOldSelf, Err: checked.Err}
	if e == nil {
		out.Failure = &Failure{FailsUnknown, "it does not compile"}
		return out
	}
	c.optional = isTrue(rule.OptionalOldSelf)
	cases := []*fact{nil}
	for _, g := range given {
		if e, _ := r.expr(g); e != nil && !isTrue(g.OptionalOldSelf) {
			cases = c.cases(e, true, cases)
		}
	}
	if checked.MaxCost > prunecel.CostLimit {
		out.Failure = &Failure{FailsCost, "it may cost more than the API server allows for a call"}
	}
	out.Holds = true
	clear(c.seen) // what the others look at
	for _, known := range cases {
		v, failure := c.eval(e, known)
		if out.Holds = out.Holds && v.truth == isTrueOnly; failure != nil && out.Failure == nil {
			out.Failure = failure
		}
	}
	if c.steps > meter.RuleSteps && len(given) > 0 {
		return r.Rule(rule, nil, unchanged) // knowing less takes less
	}
	if c.steps > meter.RuleSteps {
		return Outcome{Failure: &Failure{FailsUnknown, "it is too long to be analysed"}, UsesOldSelf: checked.UsesOldSelf, Differs: true}
	}
	out.Differs = len(c.seen) > 0
	if len(c.seen) == 1 {
		for field := range c.seen {
			if _, ok := r.met.refilled[field]; ok {
				again := &reasoning{Reasoner: r, refilled: field, optional: c.optional, seen: map[*structural.Schema]bool{}}
				v, failure := again.eval(e, nil)
				out.Refilled = v.truth == isTrueOnly && failure == nil && !out.UsesOldSelf
			}
		}
	}
	return out
}

// expr returns the typed expression of a rule, nil if it has none.
func (r *Reasoner) expr(rule structural.ValidationRule) (*prunecel.Expr, Checked) {
	checked := r.checker.Check(r.self, []structural.ValidationRule{rule})[0]
	if checked.AST == nil || len(rule.Rule) > meter.Rule {
		return nil, checked
	}
	e, err := lower(checked.AST, r.types.of(r.met.Schema, r.met.root || r.met.Schema.XEmbeddedResource), isTrue(rule.OptionalOldSelf))
	if err != nil {
		return nil, checked
	}
	return e, checked
}

// reasoning is about one rule.
type reasoning struct {
	*Reasoner
	unchanged, optional bool
	env                 *binding
	folds, steps        int
	// seen has the schemas of values that it looks at and that differ, and refilled is one of them whose values were missing.
	seen     map[*structural.Schema]bool
	refilled *structural.Schema
	trusting bool // what is read exists: the expression is known not to fail
	applying bool // what is known of all elements is noted for one of them, and not within that again
}

func fails(kind FailureKind, format string, args ...any) *Failure {
	return &Failure{kind, fmt.Sprintf(format, args...)}
}

// schemaValue returns what a schema says about a value.
func (c *reasoning) schemaValue(t *prunecel.Type, key string, f *fact) (known, *Failure) {
	v := known{key: key, typ: t, truth: isEither, num: anyInt, size: anySize}
	if t == nil {
		return v, fails(FailsUnknown, "the type of %s is not known", shown(key))
	}
	if t.Computed {
		v.schema = nil
		return v, nil
	}
	s := c.schemas[t]
	if v.schema = s; s == nil {
		return v, nil
	}
	if c.met.differs[s] {
		c.seen[s] = true
	}
	if c.met.doubts[s]&otherType != 0 {
		return v, fails(FailsType, "%s may have another type", shown(key))
	}
	if clause := c.met.loose(t.Kind); clause != "" {
		return v, fails(FailsFormat, "%s %s", shown(key), clause)
	}
	val := validation(s)
	switch t.Kind {
	case prunecel.KindInt:
		if val.Format == "int32" {
			v.num = span{math.MinInt32, math.MaxInt32}
		}
		if val.Minimum != nil && math.Abs(*val.Minimum) < 1<<62 {
			if v.num.lo = int64(math.Floor(*val.Minimum)); val.ExclusiveMinimum {
				v.num.lo++
			}
		}
		if val.Maximum != nil && math.Abs(*val.Maximum) < 1<<62 {
			if v.num.hi = int64(math.Ceil(*val.Maximum)); val.ExclusiveMaximum {
				v.num.hi--
			}
		}
	case prunecel.KindString:
		v.size = v.size.meet(sizeSpan(val.MinLength, val.MaxLength))
		for _, e := range val.Enum {
			text, ok := e.(string)
			if !ok {
				v.texts = nil
				break
			}
			v.texts = append(v.texts, text)
		}
	case prunecel.KindList:
		v.size = v.size.meet(sizeSpan(val.MinItems, val.MaxItems))
	case prunecel.KindMap, prunecel.KindObject, prunecel.KindOpaque:
		v.size = v.size.meet(sizeSpan(val.MinProperties, val.MaxProperties))
	}
	if len(val.Enum) == 1 {
		switch e := val.Enum[0].(type) {
		case bool:
			v.truth = truthOf(e)
		case int64:
			v.num = span{e, e}
		}
	}
	if is := f.find(factType, key); is != nil && t.Kind == prunecel.KindIntOrString {
		if v.typ = (&prunecel.Type{Computed: true, Kind: prunecel.KindString}); is.text == "int" {
			v.typ.Kind = prunecel.KindInt
		}
	}
	v.num, v.size = f.spans(factNum, key, v.num), f.spans(factSize, key, v.size)
	if f.find(factTrue, key) != nil {
		v.truth = isTrueOnly
	} else if f.find(factFalse, key) != nil {
		v.truth = isFalseOnly
	}
	return v, nil
}

func sizeSpan(least, most *int64) span {
	s := anySize
	if least != nil {
		s.lo = max(*least, 0)
	}
	if most != nil {
		s.hi = max(min(*most, s.hi), 0)
	}
	return s
}

// shown returns a key as people read it.
func shown(key string) string {
	if key == "" {
		return "a value"
	}
	return roundNumber.ReplaceAllString(key, "")
}

// roundNumber tells apart the variables of folds that have the same name.
var roundNumber = regexp.MustCompile(`#\d+`)

// eval returns what is known about an expression, and why its evaluation can fail, nil if it cannot.
func (c *reasoning) eval(e *prunecel.Expr, f *fact) (known, *Failure) {
	unknown := known{typ: e.Type, truth: isEither, num: anyInt, size: anySize}
	if c.steps++; c.steps > meter.RuleSteps {
		return unknown, fails(FailsUnknown, "it is too long to be analysed")
	}
	switch e.Op {
	case prunecel.OpConst:
		return constantKnown(e), nil
	case prunecel.OpIdent:
		return c.ident(e, f)
	case prunecel.OpSelect, prunecel.OpHas:
		return c.field(e, f)
	case prunecel.OpCall:
		v, failure := c.call(e, f)
		if failure != nil && f.find(factRuns, v.key) != nil {
			failure = nil
		}
		if v.key != "" && kindIs(e.Type, prunecel.KindBool) {
			if f.find(factTrue, v.key) != nil {
				v.truth = isTrueOnly
			} else if f.find(factFalse, v.key) != nil {
				v.truth = isFalseOnly
			}
		}
		return v, failure
	case prunecel.OpList:
		return c.list(e, f)
	case prunecel.OpFold:
		return c.fold(e, f)
	case prunecel.OpMap:
		for _, a := range e.Args {
			if _, failure := c.whole(a, f); failure != nil {
				return unknown, failure
			}
		}
		if e.Optional == nil {
			return unknown, nil
		}
	}
	return unknown, fails(FailsUnknown, "nothing is known about a part of it")
}

func kindIs(t *prunecel.Type, k prunecel.Kind) bool { return t != nil && t.Kind == k }

func constantKnown(e *prunecel.Expr) known {
	v := known{key: e.String(), typ: e.Type, truth: isEither, num: anyInt, size: anySize}
	switch x := e.Const.(type) {
	case bool:
		v.truth = truthOf(x)
	case int64:
		v.num = span{x, x}
	case string:
		n := int64(len([]rune(x)))
		v.texts, v.size = []string{x}, span{n, n}
	}
	return v
}

// whole is eval for a value that is read with everything in it.
func (c *reasoning) whole(e *prunecel.Expr, f *fact) (known, *Failure) {
	v, failure := c.eval(e, f)
	if failure == nil && v.schema != nil {
		c.sees(v.schema)
		if kind, clause := c.met.doubted(v.schema); clause != "" {
			failure = fails(kind, "something in %s %s", shown(v.key), clause)
		}
	}
	return v, failure
}

// sees records that the rule sees all of a value.
func (c *reasoning) sees(s *structural.Schema) {
	if c.met.below[s] {
		c.seen[s] = true
	}
}

// doubted returns why a value at or below a schema cannot be read or compared, as a clause; "" if all can. A format counts only if nothing
// else does: what fails for more objects is said first.
func (m *Met) doubted(s *structural.Schema) (kind FailureKind, clause string) {
	switch {
	case s == nil:
		return 0, ""
	case m.doubts[s]&otherType != 0:
		return FailsType, "may have another type"
	case listType(s) == "set" && s.Items != nil && !s.Items.XIntOrString && (s.Items.Type == "object" || s.Items.Type == "array" || s.Items.Type == ""):
		return FailsType, "is a set of values that are not scalars, which cannot be compared"
	}
	below := []*structural.Schema{s.Items, s.Values()}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		below = append(below, s.Properties[name])
	}
	if clause = m.loose(kindOf(s, false)); clause != "" {
		kind = FailsFormat
	}
	for _, p := range below {
		switch k, why := m.doubted(p); {
		case k == FailsType:
			return k, why
		case clause == "":
			kind, clause = k, why
		}
	}
	return kind, clause
}

// loose returns why a text that has the format of its schema may not be read as a value of a kind, as a clause; "" if it always is. The API
// server checks dates and durations with the functions that CEL reads them with; it checks these two formats with others.
func (m *Met) loose(k prunecel.Kind) string {
	switch {
	case m.TrustFormats:
	case k == prunecel.KindDateTime:
		return "may have the format date-time, which is loose, and not be a time"
	case k == prunecel.KindBytes:
		return "may have the format byte with + or / in it, which CEL does not decode"
	}
	return ""
}

func (c *reasoning) list(e *prunecel.Expr, f *fact) (known, *Failure) {
	v := known{typ: e.Type, truth: isEither, num: anyInt, size: span{int64(len(e.Args)), int64(len(e.Args))}}
	if e.Optional != nil {
		v.size.lo = 0
	}
	keys := "["
	isNamed := e.Optional == nil
	for i, a := range e.Args {
		x, failure := c.whole(a, f)
		if failure != nil {
			return v, failure
		}
		if v.elem == nil {
			v.elem = &x
		} else {
			joined := v.elem.join(x)
			v.elem = &joined
		}
		isNamed = isNamed && x.key != ""
		if keys += x.key; i < len(e.Args)-1 {
			keys += ", "
		}
	}
	if isNamed {
		v.key = keys + "]"
	}
	return v, nil
}
