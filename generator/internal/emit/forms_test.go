package emit

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

var update = flag.Bool("update", false, "write border/forms_test.go instead of comparing with it")

// borderSizes are the numbers of known fields for which border/forms_test.go has functions.
var borderSizes = []int{4, 8, 12, 16, 24, 32, 48, 64}

// The benchmark in the folder border measures what emitters make, and nothing that only looks like it.
func TestTheFormsInTheBorderBenchmarkAreCurrent(t *testing.T) {
	const name = "border/forms_test.go"
	content, err := borderForms()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(name, content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(name)
	if err != nil || string(have) != string(content) {
		t.Errorf("%s is not current (%v); to write it again: go test ./generator/internal/emit -run Border -update", name, err)
	}
}

// borderForms emits, for each size, the two ways of going through an object: rangeN and lookUpN. One field in four holds
// an object, the others are leaves.
func borderForms() ([]byte, error) {
	leaf := &plan.Node{Do: plan.PruneLeaf}
	inner := &plan.Node{
		Do: plan.PruneWalk, Name: "Inner", Path: ".inner", Fields: []plan.Field{{Name: "a", Node: leaf}, {Name: "b", Node: leaf}}, Elem: leaf,
		Walk: plan.Walk{Form: plan.FormLeafObject},
	}
	f := NewFile("", "border", Preamble{})
	var forms []jen.Code
	for _, size := range borderSizes {
		n := &plan.Node{Do: plan.PruneWalk, Elem: leaf, Name: fmt.Sprint(size)}
		for i := range size {
			field := plan.Field{Name: fmt.Sprintf("%s%02d", []string{"name", "container", "is", "resources"}[i%4], i), Node: leaf}
			if i%4 == 3 {
				field.Node = inner
			}
			n.Fields = append(n.Fields, field)
		}
		slices.SortFunc(n.Fields, func(a, b plan.Field) int { return strings.Compare(a.Name, b.Name) })
		n.Walk.Groups = []plan.Group{{Listed: true}}
		for _, f := range n.Fields {
			if f.Node == leaf {
				n.Walk.Groups[0].Fields = append(n.Walk.Groups[0].Fields, f)
			} else {
				n.Walk.Groups = append(n.Walk.Groups, plan.Group{Fields: []plan.Field{f}})
			}
		}
		form := func(verb string, from int) {
			w := pruneWalk
			w.verb = verb
			n := *n
			n.Walk.LookUpFrom = from
			w.function(f.Group, &n, func(g *jen.Group) {
				assertOr(g, "obj", object(), pruneOther(false))
				w.fields(g, &n)
			})
			f.Line()
		}
		form("range", plan.Never)
		form("lookUp", 0)
		forms = append(forms, jen.Line().Values(jen.Lit(size), jen.Id("range"+n.Name), jen.Id("lookUp"+n.Name), jen.Index().String().Values(arguments(n.Fields)...)))
	}
	Prune.Node(f.Group, inner)
	f.Var().Id("forms").Op("=").Index().Id("form").Values(append(forms, jen.Line())...)
	return f.Render()
}
