package lower

import (
	"regexp"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// call compiles a call.
func (c *ruleCompiler) call(e *prunecel.Expr) plan.GoValue {
	switch e.Name {
	case "_&&_":
		return c.junction(operands(e, e.Name), false)
	case "_||_":
		return c.junction(operands(e, e.Name), true)
	case "_?_:_":
		return c.choice(e)
	case "!_":
		c.pay(1)
		if kindOf(e.Args[0]) != prunecel.KindBool {
			panic(unsupported("! of a value that is not a boolean"))
		}
		return opposite(c.value(e.Args[0]))
	case "_==_", "_!=_":
		return c.equality(e)
	case "_<_", "_<=_", "_>_", "_>=_":
		return c.order(e)
	case "@in":
		return c.membership(e)
	case "size":
		return c.size(e)
	case "_[_]":
		return c.element(e)
	case "_+_", "_-_", "_*_", "_/_", "_%_", "-_":
		return c.arithmetic(e)
	case "contains", "startsWith", "endsWith":
		return c.textTest(e)
	case "matches":
		return c.matches(e)
	}
	return c.function(e)
}

// kindOf returns the kind of the values of an expression.
func kindOf(e *prunecel.Expr) prunecel.Kind {
	if e.Type == nil {
		return prunecel.KindNone
	}
	switch e.Type.Kind {
	case prunecel.KindDate, prunecel.KindDateTime:
		return prunecel.KindTimestamp
	}
	return e.Type.Kind
}

// values compiles the arguments of a call.
func (c *ruleCompiler) values(e *prunecel.Expr) []plan.GoValue {
	all := make([]plan.GoValue, len(e.Args))
	for i, a := range e.Args {
		all[i] = c.value(a)
	}
	return all
}

// equality compiles == and !=.
func (c *ruleCompiler) equality(e *prunecel.Expr) plan.GoValue {
	a, b := e.Args[0], e.Args[1]
	op := "=="
	if e.Name == "_!=_" {
		op = "!="
	}
	if is, ok := c.typeTest(a, b); ok {
		return signed(is, op)
	}
	switch kind := kindOf(a); {
	case kind == prunecel.KindList && b.Op == prunecel.OpList && len(b.Args) == 0:
		c.pay(1)
		return plan.Infix{Op: op, X: length(c.value(a)), Y: plan.Literal{Of: 0}}
	case kind == prunecel.KindIntOrString && b.Op == prunecel.OpConst:
		if _, isText := b.Const.(string); isText || kindOf(b) == prunecel.KindInt {
			c.pay(10)
			return plan.Infix{Op: op, X: c.value(a), Y: plan.Call{Builtin: true, Func: goType(b.Type), Args: []plan.GoValue{c.value(b)}}}
		}
	case kind != kindOf(b):
	case kind == prunecel.KindTimestamp:
		c.pay(1)
		return signed(plan.Call{Func: "EqualTimes", Args: c.values(e)}, op)
	case kind == prunecel.KindString:
		x, y := c.value(a), c.value(b)
		c.spendShorter(x, y)
		return plan.Infix{Op: op, X: x, Y: y}
	case kind == prunecel.KindBool, kind == prunecel.KindInt, kind == prunecel.KindDouble, kind == prunecel.KindDuration:
		c.pay(1)
		return plan.Infix{Op: op, X: c.value(a), Y: c.value(b)}
	case kind == prunecel.KindObject, kind == prunecel.KindMap, kind == prunecel.KindList:
		return signed(c.deepEquality(a, b), op)
	}
	panic(unsupported("a comparison of " + typeText(a) + " with " + typeText(b)))
}

// signed returns a value, or its opposite.
func signed(is plan.GoValue, op string) plan.GoValue {
	if op == "!=" {
		return opposite(is)
	}
	return is
}

// typeText names the type of an expression.
func typeText(e *prunecel.Expr) string {
	switch {
	case e.Type == nil:
		return "an unknown type"
	}
	return typeName(e.Type)
}

// typeName names a type.
func typeName(t *prunecel.Type) string {
	if t.Computed {
		return t.Name
	}
	return t.String()
}

// typeTest compiles type(x) == string for an integer or a string.
func (c *ruleCompiler) typeTest(a, b *prunecel.Expr) (plan.GoValue, bool) {
	if a.Op != prunecel.OpCall || a.Name != "type" || kindOf(a.Args[0]) != prunecel.KindIntOrString || b.Op != prunecel.OpConst {
		return nil, false
	}
	typ := ""
	switch b.Const {
	case prunecel.TypeValue("int"):
		typ = "int64"
	case prunecel.TypeValue("string"):
		typ = "string"
	default:
		return nil, false
	}
	c.pay(2)
	is := c.name("is")
	c.add(plan.Let{Names: []string{"_", is}, Value: plan.Assert{Of: c.value(a.Args[0]), Type: typ}})
	return plan.Name(is), true
}

// spendShorter pays for comparing two texts, which reads the shorter one.
func (c *ruleCompiler) spendShorter(x, y plan.GoValue) {
	if _, ok := textOf(y); ok {
		x = y
	}
	c.spendText(x, 1)
}

// deepEquality compiles the comparison of two values of the resource.
func (c *ruleCompiler) deepEquality(a, b *prunecel.Expr) plan.GoValue {
	if a.Type.Computed || b.Type.Computed {
		panic(unsupported("a comparison of a computed value"))
	}
	x, y := c.value(a), c.value(b)
	c.add(c.spend(length(x), 1))
	c.pay(1)
	return c.sureOf(plan.Method{Of: plan.RuleType(numberOf(&c.rule.Types, a.Type.String())), Name: "Equal", Args: []plan.GoValue{x, y}}, surprise)
}

// numberOf returns the index of a text in a list, to which it is added if need be.
func numberOf(list *[]string, text string) int {
	i := slices.Index(*list, text)
	if i < 0 {
		i = len(*list)
		*list = append(*list, text)
	}
	return i
}

// order compiles <, <=, > and >=.
func (c *ruleCompiler) order(e *prunecel.Expr) plan.GoValue {
	op := e.Name[1 : len(e.Name)-1]
	kind := kindOf(e.Args[0])
	if kind != kindOf(e.Args[1]) {
		panic(unsupported("an order of values of two types"))
	}
	switch kind {
	case prunecel.KindInt, prunecel.KindDuration:
		c.pay(1)
		return plan.Infix{Op: op, X: c.value(e.Args[0]), Y: c.value(e.Args[1])}
	case prunecel.KindString:
		x, y := c.value(e.Args[0]), c.value(e.Args[1])
		c.spendShorter(x, y)
		return plan.Infix{Op: op, X: x, Y: y}
	case prunecel.KindTimestamp:
		c.pay(1)
		return plan.Infix{Op: op, X: plan.Call{Func: "CompareTimes", Args: c.values(e)}, Y: plan.Literal{Of: 0}}
	case prunecel.KindDouble:
		c.pay(1)
		// NaN is not in any order.
		v := c.orError(plan.Call{Func: "CompareDoubles", Args: c.values(e)}, surprise)
		return plan.Infix{Op: op, X: v, Y: plan.Literal{Of: 0}}
	}
	panic(unsupported("an order of " + typeText(e.Args[0])))
}

// membership compiles in.
func (c *ruleCompiler) membership(e *prunecel.Expr) plan.GoValue {
	x, in := e.Args[0], e.Args[1]
	kind := kindOf(x)
	switch {
	case in.Op == prunecel.OpList:
		if isListOf(in, kind) {
			return c.oneOf(typed(c.value(x), x), in.Args)
		}
	case kindOf(in) == prunecel.KindList:
		if elem := in.Type.Elem; elem == nil || elem.Kind != kind || !plain(elem) {
			break
		}
		v, list := c.value(x), c.value(in)
		c.add(c.spend(length(list), 1))
		return c.sureOf(plan.Call{Func: "HasElement", Args: []plan.GoValue{list, typed(v, x)}}, surprise)
	case kindOf(in) == prunecel.KindMap && !in.Type.Computed && kind == prunecel.KindString:
		c.pay(1)
		v, m := c.value(x), c.value(in)
		return c.sureOf(plan.Call{Func: "HasKey", Args: []plan.GoValue{m, v}}, surprise)
	}
	panic(unsupported("in with " + typeText(in)))
}

// typed returns the value of an expression as one that has a type in Go: constants have none.
func typed(v plan.GoValue, e *prunecel.Expr) plan.GoValue {
	if _, isName := v.(plan.Name); isName || kindOf(e) != prunecel.KindInt {
		return v
	}
	return plan.Call{Builtin: true, Func: "int64", Args: []plan.GoValue{v}}
}

// isListOf reports whether a list has only constants of a kind, at least one.
func isListOf(list *prunecel.Expr, kind prunecel.Kind) bool {
	if kind != prunecel.KindString && kind != prunecel.KindInt || len(list.Args) == 0 || list.Optional != nil {
		return false
	}
	return !slices.ContainsFunc(list.Args, func(a *prunecel.Expr) bool { return a.Op != prunecel.OpConst || kindOf(a) != kind })
}

// oneOf compiles v in [constants].
func (c *ruleCompiler) oneOf(v plan.GoValue, constants []*prunecel.Expr) plan.GoValue {
	if _, isName := v.(plan.Name); !isName {
		name := c.name("v")
		c.add(plan.Let{Names: []string{name}, Value: v})
		v = plan.Name(name)
	}
	var one plan.GoValue
	for _, a := range constants {
		is := plan.GoValue(plan.Infix{Op: "==", X: v, Y: plan.Literal{Of: a.Const}})
		if one != nil {
			is = plan.Infix{Op: "||", X: one, Y: is}
		}
		one = is
	}
	return one
}

// sureOf compiles a call that returns a value, and whether it is sure of it.
func (c *ruleCompiler) sureOf(call plan.GoValue, f failure) plan.GoValue {
	v, sure := c.name("v"), c.name("sure")
	c.add(plan.Let{Names: []string{v, sure}, Value: call})
	c.failUnless(plan.Name(sure), f)
	return plan.Name(v)
}

// orError compiles a call that returns a value and an error.
func (c *ruleCompiler) orError(call plan.GoValue, f failure) plan.GoValue {
	v, err := c.name("v"), c.name("err")
	c.add(plan.Let{Names: []string{v, err}, Value: call})
	c.failIf(plan.Infix{Op: "!=", X: plan.Name(err), Y: plan.Name("nil")}, f)
	return plan.Name(v)
}

// size compiles size(x).
func (c *ruleCompiler) size(e *prunecel.Expr) plan.GoValue {
	c.pay(1)
	arg := e.Args[0]
	if arg.IsFilter() {
		return c.count(arg)
	}
	switch kindOf(arg) {
	case prunecel.KindString:
		return plan.Call{Func: "Length", Args: c.values(e)}
	case prunecel.KindList, prunecel.KindMap, prunecel.KindObject, prunecel.KindOpaque:
		if goType(arg.Type) != "" {
			return plan.Call{Builtin: true, Func: "int64", Args: []plan.GoValue{length(c.value(arg))}}
		}
	}
	panic(unsupported("size of " + typeText(arg)))
}

// element compiles x[i].
func (c *ruleCompiler) element(e *prunecel.Expr) plan.GoValue {
	of, index := e.Args[0], e.Args[1]
	if of.Type == nil || of.Type.Elem == nil {
		panic(unsupported("an element of " + typeText(of)))
	}
	c.pay(2)
	key := e.String()
	x, i := c.value(of), c.value(index)
	for b := range c.blocks(e) {
		if v, ok := b.read[key]; ok {
			return v
		}
	}
	if split, ok := x.(plan.Call); ok && split.Func == "Split" && kindOf(index) == prunecel.KindInt {
		// One of the strings, without a list of all.
		v, ok := plan.Name(c.name("v")), plan.Name(c.name("ok"))
		part := plan.Call{Func: "Part", Args: append(slices.Clone(split.Args), i)}
		c.add(plan.Let{Names: []string{string(v), string(ok)}, Value: part})
		c.failUnless(ok, expected)
		c.read[key] = v
		return v
	}
	var raw plan.GoValue
	switch {
	case kindOf(of) == prunecel.KindList && kindOf(index) == prunecel.KindInt:
		raw = plan.Call{Func: "At", Args: []plan.GoValue{x, i}}
	case kindOf(of) == prunecel.KindMap && !of.Type.Computed && kindOf(index) == prunecel.KindString:
		raw = plan.Index{Of: x, Key: i}
	default:
		panic(unsupported("an element of " + typeText(of)))
	}
	v := c.convert(raw, of.Type.Elem, "v", expected)
	c.read[key] = v
	return v
}

// arithmetic compiles + - * / and %.
func (c *ruleCompiler) arithmetic(e *prunecel.Expr) plan.GoValue {
	for _, a := range e.Args {
		if k := kindOf(a); k == prunecel.KindIntOrString || k == prunecel.KindNone || k == prunecel.KindOther {
			panic(unsupported(e.Name + " of " + typeText(a)))
		}
	}
	switch e.Overload {
	case "add_string":
		args := c.values(e)
		c.spendText(args[0], 1)
		c.spendText(args[1], 1)
		return plan.Infix{Op: "+", X: args[0], Y: args[1]}
	case "add_double", "subtract_double", "multiply_double", "divide_double":
		c.pay(1)
		args := c.values(e)
		if _, ok := args[0].(plan.Literal); ok {
			// Go computes constants without rounding, and does not divide them by 0.
			v := c.name("v")
			c.add(plan.Let{Names: []string{v}, Value: args[0]})
			args[0] = plan.Name(v)
		}
		// The conversion rounds: Go may compute x*y + z without.
		return plan.Call{Builtin: true, Func: "float64", Args: []plan.GoValue{plan.Infix{Op: e.Name[1:2], X: args[0], Y: args[1]}}}
	case "add_list":
		for _, a := range e.Args {
			if a.Type == nil || a.Type.List != prunecel.AtomicList || !plain(a.Type.Elem) {
				panic(unsupported("+ of " + typeText(a)))
			}
		}
		c.pay(1)
		return plan.Call{Func: "AddLists", Args: c.values(e)}
	}
	f, ok := arithmeticFunctions[e.Overload]
	if !ok {
		panic(unsupported(e.Name + " of " + typeText(e.Args[0])))
	}
	c.pay(1)
	if e.Overload == "add_int64" && isSmall(e) {
		args := c.values(e)
		return plan.Infix{Op: "+", X: args[0], Y: args[1]}
	}
	return c.orError(plan.Call{Func: f, Args: c.values(e)}, expected)
}

// arithmeticFunctions are the operators that can overflow, by their overloads.
var arithmeticFunctions = map[string]string{
	"add_int64": "AddInt", "subtract_int64": "SubInt", "multiply_int64": "MulInt", "divide_int64": "DivInt", "modulo_int64": "ModInt",
	"negate_int64": "NegInt", "add_duration_duration": "AddDuration", "subtract_duration_duration": "SubDuration",
	"add_timestamp_duration": "AddTime", "subtract_timestamp_duration": "SubTime", "subtract_timestamp_timestamp": "SubTimes",
}

// plain reports whether decoded JSON of a type is the value of CEL.
func plain(t *prunecel.Type) bool {
	if t == nil {
		return false
	}
	switch t.Kind {
	case prunecel.KindString, prunecel.KindInt, prunecel.KindBool:
		return true
	}
	return false
}

// isSmall reports whether an integer is a sum of small constants and sizes, which does not overflow: (has(a) ? 1 : 0) + size(b).
func isSmall(e *prunecel.Expr) bool {
	switch {
	case e.Op == prunecel.OpConst:
		n, ok := e.Const.(int64)
		return ok && -1000 <= n && n <= 1000
	case e.Op != prunecel.OpCall:
		return false
	case e.Name == "_?_:_":
		return isSmall(e.Args[1]) && isSmall(e.Args[2])
	case e.Name == "size":
		return true
	}
	return e.Overload == "add_int64" && isSmall(e.Args[0]) && isSmall(e.Args[1])
}

// textTest compiles contains, startsWith and endsWith.
func (c *ruleCompiler) textTest(e *prunecel.Expr) plan.GoValue {
	f := ""
	switch e.Overload {
	case "contains_string":
		f = "HasText"
	case "starts_with_string":
		f = "HasPrefix"
	case "ends_with_string":
		f = "HasSuffix"
	}
	if f == "" || kindOf(e.Args[0]) != prunecel.KindString || kindOf(e.Args[1]) != prunecel.KindString {
		panic(unsupported(e.Name + " of " + typeText(e.Args[0])))
	}
	args := c.values(e)
	if f != "HasText" {
		c.spendText(args[1], 1)
		return plan.Call{Func: f, Args: args}
	}
	sub, ok := textOf(args[1])
	if !ok {
		panic(unsupported("contains with a text that is not constant"))
	}
	c.spendText(args[0], len(sub)/10+1)
	return plan.Call{Func: f, Args: args}
}

// matches compiles matches with a constant pattern.
func (c *ruleCompiler) matches(e *prunecel.Expr) plan.GoValue {
	return c.withPattern(e, "Match")
}

// withPattern compiles the call of a method of a constant pattern.
func (c *ruleCompiler) withPattern(e *prunecel.Expr, method string) plan.GoValue {
	pattern, ok := e.Args[1].Const.(string)
	if e.Args[1].Op != prunecel.OpConst || !ok || kindOf(e.Args[0]) != prunecel.KindString {
		panic(unsupported(e.Name + " with a pattern that is not constant"))
	}
	if _, err := regexp.Compile(pattern); err != nil {
		panic(unsupported("a pattern that is wrong"))
	}
	s := c.value(e.Args[0])
	c.spendText(s, len(pattern)/4+1)
	return plan.Method{Of: plan.RulePattern(numberOf(&c.rule.Patterns, pattern)), Name: method, Args: []plan.GoValue{s}}
}

// ruleFunction is a function of the runtime that takes the arguments of a call as they are.
type ruleFunction struct {
	name  string
	fails bool
}

// ruleFunctions are functions by their overloads.
var ruleFunctions = map[string]ruleFunction{
	"string_char_at_int": {"CharAt", true}, "string_index_of_string": {"IndexOf", false}, "string_index_of_string_int": {"IndexOfFrom", true},
	"string_last_index_of_string": {"LastIndexOf", false}, "string_last_index_of_string_int": {"LastIndexOfFrom", true},
	"string_lower_ascii": {"LowerASCII", false}, "string_upper_ascii": {"UpperASCII", false}, "string_trim": {"Trim", false},
	"string_replace_string_string": {"Replace", true}, "string_replace_string_string_int": {"ReplaceN", true},
	"string_split_string": {"Split", false}, "string_split_string_int": {"SplitN", false},
	"string_substring_int": {"Substring", true}, "string_substring_int_int": {"SubstringTo", true}, "list_join_string": {"Join", true},

	"string_to_duration": {"ParseDuration", true}, "string_to_timestamp": {"ParseTimestamp", true}, "string_to_int64": {"StringToInt", true},
	"double_to_int64": {"DoubleToInt", true}, "string_to_double": {"StringToDouble", true}, "int64_to_string": {"IntString", false},
	"double_to_string": {"DoubleString", false}, "timestamp_to_year": {"FullYear", false}, "duration_to_hours": {"DurationHours", false},
	"duration_to_minutes": {"DurationMinutes", false}, "duration_to_seconds": {"DurationSeconds", false}, "duration_to_milliseconds": {"DurationMilliseconds", false},

	"string_to_url": {"ParseURL", true}, "is_url_string": {"IsURL", false}, "url_get_scheme": {"URLScheme", false}, "url_get_host": {"URLHost", false},
	"url_get_hostname": {"URLHostname", false}, "url_get_port": {"URLPort", false}, "url_get_escaped_path": {"URLEscapedPath", false},

	"string_to_ip": {"ParseIP", true}, "is_ip": {"IsIP", false}, "ip_family": {"IPFamily", false}, "ip_is_canonical": {"IPIsCanonical", true},
	"ip_is_unspecified": {"IPIsUnspecified", false}, "ip_is_loopback": {"IPIsLoopback", false}, "ip_is_link_local_multicast": {"IPIsLinkLocalMulticast", false},
	"ip_is_link_local_unicast": {"IPIsLinkLocalUnicast", false}, "ip_is_global_unicast": {"IPIsGlobalUnicast", false},
	"string_to_cidr": {"ParseCIDR", true}, "is_cidr": {"IsCIDR", false}, "cidr_contains_ip_string": {"CIDRContainsIPText", true},
	"cidr_contains_ip_ip": {"CIDRContainsIP", false}, "cidr_contains_cidr_string": {"CIDRContainsCIDRText", true}, "cidr_contains_cidr": {"CIDRContainsCIDR", false},
	"cidr_ip": {"CIDRIP", false}, "cidr_prefix_length": {"CIDRPrefixLength", false}, "cidr_masked": {"CIDRMasked", false},

	"string_to_quantity": {"ParseQuantity", true}, "is_quantity_string": {"IsQuantity", false}, "quantity_is_greater_than": {"QuantityIsGreaterThan", false},
	"quantity_is_less_than": {"QuantityIsLessThan", false}, "quantity_compare_to": {"CompareQuantities", false},
	"quantity_get_integer": {"QuantityAsInteger", true}, "quantity_is_integer": {"QuantityIsInteger", false},
	"string_to_semver": {"ParseSemver", true}, "is_semver_string": {"IsSemver", false}, "semver_is_greater_than": {"SemverIsGreaterThan", false},
	"semver_is_less_than": {"SemverIsLessThan", false}, "semver_compare_to": {"CompareSemvers", false},
}

// formatTest recognizes format.<name>().validate(text).hasValue().
func formatTest(e *prunecel.Expr) (name string, text *prunecel.Expr, ok bool) {
	if e.Name != "hasValue" || e.Args[0].Overload != "format-validate" || kindOf(e.Args[0].Args[1]) != prunecel.KindString {
		return "", nil, false
	}
	format := e.Args[0].Args[0]
	name, ok = strings.CutPrefix(format.Name, "format.")
	return name, e.Args[0].Args[1], ok && format.Op == prunecel.OpCall && len(format.Args) == 0
}

// function compiles a call of a function of the libraries.
func (c *ruleCompiler) function(e *prunecel.Expr) plan.GoValue {
	if e.Name == "find" && len(e.Args) == 2 {
		return c.withPattern(e, "Find")
	}
	if name, text, ok := formatTest(e); ok {
		const cost = 280 // the regular expression of no format costs more
		s := c.value(text)
		c.pay(3)
		c.spendText(s, cost)
		return opposite(plan.Call{Func: "HasFormat", Args: []plan.GoValue{plan.Literal{Of: name}, s}})
	}
	f, ok := ruleFunctions[e.Overload]
	if !ok {
		panic(unsupported("the function " + e.Name))
	}
	args := c.values(e)
	c.pay(2)
	for i, a := range e.Args {
		switch kindOf(a) {
		case prunecel.KindString:
			c.spendText(args[i], 2) // none costs more
		case prunecel.KindList:
			if !plain(a.Type.Elem) {
				panic(unsupported("the function " + e.Name + " of " + typeText(a)))
			}
			c.add(c.spend(length(args[i]), 12))
		case prunecel.KindIntOrString, prunecel.KindNone, prunecel.KindMap, prunecel.KindObject:
			panic(unsupported("the function " + e.Name + " of " + typeText(a)))
		}
	}
	call := plan.Call{Func: f.name, Args: args}
	if !f.fails {
		return call
	}
	v := c.orError(call, expected)
	switch e.Name {
	case "join", "replace":
		c.spendText(v, 2) // what they make may be longer than what they are given
	}
	return v
}
