package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// testsCalling returns the names of the tests in a folder that call functions of a package, themselves or by other functions of their own
// package. Without names, any function of the package counts.
func testsCalling(dir, pkg string, names ...string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	mentions, calls := map[string]map[string]bool{}, map[string]bool{} // identifiers by function, and functions that call the package
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		imported := slices.ContainsFunc(f.Imports, func(s *ast.ImportSpec) bool { return s.Path.Value == strconv.Quote(pkg) })
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			name := fn.Name.Name
			if mentions[name] == nil {
				mentions[name] = map[string]bool{}
			}
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					x, ok := n.X.(*ast.Ident)
					if ok && imported && x.Name == filepath.Base(pkg) && (len(names) == 0 || slices.Contains(names, n.Sel.Name)) {
						calls[name] = true
					}
				case *ast.Ident:
					mentions[name][n.Name] = true
				}
				return true
			})
		}
	}
	for grown := true; grown; {
		grown = false
		for name, in := range mentions {
			if !calls[name] && slices.ContainsFunc(slices.Collect(maps.Keys(calls)), func(callee string) bool { return in[callee] }) {
				calls[name], grown = true, true
			}
		}
	}
	var tests []string
	for name := range calls {
		if strings.HasPrefix(name, "Test") {
			tests = append(tests, name)
		}
	}
	return slices.Sorted(slices.Values(tests)), nil
}
