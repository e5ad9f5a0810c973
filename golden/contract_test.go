package golden

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/internal/generate/typecheck"
	"github.com/prune-gen/prune-gen/internal/testing/gocmd"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// contract is the file with what code of a contract uses of the runtime.
func contract(n int) string { return fmt.Sprintf("../runtime/testdata/contract.v%d.txt", n) }

// A runtime that has the constant of a contract has all that code of this contract uses. Code names the newest contract, so that an
// older runtime fails to compile with a name that says why.
func TestRuntimeKeepsItsContracts(t *testing.T) {
	testsize.NotShort(t)
	have, used := map[string]bool{}, map[string]bool{}
	uses, imported := usesOfRuntime(t)
	var contracts []int
	constant := regexp.MustCompile(`^const pruneimpl\.SupportsGeneratedV(\d+) `)
	for _, pkg := range imported {
		exported(pkg, func(obj types.Object, line string) {
			have[line] = true
			if uses[obj] && obj.Pkg() == pkg {
				used[line] = true
			}
			if m := constant.FindStringSubmatch(line); m != nil {
				n, _ := strconv.Atoi(m[1])
				contracts = append(contracts, n)
			}
		})
	}
	newest := slices.Max(contracts)
	if want := fmt.Sprintf("\nconst _ = pruneimpl.SupportsGeneratedV%d\n", newest); !strings.Contains(readFile(t, "crontab/zz_generated.prune.crontab.go"), want) {
		t.Errorf("generated code does not name the newest contract:%s", want)
	}
	if *update {
		text := lines(fmt.Sprintf("# What code with SupportsGeneratedV%d uses of the runtime. No release changes what another has.", newest), used)
		if err := writeContract(contract(newest), text, readFile(t, "../CHANGELOG.md")); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, n := range contracts {
		for _, line := range readLines(t, contract(n)) {
			if !have[line] {
				t.Errorf("the runtime lacks %q, which code of contract %d uses.\nIf no release has this contract: go test ./golden -run RuntimeKeeps -update. "+
					"Otherwise keep it, or remove SupportsGeneratedV%[2]d and %s", line, n, contract(n))
			}
			if n == newest {
				delete(used, line)
			}
		}
	}
	for _, line := range slices.Sorted(maps.Keys(used)) {
		t.Errorf("generated code uses %q, which contract %d lacks.\nIf no release has this contract: go test ./golden -run RuntimeKeeps -update. "+
			"Otherwise add SupportsGeneratedV%d, let the emitter print it, and -update", line, newest, newest+1)
	}
	if files, err := filepath.Glob("../runtime/testdata/contract.v*.txt"); err != nil || len(files) != len(contracts) {
		t.Errorf("the runtime has the contracts %d, and there are the files %q: %v", contracts, files, err)
	}
}

// usesOfRuntime returns what generated files refer to, with the fields that literals without names set, and the packages of the runtime.
func usesOfRuntime(t *testing.T) (map[types.Object]bool, []*types.Package) {
	t.Helper()
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo,
	}, append(typecheck.RuntimePaths(), "./...")...)
	if err != nil {
		t.Fatal(err)
	}
	uses, runtime := map[types.Object]bool{}, map[string]*types.Package{}
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			t.Fatal(p.Errors)
		}
		if slices.Contains(typecheck.RuntimePaths(), p.PkgPath) {
			runtime[p.PkgPath] = p.Types
			continue
		}
		for _, file := range p.Syntax {
			if !strings.HasPrefix(filepath.Base(p.Fset.File(file.Pos()).Name()), generator.FilePrefix) {
				continue
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.Ident:
					if obj := p.TypesInfo.Uses[n]; obj != nil {
						uses[origin(obj)] = true
					}
				case *ast.CompositeLit:
					s, ok := p.TypesInfo.TypeOf(n).Underlying().(*types.Struct)
					for i, e := range n.Elts {
						if _, named := e.(*ast.KeyValueExpr); ok && !named {
							uses[s.Field(i).Origin()] = true
						}
					}
				}
				return true
			})
		}
	}
	return uses, slices.Collect(maps.Values(runtime))
}

// origin returns what a field or a method of a generic type, with types for its parameters, is one of.
func origin(obj types.Object) types.Object {
	switch obj := obj.(type) {
	case *types.Var:
		return obj.Origin()
	case *types.Func:
		return obj.Origin()
	}
	return obj
}

var released = regexp.MustCompile(`(?m)^## \[[\d.]+\] - \d`)

// writeContract writes the file of a contract. Once there is a release, it does not change a file: the release can have that contract.
func writeContract(file, text, changelog string) error {
	old, err := os.ReadFile(file)
	if err == nil && string(old) != text && released.MatchString(changelog) {
		return fmt.Errorf("%s may be that of a release: add a contract, or delete the file if no release has it", file)
	}
	return os.WriteFile(file, []byte(text), 0o666)
}

func TestContractsOfReleasesAreFrozen(t *testing.T) {
	for _, test := range []struct {
		old, changelog string
		want           bool // whether the file is written
	}{
		{"a", "## [0.1.0] - Unreleased\n", true},
		{"a", "## [0.2.0] - Unreleased\n\n## [0.1.0] - 2026-11-20\n", false},
		{"b", "## [0.1.0] - 2026-11-20\n", true},
		{"", "## [0.1.0] - 2026-11-20\n", true},
	} {
		file := filepath.Join(t.TempDir(), "contract.txt")
		if test.old != "" {
			if err := os.WriteFile(file, []byte(test.old), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		err := writeContract(file, "b", test.changelog)
		if written := readFile(t, file) == "b"; (err == nil) != test.want || written != test.want {
			t.Errorf("%q with %q: written %t, %v", test.old, test.changelog, written, err)
		}
	}
}

// stable returns the packages that docs/compatibility.md calls stable, by the directory of their module. Two have generated code with
// all functions between them.
func stable() map[string][]string {
	return map[string][]string{
		"..": {"./runtime", "./runtime/kubeversion", "./structural", "./structural/load", "./structural/dynamic", "./lint", "./manifest", "./crddiff",
			"./golden/crontab", "./examples/operator/api/v1"},
		"../kube": {".", "./installed", "./prunetest"},
	}
}

// Programs import these packages, and call generated functions.
func TestStablePackagesKeepWhatTheyExport(t *testing.T) {
	testsize.NotShort(t)
	const file = "../runtime/testdata/exported.txt"
	have := map[string]bool{}
	for dir, paths := range stable() {
		loaded, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedImports | packages.NeedTypes, Dir: dir}, paths...)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range loaded {
			if len(p.Errors) > 0 {
				t.Fatal(p.Errors)
			}
			exported(p.Types, func(_ types.Object, line string) {
				if strings.Contains(line, "internal/") {
					t.Errorf("%q: no program can use what is of an internal type", line)
				}
				if !strings.HasSuffix(line, " kubeversion.Change") { // changes of Kubernetes are for prune-gen
					have[line] = true
				}
			})
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(lines("# What stable packages export, and two packages of generated code.", have)), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	recorded := readLines(t, file)
	for _, line := range recorded {
		if !have[line] {
			t.Errorf("%q is gone or has changed: programs do not compile any more.\nIf that is meant, CHANGELOG.md says so, and -update", line)
		}
		delete(have, line)
	}
	for _, line := range slices.Sorted(maps.Keys(have)) {
		t.Errorf("%q is new; to record it: go test ./golden -run StablePackages -update", line)
	}
}

// readLines returns the lines of a file without comments.
func readLines(t *testing.T, name string) []string {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(readFile(t, name), "\n"), "\n")
	return slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, "#") })
}

// lines returns the text of a file of lines, sorted, below a comment.
func lines(comment string, all map[string]bool) string {
	return comment + "\n" + strings.Join(slices.Sorted(maps.Keys(all)), "\n") + "\n"
}

// exported calls add with each name that a package exports, and with those of the fields and methods of its types.
func exported(pkg *types.Package, add func(obj types.Object, line string)) {
	name := func(p *types.Package) string {
		if strings.Contains(p.Path(), "/internal/") {
			return "internal/" + p.Name()
		}
		return p.Name()
	}
	text := func(t types.Type) string { return types.TypeString(t, name) }
	for _, id := range pkg.Scope().Names() {
		obj := pkg.Scope().Lookup(id)
		if !obj.Exported() {
			continue
		}
		at := name(pkg) + "." + id
		switch obj := obj.(type) {
		case *types.Const:
			add(obj, "const "+at+" "+text(obj.Type()))
		case *types.Var:
			add(obj, "var "+at+" "+text(obj.Type()))
		case *types.Func:
			add(obj, "func "+at+strings.TrimPrefix(text(unnamed(obj.Signature())), "func"))
		case *types.TypeName:
			kind := text(obj.Type().Underlying())
			if s, ok := obj.Type().Underlying().(*types.Struct); ok {
				kind = "struct"
				for f := range s.Fields() {
					if f.Exported() {
						add(f, "field "+at+"."+f.Name()+" "+text(f.Type()))
					}
				}
			}
			add(obj, "type "+at+" "+kind)
			for m := range types.NewMethodSet(types.NewPointer(obj.Type())).Methods() {
				if m.Obj().Exported() && !types.IsInterface(obj.Type()) {
					add(m.Obj(), "method "+at+"."+m.Obj().Name()+strings.TrimPrefix(text(unnamed(m.Type().(*types.Signature))), "func"))
				}
			}
		}
	}
}

// unnamed returns a signature without the names of its parameters, which nobody depends on.
func unnamed(s *types.Signature) *types.Signature {
	strip := func(tuple *types.Tuple) *types.Tuple {
		var vars []*types.Var
		for v := range tuple.Variables() {
			vars = append(vars, types.NewParam(0, nil, "", v.Type()))
		}
		return types.NewTuple(vars...)
	}
	if s.TypeParams() != nil {
		return s
	}
	return types.NewSignatureType(nil, nil, nil, strip(s.Params()), strip(s.Results()), s.Variadic())
}

// Generated code runs with the runtime of a later release that supports it. With any other it fails to compile, and the error names the
// contract.
func TestGeneratedCodeAndRuntimesOfOtherReleases(t *testing.T) {
	testsize.NotShort(t)
	dir := t.TempDir()
	put := func(name, text string) {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, part := range []string{"runtime", "internal/base"} {
		if err := os.CopyFS(filepath.Join(dir, part), os.DirFS("../"+part)); err != nil {
			t.Fatal(err)
		}
	}
	put("go.mod", "module github.com/prune-gen/prune-gen\n\ngo 1.26.0\n")
	for _, name := range goFiles(t, "crontab", func(name string) bool { return strings.HasPrefix(name, "zz_generated") }) {
		put(name, readFile(t, name))
	}
	put("main.go", `package main

import (
	"fmt"

	v1 "github.com/prune-gen/prune-gen/crontab"
)

func main() {
	fmt.Println(v1.PruneCronTabReport(map[string]any{"spec": map[string]any{"image": "a", "imgae": "b"}}))
}
`)
	const runtime, code = "runtime/pruneimpl/doc.go", "crontab/zz_generated.prune.crontab.go"
	thisRuntime, thisCode := readFile(t, filepath.Join("..", runtime)), readFile(t, code)
	constant := regexp.MustCompile(`\b(SupportsGeneratedV)(\d+)\b`)
	newer := func(text string) string { return constant.ReplaceAllString(text, "${1}1000") }
	for _, test := range []struct {
		name          string
		runtime, code string
		want          string
	}{
		{"the next runtime, which supports it", thisRuntime + "\nconst SupportsGeneratedV1000 = true\n", thisCode, "[spec.imgae]"},
		{"a later runtime, which does not", newer(thisRuntime), thisCode, "undefined: pruneimpl.SupportsGeneratedV1"},
		{"an older runtime", thisRuntime, newer(thisCode), "undefined: pruneimpl.SupportsGeneratedV1000"},
	} {
		put(runtime, test.runtime)
		put(code, test.code)
		out, err := gocmd.Command(t, dir, []string{"./runtime/..."}, "run", ".").CombinedOutput()
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		if compiles := !strings.Contains(test.want, "undefined"); compiles != (err == nil) || !strings.HasSuffix(lines[len(lines)-1], test.want) {
			t.Errorf("%s: %v, want %s in\n%s", test.name, err, test.want, out)
		}
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
