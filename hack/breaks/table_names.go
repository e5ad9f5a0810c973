package main

// nameBreaks are mistakes with the names of fields that JSON escapes, or that read like paths.
var nameBreaks = []Break{
	{Name: "an escaped backspace is a b", File: "runtime/prunejson/keys.go",
		Old: `b = append(b, '\b')`, New: `b = append(b, 'b')`},
	{Name: "an escaped form feed is a line feed", File: "runtime/prunejson/keys.go",
		Old: `b = append(b, '\f')`, New: `b = append(b, '\n')`},
	{Name: "a key ends where it has a quote and a colon", File: "runtime/prunejson/keys.go",
		Old: "if spelling[i] == ':' && spelling[i-1] == '\"' {\n\t\t\tspelling[i] = 0", New: "if spelling[i] == ':' && spelling[i-1] == '\"' {\n\t\t\tspelling[i] = ':'"},
	{Name: "large hexadecimal digits are small ones", File: "runtime/prunejson/keys.go",
		Old: `c -= 'A' - 10`, New: `c -= 'A'`},
	{Name: "both halves of a pair are characters", File: "runtime/prunejson/keys.go",
		Old: "r != utf8.RuneError {\n\t\t\t\t\t\ti += 6", New: "r != utf8.RuneError {\n\t\t\t\t\t\ti += 0"},
	{Name: "a field at the root has no dot after a name that is empty", File: "structural/path.go",
		Old: `if i > 0 || b.Len() > 0 {`, New: `if i > 0 && b.Len() > 0 {`},
	{Name: "a field without a name is written like others", File: "structural/path.go",
		Old: `case s.step == stepKey || s.name == "":`, New: `case s.step == stepKey:`},
}
