package lower

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/internal/testing/crdtest"
	"github.com/prune-gen/prune-gen/structural"
)

func TestTheExampleInTheCommentOnPlanIsWhatLoweringMakes(t *testing.T) {
	blocks := codeBlocks(typeComment(t, "../plan/plan.go", "Plan"))
	if len(blocks) != 2 {
		t.Fatalf("the comment has %d blocks, want a schema and a plan", len(blocks))
	}
	crdtest.CompareText(t, lowered(t, structural.APIServer, crdtest.Manifest("App", blocks[0])).String(), blocks[1])
}

// typeComment returns the text of the comment on a type.
func typeComment(t *testing.T, file, name string) string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range f.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.TYPE && d.Specs[0].(*ast.TypeSpec).Name.Name == name {
			return d.Doc.Text()
		}
	}
	t.Fatalf("%s declares no type %s", file, name)
	return ""
}

// codeBlocks returns the parts of a comment that are indented, with the blank lines inside of them.
func codeBlocks(comment string) []string {
	var blocks []string
	var block strings.Builder
	for line := range strings.Lines(comment) {
		code, indented := strings.CutPrefix(line, "\t")
		if indented || line == "\n" && block.Len() > 0 {
			block.WriteString(code)
			continue
		}
		if block.Len() > 0 {
			blocks = append(blocks, block.String())
			block.Reset()
		}
	}
	return blocks
}

func TestAPlanIsWrittenWithTheAPIVersionOfItsKinds(t *testing.T) {
	got := lowered(t, structural.APIServer, crdtest.Manifest("B", "type: object"), crdtest.Manifest("A", "type: object")).String()
	for _, want := range []string{"A example.com/v1\n  prune A\n  check A\n", "B example.com/v1\n  prune B\n  check B\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("the plan lacks %q:\n%s", want, got)
		}
	}
}

func TestAPlanThatIsLargeEnoughHasNoMorePasses(t *testing.T) {
	all := resources(t, structural.APIServer, crdtest.Manifest("A", "type: object"))
	for enough, want := range map[int]int{1: 1, 2: 2, 5: 3} {
		got := Plan(all, []Pass{Prune, Check, Default}, ShareWithinKinds, func(p *plan.Plan) bool { return len(p.Trees) == enough })
		if len(got.Trees) != want {
			t.Errorf("%d trees, want %d", len(got.Trees), want)
		}
	}
}
