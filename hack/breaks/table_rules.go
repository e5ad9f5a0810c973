package main

// rulesBreaks are mistakes about CEL rules.
var rulesBreaks = []Break{
	{
		Name: "limits count bytes",
		File: "structural/rules/types.go",
		Old:  "return max(*n, 0) * 4 // maxLength counts code points",
		New:  "return max(*n, 0)",
	},
	{
		Name: "reserved words are not escaped",
		File: "structural/rules/escape.go",
		Old:  `return "__" + name + "__", true`,
		New:  "return name, true",
	},
	{
		Name: "the names of required fields take no room",
		File: "structural/rules/types.go",
		Old:  "t.MinSize += int64(len(name)) + ft.MinSize + 4 // quotes, colon, comma",
		New:  "t.MinSize += ft.MinSize",
	},
	{
		Name: "metadata without schemas is not visible",
		File: "structural/rules/metadata.go",
		Old:  "	if declaresMetadata(s) {\n		return s.Properties",
		New:  "	if true {\n		return s.Properties",
	},
	{
		Name: "constants are not looked at",
		File: "structural/rules/compile.go",
		Old:  "	if canFailToPlan(tree) {",
		New:  "	if false && canFailToPlan(tree) {",
	},
	{
		Name: "new rules have all functions",
		File: "structural/rules/environment.go",
		Old:  "	return 37\n}",
		New:  "	return 36\n}",
	},
	{
		Name: "rules of any length are checked",
		File: "structural/rules/checker.go",
		Old:  "s.left < 0 {",
		New:  "false {",
	},
	{
		Name: "elements of all lists have old values",
		File: "structural/lint/schema.go",
		Old:  `if s.XListType == nil || *s.XListType != "map" {`,
		New:  `if false {`,
	},
	{
		Name: "the number of values does not count",
		File: "structural/lint/expressions.go",
		Old:  "multiply(c.MaxCost, cardinality)",
		New:  "multiply(c.MaxCost, min(cardinality, 1))",
	},
	{
		Name: "a default is not a new value",
		File: "structural/lint/ruleddefaults.go",
		Old:  "result = table.ValidateValue(obj, nil, nil, costs)",
		New:  "result = table.ValidateValue(obj, obj, nil, costs)",
	},
	{
		Name: "an unknown field of a default hides rules",
		File: "structural/lint/defaults.go",
		Old:  "if len(errs) > 0 || !structural.HasRules(written) {",
		New:  "if len(r.Errs) > 0 || !structural.HasRules(written) {",
	},
	{
		Name: "every message sees the old value",
		File: "runtime/prunecel/rules.go",
		Old:  "vars.HasOld = vars.HasOld && n.usesOld()",
		New:  "_ = n.usesOld()",
	},
	{
		Name: "what a value replaces stands for the next value",
		File: "runtime/prunecel/place.go",
		Old:  "if depth < len(w.changes) && w.changes[depth].visit == p.visit {",
		New:  "if depth < len(w.changes) {",
	},
	{
		Name: "a rule about the kind is forgiven",
		File: "runtime/prunecel/place.go",
		Old:  `(p.name == "apiVersion" || p.name == "kind")`,
		New:  `p.name == "apiVersion"`,
	},
	{
		Name: "a rule about an element is not forgiven with its list",
		File: "runtime/prunecel/place.go",
		Old:  "for ; nearest >= 0; nearest-- {",
		New:  "for ; nearest >= 0; nearest = -1 {",
	},
	{
		Name: "each field has a place of its own, on the heap",
		File: "runtime/prunecel/rules.go",
		Old:  "w.node(f.Rules, v, old[f.Name], &below)",
		New:  "below := below\n\t\t\tw.node(f.Rules, v, old[f.Name], &below)",
	},
	{
		Name: "a variable of a rule hides something of Go",
		File: "generator/internal/lower/rulenames.go",
		Old:  "types.Universe.Lookup(v) != nil",
		New:  `types.Universe.Lookup(v) == types.Universe.Lookup("nil")`,
	},
	{
		Name: "two variables of a rule have one name",
		File: "generator/internal/lower/rulenames.go",
		Old:  "n.last[wanted], n.taken[name] = number, true",
		New:  "n.last[wanted], n.taken[name] = number, false",
	},
	{
		Name: "an operator to the right has no parentheses",
		File: "generator/internal/emit/rules.go",
		Old:  "Add(p.value(v.Y, own+1))",
		New:  "Add(p.value(v.Y, own))",
	},
	{
		Name: "a comparison of comparisons has no parentheses",
		File: "generator/internal/emit/rules.go",
		Old:  "left++ //",
		New:  "left += 0 //",
	},
	{
		Name: "an optional field is replaced where it exists",
		File: "generator/internal/lower/ruleoptionals.go",
		Old:  "[]*prunecel.Expr{has, field, e.Args[1]}",
		New:  "[]*prunecel.Expr{has, e.Args[1], field}",
	},
	{
		Name: "an optional field has a value where it does not exist",
		File: "generator/internal/lower/ruleoptionals.go",
		Old:  "return c.truth(has), true",
		New:  "return opposite(c.truth(has)), true",
	},
}
