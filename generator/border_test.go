package generator

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/dave/jennifer/jen"
)

var update = flag.Bool("update", false, "write border/forms_test.go instead of comparing with it")

// borderSizes are the numbers of known fields for which border/forms_test.go has functions.
var borderSizes = []int{4, 8, 12, 16, 24, 32, 48, 64}

// The benchmark in the folder border measures what emitters make, and nothing that only looks like it.
func TestTheFormsInTheBorderBenchmarkAreCurrent(t *testing.T) {
	const name = "border/forms_test.go"
	file, err := borderForms()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(name, file.Content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(name)
	if err != nil || string(have) != string(file.Content) {
		t.Errorf("%s is not current (%v); to write it again: go test ./generator -run Border -update", name, err)
	}
}

// borderForms emits, for each size, the two ways of going through an object: rangeN and lookUpN. One field in four holds
// an object, the others are leaves.
func borderForms() (File, error) {
	leaf := &Node{Kind: NodeLeaf}
	inner := &Node{Name: "Inner", Fields: []Field{{"a", leaf}, {"b", leaf}}, Elem: leaf}
	w := walk{verb: "prune", call: pruneCall, leaves: pruneLeaves, countsLeaves: true}
	f := newFile(Options{Package: "border"}, "")
	var forms []jen.Code
	for _, size := range borderSizes {
		n := &Node{Elem: leaf, Name: fmt.Sprint(size)}
		for i := range size {
			field := Field{fmt.Sprintf("%s%02d", []string{"name", "container", "is", "resources"}[i%4], i), leaf}
			if i%4 == 3 {
				field.Node = inner
			}
			n.Fields = append(n.Fields, field)
		}
		slices.SortFunc(n.Fields, func(a, b Field) int { return strings.Compare(a.Name, b.Name) })
		form := func(verb string, body func(*jen.Group, *Node)) {
			w := w
			w.verb = verb
			w.function(f.Group, n, func(g *jen.Group) {
				assertOr(g, "obj", object(), pruneOther(false))
				body(g, n)
				g.Return(jen.Id("n"))
			})
			f.Line()
		}
		form("range", w.rangeFields)
		form("lookUp", w.lookUpFields)
		forms = append(forms, jen.Line().Values(jen.Lit(size), jen.Id("range"+n.Name), jen.Id("lookUp"+n.Name), jen.Index().String().Values(literals(n.Fields)...)))
	}
	w.function(f.Group, inner, func(g *jen.Group) {
		g.Return(rt("PruneLeafObject").Call(append([]jen.Code{jen.Id("v"), jen.Id("rec")}, literals(inner.Fields)...)...))
	})
	f.Line()
	f.Var().Id("forms").Op("=").Index().Id("form").Values(append(forms, jen.Line())...)
	return render(f, "border/forms_test.go")
}
