package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// walk emits what the functions on objects have in common: how they reach the fields of an object and the elements of a list. The
// family supplies what they do there.
type walk struct {
	verb string
	// call returns the expression that walks the value v as n says and gives the number of recorded events, nil if
	// there is nothing to do.
	call func(n *plan.Node, v jen.Code) jen.Code
	// list returns the expression that does for all fields of a group that is listed what call does for one. With
	// listCounts, the expression also gives how many of the fields there are, and an object has at most one such group.
	list       func(n *plan.Node, names []jen.Code) jen.Code
	listCounts bool
	// metadata is the payload of the metadata of a resource.
	metadata plan.Payload
	// first returns code for an object before its fields are visited, none for most nodes. It adds to n.
	first func(n *plan.Node) []jen.Code
}

// before returns what first returns, nothing if there is no first.
func (w walk) before(n *plan.Node) []jen.Code {
	if w.first == nil {
		return nil
	}
	return w.first(n)
}

// function emits
//
//	func <verb><Name>(v any, rec *pruneimpl.Recorder) (n int) {
//		<body>
//	}
func (w walk) function(g *jen.Group, n *plan.Node, body func(g *jen.Group)) {
	g.Func().Id(w.verb+n.Name).Params(jen.Id("v").Any(), recorder()).Params(jen.Id("n").Int()).BlockFunc(body)
}

// fields emits what happens to the object in the variable obj: a range over its fields or, for few names, lookups of these. The code
// returns the number of events.
func (w walk) fields(g *jen.Group, n *plan.Node) {
	for _, code := range w.before(n) {
		g.Add(code)
	}
	if n.Walk.Ranges {
		w.rangeFields(g, n)
	} else {
		w.lookUpFields(g, n)
	}
	fillIn(g, n)
	g.Return(jen.Id("n"))
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
		switch list := w.list(same.Node(), arguments(same.Fields)); {
		case w.listCounts && len(w.before(n)) > 0:
			known := "_"
			if count {
				known = "known"
			}
			g.List(jen.Id(known), jen.Id("leaves")).Op(":=").Add(list)
			g.Id("n").Op("+=").Id("leaves")
		case count:
			g.List(jen.Id("known"), jen.Id("n")).Op(":=").Add(list)
		case w.listCounts:
			g.List(jen.Id("_"), jen.Id("n")).Op("=").Add(list)
		default:
			g.Id("n").Op("+=").Add(list)
		}
	}
	known := impl("Count").Call(append([]jen.Code{jen.Id("obj")}, arguments(counted)...)...)
	switch {
	case count && len(others) == len(n.Fields):
		g.Id("known").Op(":=").Lit(0)
	case len(counted) > 0 && listed == nil:
		g.Id("known").Op(":=").Add(known)
	case len(counted) > 0:
		g.Id("known").Op("+=").Add(known)
	}
	// With all fields found, there is nothing left to do but to fill in defaults.
	exits := count && !slices.ContainsFunc(n.Fields, hasDefault)
	if exits && len(others) > 0 && len(others) < len(n.Fields) {
		g.If(jen.Id("known").Op("==").Len(jen.Id("obj"))).Block(jen.Return(jen.Id("n")))
	}
	for i, f := range others {
		found := countNothing
		switch {
		case exits && i < len(others)-1:
			found = countAndExit
		case count:
			found = countField
		}
		w.lookUpField(g, f, found)
	}
	if count {
		g.If(jen.Id("known").Op("<").Len(jen.Id("obj"))).Block(
			jen.Id("n").Op("+=").Add(impl("DropUnknown")).Call(append([]jen.Code{jen.Id("obj"), jen.Id("rec")}, arguments(n.Fields)...)...),
		)
	}
}

// splitFields returns the fields of an object that are listed, those that are only counted, and all others.
func (w walk) splitFields(n *plan.Node, count bool) (listed []plan.Group, counted, others []plan.Field) {
	for _, same := range n.Walk.Groups {
		switch f := same.Fields[0]; {
		case same.Listed:
			listed = append(listed, same)
		case count && w.call(f.Node, jen.Id("v")) == nil && nullRule(f.Slot).Null != plan.NullDrop:
			counted = append(counted, same.Fields...)
		default:
			others = append(others, same.Fields...)
		}
	}
	return listed, counted, others
}

// counting says what follows when a lookup has found a field.
type counting uint8

const (
	countNothing counting = iota // nothing: it does not matter how many there are
	countField                   // one more is known
	countAndExit                 // one more is known, and these may be all
)

// countFound emits what follows when a lookup has found a field.
func countFound(g *jen.Group, count counting) {
	switch count {
	case countField:
		g.Id("known").Op("++")
	case countAndExit:
		g.If(jen.Id("known").Op("++"), jen.Id("known").Op("==").Len(jen.Id("obj"))).Block(jen.Return(jen.Id("n")))
	}
}

// lookUpField emits a lookup for one field:
//
//	if v, ok := obj["env"]; ok {
//		<call>
//		if known++; known == len(obj) {
//			return n
//		}
//	}
//
// A field that is dropped if it is null:
//
//	if v, ok := obj["env"]; v != nil {
//		<call>
//		known++
//	} else if ok {
//		delete(obj, "env")
//	}
func (w walk) lookUpField(g *jen.Group, f plan.Field, count counting) {
	name := func() *jen.Statement { return jen.Lit(f.Name) }
	call := w.field(name(), f.Node)
	found := func(g *jen.Group) {
		if call != nil {
			g.Add(call)
		}
		countFound(g, count)
	}
	switch {
	case nullRule(f.Slot).Null == plan.NullDrop:
		g.If(jen.List(jen.Id("v"), jen.Id("ok")).Op(":=").Id("obj").Index(name()), jen.Id("v").Op("!=").Nil()).BlockFunc(found).
			Else().If(jen.Id("ok")).Block(jen.Delete(jen.Id("obj"), name()))
	case call == nil && count == countNothing:
		// fillIn handles it.
	default:
		value := "v"
		if call == nil {
			value = "_"
		}
		g.If(jen.List(jen.Id(value), jen.Id("ok")).Op(":=").Id("obj").Index(name()), jen.Id("ok")).BlockFunc(found)
	}
}

// rangeFields emits
//
//	left := len(obj)
//	for k, v := range obj {
//		switch k {
//		case "args", "image":
//			n += rec.Field(k, <call>)
//		default:
//			<what happens to the rest>
//		}
//		if left--; left == 0 {
//			break
//		}
//	}
//
// Go's map looks for one more field after the last: an eighth of the time of a range over the few fields that objects have.
func (w walk) rangeFields(g *jen.Group, n *plan.Node) {
	rest := func(g *jen.Group) {
		switch n.Rest {
		case plan.RestDrop:
			g.Delete(jen.Id("obj"), jen.Id("k"))
			g.Id("n").Op("+=").Id("rec").Dot("Drop").Call(jen.Id("k"))
		case plan.RestWalk:
			nullInRange(g, n.RestSlot)
			if call := w.call(n.RestNode, jen.Id("v")); call != nil {
				g.Id("n").Op("+=").Id("rec").Dot("Key").Call(jen.Id("k"), call)
			}
		}
	}
	g.Id("left").Op(":=").Len(jen.Id("obj"))
	g.For(jen.List(jen.Id("k"), jen.Id("v")).Op(":=").Range().Id("obj")).BlockFunc(func(g *jen.Group) {
		defer lastField(g)
		if len(n.Fields) == 0 {
			rest(g)
			return
		}
		g.Switch(jen.Id("k")).BlockFunc(func(g *jen.Group) {
			for _, same := range n.Walk.Groups {
				call := w.field(jen.Id("k"), same.Node())
				g.Case(literals(same.Fields)...).BlockFunc(func(g *jen.Group) {
					if nullRule(same.Slot()).Null == plan.NullDrop {
						nullInRange(g, same.Slot())
					}
					if call != nil {
						g.Add(call)
					}
				})
			}
			if n.Rest != plan.RestKeep {
				g.Default().BlockFunc(rest)
			}
		})
	})
}

// lastField emits what ends a range over the fields of an object.
func lastField(g *jen.Group) {
	g.If(jen.Id("left").Op("--"), jen.Id("left").Op("==").Lit(0)).Block(jen.Break())
}

// field emits what happens to the value v of a field: n += rec.Field(<name>, <call>), nil if nothing does.
// The runtime itself records where the events in metadata belong.
func (w walk) field(name jen.Code, n *plan.Node) jen.Code {
	call := w.call(n, jen.Id("v"))
	if call == nil {
		return nil
	}
	if n.Do == w.metadata {
		return jen.Id("n").Op("+=").Add(call)
	}
	return jen.Id("n").Op("+=").Id("rec").Dot("Field").Call(name, call)
}

// literals returns the names of fields as string literals: in one line, or each in its own if they do not fit.
func literals(fields []plan.Field) []jen.Code {
	names := make([]jen.Code, len(fields))
	oneLine := fitLine(fields)
	for i, f := range fields {
		names[i] = jen.Lit(f.Name)
		if !oneLine {
			names[i] = jen.Line().Lit(f.Name)
		}
	}
	return names
}

// arguments returns the same as the last arguments of a call. An added name changes no other line: the last of many names also ends
// with a comma.
func arguments(fields []plan.Field) []jen.Code {
	names := literals(fields)
	if !fitLine(fields) {
		names = append(names, jen.Line())
	}
	return names
}

func fitLine(fields []plan.Field) bool {
	length := 0
	for _, f := range fields {
		length += len(f.Name) + len(`"", `)
	}
	return length <= 90
}

// elements emits what happens to a list in the variable list and returns the number of events:
//
//	for i, v := range list {
//		n += rec.Index(i, <call>)
//	}
//	return n
func (w walk) elements(g *jen.Group, n *plan.Node) {
	g.For(jen.List(jen.Id("i"), jen.Id("v")).Op(":=").Range().Id("list")).BlockFunc(func(g *jen.Group) {
		if d := nullRule(n.ElemSlot).Default; d != nil {
			g.If(jen.Id("v").Op("==").Nil()).Block(jen.Id("list").Index(jen.Id("i")).Op("=").Add(literal(d.JSON)), jen.Continue())
		}
		if call := w.call(n.Elem, jen.Id("v")); call != nil {
			g.Id("n").Op("+=").Id("rec").Dot("Index").Call(jen.Id("i"), call)
		}
	})
	g.Return(jen.Id("n"))
}

// listOr emits
//
//	list, n := <function>(v, rec, <arguments>)
//
// where the function returns the list that v is, or no list and the events of another value.
func listOr(g *jen.Group, function string, arguments ...jen.Code) {
	g.List(jen.Id("list"), jen.Id("n")).Op(":=").Add(impl(function)).Call(append([]jen.Code{jen.Id("v"), jen.Id("rec")}, arguments...)...)
}

// assertOr emits
//
//	<name>, ok := v.(<type>)
//	if !ok {
//		return <result>
//	}
func assertOr(g *jen.Group, name string, typ jen.Code, result jen.Code) {
	g.List(jen.Id(name), jen.Id("ok")).Op(":=").Id("v").Assert(typ)
	g.If(jen.Op("!").Id("ok")).Block(jen.Return(result))
}

// objectOrList emits what happens to a value that may be an object or a list, either way with something to do:
//
//	switch v := v.(type) {
//	case map[string]any:
//		obj := v
//		<fields>
//	case []any:
//		list := v
//		<elements>
//	}
//	return n
func (w walk) objectOrList(g *jen.Group, n *plan.Node) {
	g.Switch(jen.Id("v").Op(":=").Id("v").Assert(jen.Type())).BlockFunc(func(g *jen.Group) {
		if n.WalksObject() {
			g.Case(object()).BlockFunc(func(g *jen.Group) {
				g.Id("obj").Op(":=").Id("v")
				w.fields(g, n)
			})
		}
		if n.Elem != nil {
			g.Case(jen.Index().Any()).BlockFunc(func(g *jen.Group) {
				g.Id("list").Op(":=").Id("v")
				w.elements(g, n)
			})
		}
	})
	g.Return(jen.Id("n"))
}
