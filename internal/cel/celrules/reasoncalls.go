package celrules

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/cel/patterns"
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
		if e.Name == "size" && kindIs(a.Type, prunecel.KindList) || e.Name == "type" {
			args[i], failure = c.eval(a, f)
		} else {
			args[i], failure = c.whole(a, f)
		}
		if failure != nil {
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
	if kindIs(a.typ, prunecel.KindString) != kindIs(b.typ, prunecel.KindString) {
		return v, fails(FailsType, "%s and %s have different types", shown(a.key), shown(b.key))
	}
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
		return elem, fails(FailsMissing, "%s may not exist", shown(cmp.Or(key, "an element of "+shown(of.key))))
	}
	return elem, nil
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
	for i, a := range args {
		switch {
		case a.null, kindIs(a.typ, prunecel.KindList) && !a.typ.Computed && a.typ.Elem != nil && a.typ.Elem.Nullable:
			return v, fails(FailsMissing, "%s may be null or have null in it", shown(a.key))
		case a.typ == nil || a.typ.Kind == prunecel.KindIntOrString || a.typ.Kind == prunecel.KindNone,
			kindIs(e.Args[i].Type, prunecel.KindIntOrString) && kindIs(a.typ, prunecel.KindInt) != strings.HasSuffix(e.Overload, "_int64"):
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
		num, ok := arithmetic(e.Overload, args)
		if !ok {
			num = anyInt // its bounds have overflown
		}
		if v.num = f.spans(factNum, v.key, num); !ok {
			return v, fails(FailsNumber, "%s may overflow", strings.Trim(e.Name, "_"))
		}
		return v, nil
	case "divide_int64", "modulo_int64":
		if d := args[1].num; d.lo <= 0 && d.hi >= 0 {
			return v, fails(FailsZero, "%s may be 0", shown(args[1].key))
		} else if args[0].num.lo == anyInt.lo && d.hi == -1 {
			return v, fails(FailsNumber, "%s may overflow", strings.Trim(e.Name, "_"))
		}
		return v, nil
	case "divide_double":
		if n, ok := e.Args[1].Const.(float64); !ok || n == 0 { // what is not a number is not ordered
			return v, fails(FailsZero, "%s may be 0", shown(args[1].key))
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
	if !overload.Fails || slices.Contains(cannotFail, e.Name) {
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
	if e.Name == "max" || e.Name == "min" {
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

func compiles(pattern string) bool {
	_, err := regexp.Compile(pattern)
	return err == nil
}

// cannotFail are the functions that fail only for values that the checker does not allow, or that do not fit into a request.
var cannotFail = []string{"isSorted", "join", "replace", "sets.contains", "sets.equivalent", "sets.intersects"}
