package main

// edgeBreaks are mistakes at the edges of what is reported and compared: order, limits, what is lost as a whole.
var edgeBreaks = []Break{
	{Name: "the shorter of two names comes first", File: "runtime/pruneimpl/dropped.go",
		Old: `c = int(w.following(i, n)) - int(w.following(j, n))`, New: `c = len(a.name) - len(b.name)`},
	{Name: "a list follows its name like an object", File: "runtime/pruneimpl/dropped.go",
		Old: "case w.events[i-1].kind == stepIndex:\n\t\treturn '['", New: "case w.events[i-1].kind == stepIndex:\n\t\treturn '.'"},
	{Name: "indices are in the order of numbers", File: "runtime/pruneimpl/dropped.go",
		Old: `c = bytes.Compare(appendIndex(x[:0], a.index), appendIndex(y[:0], b.index))`, New: `c = a.index - b.index + 0*bytes.Compare(x[:0], y[:0])`},
	{Name: "what is dropped takes the room of what is wrong", File: "runtime/pruneimpl/recorder.go",
		Old: `c = &r.faults`, New: `c = &r.drops`},
	{Name: "a negative number of entries is a limit", File: "runtime/pruneimpl/recorder.go",
		Old: `if r.limits.Entries > 0 && c.listed`, New: `if r.limits.Entries != 0 && c.listed`},
	{Name: "a negative number of bytes is a limit", File: "runtime/pruneimpl/recorder.go",
		Old: `return l.Bytes <= 0 || bytes <= l.Bytes`, New: `return l.Bytes == 0 || bytes <= l.Bytes`},
}
