package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// walk emits what the functions on objects have in common: how they reach the fields of an object and the elements of a list. The
// family supplies what they do there.
type walk struct {
	verb string
	// call returns the expression that walks the value v as n says and gives the number of recorded events, "" if
	// there is nothing to do.
	call func(n *plan.Node) string
	// list begins the expression that does for the fields of a listed group what call does for one; %s stands for the types. With
	// listCounts, the expression also gives how many of the fields there are, and an object has at most one such group.
	list       string
	listCounts bool
	// metadata is the payload of the metadata of a resource.
	metadata plan.Payload
	// first returns code for an object before its fields are visited, "" for most nodes. It adds to n. It may be nil.
	first func(n *plan.Node) string
}

// before returns what first returns, nothing if there is no first.
func (w walk) before(n *plan.Node) string {
	if w.first == nil {
		return ""
	}
	return w.first(n)
}

// function emits the function of a node, whose comment says what it does.
func (w walk) function(g *jen.Group, n *plan.Node, does string, body func()) {
	doc(g, fmt.Sprintf("%s%s %s.", w.verb, n.Name, does))
	write(g, "func %s%s(v any, rec *pruneimpl.Recorder) (n int) {", w.verb, n.Name)
	body()
	write(g, "}\n")
}

// fields emits what happens to the object in the variable obj: a range over its fields or, for few names, lookups of these. The code
// returns the number of events.
func (w walk) fields(g *jen.Group, n *plan.Node) {
	write(g, "%s", w.before(n))
	if n.Walk.Ranges {
		w.rangeFields(g, n, fieldGroups(n))
	} else {
		w.lookUpFields(g, n)
	}
	fillIn(g, n)
	write(g, "return n")
}

// fieldGroups returns the fields of an object as they are grouped.
func fieldGroups(n *plan.Node) [][]plan.Field {
	var all [][]plan.Field
	for _, same := range n.Walk.Groups {
		all = append(all, same.Fields)
	}
	return all
}

// lookUpFields emits a lookup for each field, those that are listed first, then those that are only counted:
//
//	known, n := pruneimpl.PruneLeaves(obj, rec, "args", "image")
//	known += pruneimpl.Count(obj, "apiVersion", "kind")
//	if known == len(obj) {
//		return n
//	}
//	if v, ok := obj["env"]; ok {
//		n += rec.Field("env", <call>)
//		known++
//	}
//	if known < len(obj) {
//		n += pruneimpl.DropUnknown(obj, rec, "args", "env", "image")
//	}
func (w walk) lookUpFields(g *jen.Group, n *plan.Node) {
	count := n.Rest == plan.RestDrop
	listed, counted, others := w.splitFields(n, count)
	for _, same := range listed {
		switch list := w.listCall(same); {
		case w.listCounts && w.before(n) != "" && count:
			write(g, "known, leaves := %s\nn += leaves", list)
		case w.listCounts && w.before(n) != "":
			write(g, "_, leaves := %s\nn += leaves", list)
		case count:
			write(g, "known, n := %s", list)
		case w.listCounts:
			write(g, "_, n = %s", list)
		default:
			write(g, "n += %s", list)
		}
	}
	switch {
	case count && len(others) == len(n.Fields):
		write(g, "known := 0")
	case len(counted) > 0:
		assign := "+="
		if listed == nil {
			assign = ":="
		}
		write(g, "known %s pruneimpl.Count(obj, %s)", assign, arguments(counted))
	}
	// With all fields found, only defaults are left to fill in.
	exits := count && !slices.ContainsFunc(n.Fields, hasDefault)
	if exits && len(others) > 0 && len(others) < len(n.Fields) {
		write(g, exitIfAllKnown)
	}
	for i, f := range others {
		found := ""
		switch {
		case exits && i < len(others)-1:
			found = countAndExit
		case count:
			found = "known++"
		}
		w.lookUpField(g, f, found)
	}
	if count {
		write(g, "if known < len(obj) {\nn += pruneimpl.DropUnknown(obj, rec, %s)\n}", arguments(n.Fields))
	}
}

// What ends a function when all fields of an object are known, and what counts a field that a lookup has found first.
const (
	exitIfAllKnown = "if known == len(obj) {\nreturn n\n}"
	countAndExit   = "if known++; known == len(obj) {\nreturn n\n}"
)

// listCall returns the call for the fields of a group that is listed.
func (w walk) listCall(same plan.Group) string {
	begin := w.list
	if do, ok := same.Node().Do.(plan.Check); ok {
		begin = fmt.Sprintf(begin, typeSet(do.Types))
	}
	return begin + arguments(same.Fields) + ")"
}

// splitFields returns the fields of an object that are listed, those that are only counted, and all others.
func (w walk) splitFields(n *plan.Node, count bool) (listed []plan.Group, counted, others []plan.Field) {
	for _, same := range n.Walk.Groups {
		switch f := same.Fields[0]; {
		case same.Listed:
			listed = append(listed, same)
		case count && w.call(f.Node) == "" && nullRule(f.Slot).Null != plan.NullDrop:
			counted = append(counted, same.Fields...)
		default:
			others = append(others, same.Fields...)
		}
	}
	return listed, counted, others
}

// lookUpField emits a lookup for one field, and what counts it.
func (w walk) lookUpField(g *jen.Group, f plan.Field, count string) {
	name := quote(f.Name)
	call := w.field(name, f.Node)
	switch {
	case nullRule(f.Slot).Null == plan.NullDrop:
		write(g, "if v, ok := obj[%s]; v != nil {\n%s\n%s\n} else if ok {\ndelete(obj, %[1]s)\n}", name, call, count)
	case isRequired(f):
		write(g, "if v, ok := obj[%s]; ok {\n%s\n%s\n} else {\nn += rec.Missing(%[1]s)\n}", name, call, count)
	case call != "":
		write(g, "if v, ok := obj[%s]; ok {\n%s\n%s\n}", name, call, count)
	case count != "": // otherwise fillIn handles it
		write(g, "if _, ok := obj[%s]; ok {\n%s\n}", name, count)
	}
}

// rangeFields emits a range over the fields of an object, with a case for each group:
//
//	left, required := len(obj), 0
//	for k, v := range obj {
//		switch k {
//		case "args", "env":
//			n += rec.Field(k, <call>)
//		case "image":
//			required++
//			n += rec.Field(k, <call>)
//		default:
//			<what happens to the rest>
//		}
//		if left--; left == 0 {
//			break
//		}
//	}
//	if required < 1 {
//		n += pruneimpl.Required(obj, rec, "image")
//	}
//
// Go's map would look for one more field after the last: an eighth of the time of a range over the few fields that objects have.
func (w walk) rangeFields(g *jen.Group, n *plan.Node, groups [][]plan.Field) {
	required := slices.DeleteFunc(slices.Clone(n.Fields), func(f plan.Field) bool { return !isRequired(f) })
	if len(required) > 0 {
		write(g, "left, required := len(obj), 0")
	} else {
		write(g, "left := len(obj)")
	}
	if n.Rest == plan.RestWalk || slices.ContainsFunc(n.Fields, func(f plan.Field) bool { return w.call(f.Node) != "" || f.Slot != nil && !isRequired(f) }) {
		write(g, "for k, v := range obj {")
	} else {
		write(g, "for k := range obj {")
	}
	if len(n.Fields) > 0 {
		write(g, "switch k {")
		for _, same := range groups {
			write(g, "case %s:", literals(same))
			if isRequired(same[0]) {
				write(g, "required++")
			} else if nullRule(same[0].Slot).Null == plan.NullDrop {
				nullInRange(g, same[0].Slot)
			}
			write(g, "%s", w.field("k", same[0].Node))
		}
		if n.Rest != plan.RestKeep {
			write(g, "default:")
		}
	}
	switch n.Rest {
	case plan.RestDrop:
		write(g, "delete(obj, k)\nn += rec.Drop(k)")
	case plan.RestRefuse:
		write(g, "n += rec.Forbidden(k)")
	case plan.RestWalk:
		nullInRange(g, n.RestSlot)
		if call := w.call(n.RestNode); call != "" {
			write(g, "n += rec.Key(k, %s)", call)
		}
	}
	if len(n.Fields) > 0 {
		write(g, "}")
	}
	write(g, "if left--; left == 0 {\nbreak\n}\n}")
	if len(required) > 0 {
		write(g, "if required < %d {\nn += pruneimpl.Required(obj, rec, %s)\n}", len(required), arguments(required))
	}
}

// walkNotes are the notes of functions that reach the fields of an object.
func walkNotes(n *plan.Node) []string {
	if !n.Walk.Ranges {
		return nil
	}
	return []string{"A loop over fields ends when none is left: ranging on, Go would search the rest of the map."}
}

// field returns what happens to the value v of a field: n += rec.Field(<name>, <call>), "" if nothing does.
// The runtime itself records where the events in metadata belong.
func (w walk) field(name string, n *plan.Node) string {
	call := w.call(n)
	switch {
	case call == "":
		return ""
	case n.Do == w.metadata:
		return "n += " + call
	}
	return fmt.Sprintf("n += rec.Field(%s, %s)", name, call)
}

// literals returns the names of fields as the string literals of a case, as many in a line as fit.
func literals(fields []plan.Field) string {
	var text strings.Builder
	width := 0
	for i, f := range fields {
		name := quote(f.Name)
		switch width += len(name) + len(", "); {
		case i == 0:
		case width > listWidth:
			text.WriteString(",\n")
			width = len(name) + len(", ")
		default:
			text.WriteString(", ")
		}
		text.WriteString(name)
	}
	return text.String()
}

// arguments returns the names of fields as the last arguments of a call: in one line, or each in its own if they do not fit. An added
// name changes no other line: the last of many names also ends with a comma.
func arguments(fields []plan.Field) string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return quoted(names)
}

// quoted returns strings as literals: in one line, or each in its own with a comma if they do not fit.
func quoted(all []string) string {
	literals, length := make([]string, len(all)), 0
	for i, s := range all {
		literals[i] = quote(s)
		length += len(s) + len(`"", `)
	}
	return listed(literals, length)
}

// listWidth is the maximum length of a line of a list.
const listWidth = 90

// listed returns the items of a list: in one line, or each in its own with a comma if their length is too much for one.
func listed(items []string, length int) string {
	if length <= listWidth {
		return strings.Join(items, ", ")
	}
	return "\n" + strings.Join(items, ",\n") + ",\n"
}

// elements emits what happens to the elements of list.
func (w walk) elements(g *jen.Group, n *plan.Node) {
	write(g, "for i, v := range list {")
	nullElement(g, n.ElemSlot)
	if call := w.call(n.Elem); call != "" {
		write(g, "n += rec.Index(i, %s)", call)
	}
	write(g, "}\nreturn n")
}

// assertOr emits what begins a function on values of one type.
func assertOr(g *jen.Group, name, typ, result string) {
	write(g, "%s, ok := v.(%s)\nif !ok {\nreturn %s\n}", name, typ, result)
}

// objectOrList emits what happens to a value that may be an object or a list, either way with something to do.
func (w walk) objectOrList(g *jen.Group, n *plan.Node) {
	write(g, "switch v := v.(type) {")
	if n.WalksObject() {
		write(g, "case map[string]any:\nobj := v")
		w.fields(g, n)
	}
	if n.Elem != nil {
		write(g, "case []any:\nlist := v")
		w.elements(g, n)
	}
	write(g, "}\nreturn n")
}
