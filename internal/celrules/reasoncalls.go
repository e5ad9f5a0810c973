package celrules

import (
	"fmt"
	"math/bits"
	"regexp"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/meter"
	"github.com/prune-gen/prune-gen/internal/patterns"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

func anyKnown(e *prunecel.Expr) known {
	return known{typ: e.Type, truth: isEither, num: anyInt, size: anySize}
}

// call is eval for a call.
func (c *reasoning) call(e *prunecel.Expr, f *fact) (known, *Failure) {
	switch e.Name {
	case "_&&_", "_||_":
		return c.junction(e, f)
	case "_?_:_":
		return c.choice(e, f)
	case "_?._", "_[?_]", "hasValue", "value", "orValue", "or":
		return c.optionalCall(e, f)
	case "_[_]":
		return c.index(e, f)
	}
	args := make([]known, len(e.Args))
	for i, a := range e.Args {
		var failure *Failure
		if args[i], failure = c.whole(a, f); failure != nil {
			return anyKnown(e), failure
		}
	}
	v := anyKnown(e)
	v.key = callKey(e.Name, args)
	switch e.Name {
	case "!_":
		v.truth = args[0].truth.not()
	case "_==_":
		v.truth = equality(args[0], args[1])
	case "_!=_":
		v.truth = equality(args[0], args[1]).not()
	case "_<_", "_<=_", "_>_", "_>=_":
		return c.comparison(e, args, v)
	case "@in":
		v.truth = membership(e, args)
	case "size":
		if args[0].typ == nil || args[0].typ.Kind == prunecel.KindIntOrString {
			return v, fails(FailsType, "%s may have no size", shown(args[0].key))
		}
		v.num = f.spans(factNum, v.key, args[0].size)
	case "type":
	default:
		return c.function(e, args, v, f)
	}
	if slices.ContainsFunc(args, func(a known) bool { return a.null }) && e.Name != "_==_" && e.Name != "_!=_" && e.Name != "@in" && e.Name != "type" {
		return v, fails(FailsMissing, "%s may be null", shown(args[0].key))
	}
	return v, nil
}

// callKey returns the key of a call, which is the same for a < b and b > a.
func callKey(name string, args []known) string {
	keys := make([]string, len(args))
	for i, a := range args {
		if keys[i] = a.key; a.key == "" {
			return ""
		}
	}
	switch name {
	case "_>_":
		name = "_<_"
		slices.Reverse(keys)
	case "_>=_":
		name = "_<=_"
		slices.Reverse(keys)
	case "_==_", "_!=_":
		slices.Sort(keys)
	}
	if name == "!_" {
		if inner, ok := strings.CutPrefix(keys[0], "!_("); ok {
			return strings.TrimSuffix(inner, ")")
		}
	}
	if name == "_!=_" {
		return "!_(_==_(" + strings.Join(keys, ", ") + "))"
	}
	return name + "(" + strings.Join(keys, ", ") + ")"
}

// junction is eval for && and ||. An operand that fails does not matter if another one decides, on either side of it: so operands are
// taken in an order in which each can be shown not to fail if those before it do not decide.
func (c *reasoning) junction(e *prunecel.Expr, f *fact) (known, *Failure) {
	v := anyKnown(e)
	decides := e.Name == "_||_"
	terms := junctionTerms(e, e.Name)
	keys := make([]string, len(terms))
	left := len(terms)
	done := make([]bool, len(terms))
	all := truthOf(!decides)
	for left > 0 {
		progress := false
		var first *Failure
		for i, t := range terms {
			if done[i] {
				continue
			}
			x, failure := c.eval(t, f)
			if failure != nil {
				if first == nil {
					first = failure
				}
				continue
			}
			keys[i], done[i], progress = x.key, true, true
			left--
			if x.truth == truthOf(decides) {
				v.truth = x.truth
				return v, nil
			}
			all |= x.truth
			f = c.given(t, !decides, f)
		}
		if !progress {
			return v, first
		}
	}
	v.truth = all
	if all != truthOf(!decides) {
		v.truth = isEither
	}
	if !slices.Contains(keys, "") {
		v.key = c.junctionKey(e.Name, terms, keys)
	}
	return v, nil
}

// junctionKey returns the key of && or ||, without has(a.b) if another operand of && reads a.b.
func (c *reasoning) junctionKey(name string, terms []*prunecel.Expr, keys []string) string {
	if name == "_&&_" {
		var reads *fact
		for i, t := range terms {
			if t.Op != prunecel.OpHas {
				reads = c.reads(terms[i], reads)
			}
		}
		kept := keys[:0:0]
		for i, t := range terms {
			if field, ok := strings.CutPrefix(keys[i], "has("); !ok || t.Op != prunecel.OpHas || reads.find(factExists, strings.TrimSuffix(field, ")")) == nil {
				kept = append(kept, keys[i])
			}
		}
		keys = kept
	}
	if len(keys) == 1 {
		return keys[0]
	}
	keys = slices.Clone(keys)
	slices.Sort(keys)
	return name + "(" + strings.Join(keys, ", ") + ")"
}

func junctionTerms(e *prunecel.Expr, name string) []*prunecel.Expr {
	if e.Op != prunecel.OpCall || e.Name != name {
		return []*prunecel.Expr{e}
	}
	return append(junctionTerms(e.Args[0], name), junctionTerms(e.Args[1], name)...)
}

// choice is eval for c ? a : b.
func (c *reasoning) choice(e *prunecel.Expr, f *fact) (known, *Failure) {
	v := anyKnown(e)
	cond, failure := c.eval(e.Args[0], f)
	if failure != nil {
		return v, failure
	}
	var branches []known
	for i, is := range []bool{true, false} {
		if cond.truth&truthOf(is) == 0 {
			continue
		}
		b, failure := c.eval(e.Args[i+1], c.given(e.Args[0], is, f))
		if failure != nil {
			return v, failure
		}
		branches = append(branches, b)
	}
	if out := branches[0]; len(branches) == 1 {
		return out, nil
	}
	out := branches[0].join(branches[1])
	if out.typ == nil {
		out.typ = e.Type
	}
	out.key = callKey(e.Name, []known{cond, branches[0], branches[1]})
	return out, nil
}

// given returns the facts, and those that follow from an expression that is true, or false, and does not fail.
func (c *reasoning) given(e *prunecel.Expr, is bool, f *fact) *fact {
	if c.steps > meter.RuleSteps {
		return f
	}
	if e.Op == prunecel.OpCall {
		switch {
		case e.Name == "!_":
			return c.given(e.Args[0], !is, f)
		case e.Name == "_&&_" && is, e.Name == "_||_" && !is:
			for _, t := range junctionTerms(e, e.Name) {
				f = c.given(t, is, f)
			}
			return f
		}
	}
	f = c.reads(e, f)
	trusted := c.trusting
	c.trusting = true
	v, _ := c.eval(e, f)
	c.trusting = trusted
	switch {
	case e.Op == prunecel.OpHas:
		if key := strings.TrimSuffix(strings.TrimPrefix(v.key, "has("), ")"); is {
			return f.with(factExists, key)
		}
		return f.with(factFalse, v.key)
	case e.Op == prunecel.OpFold && is:
		f = c.quantified(e, f)
	case e.Op == prunecel.OpCall:
		f = c.compared(e, is, f)
	}
	if is {
		return f.with(factTrue, v.key)
	}
	return f.with(factFalse, v.key)
}

// reads returns the facts, and those that follow from an expression that does not fail: what it reads exists.
func (c *reasoning) reads(e *prunecel.Expr, f *fact) *fact {
	switch e.Op {
	case prunecel.OpSelect:
		f = c.reads(e.Args[0], f)
		of, _ := c.eval(e.Args[0], f)
		f = f.with(factExists, of.key)
		if v, _ := c.field(e, f); v.key != "" {
			f = f.with(factExists, v.key)
		}
	case prunecel.OpHas:
		f = c.reads(e.Args[0], f)
		of, _ := c.eval(e.Args[0], f)
		f = f.with(factExists, of.key)
	case prunecel.OpCall:
		switch e.Name {
		case "_&&_", "_||_", "_?_:_", "or", "orValue", "_?._", "_[?_]": // which do not look at all operands
			return f
		}
		for _, a := range e.Args {
			f = c.reads(a, f)
		}
		if e.Name == "_[_]" {
			if v, _ := c.index(e, f); v.key != "" {
				f = f.with(factExists, v.key)
			}
		}
	case prunecel.OpFold:
		f = c.reads(e.Args[prunecel.FoldRange], f)
	}
	return f
}

// compared adds what follows from a comparison, or from the call of a function, that is true or false.
func (c *reasoning) compared(e *prunecel.Expr, is bool, f *fact) *fact {
	if len(e.Args) == 0 {
		return f
	}
	a, _ := c.eval(e.Args[0], f)
	if is {
		if parses := map[string]string{"isURL": "url", "isIP": "ip", "isCIDR": "cidr", "isQuantity": "quantity", "isSemver": "semver"}[e.Name]; parses != "" && a.key != "" {
			return &fact{next: f, kind: factParses, key: a.key, text: parses}
		}
	}
	if len(e.Args) != 2 {
		return f
	}
	b, _ := c.eval(e.Args[1], f)
	name := e.Name
	switch name {
	case "contains":
		if is && a.key != "" && len(b.texts) == 1 && b.texts[0] != "" {
			f = &fact{next: f, kind: factSize, key: "split(" + a.key + ", " + b.key + ")", span: span{2, anySize.hi}}
		}
		return f
	case "@in":
		if is && len(a.texts) == 1 && e.Args[0].Op == prunecel.OpConst && kindIs(b.typ, prunecel.KindMap) {
			f = f.with(factExists, entryKey(b.key, a.texts[0]))
		}
		return f
	case "_==_", "_!=_":
		if (name == "_==_") != is {
			if other := c.otherType(e, f); other != nil {
				return other
			}
			if kindIs(a.typ, prunecel.KindInt) && kindIs(b.typ, prunecel.KindInt) {
				f = unequal(e.Args[0], a, b.num, unequal(e.Args[1], b, a.num, f))
			}
			return f
		}
		if e.Args[0].Op == prunecel.OpCall && e.Args[0].Name == "type" && e.Args[1].Op == prunecel.OpConst {
			if x, _ := c.eval(e.Args[0].Args[0], f); x.key != "" {
				f = &fact{next: f, kind: factType, key: x.key, text: fmt.Sprint(e.Args[1].Const)}
			}
		}
		f = bounded(e.Args[0], a, b.num, f)
		return bounded(e.Args[1], b, a.num, f)
	case "_<_", "_<=_", "_>_", "_>=_":
	default:
		return f
	}
	if !kindIs(a.typ, prunecel.KindInt) || !kindIs(b.typ, prunecel.KindInt) {
		return f
	}
	if !is {
		name = map[string]string{"_<_": "_>=_", "_<=_": "_>_", "_>_": "_<=_", "_>=_": "_<_"}[name]
	}
	x, y := e.Args[0], e.Args[1]
	if name == "_>_" || name == "_>=_" {
		a, b, x, y = b, a, y, x
	}
	gap := int64(0) // a + gap <= b
	if name == "_<_" || name == "_>_" {
		gap = 1
	}
	if b.num.hi > anyInt.lo+1 {
		f = bounded(x, a, span{anyInt.lo, b.num.hi - gap}, f)
	}
	if a.num.lo < anyInt.hi-1 {
		f = bounded(y, b, span{a.num.lo + gap, anyInt.hi}, f)
	}
	return f
}

// otherType adds the other type of an integer or string that does not have the type it is compared with, nil for other comparisons.
func (c *reasoning) otherType(e *prunecel.Expr, f *fact) *fact {
	if e.Args[0].Op != prunecel.OpCall || e.Args[0].Name != "type" || e.Args[1].Op != prunecel.OpConst {
		return nil
	}
	x, _ := c.eval(e.Args[0].Args[0], f)
	other := map[string]string{"int": "string", "string": "int"}[fmt.Sprint(e.Args[1].Const)]
	if x.key == "" || other == "" || !kindIs(x.typ, prunecel.KindIntOrString) {
		return nil
	}
	return &fact{next: f, kind: factType, key: x.key, text: other}
}

// bounded adds that an integer, or the size of a value, is in a span.
func bounded(e *prunecel.Expr, v known, s span, f *fact) *fact {
	if v.key == "" || e.Op == prunecel.OpConst || s == anyInt {
		return f
	}
	f = &fact{next: f, kind: factNum, key: v.key, span: s}
	if of, ok := strings.CutPrefix(v.key, "size("); ok {
		f = &fact{next: f, kind: factSize, key: strings.TrimSuffix(of, ")"), span: s}
	}
	return f
}

// unequal adds that an integer is not another one, where that is a bound.
func unequal(e *prunecel.Expr, v known, other span, f *fact) *fact {
	switch {
	case other.lo != other.hi:
	case v.num.lo == other.lo:
		return bounded(e, v, span{v.num.lo + 1, v.num.hi}, f)
	case v.num.hi == other.hi:
		return bounded(e, v, span{v.num.lo, v.num.hi - 1}, f)
	}
	return f
}

func equality(a, b known) truth {
	switch {
	case a.key != "" && a.key == b.key:
		return isTrueOnly
	case a.texts != nil && b.texts != nil:
		if !slices.ContainsFunc(a.texts, func(s string) bool { return slices.Contains(b.texts, s) }) {
			return isFalseOnly
		}
		if len(a.texts) == 1 && len(b.texts) == 1 {
			return isTrueOnly
		}
	case kindIs(a.typ, prunecel.KindInt) && kindIs(b.typ, prunecel.KindInt):
		switch {
		case a.num.hi < b.num.lo || b.num.hi < a.num.lo:
			return isFalseOnly
		case a.num.lo == a.num.hi && a.num == b.num:
			return isTrueOnly
		}
	case kindIs(a.typ, prunecel.KindBool) && kindIs(b.typ, prunecel.KindBool) && a.truth != isEither && b.truth != isEither:
		return truthOf(a.truth == b.truth)
	}
	if (kindIs(a.typ, prunecel.KindString) || kindIs(a.typ, prunecel.KindList)) && b.typ != nil && a.typ.Kind == b.typ.Kind && (a.size.hi < b.size.lo || b.size.hi < a.size.lo) {
		return isFalseOnly
	}
	return isEither
}

func (c *reasoning) comparison(e *prunecel.Expr, args []known, v known) (known, *Failure) {
	for _, a := range args {
		switch {
		case a.null:
			return v, fails(FailsMissing, "%s may be null", shown(a.key))
		case a.typ == nil || a.typ.Kind == prunecel.KindIntOrString || a.typ.Kind == prunecel.KindOther || a.typ.Kind == prunecel.KindNone:
			return v, fails(FailsType, "%s may have another type", shown(a.key))
		}
	}
	a, b := args[0], args[1]
	if e.Name == "_>_" || e.Name == "_>=_" {
		a, b = b, a
	}
	strict := e.Name == "_<_" || e.Name == "_>_"
	switch {
	case a.key != "" && a.key == b.key:
		v.truth = truthOf(!strict)
	case !kindIs(a.typ, prunecel.KindInt) || !kindIs(b.typ, prunecel.KindInt):
	case a.num.hi < b.num.lo, !strict && a.num.hi == b.num.lo:
		v.truth = isTrueOnly
	case a.num.lo > b.num.hi, strict && a.num.lo == b.num.hi:
		v.truth = isFalseOnly
	}
	return v, nil
}

// membership returns whether a value is in a list or map.
func membership(e *prunecel.Expr, args []known) truth {
	x, in := args[0], args[1]
	if x.of != "" && x.of == in.key {
		return isTrueOnly
	}
	if e.Args[1].Op != prunecel.OpList || e.Args[1].Optional != nil || x.texts == nil {
		return isEither
	}
	all, none := true, true
	for _, s := range x.texts {
		isIn := slices.ContainsFunc(e.Args[1].Args, func(a *prunecel.Expr) bool { return a.Op == prunecel.OpConst && a.Const == s })
		all, none = all && isIn, none && !isIn
	}
	switch {
	case all:
		return isTrueOnly
	case none && !slices.ContainsFunc(e.Args[1].Args, func(a *prunecel.Expr) bool { return a.Op != prunecel.OpConst }):
		return isFalseOnly
	}
	return isEither
}

// index is eval for x[i].
func (c *reasoning) index(e *prunecel.Expr, f *fact) (known, *Failure) {
	v := anyKnown(e)
	of, failure := c.eval(e.Args[0], f)
	if failure != nil {
		return v, failure
	}
	i, failure := c.whole(e.Args[1], f)
	if failure != nil {
		return v, failure
	}
	if of.null || i.null {
		return v, fails(FailsMissing, "%s may be null", shown(of.key))
	}
	key := ""
	switch {
	case of.key == "" || i.key == "":
	case e.Args[1].Op == prunecel.OpConst && len(i.texts) == 1:
		key = entryKey(of.key, i.texts[0])
	default:
		key = of.key + "[" + i.key + "]"
	}
	elem, failure := c.elementOf(of, key, f)
	if failure != nil {
		return v, failure
	}
	switch {
	case f.find(factExists, key) != nil, c.trusting, i.of != "" && i.of == of.key:
	case kindIs(of.typ, prunecel.KindList) && kindIs(i.typ, prunecel.KindInt) && i.num.lo >= 0 && i.num.hi < of.size.lo:
	default:
		elem.key = key
		return elem, fails(FailsMissing, "%s may not exist", shown(cmpOr(key, "an element of "+shown(of.key))))
	}
	return elem, nil
}

func cmpOr(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// elementOf returns what is known about an element of a list or a value of a map.
func (c *reasoning) elementOf(of known, key string, f *fact) (known, *Failure) {
	if of.elem != nil {
		v := *of.elem
		v.key = key
		return v, nil
	}
	if of.typ == nil || of.typ.Kind != prunecel.KindList && of.typ.Kind != prunecel.KindMap {
		return known{truth: isEither, num: anyInt, size: anySize}, fails(FailsUnknown, "nothing is known about elements of %s", shown(of.key))
	}
	v, failure := c.schemaValue(of.typ.Elem, key, f)
	if of.typ.Elem != nil && !of.typ.Computed {
		v.null = of.typ.Elem.Nullable || v.schema != nil && v.schema.Nullable
	}
	return v, failure
}

// optionalCall is eval for functions of optional values.
func (c *reasoning) optionalCall(e *prunecel.Expr, f *fact) (known, *Failure) {
	v := anyKnown(e)
	of, failure := c.whole(e.Args[0], f)
	if failure != nil {
		return v, failure
	}
	isOld := of.key == OldSelf && c.optional
	self := func() (known, *Failure) {
		key := OldSelf + "!"
		if c.unchanged && !c.met.root {
			key = Self
		}
		return c.schemaValue(e.Args[0].Type.Elem, key, f)
	}
	for _, a := range e.Args[1:] {
		if _, failure := c.whole(a, f); failure != nil && !(isOld && c.unchanged) {
			return v, failure
		}
	}
	switch e.Name {
	case "hasValue":
		if v.key = callKey(e.Name, []known{of}); isOld && c.unchanged {
			v.truth = isTrueOnly
		}
	case "value":
		switch {
		case isOld && (c.unchanged || f.find(factTrue, "hasValue("+OldSelf+")") != nil):
			return self()
		case of.key == "" || f.find(factTrue, "hasValue("+of.key+")") == nil:
			return v, fails(FailsMissing, "%s may have no value", shown(of.key))
		}
	case "orValue":
		if isOld && c.unchanged {
			return self()
		}
	}
	return v, nil
}

// function is eval for a call of a function whose arguments are known.
func (c *reasoning) function(e *prunecel.Expr, args []known, v known, f *fact) (known, *Failure) {
	overload := prunecel.Lookup(e.Overload)
	if overload == nil {
		return v, fails(FailsType, "%s takes values of other types", strings.Trim(e.Name, "_"))
	}
	for _, a := range args {
		switch {
		case a.null, kindIs(a.typ, prunecel.KindList) && !a.typ.Computed && a.typ.Elem != nil && a.typ.Elem.Nullable:
			return v, fails(FailsMissing, "%s may be null or have null in it", shown(a.key))
		case a.typ == nil || a.typ.Kind == prunecel.KindIntOrString || a.typ.Kind == prunecel.KindNone:
			return v, fails(FailsType, "%s may have another type", shown(a.key))
		}
	}
	constant := !slices.ContainsFunc(e.Args, func(a *prunecel.Expr) bool { return a.Op != prunecel.OpConst })
	switch {
	case constant && overload.Fails:
		values := make([]any, len(e.Args))
		for i, a := range e.Args {
			values[i] = a.Const
		}
		if _, err := overload.Call(values); err != nil {
			return v, fails(FailsConversion, "%s fails", e.Name)
		}
		return v, nil
	case e.Name == "matches", e.Name == "find", e.Name == "findAll":
		if pattern, ok := e.Args[1].Const.(string); !ok || e.Args[1].Op != prunecel.OpConst || !compiles(pattern) {
			return v, fails(FailsConversion, "the pattern of %s is not a constant", e.Name)
		}
		return v, nil
	}
	switch e.Overload {
	case "add_int64", "subtract_int64", "multiply_int64", "negate_int64":
		var ok bool
		if v.num, ok = arithmetic(e.Overload, args); !ok {
			return v, fails(FailsNumber, "%s may overflow", strings.Trim(e.Name, "_"))
		}
		v.num = f.spans(factNum, v.key, v.num)
		return v, nil
	case "divide_int64", "modulo_int64":
		if d := args[1].num; d.lo <= 0 && d.hi >= 0 {
			return v, fails(FailsZero, "%s may be 0", shown(args[1].key))
		} else if d.lo == -1 || d.hi == -1 || args[0].num.lo == anyInt.lo && d.hi < 0 {
			return v, fails(FailsNumber, "%s may overflow", strings.Trim(e.Name, "_"))
		}
		return v, nil
	case "add_list":
		if v.size = (span{args[0].size.lo + args[1].size.lo, args[0].size.hi + args[1].size.hi}); args[0].elem != nil && args[1].elem != nil {
			elem := args[0].elem.join(*args[1].elem)
			v.elem = &elem
		}
		return v, nil
	case "list_int_sum_int", "list_int_max_int", "list_int_min_int":
		elem, failure := c.elementOf(args[0], "", f)
		if failure != nil {
			return v, failure
		}
		return aggregate(e, args[0], elem, v)
	case "string_split_string":
		v.size = f.spans(factSize, v.key, span{0, anySize.hi})
		if len(args[1].texts) == 1 && args[1].texts[0] != "" {
			v.size.lo = max(v.size.lo, 1)
		}
		v.elem = &known{typ: &prunecel.Type{Computed: true, Kind: prunecel.KindString}, truth: isEither, num: anyInt, size: anySize}
		return v, nil
	case "string_substring_int", "string_char_at_int":
		if i := args[1].num; i.lo < 0 || i.hi > args[0].size.lo {
			return v, fails(FailsConversion, "%s may be too short", shown(args[0].key))
		}
		return v, nil
	case "string_substring_int_int":
		if i, j := args[1].num, args[2].num; i.lo < 0 || i.hi > j.lo || j.hi > args[0].size.lo {
			return v, fails(FailsConversion, "%s may be too short", shown(args[0].key))
		}
		return v, nil
	case "list_flatten_int":
		return v, fails(FailsNumber, "the depth of %s may be negative", e.Name)
	}
	if !overload.Fails || cannotFail(e.Overload) {
		return v, nil
	}
	for g := f; g != nil; g = g.next {
		if g.kind == factParses && g.key == args[0].key && g.text == e.Name {
			return v, nil
		}
	}
	if len(args) == 1 && args[0].schema != nil && len(args[0].texts) > 0 && !slices.ContainsFunc(args[0].texts, func(s string) bool { _, err := overload.Call([]any{s}); return err != nil }) {
		return v, nil
	}
	if len(args) == 1 && c.parses(e.Name, args[0].schema) {
		return v, nil
	}
	if strings.HasSuffix(e.Overload, "_max_"+lastWord(e.Overload)) || strings.HasSuffix(e.Overload, "_min_"+lastWord(e.Overload)) {
		if args[0].size.lo > 0 {
			return v, nil
		}
		return v, fails(FailsMissing, "%s may be empty", shown(args[0].key))
	}
	return v, fails(FailsConversion, "%s may fail for %s", strings.Trim(e.Name, "_"), shown(args[0].key))
}

// parsable has patterns of texts for which functions do not fail.
var parsable = map[string]string{
	"duration": `^-?([0-9]{1,5}(\.[0-9]{1,9})?(ns|us|ms|s|m|h)){1,6}$`,
	"int":      `^-?[0-9]{1,18}$`,
	"quantity": `^[0-9]{1,15}(\.[0-9]{1,3})?([KMGTPE]i|[mkMGTPE])?$`,
	"double":   `^-?[0-9]{1,15}(\.[0-9]{1,15})?$`,
	"bool":     `^(true|false)$`,
}

// parses reports whether the pattern of a schema shows that a function does not fail for its texts.
func (c *reasoning) parses(function string, s *structural.Schema) bool {
	if s == nil || validation(s).Pattern == "" || parsable[function] == "" {
		return false
	}
	key := [2]string{function, validation(s).Pattern}
	does, known := c.parsing[key]
	if !known {
		does = patterns.Includes(key[1], parsable[function], c.meter) == patterns.Included
		c.parsing[key] = does
	}
	return does
}

func lastWord(overload string) string { return overload[strings.LastIndexByte(overload, '_')+1:] }

func compiles(pattern string) bool {
	_, err := regexp.Compile(pattern)
	return err == nil
}

// cannotFail reports whether an overload fails only for values that the checker does not allow, or that do not fit into a request.
func cannotFail(overload string) bool {
	return strings.Contains(overload, "_is_sorted_") || strings.HasPrefix(overload, "list_sets_") || strings.HasPrefix(overload, "list_join") || strings.HasPrefix(overload, "string_replace_")
}

// aggregate is for sum, max and min of integers.
func aggregate(e *prunecel.Expr, list, elem, v known) (known, *Failure) {
	if e.Name != "sum" {
		if v.num = elem.num; list.size.lo == 0 {
			return v, fails(FailsMissing, "%s may be empty", shown(list.key))
		}
		return v, nil
	}
	lo, ok := times(min(elem.num.lo, 0), list.size.hi)
	hi, fits := times(max(elem.num.hi, 0), list.size.hi)
	if !ok || !fits {
		return v, fails(FailsNumber, "the sum of %s may overflow", shown(list.key))
	}
	v.num = span{lo, hi}
	return v, nil
}

// arithmetic returns the span of a result, and whether it never overflows.
func arithmetic(overload string, args []known) (span, bool) {
	a := args[0].num
	if overload == "negate_int64" {
		return span{-a.hi, -a.lo}, a.lo != anyInt.lo
	}
	b := args[1].num
	switch overload {
	case "add_int64":
		lo, ok := plus(a.lo, b.lo)
		hi, fits := plus(a.hi, b.hi)
		return span{lo, hi}, ok && fits
	case "subtract_int64":
		if b.lo == anyInt.lo {
			return anyInt, false
		}
		lo, ok := plus(a.lo, -b.hi)
		hi, fits := plus(a.hi, -b.lo)
		return span{lo, hi}, ok && fits
	}
	out := span{anyInt.hi, anyInt.lo}
	for _, x := range []int64{a.lo, a.hi} {
		for _, y := range []int64{b.lo, b.hi} {
			n, ok := times(x, y)
			if !ok {
				return anyInt, false
			}
			out = out.union(span{n, n})
		}
	}
	return out, true
}

func plus(a, b int64) (int64, bool) {
	sum := a + b
	return sum, (sum > a) == (b > 0) || b == 0
}

func times(a, b int64) (int64, bool) {
	abs := func(n int64) uint64 {
		if n < 0 {
			return -uint64(n)
		}
		return uint64(n)
	}
	hi, lo := bits.Mul64(abs(a), abs(b))
	return a * b, hi == 0 && lo < 1<<63
}

// fold is eval for a comprehension that is what one of the macros expands to.
func (c *reasoning) fold(e *prunecel.Expr, f *fact) (known, *Failure) {
	v := anyKnown(e)
	over, failure := c.eval(e.Args[prunecel.FoldRange], f)
	if failure != nil {
		return v, failure
	}
	if over.null {
		return v, fails(FailsMissing, "%s may be null", shown(over.key))
	}
	body, kind := foldBody(e)
	if kind == "" {
		return v, fails(FailsUnknown, "nothing is known about a comprehension of it")
	}
	restore, failure := c.bind(e, over, f)
	defer restore()
	if failure != nil {
		return v, failure
	}
	inner := f
	var truths truth
	for i, x := range body {
		known, failure := known{}, (*Failure)(nil)
		truths = 0
		for _, g := range c.applied(over.key, inner) { // in each case
			var k = anyKnown(x)
			if k, failure = c.whole(x, g); failure != nil {
				return v, failure
			}
			if truths |= k.truth; known.typ == nil {
				known = k
			} else {
				known = known.join(k)
			}
		}
		body0 := i == 0
		switch {
		case kind == "map" && i == len(body)-1:
			v.elem, v.size = &known, over.size
			if len(body) > 1 {
				v.size.lo = 0
			}
		case kind == "filter":
			elem := c.env.value
			elem.of = over.key
			v.elem, v.size = &elem, span{0, over.size.hi}
			if over.schema != nil {
				v.schema, v.elem = over.schema, nil // elements as the object has them
				v.typ = over.typ
			}
		}
		if body0 && over.key != "" && known.key != "" {
			v.key = kind + "(" + over.key + ", " + known.key + ")"
		} else if !body0 {
			v.key = ""
		}
		if i < len(body)-1 {
			inner = c.given(x, true, inner)
		}
	}
	switch {
	case kind == "all" && (truths == isTrueOnly || over.size.hi == 0):
		v.truth = isTrueOnly
	case kind == "exists" && (truths == isFalseOnly || over.size.hi == 0):
		v.truth = isFalseOnly
	case kind == "exists" && truths == isTrueOnly && over.size.lo > 0, kind == "exists" && c.some(over.key, body[0], f):
		v.truth = isTrueOnly
	}
	if v.truth == isEither && f.find(factTrue, v.key) != nil {
		v.truth = isTrueOnly
	}
	return v, nil
}

// bind binds the variables of a comprehension to an element, until restore is called.
func (c *reasoning) bind(e *prunecel.Expr, over known, f *fact) (restore func(), failure *Failure) {
	outer := c.env
	c.folds++
	restore = func() {
		c.env = outer
		c.folds--
	}
	key := fmt.Sprintf("%s#%d", e.Var, c.folds)
	isMap := kindIs(over.typ, prunecel.KindMap) || kindIs(over.typ, prunecel.KindObject) || kindIs(over.typ, prunecel.KindOpaque)
	switch {
	case isMap:
		if over.schema != nil {
			c.sees(over.schema)
		}
		k := known{key: key, typ: &prunecel.Type{Computed: true, Kind: prunecel.KindString}, truth: isEither, num: anyInt, size: anySize, of: over.key}
		if e.Var2 != "" {
			if !kindIs(over.typ, prunecel.KindMap) {
				return restore, fails(FailsUnknown, "nothing is known about values of %s", shown(over.key))
			}
			value, failure := c.elementOf(over, key+"!", f)
			if failure != nil {
				return restore, failure
			}
			c.env = &binding{c.env, e.Var2, value}
		}
		c.env = &binding{c.env, e.Var, k}
	default:
		elem, failure := c.elementOf(over, key, f)
		if failure != nil {
			return restore, failure
		}
		elem.of = over.key
		if e.Var2 != "" {
			c.env = &binding{c.env, e.Var2, elem}
			elem = known{key: key + "!", typ: &prunecel.Type{Computed: true, Kind: prunecel.KindInt}, truth: isEither, num: span{0, max(over.size.hi-1, 0)}, size: anySize, of: ""}
		}
		c.env = &binding{c.env, e.Var, elem}
	}
	return restore, nil
}

// foldBody returns the expressions that a macro evaluates for each element, and its name, "" for other comprehensions.
func foldBody(e *prunecel.Expr) (body []*prunecel.Expr, kind string) {
	step := e.Args[prunecel.FoldStep]
	isAccu := func(x *prunecel.Expr) bool { return x.Op == prunecel.OpIdent && x.Name == e.Accu }
	one := func(x *prunecel.Expr) *prunecel.Expr { // accu + [one]
		if x.Op == prunecel.OpCall && x.Name == "_+_" && isAccu(x.Args[0]) && x.Args[1].Op == prunecel.OpList && len(x.Args[1].Args) == 1 && x.Args[1].Optional == nil {
			return x.Args[1].Args[0]
		}
		return nil
	}
	if step.Op != prunecel.OpCall {
		return nil, ""
	}
	switch {
	case step.Name == "_&&_" && isAccu(step.Args[0]):
		return step.Args[1:], "all"
	case step.Name == "_||_" && isAccu(step.Args[0]):
		return step.Args[1:], "exists"
	case step.Name == "_?_:_" && step.Args[1].Overload == "add_int64" && isAccu(step.Args[2]):
		return step.Args[:1], "exists_one"
	case step.Name == "_?_:_" && e.IsFilter():
		return step.Args[:1], "filter"
	case step.Name == "_?_:_" && one(step.Args[1]) != nil && isAccu(step.Args[2]):
		return []*prunecel.Expr{step.Args[0], one(step.Args[1])}, "map"
	case one(step) != nil:
		return []*prunecel.Expr{one(step)}, "map"
	}
	return nil, ""
}

// quantified adds what all or exists say about elements.
func (c *reasoning) quantified(e *prunecel.Expr, f *fact) *fact {
	body, kind := foldBody(e)
	over, _ := c.eval(e.Args[prunecel.FoldRange], f)
	if over.key == "" || e.Var2 != "" {
		return f
	}
	switch kind {
	case "all":
		return &fact{next: f, kind: factAll, key: over.key, text: e.Var, body: body[0], env: c.env}
	case "exists":
		return &fact{next: f, kind: factSome, key: over.key, text: e.Var, body: body[0], env: c.env}
	}
	return f
}

// applied returns the facts, and what is known about all elements of a list applied to the bound element, for each of several cases.
func (c *reasoning) applied(over string, f *fact) []*fact {
	cases := []*fact{f}
	for g := f; g != nil && over != ""; g = g.next {
		if g.kind == factAll && g.key == over {
			cases = c.inElement(g, cases)
		}
	}
	return cases
}

// inElement adds what a fact about elements says about the bound one.
func (c *reasoning) inElement(g *fact, cases []*fact) []*fact {
	element := c.env.value
	inner := c.env
	c.env = &binding{g.env, g.text, element}
	defer func() { c.env = inner }()
	return c.cases(g.body, true, cases)
}

// some reports whether an element for which something is known to hold satisfies an expression.
func (c *reasoning) some(over string, e *prunecel.Expr, f *fact) bool {
	for g := f; g != nil && over != ""; g = g.next {
		if g.kind != factSome || g.key != over {
			continue
		}
		holds := true
		for _, known := range c.inElement(g, []*fact{f}) {
			v, failure := c.eval(e, known)
			holds = holds && failure == nil && v.truth == isTrueOnly
		}
		if holds {
			return true
		}
	}
	return false
}

// maxCases is how many cases are examined separately.
const maxCases = 32

// cases returns the facts and those that follow from an expression that is true, or false: one set for each way in which it can be.
func (c *reasoning) cases(e *prunecel.Expr, is bool, all []*fact) []*fact {
	if e.Op == prunecel.OpCall {
		switch {
		case e.Name == "!_":
			return c.cases(e.Args[0], !is, all)
		case e.Name == "_&&_" && is, e.Name == "_||_" && !is:
			for _, t := range junctionTerms(e, e.Name) {
				all = c.cases(t, is, all)
			}
			return all
		case e.Name == "_&&_" || e.Name == "_||_":
			var out []*fact
			for _, t := range junctionTerms(e, e.Name) {
				out = append(out, c.cases(t, is, all)...)
			}
			if len(out) <= maxCases {
				return out
			}
		case e.Name == "_?_:_":
			out := append(c.cases(e.Args[1], is, c.cases(e.Args[0], true, all)), c.cases(e.Args[2], is, c.cases(e.Args[0], false, all))...)
			if len(out) <= maxCases {
				return out
			}
		}
	}
	out := make([]*fact, len(all))
	for i, f := range all {
		out[i] = c.given(e, is, f)
	}
	return out
}
