package emit

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// Shape is the family of tables that say which values of an object correspond to which old values in an update.
var Shape = Functions{Verb: "shape", In: ValidateUnit, Node: func(g *jen.Group, n *plan.Node) {
	t := newTable("shape", n, func(n *plan.Node) string { return tableOf("shape", n) })
	if keys := n.Do.(plan.Shape).Keys; keys != nil {
		t.add("Items", t.orBare(n.Elem))
		t.add("Keys", "[]string{"+literalsOf(keys.JSON.([]any))+"}")
	}
	t.emit(g)
}}

// Metadata is the family of tables of the resources in an object, whose metadata is validated with that of the object.
var Metadata = Functions{Verb: "metadata", In: ValidateUnit, Node: func(g *jen.Group, n *plan.Node) {
	t := newTable("metadata", n, func(n *plan.Node) string { return tableOf("metadata", n) })
	if n.Elem != nil {
		t.add("Items", tableOf("metadata", n.Elem))
	}
	if r := n.Do.(plan.Metadata).Resource; r == plan.ResourceEmbedded || r == plan.ResourceRootTwice {
		t.add("Resource", "true")
	}
	t.emit(g)
}}

// Fields is the family of tables with the fields that pruning keeps. They are made from the tree of pruning.
var Fields = Functions{Verb: "fields", In: PruneUnit, Node: func(g *jen.Group, n *plan.Node) {
	t := newTable("fields", n, fieldsBelow)
	if n.Rest == plan.RestKeep {
		t.add("Open", "true")
	}
	if items := fieldsBelow(n.Elem); items != "" {
		t.add("Items", items)
	}
	t.emit(g)
}}

// fieldsBelow refers to the table of what pruning keeps below a value, "" for nothing.
func fieldsBelow(n *plan.Node) string {
	switch n.Do {
	case plan.PruneKeep, plan.PruneKind:
		return "&pruneimpl.Open"
	case plan.PruneLeafMap:
		return "&pruneimpl.LeafMap"
	}
	return tableOf("fields", n)
}

// UpdateAPI emits Validate<Kind>Update.
var UpdateAPI = api("validates an update of old to obj; errors in unchanged values are ignored.", `
func <Function>(obj, old map[string]any) prunert.ErrorList {
	<recorder>
	if <needed>(obj, &rec) == 0 {
		return nil
	}
	return rec.InvalidUpdate(obj, old, &<root>, <needed>)
}`)

// StatusAPI emits Validate<Kind>Status.
var StatusAPI = api("validates an update of the status of old to that of obj; errors in unchanged values, and outside of the status, are ignored.", `
func <Function>(obj, old map[string]any) prunert.ErrorList {
	<recorder>
	if <needed>(obj, &rec) == 0 {
		return nil
	}
	return rec.InvalidStatus(obj, old, &<root>, <needed>)
}`)

// MetadataAPI emits Validate<Kind>Metadata.
var MetadataAPI = api("returns the invalid values in the metadata of obj and of the resources in it; nil if there are none. A nil old "+
	"means that obj is new; otherwise obj replaces old.", `
func <Function>(obj, old map[string]any) prunert.ErrorList {
	return <metadata>
}`)

// FieldsAPI emits Fields<Kind>.
var FieldsAPI = api("calls visit with the path of every field that pruning keeps: [] stands for the elements of a list, [*] for the "+
	"values of a map, and ... for everything below a place.", `
func <Function>(visit func(path string)) {
	pruneimpl.ListFields(&<root>, visit)
}`)

// table is a variable of type pruneimpl.Shape:
//
//	var <verb><Name> = pruneimpl.Shape{
//		Names: []string{"image"},
//		Fields: []pruneimpl.ShapeField{
//			{Name: "ports", Shape: &<verb><Ports>},
//		},
//		Values: &<verb><Values>,
//	}
//
// with as much of it as there is, in one line if that is one entry with at most one field.
type table struct {
	verb    string
	node    *plan.Node
	below   func(n *plan.Node) string
	entries []string
	long    bool
}

// newTable returns a table with the fields of a node. The function below refers to the table of a node, and returns "" for one
// with nothing below it.
func newTable(verb string, n *plan.Node, below func(n *plan.Node) string) *table {
	t := &table{verb: verb, node: n, below: below}
	var names []plan.Field
	var fields []string
	for _, f := range n.Fields {
		if shape := below(f.Node); shape == "" {
			names = append(names, f)
		} else {
			fields = append(fields, fmt.Sprintf("{Name: %s, Shape: %s}", quote(f.Name), shape))
		}
	}
	if len(names) > 0 {
		t.add("Names", "[]string{"+arguments(names)+"}")
	}
	if t.long = len(fields) > 1; t.long {
		t.add("Fields", "[]pruneimpl.ShapeField{\n"+strings.Join(fields, ",\n")+",\n}")
	} else if len(fields) > 0 {
		t.add("Fields", "[]pruneimpl.ShapeField{"+fields[0]+"}")
	}
	if n.Rest == plan.RestWalk {
		t.add("Values", t.orBare(n.RestNode))
	}
	return t
}

// add adds <key>: <value> to the table.
func (t *table) add(key, value string) { t.entries = append(t.entries, key+": "+value) }

// orBare refers to the table of a node, or to that of a value with nothing below it.
func (t *table) orBare(n *plan.Node) string {
	if below := t.below(n); below != "" {
		return below
	}
	return "&pruneimpl.Bare"
}

func (t *table) emit(g *jen.Group) {
	name := t.verb + t.node.Name
	does := "describes"
	if t.verb == "shape" {
		does = "says how an update compares"
	}
	doc(g, fmt.Sprintf("%s %s %s.", name, does, place(t.node)))
	entries := strings.Join(t.entries, ",\n")
	if len(t.entries) > 1 || t.long {
		entries = "\n" + entries + ",\n"
	}
	write(g, "var %s = pruneimpl.Shape{%s}\n", name, entries)
}

// tableOf refers to the table of a node, "" if it has none.
func tableOf(verb string, n *plan.Node) string {
	if n.Do.Func() {
		return "&" + verb + n.Name
	}
	return ""
}
