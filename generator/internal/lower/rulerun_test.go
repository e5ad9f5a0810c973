package lower

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl/pruneformat"
)

// runRule runs the code of a rule as Go would. What would not compile, or panic, panics.
func runRule(code *plan.RuleCode, self, old any) (prunecel.Verdict, int64) {
	r := &ruleRun{code: code, vars: map[string]any{"raw": self, "oldRaw": old, "nil": nil, "true": true, "false": false}}
	end := r.run(code.Body)
	return end.values[0].(prunecel.Verdict), end.values[1].(int64)
}

// ruleRun has the variables of a rule. All have names of their own, whatever block they are in.
type ruleRun struct {
	code *plan.RuleCode
	vars map[string]any
}

// jump is why code does not go on: "" if it does.
type jump struct {
	kind   string
	values []any
}

func (r *ruleRun) run(code plan.Code) jump {
	// Variables end with their block.
	before := slices.Collect(maps.Keys(r.vars))
	defer func() {
		maps.DeleteFunc(r.vars, func(name string, _ any) bool { return !slices.Contains(before, name) })
	}()
	for _, s := range code {
		if end := r.statement(s); end.kind != "" {
			return end
		}
	}
	return jump{}
}

func (r *ruleRun) statement(s plan.Stmt) jump {
	switch s := s.(type) {
	case plan.Let:
		values := r.values(s.Value)
		if len(values) != len(s.Names) {
			panic(fmt.Sprintf("%d values for %q", len(values), s.Names))
		}
		for i, name := range s.Names {
			r.declare(name, values[i])
		}
	case plan.Must:
		values := r.values(s.Value)
		r.declare(s.Name, values[0])
		if values[1] != map[plan.Name]any{"ok": true, "err": nil}[s.Ok] {
			return r.run(s.Otherwise)
		}
	case plan.Declare:
		r.declare(s.Name, map[string]any{"bool": false, "int64": int64(0), "float64": 0.0, "string": "", "[]any": []any(nil), "map[string]any": map[string]any(nil), "any": nil}[s.Type])
	case plan.Set:
		r.value(plan.Name(s.Name)) // it is declared
		r.vars[s.Name] = r.value(s.Value)
	case plan.Increment:
		r.vars[s.Name] = r.value(plan.Name(s.Name)).(int64) + 1
	case plan.If:
		if r.value(s.Cond).(bool) {
			return r.run(s.Then)
		}
		return r.run(s.Otherwise)
	case plan.Range:
		return r.loop(s)
	case plan.Return:
		end := jump{kind: "return"}
		for _, v := range s.Values {
			end.values = append(end.values, r.value(v))
		}
		return end
	case plan.Break:
		return jump{kind: "break"}
	case plan.Continue:
		return jump{kind: "continue"}
	default:
		panic(fmt.Sprintf("%T", s))
	}
	return jump{}
}

func (r *ruleRun) declare(name string, v any) {
	if _, ok := r.vars[name]; ok && name != "_" {
		panic(name + " is declared twice")
	}
	if name != "_" {
		r.vars[name] = v
	}
}

func (r *ruleRun) loop(s plan.Range) jump {
	body := func(key, elem any) jump {
		for name, v := range map[string]any{s.Key: key, s.Elem: elem} {
			if name != "" {
				r.declare(name, v)
				defer delete(r.vars, name)
			}
		}
		return r.run(s.Body)
	}
	switch over := r.value(s.Over).(type) {
	case []any:
		for i, e := range over {
			if end := body(int64(i), e); end.kind == "return" {
				return end
			} else if end.kind == "break" {
				break
			}
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(over)) {
			if end := body(k, over[k]); end.kind == "return" {
				return end
			} else if end.kind == "break" {
				break
			}
		}
	default:
		panic(fmt.Sprintf("range over %T", over))
	}
	return jump{}
}

// value returns the one value of an expression. Integers are int64, whatever their type in Go.
func (r *ruleRun) value(v plan.GoValue) any {
	values := r.values(v)
	if len(values) != 1 {
		panic(fmt.Sprintf("%#v has %d values", v, len(values)))
	}
	return values[0]
}

func (r *ruleRun) values(v plan.GoValue) []any {
	switch v := v.(type) {
	case plan.Name:
		if v == "meter.Spent" {
			return []any{r.vars["meter"].(*prunecel.Meter).Spent}
		}
		value, ok := r.vars[string(v)]
		if !ok {
			panic(string(v) + " is not declared")
		}
		return []any{value}
	case plan.Literal:
		if n, ok := v.Of.(int); ok {
			return []any{int64(n)}
		}
		return []any{v.Of}
	case plan.OfRule:
		return []any{map[plan.OfRule]prunecel.Verdict{"Unsure": prunecel.Unsure}[v]}
	case plan.Opposite:
		return []any{!r.value(v.X).(bool)}
	case plan.Infix:
		return []any{r.infix(v)}
	case plan.Index:
		m := r.value(v.Of).(map[string]any)
		return []any{m[r.value(v.Key).(string)]}
	case plan.Assert:
		return r.assert(r.value(v.Of), v.Type)
	case plan.Call:
		return r.call(v)
	case plan.Method:
		return r.method(v)
	case plan.Try:
		end := r.run(v.Body)
		if end.kind != "return" {
			panic("a function without a return")
		}
		return end.values
	}
	panic(fmt.Sprintf("%T", v))
}

func (r *ruleRun) infix(v plan.Infix) any {
	x := r.value(v.X)
	switch v.Op {
	case "&&":
		return x.(bool) && r.value(v.Y).(bool)
	case "||":
		return x.(bool) || r.value(v.Y).(bool)
	}
	y := r.value(v.Y)
	switch v.Op {
	case "==":
		return x == y
	case "!=":
		return x != y
	}
	a, b := reflect.ValueOf(x), reflect.ValueOf(y)
	if a.Type() != b.Type() {
		panic(fmt.Sprintf("%T %s %T", x, v.Op, y))
	}
	switch {
	case a.CanInt():
		return infix(v.Op, a.Int(), b.Int())
	case a.CanFloat():
		return infix(v.Op, a.Float(), b.Float())
	}
	s, t := x.(string), y.(string)
	switch v.Op {
	case "<":
		return s < t
	case "<=":
		return s <= t
	case ">":
		return s > t
	case ">=":
		return s >= t
	case "+":
		return s + t
	}
	panic(v.Op)
}

func infix[T int64 | float64](op string, x, y T) any {
	switch op {
	case "<":
		return x < y
	case "<=":
		return x <= y
	case ">":
		return x > y
	case ">=":
		return x >= y
	case "+":
		return x + y
	case "-":
		return x - y
	case "*":
		return x * y
	case "/":
		return x / y
	}
	panic(op)
}

func (r *ruleRun) assert(v any, typ string) []any {
	is := false
	switch v.(type) {
	case bool:
		is = typ == "bool"
	case int64:
		is = typ == "int64"
	case float64:
		is = typ == "float64"
	case string:
		is = typ == "string"
	case []any:
		is = typ == "[]any"
	case map[string]any:
		is = typ == "map[string]any"
	}
	return []any{v, is || typ == "any" && v != nil}
}

func (r *ruleRun) call(c plan.Call) []any {
	var args []any
	for _, a := range c.Args {
		args = append(args, r.value(a))
	}
	if !c.Builtin {
		switch {
		case c.Func == "NewMeter":
			m := prunecel.NewMeter(args[0].(int64))
			return []any{&m}
		case c.Func == "HasElement":
			return hasElement(args[0].([]any), args[1])
		}
		f, ok := runtimeFunctions[c.Func]
		if !ok {
			panic("the test has no function " + c.Func)
		}
		return callOf(reflect.ValueOf(f), args)
	}
	switch c.Func {
	case "len":
		return []any{int64(reflect.ValueOf(args[0]).Len())}
	case "int64":
		return []any{args[0].(int64)}
	case "float64":
		return []any{args[0].(float64)}
	case "string":
		return []any{args[0].(string)}
	case "append":
		return []any{append(args[0].([]any), args[1])}
	}
	panic(c.Func)
}

func hasElement(list []any, v any) []any {
	var has, sure bool
	switch v := v.(type) {
	case string:
		has, sure = prunecel.HasElement(list, v)
	case int64:
		has, sure = prunecel.HasElement(list, v)
	default:
		has, sure = prunecel.HasElement(list, v.(bool))
	}
	return []any{has, sure}
}

func (r *ruleRun) method(m plan.Method) []any {
	var of any
	switch v := m.Of.(type) {
	case plan.RulePattern:
		of = &pruneformat.Pattern{Text: r.code.Patterns[v]}
	case plan.RuleType:
		of = &prunecel.TypeSource{Text: r.code.Types[v]}
	default:
		of = r.value(v)
	}
	var args []any
	for _, a := range m.Args {
		args = append(args, r.value(a))
	}
	return callOf(reflect.ValueOf(of).MethodByName(m.Name), args)
}

func callOf(f reflect.Value, args []any) []any {
	var in []reflect.Value
	for i, a := range args {
		v := reflect.ValueOf(a)
		want := f.Type().In(i)
		switch {
		case a == nil:
			v = reflect.Zero(want)
		case v.Type() != want && v.Type() == reflect.TypeFor[int64]() && want.Kind() == reflect.Int:
			v = v.Convert(want)
		}
		in = append(in, v)
	}
	var out []any
	for _, v := range f.Call(in) {
		if v.Kind() == reflect.Int {
			v = v.Convert(reflect.TypeFor[int64]())
		}
		out = append(out, v.Interface())
	}
	return out
}

// runtimeFunctions are the functions that code can call.
var runtimeFunctions = map[string]any{
	"AddDuration": prunecel.AddDuration, "AddInt": prunecel.AddInt, "AddLists": prunecel.AddLists, "AddTime": prunecel.AddTime,
	"At": prunecel.At, "Bytes": prunecel.Bytes, "CIDRContainsCIDR": prunecel.CIDRContainsCIDR,
	"CIDRContainsCIDRText": prunecel.CIDRContainsCIDRText, "CIDRContainsIP": prunecel.CIDRContainsIP,
	"CIDRContainsIPText": prunecel.CIDRContainsIPText, "CIDRIP": prunecel.CIDRIP, "CIDRMasked": prunecel.CIDRMasked,
	"CIDRPrefixLength": prunecel.CIDRPrefixLength, "CharAt": prunecel.CharAt, "CompareDoubles": prunecel.CompareDoubles,
	"CompareQuantities": prunecel.CompareQuantities, "CompareSemvers": prunecel.CompareSemvers,
	"CompareTimes": prunecel.CompareTimes, "Date": prunecel.Date, "DateOf": prunecel.DateOf, "DayOfMonth": prunecel.DayOfMonth,
	"DayOfWeek": prunecel.DayOfWeek, "DayOfYear": prunecel.DayOfYear, "DivInt": prunecel.DivInt,
	"DoubleString": prunecel.DoubleString, "DoubleToInt": prunecel.DoubleToInt, "Duration": prunecel.Duration,
	"DurationHours": prunecel.DurationHours, "DurationMilliseconds": prunecel.DurationMilliseconds,
	"DurationMinutes": prunecel.DurationMinutes, "DurationSeconds": prunecel.DurationSeconds,
	"EqualTimes": prunecel.EqualTimes, "FullYear": prunecel.FullYear, "HasFormat": prunecel.HasFormat,
	"HasKey": prunecel.HasKey, "HasPrefix": prunecel.HasPrefix, "HasSuffix": prunecel.HasSuffix, "HasText": prunecel.HasText,
	"Hours": prunecel.Hours, "IPFamily": prunecel.IPFamily, "IPIsCanonical": prunecel.IPIsCanonical,
	"IPIsGlobalUnicast": prunecel.IPIsGlobalUnicast, "IPIsLinkLocalMulticast": prunecel.IPIsLinkLocalMulticast,
	"IPIsLinkLocalUnicast": prunecel.IPIsLinkLocalUnicast, "IPIsLoopback": prunecel.IPIsLoopback,
	"IPIsUnspecified": prunecel.IPIsUnspecified, "IndexOf": prunecel.IndexOf, "IndexOfFrom": prunecel.IndexOfFrom,
	"IntOrString": prunecel.IntOrString, "IntString": prunecel.IntString, "IsCIDR": prunecel.IsCIDR, "IsIP": prunecel.IsIP,
	"IsQuantity": prunecel.IsQuantity, "IsSemver": prunecel.IsSemver, "IsURL": prunecel.IsURL, "Join": prunecel.Join,
	"LastIndexOf": prunecel.LastIndexOf, "LastIndexOfFrom": prunecel.LastIndexOfFrom, "Length": prunecel.Length,
	"LowerASCII": prunecel.LowerASCII, "Milliseconds": prunecel.Milliseconds, "Minutes": prunecel.Minutes,
	"ModInt": prunecel.ModInt, "Month": prunecel.Month, "MulInt": prunecel.MulInt, "NegInt": prunecel.NegInt,
	"NewMeter": prunecel.NewMeter, "Number": prunecel.Number, "Of": prunecel.Of, "ParseCIDR": prunecel.ParseCIDR,
	"ParseDuration": prunecel.ParseDuration, "ParseIP": prunecel.ParseIP, "ParseQuantity": prunecel.ParseQuantity,
	"ParseSemver": prunecel.ParseSemver, "ParseTimestamp": prunecel.ParseTimestamp, "ParseURL": prunecel.ParseURL,
	"Part": prunecel.Part, "QuantityAsInteger": prunecel.QuantityAsInteger,
	"QuantityIsGreaterThan": prunecel.QuantityIsGreaterThan, "QuantityIsInteger": prunecel.QuantityIsInteger,
	"QuantityIsLessThan": prunecel.QuantityIsLessThan, "Replace": prunecel.Replace, "ReplaceN": prunecel.ReplaceN,
	"Seconds": prunecel.Seconds, "SemverIsGreaterThan": prunecel.SemverIsGreaterThan,
	"SemverIsLessThan": prunecel.SemverIsLessThan, "Split": prunecel.Split, "SplitN": prunecel.SplitN,
	"StringToDouble": prunecel.StringToDouble, "StringToInt": prunecel.StringToInt, "SubDuration": prunecel.SubDuration,
	"SubInt": prunecel.SubInt, "SubTime": prunecel.SubTime, "SubTimes": prunecel.SubTimes, "Substring": prunecel.Substring,
	"SubstringTo": prunecel.SubstringTo, "TimeOf": prunecel.TimeOf, "Trim": prunecel.Trim,
	"URLEscapedPath": prunecel.URLEscapedPath, "URLHost": prunecel.URLHost, "URLHostname": prunecel.URLHostname,
	"URLPort": prunecel.URLPort, "URLScheme": prunecel.URLScheme, "UpperASCII": prunecel.UpperASCII,
}
