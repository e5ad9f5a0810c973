package lower

import (
	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/structural"
)

// Check is the pass that checks types.
var Check = Pass{"check", func(all *nodes, r Resource) *plan.Node {
	return (&checking{nodes: all}).lower(r.Schema.Resource())
}}

// typedFormats says which formats are types of their own.
type typedFormats uint8

const (
	formatsNone         typedFormats = iota
	formatsOfObjectMeta              // times and 64-bit integers
)

// checking decides which types are accepted where.
type checking struct {
	*nodes
	formats typedFormats
}

func (l *checking) lower(s *structural.Schema) *plan.Node {
	types := l.types(s)
	nothing := l.leaf(plan.Check{Kind: plan.CheckNothing})
	n := plan.Node{Do: plan.Check{Kind: plan.CheckWalk, Types: types}, Rest: plan.RestKeep}
	addBelow(&n, s.Properties, s.Values(), s.Items, nothing, l.lower)
	if s.XEmbeddedResource {
		n.Fields = withMeta(n.Fields,
			l.leaf(plan.Check{Kind: plan.CheckLeaf, Types: plan.TypeString}), l.leaf(plan.Check{Kind: plan.CheckMetadata}))
	}
	switch {
	case len(n.Fields) > 0 || n.Rest != plan.RestKeep || n.Elem != nil:
		return l.internWalk(n, checkWalk)
	case types == 0:
		return nothing
	}
	return l.leaf(plan.Check{Kind: plan.CheckLeaf, Types: types})
}

// types returns the types a value may have. Kubernetes turns int-or-string into two types, whatever type says.
func (l *checking) types(s *structural.Schema) plan.Types {
	var types plan.Types
	switch {
	case s.XIntOrString:
		types = plan.TypeInteger | plan.TypeString
	case s.Type == "":
		return 0 // null passes like everything else
	case l.formats == formatsOfObjectMeta && s.ValueValidation.Format == "date-time":
		types = plan.TypeTime
	case l.formats == formatsOfObjectMeta && s.ValueValidation.Format == "int64":
		types = plan.TypeInt64
	default:
		types = plan.TypeNamed(s.Type)
	}
	if s.Nullable {
		types |= plan.TypeNull
	}
	return types
}

// checkWalk chooses how the function for n goes through a value. If the schema specifies more than an object or a list, a value of
// the wrong type is walked by its own type: a mismatch does not end the check.
func checkWalk(n *plan.Node) plan.Walk {
	types := n.Do.(plan.Check).Types
	w := objectWalk(n, func(f plan.Field) bool { return f.Node.Do.(plan.Check).Kind == plan.CheckLeaf })
	switch only := types &^ plan.TypeNull; {
	case only == plan.TypeObject && n.Elem == nil:
		w.Form = plan.FormObject
	case only == plan.TypeArray && !n.WalksObject():
		w.Form = plan.FormList
	default:
		w.Form = plan.FormAny
	}
	return w
}
