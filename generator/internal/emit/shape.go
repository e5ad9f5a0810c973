package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// Shape is the family of tables that say which values of an object correspond to which old values in an update.
var Shape = tables("shape", ValidateUnit, func(t *table, n *plan.Node) {
	if keys := n.Do.(plan.Shape).Keys; keys != nil {
		t.add("Items", t.orBare(n.Elem))
		t.add("Keys", "[]string{"+literalsOf(keys.JSON.([]any))+"}")
	}
})

// Metadata is the family of tables of the resources in an object, whose metadata is validated with that of the object.
var Metadata = tables("metadata", ValidateUnit, func(t *table, n *plan.Node) {
	if n.Elem != nil {
		t.add("Items", t.below(n.Elem))
	}
	if r := n.Do.(plan.Metadata).Resource; r == plan.ResourceEmbedded || r == plan.ResourceRootTwice {
		t.add("Resource", "true")
	}
})

// Fields is the family of tables with the fields that pruning keeps. They are made from the tree of pruning.
var Fields = tables("fields", PruneUnit, func(t *table, n *plan.Node) {
	if n.Rest == plan.RestKeep {
		t.add("Open", "true")
	}
	if items := t.below(n.Elem); items != "" {
		t.add("Items", items)
	}
})

// tables returns a family of tables. The function more adds what is not the same in all families.
func tables(verb string, in *Unit, more func(t *table, n *plan.Node)) Functions {
	return Functions{Verb: verb, In: in, InPlace: isTableInPlace, Node: func(g *jen.Group, n *plan.Node) {
		does := "describes %s; tables below it are named after their paths."
		if verb == "shape" {
			does = "says how an update compares %s; tables below it are named after their paths."
		}
		if n.Path == "" {
			doc(g, verb+n.Name+" "+fmt.Sprintf(does, place(n)))
		}
		write(g, "var %s%s = %s\n", verb, n.Name, newTable(verb, n, more))
	}}
}

// UpdateAPI emits Validate<Kind>Update.
var UpdateAPI = api("validates an update of old to obj; errors in unchanged values are ignored.", `
func <Function>(obj, old map[string]any) prunert.ErrorList {
	return pruneimpl.CheckUpdate(obj, old, &<root>, <needed><by>)
}`)

// StatusAPI emits Validate<Kind>Status.
var StatusAPI = api("validates an update of the status of old to that of obj; errors in unchanged values, and outside of the status, are ignored.", `
func <Function>(obj, old map[string]any) prunert.ErrorList {
	return pruneimpl.CheckStatus(obj, old, &<root>, <needed><by>)
}`)

// MetadataAPI emits Validate<Kind>Metadata.
var MetadataAPI = api("returns the invalid values in the metadata of obj and of the resources in it; nil if there are none. A nil old "+
	"means that obj is new; otherwise obj replaces old.", `
func <Function>(obj, old map[string]any) prunert.ErrorList {
	return pruneimpl.CheckMetadataValues(obj, old, <namespaced>, &<root><by>)
}`)

// FieldsAPI emits Fields<Kind>.
var FieldsAPI = api("calls visit with the path of every field that pruning keeps: [] stands for the elements of a list, [*] for the "+
	"values of a map, and ... for everything below a place.", `
func <Function>(visit func(path string)) {
	pruneimpl.ListFields(&<root>, visit)
}`)

// table is a value of type pruneimpl.Shape:
//
//	pruneimpl.Shape{
//		Names: []string{"image"},
//		Fields: []pruneimpl.ShapeField{
//			{Name: "ports", Shape: &<verb><Ports>},
//		},
//		Values: &<verb><Values>,
//	}
//
// with as much of it as there is, in one line if that fits.
type table struct {
	verb    string
	more    func(t *table, n *plan.Node)
	entries []string
}

// newTable returns the table of a node.
func newTable(verb string, n *plan.Node, more func(t *table, n *plan.Node)) string {
	t := &table{verb: verb, more: more}
	var names []plan.Field
	var fields []string
	for _, f := range n.Fields {
		if shape := t.below(f.Node); shape == "" {
			names = append(names, f)
		} else {
			fields = append(fields, fmt.Sprintf("{Name: %s, Shape: %s}", quote(f.Name), shape))
		}
	}
	if len(names) > 0 {
		t.add("Names", "[]string{"+literals(names)+"}")
	}
	if list := strings.Join(fields, ", "); len(fields) > 1 && len(list) > listWidth {
		t.add("Fields", "[]pruneimpl.ShapeField{\n"+strings.Join(fields, ",\n")+",\n}")
	} else if list != "" {
		t.add("Fields", "[]pruneimpl.ShapeField{"+list+"}")
	}
	if n.Rest == plan.RestWalk {
		t.add("Values", t.orBare(n.RestNode))
	}
	more(t, n)
	entries := strings.Join(t.entries, ", ")
	if len(t.entries) > 1 && len(entries) > listWidth || strings.Contains(entries, "\n") {
		entries = "\n" + strings.Join(t.entries, ",\n") + ",\n"
	}
	return "pruneimpl.Shape{" + entries + "}"
}

// add adds <key>: <value> to the table.
func (t *table) add(key, value string) { t.entries = append(t.entries, key+": "+value) }

// below refers to the table of a node, "" for one with nothing below it.
func (t *table) below(n *plan.Node) string {
	switch {
	case n.Do == plan.PruneKeep || n.Do == plan.PruneKind:
		return "&pruneimpl.Open"
	case n.Do == plan.PruneLeafMap:
		return "&pruneimpl.LeafMap"
	case !n.Do.Func():
		return ""
	case isTableInPlace(n):
		return "&" + newTable(t.verb, n, t.more)
	}
	return "&" + t.verb + n.Name
}

// orBare refers to the table of a node, or to that of a value with nothing below it.
func (t *table) orBare(n *plan.Node) string {
	if below := t.below(n); below != "" {
		return below
	}
	return "&pruneimpl.Bare"
}

// isTableInPlace reports whether the table of a node is so short that it stands where others would refer to it: that of few names, or of a
// list or a map of something else.
func isTableInPlace(n *plan.Node) bool {
	return n.Path != "" && isShort(n.Fields) && !slices.ContainsFunc(n.Fields, func(f plan.Field) bool { return f.Node.Do.Func() }) &&
		!isCollection(n.Elem) && !isCollection(n.RestNode)
}

// isCollection reports whether a node is a list or a map.
func isCollection(n *plan.Node) bool {
	return n != nil && n.Do.Func() && (n.Elem != nil && n.Elem.Do != plan.PruneLeaf || n.RestNode != nil)
}
