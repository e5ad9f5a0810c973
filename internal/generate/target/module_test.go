package target

import (
	"errors"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/gosource"
	"github.com/prune-gen/prune-gen/internal/generate/typecheck"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// requiring returns the text of a go.mod that has the runtime of this repository, and the matching go.sum.
func requiring(t *testing.T) (mod, sum string) {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	return "module example.com/app\n\ngo 1.26.0\n\nrequire github.com/prune-gen/prune-gen v0.0.0\n\n" +
		"replace github.com/prune-gen/prune-gen => " + root + "\n", string(text)
}

// vendored returns the files of a module that has a version of the runtime without any declarations in its vendor directory.
func vendored(version string) map[string]string {
	const path = "github.com/prune-gen/prune-gen"
	return map[string]string{
		"go.mod": bareModule + "\nrequire " + path + " " + version + "\n",
		"vendor/modules.txt": "# " + path + " " + version + "\n## explicit; go 1.26.0\n" +
			path + "/runtime\n" + path + "/runtime/pruneimpl\n",
		"vendor/" + path + "/runtime/runtime.go":        "package prunert\n",
		"vendor/" + path + "/runtime/pruneimpl/impl.go": "package pruneimpl\n",
	}
}

const bareModule = "module example.com/app\n\ngo 1.26.0\n"

func TestModuleProvidesTypes(t *testing.T) {
	mod, sum := requiring(t)
	dir := write(t, map[string]string{
		"go.mod":          mod,
		"go.sum":          sum,
		"lib/lib.go":      "package lib\n\nfunc Here() int { return 1 }\n",
		"lib/tagged.go":   "//go:build tag && other\n\npackage lib\n\nfunc Tagged() {}\n",
		"broken/x.go":     "package broken\n\nfunc f() { undefined() }\n",
		"internal/sub.go": "package internal\n",
	})
	m := LoadModule(t.Context(), filepath.Join(dir, "api", "v1"), []string{"tag", "other"},
		[]string{"fmt", "example.com/app/lib", "example.com/app/broken", "example.com/app/internal", "example.com/gone"})
	if m.Root != dir || m.Err != nil || m.RuntimeErr != nil || m.RuntimeVersion != "" {
		t.Fatalf("%+v", m)
	}
	for path, name := range map[string]string{
		"fmt":                       "Println",
		"unsafe":                    "Pointer",
		"example.com/app/lib":       "Tagged",
		"example.com/app/internal":  "",
		typecheck.RuntimePaths()[0]: "Resource",
		typecheck.RuntimePaths()[1]: "SupportsGeneratedV1",
	} {
		pkg, err := m.Import(path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
		} else if name != "" && pkg.Scope().Lookup(name) == nil {
			t.Errorf("%s has no %s", path, name)
		}
	}
	for path, want := range map[string]string{
		"example.com/app/broken": "",
		"example.com/gone":       "no required module provides package example.com/gone",
		"os":                     "it was not loaded",
	} {
		if _, err := m.Import(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}

func TestModuleWithoutTheRuntimeHasTheBuiltinOne(t *testing.T) {
	testsize.NotShort(t)
	tests := []struct {
		name          string
		files         map[string]string
		goflags       string
		err           string // a part of Err
		runtimeErr    string
		notDownloaded bool
	}{
		{name: "no module", files: map[string]string{"x.go": "package x\n"}},
		{
			name: "not required", files: map[string]string{"go.mod": bareModule},
			runtimeErr: "no required module provides package " + gosource.RuntimePath,
		},
		{
			name: "not required, in an environment that would add it", files: map[string]string{"go.mod": bareModule}, goflags: "-mod=mod",
			runtimeErr: "no required module provides package " + gosource.RuntimePath,
		},
		{
			name: "not required, and the default said once more", files: map[string]string{"go.mod": bareModule}, goflags: "-mod=readonly",
			runtimeErr: "no required module provides package " + gosource.RuntimePath,
		},
		{
			name: "not downloaded", files: map[string]string{"go.mod": bareModule + "require github.com/prune-gen/prune-gen v0.0.1\n"},
			runtimeErr: "missing go.sum entry", notDownloaded: true,
		},
		{
			name: "not downloaded, but known", files: map[string]string{
				"go.mod": bareModule + "require github.com/prune-gen/prune-gen v0.0.1\n",
				"go.sum": "github.com/prune-gen/prune-gen v0.0.1 h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n" +
					"github.com/prune-gen/prune-gen v0.0.1/go.mod h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
			},
			runtimeErr: "module lookup disabled by GOPROXY=off", notDownloaded: true,
		},
		{name: "broken go.mod", files: map[string]string{"go.mod": bareModule + "bogus\n"}, err: "errors parsing go.mod: go.mod:4: unknown directive: bogus"},
		{name: "future go.mod", files: map[string]string{"go.mod": "module example.com/app\n\ngo 1.999.0\n"}, err: "go >= 1.999.0"},
		{
			name: "vendored without it", files: map[string]string{"go.mod": bareModule, "vendor/modules.txt": ""},
			runtimeErr: gosource.RuntimePath,
		},
		{
			name: "not in the workspace", files: map[string]string{"go.mod": bareModule, "go.work": "go 1.26.0\n"},
			runtimeErr: "no modules were found in the current workspace",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("GOFLAGS", test.goflags)
			t.Setenv("GOTOOLCHAIN", "local")
			dir := write(t, test.files)
			m := LoadModule(t.Context(), dir, nil, []string{"fmt"})
			check := func(what, want string, err error) {
				if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
					t.Errorf("%s is %v, want %q", what, err, want)
				}
				if err != nil && strings.ContainsAny(err.Error(), "\n\t") {
					t.Errorf("%s has more than one line: %q", what, err)
				}
			}
			check("the error", test.err, m.Err)
			check("the error of the runtime", test.runtimeErr, m.RuntimeErr)
			if m.NotDownloaded() != test.notDownloaded {
				t.Errorf("not downloaded: %t", m.NotDownloaded())
			}
			if _, has := test.files["vendor/modules.txt"]; has != m.Vendored() {
				t.Errorf("vendored: %t", m.Vendored())
			}
			if _, has := test.files["go.mod"]; has != (m.Root != "") {
				t.Errorf("the root is %q", m.Root)
			}
			for _, path := range typecheck.RuntimePaths() {
				builtin, err := typecheck.Builtin(path)
				if err != nil {
					t.Fatal(err)
				}
				pkg, err := m.Import(path)
				if err != nil || !slices.Equal(pkg.Scope().Names(), builtin.Scope().Names()) {
					t.Errorf("%s is %v, %v", path, pkg, err)
				}
			}
			// The io in the runtime's types is the io that the package itself imports.
			runtime, _ := m.Import(gosource.RuntimePath)
			io, err := m.Import("io")
			if err != nil {
				t.Fatal(err)
			}
			stream, _, _ := types.LookupFieldOrMethod(runtime.Scope().Lookup("Resource").Type(), true, runtime, "PruneStream")
			writer := stream.Type().(*types.Signature).Params().At(0).Type()
			if !types.Identical(writer, io.Scope().Lookup("Writer").Type()) {
				t.Error("the runtime has an io of its own")
			}
			for name, text := range test.files {
				if have, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(have) != text {
					t.Errorf("%s was changed: %v\n%s", name, err, have)
				}
			}
		})
	}
}

func TestModuleWithoutAGoCommand(t *testing.T) {
	dir := write(t, map[string]string{"go.mod": bareModule})
	t.Setenv("PATH", t.TempDir())
	if m := LoadModule(t.Context(), dir, nil, nil); !errors.Is(m.Err, ErrNoGo) {
		t.Errorf("%v", m.Err)
	}
}

// The go command must not use the network in any way.
func TestLoadingIsOffline(t *testing.T) {
	t.Setenv("GOFLAGS", "-mod=mod -tags=a --mod=mod")
	env := map[string]string{}
	for _, pair := range offline([]string{"GOPROXY=https://proxy.example.com", "GOFLAGS=-mod=mod"}) {
		key, value, _ := strings.Cut(pair, "=")
		env[key] = value
	}
	for key, want := range map[string]string{"GOPROXY": "off", "GONOPROXY": "none", "GOVCS": "*:off", "GOFLAGS": "-tags=a"} {
		if env[key] != want {
			t.Errorf("%s is %q, want %q", key, env[key], want)
		}
	}
}

func TestAModuleHasAFileCalledGoMod(t *testing.T) {
	dir := write(t, map[string]string{"go.mod": "module example.com/app\n", "api/go.mod/x": ""})
	if got := FindRoot(filepath.Join(dir, "api")); got != dir {
		t.Errorf("%s, want %s", got, dir)
	}
}

func TestRoots(t *testing.T) {
	dir := write(t, map[string]string{"a/go.mod": bareModule, "a/b/c/x": "", "a/b/c/d/go.mod": bareModule, "e/x": ""})
	for name, want := range map[string]string{"a": "a", "a/b": "a", "a/b/c": "a", "a/b/c/d": "a/b/c/d", "a/b/c/d/gone/gone": "a/b/c/d", "a/b/gone": "a"} {
		if have := FindRoot(filepath.Join(dir, filepath.FromSlash(name))); have != filepath.Join(dir, filepath.FromSlash(want)) {
			t.Errorf("%s: %s, want %s", name, have, want)
		}
	}
	for name, want := range map[string]string{"a": "a", "a/gone": "a", "a/b/c/gone/gone": "a/b/c", "a/b/c/x": "a/b/c", "a/b/c/x/gone": "a/b/c"} {
		if have := nearest(filepath.Join(dir, filepath.FromSlash(name)), isDir); have != filepath.Join(dir, filepath.FromSlash(want)) {
			t.Errorf("%s: %s exists, want %s", name, have, want)
		}
	}
	t.Chdir(filepath.Join(dir, "a", "b"))
	if have := FindRoot("c"); have != filepath.Join(dir, "a") {
		t.Errorf("%s is the root of a relative path", have)
	}
	if have := nearest("gone/gone", isDir); have != "." {
		t.Errorf("%s exists, want the directory itself", have)
	}
}

func TestTheVersionOfTheRuntimeIsThatOfTheModule(t *testing.T) {
	t.Setenv("GOFLAGS", "") // -mod=readonly would pass over what is vendored
	m := LoadModule(t.Context(), write(t, vendored("v0.2.3")), nil, nil)
	if m.Err != nil || m.RuntimeErr != nil || m.RuntimeVersion != "v0.2.3" || !m.Vendored() || m.NotDownloaded() {
		t.Errorf("%+v", m)
	}
	// The packages that it has are not those that are built in.
	if p, err := m.Import(typecheck.RuntimePaths()[1]); err != nil || p.Scope().Len() != 0 {
		t.Errorf("%v, %v", p, err)
	}
}

func TestAModuleNeedsBothPackagesOfTheRuntime(t *testing.T) {
	t.Setenv("GOFLAGS", "") // -mod=readonly would pass over what is vendored
	for _, gone := range []string{"runtime.go", "pruneimpl/impl.go"} {
		files := vendored("v0.0.1")
		delete(files, "vendor/github.com/prune-gen/prune-gen/runtime/"+gone)
		m := LoadModule(t.Context(), write(t, files), nil, nil)
		if m.Err != nil || m.RuntimeErr == nil || m.NotDownloaded() {
			t.Errorf("without %s: %v, %v", gone, m.Err, m.RuntimeErr)
		}
	}
}

func TestMessagesOfTheGoCommandAreOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"go: a\nb":                               "a",
		" \n go: a":                              "a",
		"a: ":                                    "a:",
		"errors parsing go.mod:\n\tgo.mod:4: b":  "errors parsing go.mod: go.mod:4: b",
		"errors parsing go.mod:\n":               "errors parsing go.mod:",
		"err: exit status 1: stderr: go: a\n":    "a",
		"err: exit status 1: stderr: \n":         "err: exit status 1: stderr:",
		"err: exit status 1: stderr: b:\n c\n d": "b: c",
		"missing go.sum entry for a; to add it:\n\tgo get a":                                "missing go.sum entry for a",
		"missing package a; to add:\n\tgo get a":                                            "missing package a",
		"cannot find module providing package a/b: import lookup disabled by -mod=readonly": "no required module provides package a/b",
		"cannot find module providing package a/b: import lookup disabled by -mod=vendor":   "cannot find module providing package a/b: import lookup disabled by -mod=vendor",
		"found a/b: import lookup disabled by -mod=readonly":                                "found a/b: import lookup disabled by -mod=readonly",
	} {
		if have := firstLine(text).Error(); have != want {
			t.Errorf("%q: %q, want %q", text, have, want)
		}
	}
}

func TestWhatIsNotDownloadedIsTold(t *testing.T) {
	for text, want := range map[string]bool{
		"missing go.sum entry for module": true, "module lookup disabled by GOPROXY=off": true, "no required module provides package a": false,
	} {
		if have := (&Module{RuntimeErr: firstLine(text)}).NotDownloaded(); have != want {
			t.Errorf("%s: %t", text, have)
		}
	}
}

// A directory is not the list of vendored modules.
func TestModulesAreVendoredByAFile(t *testing.T) {
	dir := write(t, map[string]string{"vendor/modules.txt/x": ""})
	if (&Module{Root: dir}).Vendored() {
		t.Error("a directory is vendored")
	}
}
