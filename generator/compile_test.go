package generator

import (
	"errors"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	prunegen "github.com/prune-gen/prune-gen"
)

// goodFile is what generated code looks like to the type checker.
const goodFile = GeneratedBy + `

package v1

import "github.com/prune-gen/prune-gen/runtime/pruneimpl"

const _ = pruneimpl.SupportsGeneratedV1

func PruneThing(obj map[string]any) {
	if len(obj) > 0 {
		pruneThing(obj, nil)
	}
}

func pruneThing(v any, rec *pruneimpl.Recorder) int {
	return pruneimpl.PruneLeaf(v, rec)
}
`

func TestCompileSaysWhatAPackageDeclaresAndUses(t *testing.T) {
	checked, err := Compile([]File{
		{"a.go", []byte(goodFile)},
		{"b.go", []byte("package v1\n\nfunc init() { PruneThing(nil) }\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"PruneThing", "pruneThing"}; !slices.Equal(checked.Declared, want) {
		t.Errorf("declared: %q, want %q", checked.Declared, want)
	}
	if want := []string{"any", "int", "len", "nil", "string"}; !slices.Equal(checked.Predeclared, want) {
		t.Errorf("used of Go's own: %q, want %q", checked.Predeclared, want)
	}
}

func TestCompileListsTheLinesAroundAnError(t *testing.T) {
	tests := []struct {
		name, old, new string
		line           int
		message        string
	}{
		{"syntax", "return pruneimpl", "return return pruneimpl", 16, "expected operand, found 'return'"},
		{"unknown function of the runtime", "pruneimpl.PruneLeaf(", "pruneimpl.Unheard(", 16, "undefined: pruneimpl.Unheard"},
		{"wrong arguments for the runtime", "(v, rec)\n", "(v)\n", 16, "not enough arguments in call to pruneimpl.PruneLeaf"},
		{"wrong type", ") int {", ") string {", 16, "cannot use pruneimpl.PruneLeaf(v, rec) (value of type int) as string value"},
		{"unused variable", "	return pruneimpl", "	unused := 1\n	return pruneimpl", 16, "declared and not used: unused"},
		{"foreign import", "import \"github", "import _ \"os/exec\"\nimport \"github", 5, "could not import os/exec"},
		{"no such contract", "SupportsGeneratedV1", "SupportsGeneratedV0", 7, "undefined: pruneimpl.SupportsGeneratedV0"},
		{"line directive", "	return pruneimpl.PruneLeaf(", "//line elsewhere.go:1\n	return pruneimpl.Unheard(", 17, "undefined: pruneimpl.Unheard"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			source := strings.Replace(goodFile, test.old, test.new, 1)
			_, err := Compile([]File{{"good.go", []byte("package v1\n")}, {"bad.go", []byte(source)}})
			var e *SourceError
			if !errors.As(err, &e) {
				t.Fatalf("%v, want a SourceError", err)
			}
			if e.File != "bad.go" || e.Line != test.line || !strings.HasPrefix(e.Message, test.message) {
				t.Errorf("%v, want bad.go:%d: %s", e, test.line, test.message)
			}
			line := strings.ReplaceAll(strings.Split(source, "\n")[test.line-1], "\t", "    ")
			arrow := slices.IndexFunc(strings.Split(e.Listing(), "\n"), func(s string) bool { return strings.HasPrefix(s, "> ") })
			if arrow < 0 || !strings.HasSuffix(strings.Split(e.Listing(), "\n")[arrow], "  "+line) {
				t.Errorf("no arrow at line %d in\n%s", test.line, e.Listing())
			}
		})
	}
}

func TestListingStaysInsideTheFile(t *testing.T) {
	e := &SourceError{File: "x.go", Line: 1, Message: "m", Source: []byte("\tone\ntwo\n")}
	if want := "> 1      one\n  2  two\n"; e.Listing() != want {
		t.Errorf("%q, want %q", e.Listing(), want)
	}
	if e := (&SourceError{File: "x.go", Message: "m"}); e.Listing() != "" || e.Error() != "x.go: m" {
		t.Errorf("%q %q", e.Error(), e.Listing())
	}
}

func TestCodeThatDoesNotParseIsListed(t *testing.T) {
	f := newFile(Options{Package: "v1"}, "")
	f.Func().Id("not an identifier").Params().Block()
	_, err := newBudget(new(atomic.Int64)).render(f, "x.go")
	var e *SourceError
	if !errors.As(err, &e) || e.File != "x.go" || e.Line == 0 || !strings.Contains(e.Listing(), "not an identifier") {
		t.Errorf("%v", err)
	}
}

// What the runtime exports must be known to the last type without the standard library: a type that is not known is
// compatible with everything, and nothing would be checked against it.
func TestRuntimeTypesAreKnownWithoutTheStandardLibrary(t *testing.T) {
	for _, path := range RuntimePaths() {
		pkg, err := BuiltinPackage(path)
		if err != nil {
			t.Fatal(err)
		}
		exported := 0
		for _, name := range pkg.Scope().Names() {
			obj := pkg.Scope().Lookup(name)
			if !obj.Exported() {
				continue
			}
			exported++
			if where := invalidIn(obj.Type(), map[types.Type]bool{}); where != "" {
				t.Errorf("%s.%s: %s is not known", pkg.Name(), name, where)
			}
		}
		if exported == 0 {
			t.Errorf("%s exports nothing", path)
		}
	}
}

// invalidIn returns the part of a type that is not known, as far as another package can see it.
func invalidIn(typ types.Type, seen map[types.Type]bool) string {
	if seen[typ] {
		return ""
	}
	seen[typ] = true
	var parts []types.Type
	switch t := typ.(type) {
	case *types.Basic:
		if t.Kind() == types.Invalid {
			return "a type"
		}
	case *types.Named:
		for m := range t.Methods() {
			if m.Exported() {
				if where := invalidIn(m.Type(), seen); where != "" {
					return m.Name() + ": " + where
				}
			}
		}
		parts = append(parts, t.Underlying())
	case *types.Alias:
		parts = append(parts, types.Unalias(t))
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() {
				parts = append(parts, f.Type())
			}
		}
	case *types.Signature:
		for v := range t.Params().Variables() {
			parts = append(parts, v.Type())
		}
		for v := range t.Results().Variables() {
			parts = append(parts, v.Type())
		}
	case *types.Interface:
		for m := range t.Methods() {
			parts = append(parts, m.Type())
		}
	case *types.Map:
		parts = append(parts, t.Key(), t.Elem())
	case interface{ Elem() types.Type }:
		parts = append(parts, t.Elem())
	}
	for _, p := range parts {
		if where := invalidIn(p, seen); where != "" {
			return where + " in " + typ.String()
		}
	}
	return ""
}

func TestRuntimeIsBuiltInAsItIs(t *testing.T) {
	files, err := filepath.Glob("../runtime/*.go")
	below, err2 := filepath.Glob("../runtime/pruneimpl/*.go")
	if err != nil || err2 != nil || len(files) == 0 || len(below) == 0 {
		t.Fatal(err, err2)
	}
	for _, name := range append(files, below...) {
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if have, err := prunegen.Runtime.ReadFile(strings.TrimPrefix(name, "../")); err != nil || string(have) != string(want) {
			t.Errorf("%s is not built in as it is: %v", name, err)
		}
	}
}

func TestHeaderAndBuildTagStandAboveThePackage(t *testing.T) {
	for _, test := range []struct {
		opts Options
		want string
	}{
		{Options{}, ""},
		{Options{Header: "// Mine.\n"}, "\n// Mine.\n"},
		{Options{Header: "\n/*\nMine.\n*/\n"}, "\n/*\nMine.\n*/\n"},
		{Options{BuildTag: "a && !b"}, "\n//go:build a && !b\n"},
		{Options{Header: "// Mine.\n//\n// All mine.", BuildTag: "a"}, "\n// Mine.\n//\n// All mine.\n\n//go:build a\n"},
	} {
		test.opts.Package = "v1"
		file, err := newBudget(new(atomic.Int64)).render(newFile(test.opts, ""), "x.go")
		if err != nil {
			t.Fatal(err)
		}
		if want := GeneratedBy + "\n" + test.want + "\npackage v1\n"; string(file.Content) != want {
			t.Errorf("%+v\n%s\nwant\n%s", test.opts, file.Content, want)
		}
	}
}
