package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// jsonWalk emits what the functions on JSON have in common: how they reach the members of an object and the elements of a list. The
// family supplies what they do there.
type jsonWalk struct {
	receiver string
	// other returns what becomes of a value of another type than the function is for.
	other func(keep bool) jen.Code
	// first emits code before the members of an object and the elements of a list; nil for none.
	first func() jen.Code
	// element returns the call for an element that is at p.
	element func(n *plan.Node) jen.Code
	// field emits what happens to a field whose key has matched, and rest what happens to one whose key has not.
	field func(f plan.Field) jen.Code
	rest  func(g *jen.Group, n *plan.Node)
	// close and closeList return the results of a function at the end of an object and at the end of a list.
	close, closeList func() jen.Code
}

// body emits what happens to a value at p. An object:
//
//	k, p, ok := s.Object(p)
//	if !ok {
//		return <other>
//	}
//	<members>
//
// A list is the same with s.List and elements. Of a value that may be either, each is tried.
func (w jsonWalk) body(g *jen.Group, n *plan.Node) {
	orReturn := func(keep bool) jen.Code { return jen.If(jen.Op("!").Id("ok")).Block(jen.Return(w.other(keep))) }
	switch n.Walk.Form {
	case plan.FormLeafObject, plan.FormObject:
		g.Add(w.open("Object", "k", "p", "ok"), jen.Line(), orReturn(n.Elem.Do == plan.PruneKeep))
		w.members(g, n)
	case plan.FormList:
		g.Add(w.open("List", "p", "more", "ok"), jen.Line(), orReturn(n.Rest == plan.RestKeep))
		w.elements(g, n)
	case plan.FormKeptList:
		g.If(w.call("IsAt", jen.Id("p"), jen.LitRune('['))).Block(jen.Return(w.other(true)))
		g.Return(w.other(n.Rest == plan.RestKeep))
	case plan.FormAny:
		g.If(w.open("Object", "k", "p", "ok"), jen.Id("ok")).BlockFunc(func(g *jen.Group) { w.members(g, n) })
		g.Add(w.open("List", "p", "more", "ok"), jen.Line(), orReturn(true))
		w.elements(g, n)
	}
}

// call returns s.<method>(<arguments>)
func (w jsonWalk) call(method string, arguments ...jen.Code) *jen.Statement {
	return jen.Id(w.receiver).Dot(method).Call(arguments...)
}

// open returns <results> := s.<method>(p)
func (w jsonWalk) open(method string, results ...string) *jen.Statement {
	return jen.ListFunc(func(g *jen.Group) {
		for _, r := range results {
			g.Id(r)
		}
	}).Op(":=").Add(w.call(method, jen.Id("p")))
}

// elements emits
//
//	for more {
//		p, more = s.Element(<call>)
//	}
//	return <closeList>
func (w jsonWalk) elements(g *jen.Group, n *plan.Node) {
	w.begin(g)
	g.For(jen.Id("more")).Block(jen.List(jen.Id("p"), jen.Id("more")).Op("=").Add(w.call("Element", w.element(n.Elem))))
	g.Return(w.closeList())
}

func (w jsonWalk) begin(g *jen.Group) {
	if w.first != nil {
		g.Add(w.first())
	}
}

// members emits what happens to the members of an object. With few fields:
//
//	for k[0] == '"' {
//		switch {
//		case string(k[:8]) == `"image":`:
//			<field>
//		default:
//			<rest>
//		}
//	}
//	return <close>
//
// With many, keys are told apart by their first letter:
//
//	for k[0] == '"' {
//		switch k[1] {
//		case 'i':
//			if string(k[:8]) == `"image":` {
//				<field>
//				continue
//			}
//		}
//		<rest>
//	}
//	return <close>
func (w jsonWalk) members(g *jen.Group, n *plan.Node) {
	w.begin(g)
	g.For(jen.Id("k").Index(jen.Lit(0)).Op("==").LitRune('"')).BlockFunc(func(g *jen.Group) {
		switch {
		case len(n.Fields) == 0:
			w.rest(g, n)
		case n.Walk.ByLetter:
			keysByLetter(g, n, w.receiver, w.field)
			w.rest(g, n)
		default:
			g.Switch().BlockFunc(func(g *jen.Group) {
				for _, f := range n.Fields {
					g.Case(isKey(w.receiver, f.Name)).Block(w.field(f))
				}
				g.Default().BlockFunc(func(g *jen.Group) { w.rest(g, n) })
			})
		}
	})
	g.Return(w.close())
}

// keysByLetter emits the switch over the first letter of a key, given what happens to a field whose key has matched.
func keysByLetter(g *jen.Group, n *plan.Node, receiver string, field func(plan.Field) jen.Code) {
	var letters []byte
	byLetter := map[byte][]plan.Field{}
	for _, f := range n.Fields {
		letter := keyLiteral(f.Name)[1]
		if byLetter[letter] == nil {
			letters = append(letters, letter)
		}
		byLetter[letter] = append(byLetter[letter], f)
	}
	g.Switch(jen.Id("k").Index(jen.Lit(1))).BlockFunc(func(g *jen.Group) {
		for _, letter := range letters {
			g.Case(byteLiteral(letter)).BlockFunc(func(g *jen.Group) {
				for _, f := range byLetter[letter] {
					g.If(isKey(receiver, f.Name)).Block(field(f), jen.Continue())
				}
			})
		}
	})
}
