package prunecel_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

func TestOverloadsAreUniqueAndHaveParameters(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range prunecel.Functions() {
		if seen[f.Overload] {
			t.Errorf("%s is listed twice", f.Overload)
		}
		seen[f.Overload] = true
		if f.Call == nil || f.Name == "" {
			t.Errorf("%s is not complete", f.Overload)
		}
		if got := prunecel.Lookup(f.Overload); got == nil || got.Overload != f.Overload {
			t.Errorf("Lookup(%s) = %v", f.Overload, got)
		}
	}
}

// Compiled code calls what the table names: an exported function that returns an error if the table says so.
func TestFunctionsOfCompiledCodeExist(t *testing.T) {
	fails := map[string]bool{}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Type.Results != nil {
				fails[f.Name.Name] = f.Type.Results.NumFields() == 2
			}
		}
	}
	for _, f := range prunecel.Functions() {
		if returns, ok := fails[f.Go]; f.Go != "" && (!ok || returns != f.Fails || !ast.IsExported(f.Go)) {
			t.Errorf("%s is not a function %s that compiled code can call", f.Overload, f.Go)
		}
	}
}
