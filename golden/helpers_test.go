package golden

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// helperPackages are the packages of the runtime that only generated code calls.
var helperPackages = []string{"../runtime/pruneimpl", "../runtime/pruneimpl/pruneformat", "../runtime/pruneimpl/pruneformat/prunenet", "../runtime/prunejson"}

// Some golden file uses every function that the runtime exports to generated code: reviewers see what it is for, and the tests run it.
func TestGoldenFilesUseAllThatTheRuntimeExportsToThem(t *testing.T) {
	exempt := map[string]bool{
		"String": true, // of a Type, for package fmt
	}
	used := usedInGoldenFiles(t)
	// The runtime's own generated functions are in its packages, and call methods and other functions of them. What evaluates rules
	// and what interprets a schema call some, too.
	for _, dir := range []string{"../runtime/pruneimpl", "../runtime/prunejson", "../runtime/prunecel", "../internal/answer/interpret", "../internal/answer/interpretjson", "../internal/answer/manifest"} {
		for _, name := range goFiles(t, dir, func(name string) bool {
			return strings.HasPrefix(name, "zz_generated") || dir != "../runtime/pruneimpl" && dir != "../runtime/prunejson"
		}) {
			ast.Inspect(parse(t, name), func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					used[id.Name] = true
				}
				return true
			})
		}
	}
	for _, dir := range helperPackages {
		for _, name := range goFiles(t, dir, func(name string) bool {
			return !strings.HasSuffix(name, "_test.go") && !strings.HasPrefix(name, "zz_generated")
		}) {
			for _, exported := range exports(parse(t, name)) {
				if !used[exported] && !exempt[exported] {
					t.Errorf("%s: no golden file uses %s: add a case that does, or remove it", name, exported)
				}
			}
		}
	}
}

// printedName matches a name after a period, or one at the beginning of a text.
var printedName = regexp.MustCompile("[.]([A-Z][A-Za-z0-9]+)|[\"`]([A-Z][A-Za-z0-9]+)[(\"]")

// Everything of the runtime that an emitter can print is in some golden file.
func TestGoldenFilesHaveAllThatEmittersPrint(t *testing.T) {
	used := usedInGoldenFiles(t)
	exported := map[string]bool{}
	for _, dir := range helperPackages {
		for _, name := range goFiles(t, dir, func(name string) bool { return !strings.HasSuffix(name, "_test.go") }) {
			for _, name := range exports(parse(t, name)) {
				exported[name] = true
			}
		}
	}
	printed := map[string]string{}
	for _, name := range goFiles(t, "../generator/internal/emit", func(name string) bool { return !strings.HasSuffix(name, "_test.go") }) {
		ast.Inspect(parse(t, name), func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr: // of jennifer
				f, isName := n.Fun.(*ast.Ident)
				if isName && (f.Name == "rt" || f.Name == "cel") {
					if text, ok := n.Args[0].(*ast.BasicLit); ok {
						printed[strings.Trim(text.Value, `"`)] = name
					}
				}
			case *ast.BasicLit: // source, or a name that source has a hole for
				for _, m := range printedName.FindAllStringSubmatch(n.Value, -1) {
					if m[1] != "" || exported[m[2]] {
						printed[m[1]+m[2]] = name
					}
				}
			}
			return true
		})
	}
	// The names of what the code of rules calls are those that lowering and the table of functions have.
	for _, name := range goFiles(t, "../generator/internal/lower", func(name string) bool {
		return strings.HasPrefix(name, "rule") && name != "rulenames.go" && !strings.HasSuffix(name, "_test.go")
	}) {
		ast.Inspect(parse(t, name), func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
				if word := strings.Trim(text.Value, `"`); token.IsIdentifier(word) && ast.IsExported(word) {
					printed[word] = name
				}
			}
			return true
		})
	}
	for _, f := range prunecel.Functions() {
		if f.Go != "" {
			printed[strings.Trim(f.Go, ".()")] = "a rule"
		}
	}
	if len(printed) < 150 {
		t.Fatalf("only %d names are found in the emitters", len(printed))
	}
	for _, name := range slices.Sorted(maps.Keys(printed)) {
		if !used[name] && !used["Maybe"+name] {
			t.Errorf("%s prints %s, and no golden file has it: add a case that does", printed[name], name)
		}
	}
}

// usedInGoldenFiles returns the names that golden files use of other packages, and methods and fields of their types.
func usedInGoldenFiles(t *testing.T) map[string]bool {
	t.Helper()
	used := map[string]bool{}
	for _, name := range goFiles(t, ".", func(name string) bool { return strings.HasPrefix(name, generator.FilePrefix) }) {
		ast.Inspect(parse(t, name), func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				used[n.Sel.Name] = true
			case *ast.KeyValueExpr:
				if field, ok := n.Key.(*ast.Ident); ok {
					used[field.Name] = true
				}
			}
			return true
		})
	}
	return used
}

// exports returns what a file of a package exports: functions, methods of exported types, variables and constants.
func exports(f *ast.File) []string {
	var all []string
	add := func(id *ast.Ident) {
		if id.IsExported() {
			all = append(all, id.Name)
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type)) {
				add(d.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if v, ok := s.(*ast.ValueSpec); ok {
					for _, id := range v.Names {
						add(id)
					}
				}
			}
		}
	}
	return all
}

// receiver returns the name of the type of a receiver.
func receiver(e ast.Expr) string {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	if id, ok := e.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// goFiles returns the Go files below dir, or in it if it is not the folder of the cases, whose names satisfy want.
func goFiles(t *testing.T, dir string, want func(name string) bool) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != dir && dir != ".":
			return filepath.SkipDir
		case filepath.Ext(path) == ".go" && want(d.Name()):
			all = append(all, path)
		}
		return nil
	})
	if err != nil || len(all) == 0 {
		t.Fatalf("no Go files in %s: %v", dir, err)
	}
	return all
}

func parse(t *testing.T, name string) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
