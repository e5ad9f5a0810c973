package main

// aimedBreaks are mistakes that show in values at the bounds of keywords, and below junctors. Some are made in generated code, some in
// the reference: what Kubernetes says is written down for both.
var aimedBreaks = []Break{
	{Name: "an address with leading zeros has a prefix of 33 bits", File: "runtime/pruneimpl/pruneformat/addresses.go",
		Old: `most = 32`, New: `most = 33`},
	{Name: "an address of IPv6 with leading zeros has a prefix of 129 bits", File: "runtime/pruneimpl/pruneformat/addresses.go",
		Old: `most := 128`, New: `most := 129`},
	{Name: "a format that every text has counts for nothing", File: "runtime/pruneimpl/validate_junctors.go",
		Old: "if format != \"\" && typeOfFormat(format) == \"\" {\n\t\t\tn++", New: "if format != \"\" && typeOfFormat(format) == \"\" {\n\t\t\tn += 0"},
	{Name: "alternatives that hold together count as one that holds", File: "runtime/pruneimpl/validate_junctors.go",
		Old: `c.matches = 0`, New: `c.matches += 0`},
	{Name: "a format that nobody knows counts", File: "generator/internal/lower/formats.go",
		Old: `counts = stringFormats[normalFormat(s.Format)] != ""`, New: `counts = s.Format != ""`},
	{Name: "a bound beyond float32 fits the format float", File: "generator/internal/lower/validate.go",
		Old: `fits = !math.IsInf(float64(float32(*limit)), 0)`, New: `fits = !math.IsInf(*limit, 0)`},
	{Name: "the format of an integer or a string is that of its type", File: "generator/internal/lower/formats.go",
		Old: "if s.XIntOrString {\n\t\ttyp = \"\"", New: "if s.XIntOrString {\n\t\ttyp = s.Type"},
	{Name: "the reference takes every bound for a float32", File: "structural/interpret/values_keywords.go",
		Old: `strconv.ParseFloat(text, 32)`, New: `strconv.ParseFloat(text, 64)`},
	{Name: "the reference chooses the last of equal alternatives", File: "structural/interpret/values.go",
		Old: `o.matches > chosen.matches`, New: `o.matches >= chosen.matches`},
	{Name: "the reference takes an exclusive minimum for a minimum", File: "structural/interpret/values_keywords.go",
		Old: `order == 0 && !s.ExclusiveMinimum`, New: `order == 0`},
	{Name: "kinds have 64 characters", File: "runtime/pruneimpl/validate_resource.go",
		Old: `if len(s) > 63 {`, New: `if len(s) > 64 {`},
	{Name: "kinds begin with digits", File: "runtime/pruneimpl/validate_resource.go",
		Old: `!isLower(s[0])`, New: `s[0] == '-'`},
	{Name: "the nulls of an enum are taken", File: "structural/interpret/values_keywords.go",
		Old: `if e != nil && value.IsValid()`, New: `if e == v || e != nil && value.IsValid()`},
}
