package meter_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Whoever counts work takes the weights from the table, and writes no numbers but 0 and 1.
func TestWeightsAreInTheTable(t *testing.T) {
	calls := 0
	err := filepath.WalkDir("../../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", "golden", "hack", "testdata"}, d.Name()):
			return fs.SkipDir
		case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if f, ok := call.Fun.(*ast.SelectorExpr); !ok || !slices.Contains([]string{"Spend", "SpendMemory", "Refund"}, f.Sel.Name) {
				return true
			}
			calls++
			for _, arg := range call.Args {
				ast.Inspect(arg, func(n ast.Node) bool {
					if number, ok := n.(*ast.BasicLit); ok && number.Kind == token.INT && number.Value != "0" && number.Value != "1" {
						t.Errorf("%s: %s is not in the table", files.Position(number.Pos()), number.Value)
					}
					return true
				})
			}
			return true
		})
		return nil
	})
	if err != nil || calls < 50 {
		t.Errorf("%d calls, %v", calls, err)
	}
}
