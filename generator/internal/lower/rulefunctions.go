package lower

import (
	"regexp"
	"strings"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

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
	"double_to_string": {"DoubleString", false},

	"timestamp_to_year": {"FullYear", false}, "timestamp_to_month": {"Month", false}, "timestamp_to_day_of_year": {"DayOfYear", false},
	"timestamp_to_day_of_month": {"DayOfMonth", false}, "timestamp_to_day_of_month_1_based": {"Date", false},
	"timestamp_to_day_of_week": {"DayOfWeek", false}, "timestamp_to_hours": {"Hours", false}, "timestamp_to_minutes": {"Minutes", false},
	"timestamp_to_seconds": {"Seconds", false}, "timestamp_to_milliseconds": {"Milliseconds", false},
	"duration_to_hours": {"DurationHours", false}, "duration_to_minutes": {"DurationMinutes", false},
	"duration_to_seconds": {"DurationSeconds", false}, "duration_to_milliseconds": {"DurationMilliseconds", false},

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
	"quantity_get_int": {"QuantityAsInteger", true}, "quantity_is_integer": {"QuantityIsInteger", false},
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
	if v, ok := c.optionalField(e); ok {
		return v
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
	v := c.orError(variable(e.Name), call, expected)
	switch e.Name {
	case "join", "replace":
		c.spendText(v, 2) // what they make may be longer than what they are given
	}
	return v
}
