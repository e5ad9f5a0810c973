package target

import (
	"fmt"
	"go/build"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/internal/generate/typecheck"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/structural"
)

// generated stands for a generated file.
const generated = generator.GeneratedBy + `

package v1

import "github.com/prune-gen/prune-gen/runtime/pruneimpl"

const _ = pruneimpl.SupportsGeneratedV1

func PruneThing(obj map[string]any) {
	if len(obj) > 0 {
		pruneimpl.PruneLeaf(obj, nil)
	}
}

func pruneThingSpec(obj map[string]any) {}
`

func compiled(t *testing.T) *typecheck.Package {
	t.Helper()
	return compiledText(t, generated)
}

func compiledText(t *testing.T, text string) *typecheck.Package {
	t.Helper()
	c, err := typecheck.Check([]generator.File{{Name: generator.FilePrefix + ".thing.go", Content: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCompile(t *testing.T) {
	testsize.NotShort(t)
	mod, sum := requiring(t)
	const (
		own      = "the package does not compile, with or without generated code: "
		declares = " is declared here, and generated code declares it, too"
		imports  = " is imported here, and generated code declares it"
	)
	tests := []struct {
		name  string
		files map[string]string // below api
		tags  []string
		want  []string // severity, place and message of each finding
	}{
		{name: "no package"},
		{name: "a package that does not care", files: map[string]string{"a.go": "package v1\n\nfunc f() { g() }\n\nfunc g() {}\n"}},
		{name: "a package that calls generated code", files: map[string]string{"a.go": "package v1\n\nfunc f() { PruneThing(nil) }\n"}},
		{
			name: "a package with imports",
			files: map[string]string{"a.go": "package v1\n\nimport (\n\t\"fmt\"\n\t\"example.com/app/lib\"\n\trt \"github.com/prune-gen/prune-gen/runtime\"\n)\n\n" +
				"var _ = fmt.Sprint(lib.One, rt.Registered())\n"},
		},
		{
			name: "clashes, tests included",
			files: map[string]string{
				"a.go":      "package v1\n\nfunc f() {}\n\ntype PruneThing int\n",
				"b.go":      "package v1\n\nvar a, PruneThing = 1, 2\n",
				"b_test.go": "package v1\n\nfunc PruneThing() {}\n",
				"x_test.go": "package v1_test\n\nfunc PruneThing() {}\n",
			},
			want: []string{"error api/a.go:5:6: PruneThing" + declares, "error api/b.go:3:8: PruneThing" + declares, "error api/b_test.go:3:6: PruneThing" + declares},
		},
		{
			name: "methods, fields, local names and labels do not clash",
			files: map[string]string{"a.go": "package v1\n\ntype T struct{ PruneThing int }\n\nfunc (T) len() {}\n\n" +
				"func f(any int) { len := any; _ = len }\n\nfunc init() {}\n\nvar _ = 1\n"},
		},
		{
			name:  "a stub for the build without the tag does not clash",
			files: map[string]string{"a.go": "//go:build !prune\n\npackage v1\n\nfunc PruneThing(map[string]any) {}\n"},
			tags:  []string{"prune"},
		},
		{
			name:  "a clash with the tag set",
			files: map[string]string{"a.go": "//go:build prune\n\npackage v1\n\nfunc PruneThing(map[string]any) {}\n"},
			tags:  []string{"prune"},
			want:  []string{"error api/a.go:5:6: PruneThing" + declares},
		},
		{
			name:  "an import of our name, named and unnamed and with a dot",
			files: map[string]string{"a.go": "package v1\n\nimport (\n\tPruneThing \"fmt\"\n\t\"example.com/app/odd\"\n\t. \"example.com/app/dots\"\n)\n"},
			want:  []string{"error api/a.go:4:2: PruneThing" + imports, "error api/a.go:5:2: PruneThing" + imports, "error api/a.go:6:2: PruneThing" + imports},
		},
		{
			name:  "a declaration of the name of our import",
			files: map[string]string{"a.go": "package v1\n\nvar pruneimpl = 1\n"},
			want:  []string{"error api/a.go:3:5: pruneimpl is declared here, and generated code has an import of that name"},
		},
		{
			name:  "Go's own names",
			files: map[string]string{"a.go": "package v1\n\nfunc len(m map[string]any) int { return 0 }\n\nfunc max() {}\n"},
			want:  []string{"error api/a.go:3:6: len is declared here, and generated code needs the one that is part of Go"},
		},
		{
			name:  "several on one line, and in a group",
			files: map[string]string{"a.go": "package v1\n\nvar len, PruneThing, pruneimpl = 1, 2, 3\n\nconst (\n\tx = iota\n\ty, pruneThingSpec = 1, 2\n)\n"},
			want: []string{
				"error api/a.go:3:5: len is declared here, and generated code needs the one that is part of Go",
				"error api/a.go:3:10: PruneThing" + declares,
				"error api/a.go:3:22: pruneimpl is declared here, and generated code has an import of that name",
				"error api/a.go:7:5: pruneThingSpec" + declares,
			},
		},
		{
			name: "names of the imports and of the package itself do not clash",
			files: map[string]string{"a.go": "package v1\n\nimport (\n\t_ \"example.com/app/odd\"\n\tx \"example.com/app/odd\"\n\tlen \"fmt\"\n\tpruneimpl \"os\"\n)\n\n" +
				"var _, _, _ = x.One, len.Sprint, pruneimpl.Args\n"},
		},
		{
			name:  "an import that is not there is called by the end of its path",
			files: map[string]string{"a.go": "package v1\n\nimport (\n\t\"example.com/gone/PruneThing\"\n\t. \"example.com/gone/dots\"\n)\n\nvar _ = PruneThing.X\n"},
			want:  []string{"error api/a.go:4:2: PruneThing" + imports},
		},
		{
			name:  "a file that does not parse comes before one that does not compile",
			files: map[string]string{"a.go": "package v1\n\nvar _ = undefined\n", "b.go": "package v1\n\nvar (\n", "c.go": "package v1\n\nfunc f( {\n"},
			want:  []string{"warning api/b.go:3:7: " + own + "expected ')', found 'EOF'"},
		},
		{
			name:  "a package that does not compile",
			files: map[string]string{"a.go": "package v1\n\nfunc f() {\n\tx := 1\n\tundefined()\n}\n", "b.go": "package v1\n\nfunc g() { undefined2() }\n"},
			want:  []string{"warning api/a.go:5:2: " + own + "undefined: undefined"},
		},
		{
			name:  "a package that does not parse",
			files: map[string]string{"a.go": "package v1\n\nfunc f( {\n", "b.go": "package v1\n\nvar PruneThing int\n"},
			want:  []string{"error api/b.go:3:5: PruneThing" + declares},
		},
		{
			name:  "a file that does not parse",
			files: map[string]string{"a.go": "package v1\n\nfunc f( {\n", "a_test.go": "package v1\n\nfunc g( {\n"},
			want:  []string{"warning api/a.go:3:9: " + own + "expected ')', found '{'"},
		},
		{
			name:  "a test that does not parse is not ours to tell",
			files: map[string]string{"a.go": "package v1\n", "a_test.go": "package v1\n\nfunc g( {\n"},
		},
		{
			name:  "an import that is not there",
			files: map[string]string{"a.go": "package v1\n\nimport \"example.com/gone\"\n\nvar _ = gone.X\n"},
			want:  []string{"warning api/a.go:3:8: " + own + "could not import example.com/gone (no required module provides package example.com/gone)"},
		},
		{
			name:  "cgo",
			files: map[string]string{"a.go": "package v1\n\n// int one(void);\nimport \"C\"\n\nvar one = C.one()\n"},
		},
		{
			name:  "a clash with a file that imports C",
			files: map[string]string{"a.go": "package v1\n\nimport \"C\"\n\nfunc PruneThing() {}\n"},
			want:  []string{"error api/a.go:5:6: PruneThing" + declares},
		},
		{
			name:  "a file that imports C and does not compile",
			files: map[string]string{"a.go": "package v1\n\nimport \"C\"\n\nvar _ = undefined\n"},
			want:  []string{"warning api/a.go:5:9: " + own + "undefined: undefined"},
		},
		{
			name:  "a line directive does not hide the place",
			files: map[string]string{"a.go": "package v1\n\n//line elsewhere.y:77\nfunc PruneThing() {}\n"},
			want:  []string{"error api/a.go:4:6: PruneThing" + declares},
		},
	}
	cgo := build.Default.CgoEnabled
	t.Cleanup(func() { build.Default.CgoEnabled = cgo })
	build.Default.CgoEnabled = true // files that import "C" are part of the package, whether or not there is a C compiler
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files := map[string]string{
				"go.mod":       mod,
				"go.sum":       sum,
				"lib/lib.go":   "package lib\n\nconst One = 1\n",
				"odd/odd.go":   "package PruneThing\n\nconst One = 1\n",
				"dots/dots.go": "package dots\n\nfunc PruneThing() {}\n\nfunc Other() {}\n\nfunc pruneThingSpec() {}\n",
			}
			for name, text := range test.files {
				files["api/"+name] = text
			}
			t.Chdir(write(t, files))
			p, err := Find("api", test.tags, nothing)
			if err != nil {
				t.Fatal(err)
			}
			m := LoadModule(t.Context(), "api", test.tags, p.Imports)
			compare(t, p.Compile(compiled(t), m), test.want)
		})
	}
}

// idOf has the rule of every finding but those about the runtime.
var idOf = map[structural.Severity]structural.ID{
	structural.SeverityError: IDClash, structural.SeverityWarning: IDBroken,
}

var hintOf = map[structural.Severity]string{
	structural.SeverityError:   "rename it, or generate into a directory of its own with --output-dir",
	structural.SeverityWarning: "the generated files compile by themselves and are written anyway",
}

func compare(t *testing.T, found []structural.Finding, want []string) {
	t.Helper()
	var have []string
	for _, f := range found {
		have = append(have, fmt.Sprintf("%s %s:%d:%d: %s", f.Severity, filepath.ToSlash(f.File), f.Line, f.Column, f.Message))
		if want := hintOf[f.Severity]; f.Hint != want {
			t.Errorf("the hint is %q, want %q: %+v", f.Hint, want, f)
		}
		if want := idOf[f.Severity]; f.ID != want {
			t.Errorf("the rule is %q, want %q: %+v", f.ID, want, f)
		}
	}
	if strings.Join(have, "\n") != strings.Join(want, "\n") {
		t.Errorf("have\n%s\nwant\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
}

// A module can require a runtime that is older, or newer, than this program.
func TestCompileRefusesCodeThatDoesNotFitTheRuntime(t *testing.T) {
	t.Chdir(write(t, map[string]string{
		"go.mod":                        bareModule + "require github.com/prune-gen/prune-gen v0.0.1\n\nreplace github.com/prune-gen/prune-gen => ./old\n",
		"old/go.mod":                    "module github.com/prune-gen/prune-gen\n\ngo 1.21\n",
		"old/runtime/runtime.go":        "package prunert\n",
		"old/runtime/pruneimpl/impl.go": "package pruneimpl\n\nfunc PruneLeaf(v any) {}\n",
		"api/a.go":                      "package v1\n\nfunc f() { undefined() }\n",
	}))
	p, err := Find("api", nil, nothing)
	if err != nil {
		t.Fatal(err)
	}
	found := p.Compile(compiled(t), LoadModule(t.Context(), "api", nil, p.Imports))
	var have []string
	for _, f := range found {
		if f.ID != IDRuntime || f.Hint != "make the runtime that of this prune-gen: go get github.com/prune-gen/prune-gen@VERSION, or update what replaces it" {
			t.Errorf("the rule is %q, the hint %q: %+v", f.ID, f.Hint, f)
		}
		have = append(have, fmt.Sprintf("%s %s:%d: %s", f.Severity, filepath.ToSlash(f.File), f.Line, f.Message))
	}
	want := "error api/zz_generated.prune.thing.go:7: generated code does not compile here: undefined: pruneimpl.SupportsGeneratedV1\n" +
		"error api/zz_generated.prune.thing.go:11: generated code does not compile here: too many arguments in call to pruneimpl.PruneLeaf\n"
	if text := strings.Join(have, "\n"); !strings.HasPrefix(text, strings.TrimSuffix(want, "\n")) {
		t.Errorf("have\n%s\nwant\n%s", text, want)
	}
}

// The hint names the version of the runtime, and only the first errors are shown.
func TestCompileShowsTenErrorsOfTheRuntime(t *testing.T) {
	t.Setenv("GOFLAGS", "") // -mod=readonly would pass over what is vendored
	t.Chdir(write(t, vendored("v0.0.1")))
	m := LoadModule(t.Context(), ".", nil, nil)
	for n, want := range map[int]int{1: 1, 10: 10, 11: 10} {
		ours := compiledText(t, "package v1\n\nimport \"github.com/prune-gen/prune-gen/runtime/pruneimpl\"\n"+strings.Repeat("\nconst _ = pruneimpl.SupportsGeneratedV1", n)+"\n")
		found := (&Package{Dir: "api"}).Compile(ours, m)
		if len(found) != want {
			t.Errorf("%d errors give %d findings, want %d", n, len(found), want)
		}
		for i, f := range found {
			want := structural.Finding{
				ID: IDRuntime, File: filepath.Join("api", "zz_generated.prune.thing.go"), Line: 5 + i, Column: 21, Severity: structural.SeverityError,
				Message: "generated code does not compile here: undefined: pruneimpl.SupportsGeneratedV1",
				Hint:    "the module requires version v0.0.1 of the runtime; make it that of this prune-gen: go get github.com/prune-gen/prune-gen@VERSION",
			}
			if !reflect.DeepEqual(f, want) {
				t.Errorf("%+v, want %+v", f, want)
			}
		}
	}
}

// Without a module or a go command, names are still compared, and nothing is reported about what cannot be known.
func TestCompileWithoutAModule(t *testing.T) {
	for name, test := range map[string]struct {
		mod, text string
		want      []string
	}{
		"no module": {"", "package v1\n\nimport \"example.com/gone\"\n\nvar _ = gone.X\n\nfunc f() { undefined() }\n", nil},
		"no module, a clash": {"", "package v1\n\nimport \"example.com/gone\"\n\nvar PruneThing = gone.X\n",
			[]string{"error api/a.go:5:5: PruneThing is declared here, and generated code declares it, too"}},
		"no module, no Go": {"", "package v1\n\nfunc {\n",
			[]string{"warning api/a.go:3:6: the package does not compile, with or without generated code: expected 'IDENT', found '{'"}},
		"broken module": {"bogus", "package v1\n\nimport \"fmt\"\n\nvar _ = fmt.X\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"api/a.go": test.text}
			if test.mod != "" {
				files["go.mod"] = test.mod
			}
			t.Chdir(write(t, files))
			p, err := Find("api", nil, nothing)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, p.Compile(compiled(t), LoadModule(t.Context(), "api", nil, p.Imports)), test.want)
		})
	}
}
