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
	{Name: "a name with a dot is a field below another", File: "structural/differ/kept.go",
		Old: `other != nil && other.fields[path[i+1:]] != nil {`, New: `other != nil && len(other.fields) < 0 {`},
	{Name: "a map that is lost is called by the object that has it", File: "structural/differ/kept.go",
		Old: "case to.values == nil && !to.rest:\n\t\tc.add(at.values())", New: "case to.values == nil && !to.rest:\n\t\tc.add(at)"},
	{Name: "fields in lists are not compared where there is nothing to compare with", File: "structural/differ/kept.go",
		Old: `case from.elements == nil || to.elements == nil && to.rest:`, New: `case from.elements == nil || to.elements == nil || to.rest:`},
	{Name: "the schema of values is not hashed", File: "structural/hash.go",
		Old: `h.schema(ap.Schema)`, New: `h.schema(&Schema{})`},
	{Name: "alternatives are hashed without their number", File: "structural/hash.go",
		Old: `h.text(keyword, strconv.Itoa(len(list)))`, New: `h.text(keyword, "some")`},
}
