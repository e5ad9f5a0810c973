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
	// metadata is the payload of the metadata of a resource.
	metadata plan.Payload
}

// function emits the function of a node, whose comment says what it does.
func (w walk) function(g *jen.Group, n *plan.Node, does string, body func()) {
	doc(g, does+".")
	write(g, "func %s%s(v any, rec *pruneimpl.Recorder) (n int) {", w.verb, n.Name)
	body()
	write(g, "}\n")
}

// lookUp emits a lookup for one field of the object obj. With exit, the function returns if the field was the last of left fields that were
// not found yet, and a null that is dropped is left to others:
//
//	if v, ok := obj["env"]; ok && rec.Last("env", <call>, &n, &left) {
//		return n
//	}
//
// Without, count is code that counts the field, if there is any:
//
//	if v, ok := obj["env"]; ok {
//		n += rec.Field("env", <call>)
//		<count>
//	}
func (w walk) lookUp(g *jen.Group, f plan.Field, exit bool, count string) {
	name := quote(f.Name)
	call := w.field(name, f.Node)
	found := "v, ok := obj[%s]; ok"
	drops := nullRule(f.Slot).Null == plan.NullDrop
	switch {
	case drops && (exit || count != ""):
		found = "v := obj[%s]; v != nil"
	case drops:
		found = "v, ok := obj[%s]; v != nil"
	case call == "":
		found = "_, ok := obj[%s]; ok"
	}
	found = fmt.Sprintf(found, name)
	switch {
	case exit && call != "" && f.Node.Do != w.metadata:
		write(g, "if %s && rec.Last(%s, %s, &n, &left) {\nreturn n\n}", found, name, w.call(f.Node))
	case isRequired(f):
		write(g, "if %s {\n%s\n%s\n} else {\nn += rec.Missing(%s)\n}", found, call, count, name)
	case drops && count == "":
		write(g, "if %s {\n%s\n} else if ok {\ndelete(obj, %s)\n}", found, call, name)
	case call != "" || count != "":
		write(g, "if %s {\n%s\n%s\n}", found, call, count)
	}
}

// lookUps emits lookups for the fields of an object, of which left were not found yet: a call for each listed group, as call returns it, and one
// lookup for each other field. Required fields come first. The code returns once no field is left.
func (w walk) lookUps(g *jen.Group, n *plan.Node, call func(plan.Group) string) {
	all := n.Walk.Groups
	for i, same := range all {
		f := same.Fields[0]
		last := i == len(all)-1
		if i > 0 && !last && !same.Listed && !isRequired(f) && (isRequired(all[i-1].Fields[0]) || all[i-1].Listed) {
			write(g, "if left == 0 {\nreturn n\n}")
		}
		switch {
		case same.Listed:
			write(g, "n += %s", call(same))
		case isRequired(f) && !last:
			w.lookUp(g, f, false, "left--")
		default:
			w.lookUp(g, f, !last && !isRequired(f), "")
		}
	}
}

// countFields emits the number of the fields of obj, if the code for them counts those that it has found.
func countFields(g *jen.Group, n *plan.Node) {
	if countsFields(n) {
		write(g, "left := len(obj)")
	}
}

// countsFields reports whether the code for the fields of an object counts those that it has found.
func countsFields(n *plan.Node) bool {
	all := n.Walk.Groups
	return n.Walk.Ranges || len(all) > 1 || len(all) == 1 && all[0].Listed
}

// rangeFields emits a range over the left fields of the object obj, with a case for each group:
//
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
func (w walk) rangeFields(g *jen.Group, n *plan.Node) {
	required := slices.DeleteFunc(slices.Clone(n.Fields), func(f plan.Field) bool { return !isRequired(f) })
	if len(required) > 0 {
		write(g, "required := 0")
	}
	nulls, together := nullsTogether(n)
	if together || n.Rest == plan.RestWalk || slices.ContainsFunc(n.Fields, func(f plan.Field) bool { return w.call(f.Node) != "" || f.Slot != nil && !isRequired(f) }) {
		write(g, "for k, v := range obj {")
	} else {
		write(g, "for k := range obj {")
	}
	if len(n.Fields) > 0 {
		write(g, "switch k {")
		for _, c := range w.cases(n, together) {
			write(g, "case %s:", literals(c.fields))
			write(g, "%s", c.body)
		}
		if n.Rest != plan.RestKeep {
			write(g, "default:")
		}
	}
	switch n.Rest {
	case plan.RestDrop:
		write(g, "n += rec.DropField(obj, k)")
	case plan.RestRefuse:
		write(g, "n += rec.Forbidden(k)")
	case plan.RestWalk:
		if !together {
			write(g, "%s", nullInRange(n.RestSlot))
		}
		if call := w.call(n.RestNode); call != "" {
			write(g, "n += rec.Key(k, %s)", call)
		}
	}
	if len(n.Fields) > 0 {
		write(g, "}")
	}
	if together {
		write(g, "if v == nil%s {\ndelete(obj, k)\n}", nulls)
	}
	write(g, "if left--; left == 0 {\nbreak\n}\n}")
	if len(required) > 0 {
		write(g, "if required < %d {\nn += pruneimpl.Required(obj, rec, %s)\n}", len(required), arguments(required))
	}
}

// fieldsCase is a case of a range: what happens to several fields.
type fieldsCase struct {
	fields []plan.Field
	body   string
}

// cases returns the cases of a range. Fields to which the same happens are in one, at the place of the first.
func (w walk) cases(n *plan.Node, nullsTogether bool) []fieldsCase {
	var all []fieldsCase
	at := map[string]int{}
	for _, same := range n.Walk.Groups {
		f := same.Fields[0]
		var body []string
		if isRequired(f) {
			body = append(body, "required++")
		} else if nullRule(f.Slot).Null == plan.NullDrop && !nullsTogether {
			body = append(body, nullInRange(f.Slot))
		}
		body = append(body, w.field("k", f.Node))
		text := strings.Trim(strings.Join(body, "\n"), "\n")
		i, ok := at[text]
		if !ok {
			i = len(all)
			at[text] = i
			all = append(all, fieldsCase{body: text})
		}
		all[i].fields = append(all[i].fields, same.Fields...)
	}
	return all
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

// each returns the function that a call of it with v and rec names, "" for another call.
func each(call string) string {
	name, ok := strings.CutSuffix(call, "(v, rec)")
	if !ok || strings.Contains(name, "(") {
		return ""
	}
	return name
}

// assertOr emits what begins a function on values of one type.
func assertOr(g *jen.Group, name, typ, result string) {
	write(g, "%s, ok := v.(%s)\nif !ok {\nreturn %s\n}", name, typ, result)
}

// objectOrList emits what happens to a value that may be an object or a list, either way with something to do.
func (w walk) objectOrList(g *jen.Group, n *plan.Node, object func()) {
	write(g, "switch v := v.(type) {")
	if n.WalksObject() {
		write(g, "case map[string]any:\nobj := v")
		object()
	}
	if n.Elem != nil {
		write(g, "case []any:\nlist := v")
		w.elements(g, n)
	}
	write(g, "}\nreturn n")
}
