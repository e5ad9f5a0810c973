package generator

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/assign"
	"golang.org/x/tools/go/analysis/passes/bools"
	inspectpass "golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/prune-gen/prune-gen/internal/generate/typecheck"
	"github.com/prune-gen/prune-gen/structural"
)

// The code of the CEL rules of golden files and examples can be reviewed.
func TestTheCodeOfRulesCanBeReviewed(t *testing.T) {
	for _, name := range []string{"golden/rules/crd.yaml", "golden/rules-plain/crd.yaml", "examples/apiserver/apis/crds/crontabs.yaml"} {
		text, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range inputsOf(t, string(text)) {
			if !structural.HasRules(in.Version.Schema) {
				continue
			}
			files, err := Generate([]Input{in}, Options{Features: Features{FeatureRules}.Complete(), Package: "v1"})
			if err != nil {
				t.Fatal(err)
			}
			review(t, files)
		}
	}
}

// review reports code of CEL rules with long lines, or that go vet has something to say about.
func review(t *testing.T, files []File) {
	t.Helper()
	lines := 0
	for _, f := range files {
		if !strings.HasPrefix(f.Name, FilePrefix+"_rules.") {
			continue
		}
		for line := range strings.Lines(string(f.Content)) {
			lines++
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 160 && !isOneWord(line) {
				t.Errorf("%s: a line of %d characters: %s", f.Name, n, line)
			}
		}
	}
	if lines == 0 {
		t.Error("no rule has code")
	}
	for _, problem := range vet(t, files) {
		t.Error(problem)
	}
}

// isOneWord reports whether a line is a comment that cannot be broken, such as an address.
func isOneWord(line string) bool {
	return len(strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "//"))) == 1
}

// vet returns what go vet says about expressions and assignments in files.
func vet(t *testing.T, files []File) (problems []string) {
	t.Helper()
	fset := token.NewFileSet()
	var syntax []*ast.File
	for _, f := range files {
		file, err := parser.ParseFile(fset, f.Name, f.Content, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		syntax = append(syntax, file)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	pkg, err := (&types.Config{Importer: builtinImporter{}}).Check("v1", fset, syntax, info)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []*analysis.Analyzer{assign.Analyzer, bools.Analyzer} {
		pass := &analysis.Pass{
			Analyzer: a, Fset: fset, Files: syntax, Pkg: pkg, TypesInfo: info,
			ResultOf: map[*analysis.Analyzer]any{inspectpass.Analyzer: inspector.New(syntax)},
			ReadFile: func(name string) ([]byte, error) {
				for _, f := range files {
					if f.Name == name {
						return f.Content, nil
					}
				}
				return nil, os.ErrNotExist
			},
			Report: func(d analysis.Diagnostic) {
				problems = append(problems, fset.Position(d.Pos).String()+": "+d.Message)
			},
		}
		if _, err := a.Run(pass); err != nil {
			t.Fatal(err)
		}
	}
	return problems
}

// The checks find what they are for.
func TestVetFindsRepeatedConditions(t *testing.T) {
	for _, body := range []string{"x != 1 || x != 2", "x == 1 || x == 1"} {
		file := File{Name: "a.go", Content: []byte("package v1\n\nfunc f(x int) bool { return " + body + " }\n")}
		if len(vet(t, []File{file})) == 0 {
			t.Errorf("nothing is said about %s", body)
		}
	}
}

type builtinImporter struct{}

func (builtinImporter) Import(path string) (*types.Package, error) { return typecheck.Builtin(path) }
