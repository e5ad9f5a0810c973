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
		Name: "any precision has all of its digits",
		File: "runtime/prunecel/stringformat.go",
		Old:  "int(uint8(precision))",
		New:  "precision",
	},
	{
		Name: "messages keep numbers of 64 bits",
		File: "runtime/prunecel/message.go",
		Old:  "int64(int32(v)) != v",
		New:  "false",
	},
	{
		Name: "messages of any value are lowered",
		File: "structural/rules/lower.go",
		Old:  "if t.IsAssignableType(types.NullType) || computed(t).Kind != fields[f.Name()] {",
		New:  "if false {",
	},
	{
		Name: "variables are taken for numbers",
		File: "runtime/prunecel/text.go",
		Old:  `c <= '9' || t == "NaNd":`,
		New:  `(c <= '9' || c == 'N'):`,
	},
	{
		Name: "texts are nested without end",
		File: "runtime/prunecel/text.go",
		Old:  "p.depth > maxTextDepth {",
		New:  "false {",
	},
	{
		Name: "texts that are made cost nothing",
		File: "generator/internal/lower/rulecalls.go",
		Old:  "c.spendText(v, 2) // what they make",
		New:  "_ = v // what they make",
	},
}
