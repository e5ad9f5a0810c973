package findings

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/recorded"
	"github.com/prune-gen/prune-gen/structural"
)

func TestRulesAreDescribedOnce(t *testing.T) {
	seen := map[structural.ID]bool{}
	for _, r := range IDs() {
		if family, name, ok := strings.Cut(string(r.ID), "/"); !ok || family == "" || name == "" || !strings.HasSuffix(r.Summary, ".") || seen[r.ID] {
			t.Errorf("%+v", r)
		}
		seen[r.ID] = true
	}
}

// The summaries of the ids are recorded in docs/output.md.
func TestHintsAndPagesAreRecorded(t *testing.T) {
	all := IDs()
	slices.SortFunc(all, func(a, b structural.IDInfo) int { return strings.Compare(string(a.ID), string(b.ID)) })
	var have strings.Builder
	page := ""
	for _, r := range all {
		if uri := helpURI(r.ID); uri != page {
			page = uri
			fmt.Fprintf(&have, "from %s on: %s\n", r.ID, page)
		}
		if r.Hint != "" {
			fmt.Fprintf(&have, "%s\n  %s\n", r.ID, r.Hint)
		}
	}
	recorded.Compare(t, *update, "testdata/hints.txt", have.String())
}

// Every finding that is made here, in the target package or in gotypes has an id, and every id is declared where it is described.
func TestFindingsHaveIDs(t *testing.T) {
	made := 0
	fset := token.NewFileSet()
	visit := func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				for _, lit := range findingsIn(n) {
					made++
					if !hasKey(lit, "ID") {
						t.Errorf("%s: a finding without an id", fset.Position(lit.Pos()))
					}
				}
			case *ast.ValueSpec:
				if isSelector(n.Type, "ID") {
					t.Errorf("%s: the id %s is not described: add it to the table", fset.Position(n.Pos()), n.Names[0])
				}
			}
			return true
		})
		return nil
	}
	for _, dir := range []string{"../..", "../../../../internal/generate/target", "../../../../internal/generate/gotypes"} {
		if err := filepath.WalkDir(dir, visit); err != nil {
			t.Fatal(err)
		}
	}
	if made < 6 {
		t.Errorf("only %d findings in the source", made)
	}
}

// findingsIn returns the findings that a literal is, or is a list of.
func findingsIn(lit *ast.CompositeLit) []*ast.CompositeLit {
	if isSelector(lit.Type, "Finding") {
		return []*ast.CompositeLit{lit}
	}
	var all []*ast.CompositeLit
	if list, ok := lit.Type.(*ast.ArrayType); ok && isSelector(list.Elt, "Finding") {
		for _, e := range lit.Elts {
			if e, ok := e.(*ast.CompositeLit); ok {
				all = append(all, e)
			}
		}
	}
	return all
}

// isSelector reports whether an expression is structural.<name>.
func isSelector(e ast.Expr, name string) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != name {
		return false
	}
	pkg, ok := s.X.(*ast.Ident)
	return ok && pkg.Name == "structural"
}

func hasKey(lit *ast.CompositeLit, key string) bool {
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok && id.Name == key {
				return true
			}
		}
	}
	return false
}
