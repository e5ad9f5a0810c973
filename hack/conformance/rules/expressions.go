package rules

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/google/cel-go/common/decls"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"k8s.io/apiserver/pkg/cel/environment"
)

// AllTypes is a schema with values of all types, as JSON. Its rules are made up.
const AllTypes = `{"type": "object", "properties": {
	"s": {"type": "string"}, "s2": {"type": "string", "maxLength": 10}, "i": {"type": "integer"}, "i2": {"type": "integer"}, "d": {"type": "number"}, "b": {"type": "boolean"},
	"bytes": {"type": "string", "format": "byte"}, "du": {"type": "string", "format": "duration"}, "dt": {"type": "string", "format": "date-time"},
	"da": {"type": "string", "format": "date"}, "in": {"type": "string"}, "a-b": {"type": "integer"},
	"ios": {"x-kubernetes-int-or-string": true}, "ns": {"type": "string", "nullable": true},
	"l": {"type": "array", "items": {"type": "string"}}, "l2": {"type": "array", "items": {"type": "string"}},
	"set": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
	"set2": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
	"li": {"type": "array", "items": {"type": "integer"}}, "ld": {"type": "array", "items": {"type": "number"}}, "ldu": {"type": "array", "items": {"type": "string", "format": "duration"}},
	"nl": {"type": "array", "items": {"type": "string", "nullable": true}}, "ll": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
	"lios": {"type": "array", "items": {"x-kubernetes-int-or-string": true}},
	"m": {"type": "object", "additionalProperties": {"type": "string"}}, "mi": {"type": "object", "additionalProperties": {"type": "integer"}},
	"nm": {"type": "object", "additionalProperties": {"type": "string", "nullable": true}},
	"o": {"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {"s": {"type": "string"}, "i": {"type": "integer"}, "l": {"type": "array", "items": {"type": "string"}}}},
	"lo": {"type": "array", "items": {"type": "object", "properties": {"s": {"type": "string"}, "i": {"type": "integer"}}}},
	"mo": {"type": "object", "additionalProperties": {"type": "object", "properties": {"s": {"type": "string"}, "i": {"type": "integer"}}}},
	"ml": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["s"],
		"items": {"type": "object", "required": ["s"], "properties": {"s": {"type": "string"}, "i": {"type": "integer"}}}},
	"ml2": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["s", "i"],
		"items": {"type": "object", "required": ["s", "i"], "properties": {"s": {"type": "string"}, "i": {"type": "integer"}, "d": {"type": "number"}}}},
	"empty": {"type": "object"}, "unknown": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
	"e": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true}
}}`

// fields are the types of the fields of AllTypes, and of the objects in it.
var fields = map[string]map[string]*types.Type{
	"root": {
		"s": types.StringType, "s2": types.StringType, "ns": types.StringType, "__in__": types.StringType, "i": types.IntType, "i2": types.IntType, "a__dash__b": types.IntType,
		"d": types.DoubleType, "b": types.BoolType, "bytes": types.BytesType, "du": types.DurationType, "dt": types.TimestampType, "da": types.TimestampType,
		"ios": types.DynType, "l": listOf(types.StringType), "l2": listOf(types.StringType), "set": listOf(types.StringType), "set2": listOf(types.StringType),
		"li": listOf(types.IntType), "ld": listOf(types.DoubleType), "ldu": listOf(types.DurationType), "nl": listOf(types.StringType), "ll": listOf(listOf(types.IntType)),
		"lios": listOf(types.DynType), "m": mapOf(types.StringType), "mi": mapOf(types.IntType), "nm": mapOf(types.StringType),
		"o": types.NewObjectType("o"), "lo": listOf(types.NewObjectType("lo")), "mo": mapOf(types.NewObjectType("mo")), "ml": listOf(types.NewObjectType("ml")),
		"ml2": listOf(types.NewObjectType("ml2")), "empty": types.NewObjectType("empty"), "unknown": types.NewObjectType("unknown"), "e": types.NewObjectType("e"),
	},
	"o":   {"s": types.StringType, "i": types.IntType, "l": listOf(types.StringType)},
	"lo":  {"s": types.StringType, "i": types.IntType},
	"mo":  {"s": types.StringType, "i": types.IntType},
	"ml":  {"s": types.StringType, "i": types.IntType},
	"ml2": {"s": types.StringType, "i": types.IntType, "d": types.DoubleType},
	"e":   {"kind": types.StringType, "apiVersion": types.StringType},
}

func listOf(t *types.Type) *types.Type { return types.NewListType(t) }
func mapOf(t *types.Type) *types.Type  { return types.NewMapType(types.StringType, t) }

// expressions makes expressions over AllTypes, of any type and with all functions of the API server's environment.
type expressions struct {
	rng       *rand.Rand
	overloads []overload
	scope     []variable
	names     int
	// plain says that expressions are such as people write: with common functions, and without macros that few use.
	plain bool
}

// familiar are the functions that people use.
var familiar = []string{
	operators.LogicalAnd, operators.LogicalOr, operators.LogicalAnd, operators.LogicalNot, operators.Conditional, operators.Equals, operators.NotEquals, operators.Less,
	operators.LessEquals, operators.Greater, operators.GreaterEquals, operators.In, operators.Add, operators.Subtract, operators.Multiply, operators.Divide, operators.Modulo,
	operators.Negate, operators.Index, "size", "matches", "contains", "startsWith", "endsWith", "split", "substring", "indexOf", "lowerAscii", "find", "replace", "join", "int",
	"string", "duration", "double",
}

type overload struct {
	function string
	*decls.OverloadDecl
}

type variable struct {
	name string
	typ  *types.Type
}

// newExpressions returns a maker of expressions.
func newExpressions(seed uint64) *expressions {
	e := &expressions{rng: rand.New(rand.NewPCG(seed, 0x65787072)), overloads: overloads()}
	if seed%2 == 1 {
		e.overloads = slices.DeleteFunc(e.overloads, func(o overload) bool { return !slices.Contains(familiar, o.function) })
		e.plain = true
	}
	e.scope = []variable{{"self", types.NewObjectType("root")}}
	return e
}

// overloads returns the overloads that rules can call.
func overloads() []overload {
	env := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).StoredExpressionsEnv()
	var all []overload
	functions := env.Functions()
	for _, name := range sortedKeys(functions) {
		switch {
		case strings.Contains(name, "@") && name != operators.In, strings.HasPrefix(name, "__"), name == operators.OptSelect:
			continue
		}
		for _, o := range functions[name].OverloadDecls() {
			if !usesAuthorizer(o) {
				all = append(all, overload{name, o})
			}
		}
	}
	return all
}

// usesAuthorizer reports whether an overload is about the authorizer, which rules do not have.
func usesAuthorizer(o *decls.OverloadDecl) bool {
	return slices.ContainsFunc(append(slices.Clone(o.ArgTypes()), o.ResultType()), func(t *types.Type) bool {
		return strings.HasPrefix(t.TypeName(), "kubernetes.authorization")
	})
}

func (e *expressions) oneIn(n int) bool { return e.rng.IntN(n) == 0 }

// simple are types that a type parameter can stand for.
var simple = []*types.Type{
	types.StringType, types.StringType, types.IntType, types.IntType, types.DoubleType, types.BoolType, types.UintType, types.BytesType, types.DurationType,
	types.TimestampType, listOf(types.StringType), listOf(types.IntType), mapOf(types.StringType), types.NewMapType(types.IntType, types.StringType),
	types.NewOptionalType(types.StringType), types.NewOptionalType(types.IntType), types.NewObjectType("o"), types.NewObjectType("ml"), listOf(types.NewObjectType("ml")),
	listOf(types.DynType), types.NewObjectType("kubernetes.Quantity"), types.NullType,
}

// Expr returns an expression of a type.
func (e *expressions) Expr(t *types.Type, depth int) string {
	if depth <= 0 || e.oneIn(6) {
		if leaf, ok := e.leaf(t, depth); ok {
			return leaf
		}
	}
	for range 30 {
		if text, ok := e.composite(t, depth); ok {
			return text
		}
	}
	if leaf, ok := e.leaf(t, depth); ok {
		return leaf
	}
	return "dyn(" + e.Expr(pick(e.rng, simple), min(depth-1, 1)) + ")"
}

// composite returns an expression with others in it; false where it found none.
func (e *expressions) composite(t *types.Type, depth int) (string, bool) {
	switch e.rng.IntN(8) {
	case 0, 1:
		if text, ok := e.macro(t, depth); ok {
			return text, true
		}
	case 2:
		if e.oneIn(4) {
			return fmt.Sprintf("(%s ? %s : %s)", e.Expr(types.BoolType, depth-1), e.Expr(t, depth-1), e.Expr(t, depth-1)), true
		}
	}
	o := pick(e.rng, e.overloads)
	bound := map[string]*types.Type{}
	if !unify(o.ResultType(), t, bound) {
		return "", false
	}
	var args []string
	for _, a := range o.ArgTypes() {
		args = append(args, e.argument(e.substitute(a, bound), depth-1))
	}
	return render(o, args), true
}

// argument returns an expression for an argument. Now and then it has another type, which only evaluation shows.
func (e *expressions) argument(t *types.Type, depth int) string {
	if e.oneIn(40) && !e.plain {
		return "dyn(" + e.Expr(pick(e.rng, simple), depth) + ")"
	}
	return e.Expr(t, depth)
}

// unify makes a declared type fit a wanted one.
func unify(declared, wanted *types.Type, bound map[string]*types.Type) bool {
	if declared.Kind() == types.TypeParamKind {
		if b, ok := bound[declared.TypeName()]; ok {
			return b.IsExactType(wanted)
		}
		bound[declared.TypeName()] = wanted
		return true
	}
	if declared.Kind() != wanted.Kind() || declared.TypeName() != wanted.TypeName() || len(declared.Parameters()) != len(wanted.Parameters()) {
		return false
	}
	for i, p := range declared.Parameters() {
		if !unify(p, wanted.Parameters()[i], bound) {
			return false
		}
	}
	return true
}

// substitute returns a type without parameters.
func (e *expressions) substitute(t *types.Type, bound map[string]*types.Type) *types.Type {
	if t.Kind() == types.TypeParamKind {
		if bound[t.TypeName()] == nil {
			bound[t.TypeName()] = pick(e.rng, simple)
		}
		return bound[t.TypeName()]
	}
	var params []*types.Type
	for _, p := range t.Parameters() {
		params = append(params, e.substitute(p, bound))
	}
	switch {
	case t.Kind() == types.ListKind:
		return types.NewListType(params[0])
	case t.Kind() == types.MapKind:
		return types.NewMapType(params[0], params[1])
	case t.TypeName() == "optional_type":
		return types.NewOptionalType(params[0])
	}
	return t
}

// render returns the text of a call.
func render(o overload, args []string) string {
	switch o.function {
	case operators.Conditional:
		return fmt.Sprintf("(%s ? %s : %s)", args[0], args[1], args[2])
	case operators.Index:
		return fmt.Sprintf("%s[%s]", args[0], args[1])
	case operators.OptIndex:
		return fmt.Sprintf("%s[?%s]", args[0], args[1])
	}
	if symbol, ok := operators.FindReverse(o.function); ok && symbol != "" {
		if len(args) == 1 {
			return fmt.Sprintf("(%s%s)", symbol, args[0])
		}
		return fmt.Sprintf("(%s %s %s)", args[0], symbol, args[1])
	}
	if o.IsMemberFunction() {
		return fmt.Sprintf("%s.%s(%s)", args[0], o.function, strings.Join(args[1:], ", "))
	}
	return fmt.Sprintf("%s(%s)", o.function, strings.Join(args, ", "))
}

// leaf returns a variable, a field or a literal.
func (e *expressions) leaf(t *types.Type, depth int) (string, bool) {
	if !e.oneIn(3) {
		if all := e.reachable(t); len(all) > 0 {
			return pick(e.rng, all), true
		}
	}
	if text, ok := e.literal(t, depth); ok {
		return text, true
	}
	if all := e.reachable(t); len(all) > 0 {
		return pick(e.rng, all), true
	}
	return "", false
}

// reachable returns the variables and fields of a type.
func (e *expressions) reachable(t *types.Type) []string {
	var all []string
	for _, v := range e.scope {
		if v.typ.IsExactType(t) {
			all = append(all, v.name)
		}
		if v.typ.Kind() != types.StructKind {
			continue
		}
		for _, name := range sortedKeys(fields[v.typ.TypeName()]) {
			f := fields[v.typ.TypeName()][name]
			text := v.name + "." + name
			if f.IsExactType(t) {
				all = append(all, text)
			}
			switch f.Kind() {
			case types.ListKind:
				if f.Parameters()[0].IsExactType(t) && e.oneIn(4) {
					all = append(all, text+"["+strconv.Itoa(e.rng.IntN(3))+"]")
				}
			case types.MapKind:
				if f.Parameters()[1].IsExactType(t) && e.oneIn(4) {
					all = append(all, text+"['key"+strconv.Itoa(e.rng.IntN(4))+"']", text+".key"+strconv.Itoa(e.rng.IntN(4)))
				}
			case types.StructKind:
				for _, inner := range sortedKeys(fields[f.TypeName()]) {
					if fields[f.TypeName()][inner].IsExactType(t) {
						all = append(all, text+"."+inner)
					}
				}
			}
			if t.TypeName() == "optional_type" && f.IsExactType(t.Parameters()[0]) {
				all = append(all, v.name+".?"+name)
			}
		}
	}
	return all
}

func (e *expressions) literal(t *types.Type, depth int) (string, bool) {
	text := func() string { return strconv.Quote(pick(e.rng, samples)) }
	switch t.Kind() {
	case types.BoolKind:
		return pick(e.rng, []string{"true", "false"}), true
	case types.IntKind:
		return pick(e.rng, []string{"0", "1", "2", "3", "5", "10", "-1", "100", "9223372036854775807", "-9223372036854775808"}), true
	case types.UintKind:
		return pick(e.rng, []string{"0u", "1u", "2u", "10u", "18446744073709551615u"}), true
	case types.DoubleKind:
		return pick(e.rng, []string{"0.0", "1.0", "2.5", "-1.5", "1e300", "1.0e19"}), true
	case types.StringKind:
		return text(), true
	case types.BytesKind:
		return pick(e.rng, []string{"b'abc'", "b''", "b'\\xff'", "bytes(self.s)"}), true
	case types.DurationKind:
		return pick(e.rng, []string{"duration('1h')", "duration('0s')", "duration('-90s')", "duration('1.5s')"}), true
	case types.TimestampKind:
		return pick(e.rng, []string{"timestamp('2024-01-01T00:00:00Z')", "timestamp('1999-12-31T23:59:59.5+02:00')"}), true
	case types.NullTypeKind:
		return "null", true
	case types.DynKind:
		return "dyn(" + e.Expr(pick(e.rng, simple), min(depth, 1)) + ")", true
	case types.TypeKind:
		return pick(e.rng, []string{"int", "string", "list", "map", "type", "type(self.s)", "type(self.ios)", "bool"}), true
	case types.ListKind:
		var all []string
		for range e.rng.IntN(4) {
			all = append(all, e.Expr(t.Parameters()[0], depth-2))
		}
		if depth > 1 && e.oneIn(5) {
			all = append(all, "?"+e.Expr(types.NewOptionalType(t.Parameters()[0]), depth-2))
		}
		return "[" + strings.Join(all, ", ") + "]", true
	case types.MapKind:
		var all []string
		for range e.rng.IntN(3) {
			all = append(all, e.Expr(t.Parameters()[0], depth-2)+": "+e.Expr(t.Parameters()[1], depth-2))
		}
		if depth > 1 && e.oneIn(5) {
			all = append(all, "?"+e.Expr(t.Parameters()[0], depth-2)+": "+e.Expr(types.NewOptionalType(t.Parameters()[1]), depth-2))
		}
		return "{" + strings.Join(all, ", ") + "}", true
	}
	switch t.TypeName() {
	case "optional_type":
		if e.oneIn(3) {
			return "optional.none()", true
		}
		return "optional.of(" + e.Expr(t.Parameters()[0], depth-1) + ")", true
	case "kubernetes.URL":
		return "url(" + pick(e.rng, []string{"'https://example.com:80/a%20b?x=1&x=2&y=%26'", "'http://[::1]/'", "'/x'"}) + ")", true
	case "kubernetes.Quantity":
		return "quantity(" + pick(e.rng, []string{"'1Gi'", "'100m'", "'0'", "'1.5'", "'-3k'", "'9223372036854775807'"}) + ")", true
	case "kubernetes.Semver":
		return "semver(" + pick(e.rng, []string{"'1.2.3'", "'1.2.3-rc.1+b'", "'0.0.1'"}) + ")", true
	case "kubernetes.NamedFormat":
		return pick(e.rng, []string{"format.dns1123Label()", "format.uri()", "format.date()", "format.byte()", "format.uuid()"}), true
	case "net.IP":
		return "ip(" + pick(e.rng, []string{"'10.0.0.1'", "'::1'", "'fe80::1'", "'127.0.0.1'", "'224.0.0.1'"}) + ")", true
	case "net.CIDR":
		return "cidr(" + pick(e.rng, []string{"'10.0.0.0/8'", "'10.1.2.3/16'", "'fd00::/8'"}) + ")", true
	}
	return "", false
}

// macro returns an expression that begins with a macro.
func (e *expressions) macro(t *types.Type, depth int) (string, bool) {
	switch {
	case t.Kind() == types.BoolKind:
		return e.boolMacro(depth), true
	case t.Kind() == types.ListKind:
		elem := t.Parameters()[0]
		switch e.rng.IntN(4) {
		case 0:
			return e.over(listOf(elem), depth, "filter", types.BoolType), true
		case 1:
			return e.over(e.collection(), depth, "map", elem), true
		case 2:
			return e.over(e.collection(), depth, "map", types.BoolType, elem), true
		}
		return e.overPairs(e.collection(), depth, "transformList", e.withFilter(elem)...), true
	case t.Kind() == types.MapKind:
		key, value := t.Parameters()[0], t.Parameters()[1]
		if e.oneIn(2) {
			return e.overPairs(types.NewMapType(key, pick(e.rng, simple)), depth, "transformMap", e.withFilter(value)...), true
		}
		text := e.overPairs(e.collection(), depth, "transformMapEntry", e.withFilter(types.NewMapType(key, value))...)
		return text, strings.Contains(text, "{") // its last argument must be a literal
	case t.TypeName() == "optional_type":
		from := pick(e.rng, simple)
		if e.oneIn(2) {
			return e.over(types.NewOptionalType(from), depth, "optMap", t.Parameters()[0]), true
		}
		return e.over(types.NewOptionalType(from), depth, "optFlatMap", t), true
	}
	return "", false
}

func (e *expressions) withFilter(t *types.Type) []*types.Type {
	if e.oneIn(2) {
		return []*types.Type{types.BoolType, t}
	}
	return []*types.Type{t}
}

// collection returns the type of a list or a map.
func (e *expressions) collection() *types.Type {
	return pick(e.rng, []*types.Type{
		listOf(types.StringType), listOf(types.StringType), listOf(types.IntType), listOf(types.DynType), listOf(types.NewObjectType("ml")), listOf(types.NewObjectType("lo")),
		listOf(types.DurationType), mapOf(types.StringType), mapOf(types.IntType), mapOf(types.NewObjectType("mo")), types.NewMapType(types.IntType, types.StringType),
	})
}

func (e *expressions) boolMacro(depth int) string {
	switch e.rng.IntN(6) {
	case 0:
		return e.has()
	case 1, 2, 3:
		return e.over(e.collection(), depth, pick(e.rng, []string{"all", "exists", "exists_one"}), types.BoolType)
	}
	if e.plain {
		return e.has()
	}
	return e.overPairs(e.collection(), depth, pick(e.rng, []string{"all", "exists", "existsOne"}), types.BoolType)
}

// has returns a test for a field.
func (e *expressions) has() string {
	v := pick(e.rng, e.scope)
	for v.typ.Kind() != types.StructKind || len(fields[v.typ.TypeName()]) == 0 {
		v = e.scope[0]
	}
	of := fields[v.typ.TypeName()]
	name := pick(e.rng, sortedKeys(of))
	text := v.name + "." + name
	switch f := of[name]; {
	case f.Kind() == types.StructKind && len(fields[f.TypeName()]) > 0 && e.oneIn(2):
		text += "." + pick(e.rng, sortedKeys(fields[f.TypeName()]))
	case f.Kind() == types.MapKind && e.oneIn(2):
		text += ".key" + strconv.Itoa(e.rng.IntN(4))
	}
	return "has(" + text + ")"
}

// over returns a call of a macro with one variable.
func (e *expressions) over(t *types.Type, depth int, name string, args ...*types.Type) string {
	over := e.Expr(t, depth-1)
	elem := t.Parameters()[0]
	return fmt.Sprintf("%s.%s(%s)", over, name, e.body(depth, []*types.Type{elem}, args))
}

// overPairs returns a call of a macro with two variables.
func (e *expressions) overPairs(t *types.Type, depth int, name string, args ...*types.Type) string {
	over := e.Expr(t, depth-1)
	key, value := types.IntType, t.Parameters()[0]
	if t.Kind() == types.MapKind {
		key, value = t.Parameters()[0], t.Parameters()[1]
	}
	if name == "transformMapEntry" {
		return fmt.Sprintf("%s.%s(%s)", over, name, e.entryBody(depth, key, value, args))
	}
	return fmt.Sprintf("%s.%s(%s)", over, name, e.body(depth, []*types.Type{key, value}, args))
}

// body returns the variables of a macro and its arguments.
func (e *expressions) body(depth int, vars, args []*types.Type) string {
	outer := e.scope
	defer func() { e.scope = outer }()
	var texts []string
	for _, t := range vars {
		e.names++
		name := "v" + strconv.Itoa(e.names)
		if e.oneIn(3) && len(vars) == 1 {
			name = "v" // which may be the name of another around it
			e.scope = slices.DeleteFunc(slices.Clone(e.scope), func(v variable) bool { return v.name == name })
		}
		e.scope = append(e.scope[:len(e.scope):len(e.scope)], variable{name, t})
		texts = append(texts, name)
	}
	for _, t := range args {
		texts = append(texts, e.Expr(t, depth-1))
	}
	return strings.Join(texts, ", ")
}

// entryBody is body for transformMapEntry, whose last argument is a map with one entry.
func (e *expressions) entryBody(depth int, key, value *types.Type, args []*types.Type) string {
	entry := args[len(args)-1]
	outer := e.scope
	defer func() { e.scope = outer }()
	e.names += 2
	k, v := "v"+strconv.Itoa(e.names-1), "v"+strconv.Itoa(e.names)
	e.scope = append(e.scope[:len(e.scope):len(e.scope)], variable{k, key}, variable{v, value})
	texts := []string{k, v}
	if len(args) == 2 {
		texts = append(texts, e.Expr(args[0], depth-1))
	}
	return strings.Join(append(texts, "{"+e.Expr(entry.Parameters()[0], depth-1)+": "+e.Expr(entry.Parameters()[1], depth-1)+"}"), ", ")
}
