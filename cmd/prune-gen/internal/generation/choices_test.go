package generation

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/output"
	"github.com/prune-gen/prune-gen/internal/generate/target"
	"github.com/prune-gen/prune-gen/structural"
)

// someCRDs are of two groups, of which both have a kind A.
func someCRDs() []*structural.CRD {
	var all []*structural.CRD
	for _, words := range []string{"a.com A v1 v2", "a.com B v1", "b.com A v1", "b.com C v2beta1"} {
		w := strings.Fields(words)
		c := &structural.CRD{Group: w[0], Names: structural.Names{Kind: w[1]}}
		for _, v := range w[2:] {
			c.Versions = append(c.Versions, &structural.Version{Name: v})
		}
		all = append(all, c)
	}
	return all
}

func TestSelectionsTakeWhatTheyName(t *testing.T) {
	for _, test := range []struct{ groups, kinds, versions, want string }{
		{"", "", "", "v1: a.com/A a.com/B b.com/A; v2: a.com/A; v2beta1: b.com/C"},
		{"a.com", "", "", "v1: a.com/A a.com/B; v2: a.com/A"},
		{"b.com a.com", "", "v1", "v1: a.com/A a.com/B b.com/A"},
		{"", "A", "", "v1: a.com/A b.com/A; v2: a.com/A"},
		{"", "b.com/A", "", "v1: b.com/A"},
		{"", "C a.com/B", "", "v1: a.com/B; v2beta1: b.com/C"},
		{"b.com", "A", "", "v1: b.com/A"},
		{"b.com", "b.com/A C", "v1", "v1: b.com/A"},
		{"", "", "v2 v1", "v1: a.com/A a.com/B b.com/A; v2: a.com/A"},
		{"a.com", "A", "v2", "v2: a.com/A"},
		{"c.com", "", "", `no CRD has group "c.com": did you mean a.com?`},
		{"a.com nothing", "", "", `no CRD has group "nothing": there are a.com, b.com`},
		{"nothing", "Nothing", "nothing", `no CRD has group "nothing": there are a.com, b.com`},
		{"", "Nothing", "nothing", `no CRD has kind "Nothing": there are A, B, C`},
		{"", "", "nothing", `no CRD has version "nothing": there are v1, v2, v2beta1`},
		{"", "a.com/C", "", `no CRD has kind "a.com/C": did you mean a.com/A?`},
		{"", "x/Nothing", "", `no CRD has kind "x/Nothing": there are a.com/A, a.com/B, b.com/A, b.com/C`},
		{"a.com", "b.com/A", "", `no CRD has kind "b.com/A": did you mean a.com/A?`},
		{"b.com", "Bbbb", "", `no CRD has kind "Bbbb": there are A, C`},
		{"", "C", "v1x", `no CRD has version "v1x": there is v2beta1`},
		{"", "C", "v2beta2", `no CRD has version "v2beta2": did you mean v2beta1?`},
	} {
		s := selection{groups: strings.Fields(test.groups), kinds: strings.Fields(test.kinds), versions: strings.Fields(test.versions)}
		selected, err := s.inputs(someCRDs())
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(selected)) {
			part := name + ":"
			for _, in := range selected[name] {
				if in.Version.Name != name {
					t.Errorf("%+v: version %s is in %s", test, in.Version.Name, name)
				}
				part += " " + qualified(in.CRD)
			}
			parts = append(parts, part)
		}
		have := strings.Join(parts, "; ")
		if err != nil {
			have += err.Error()
		}
		if have != test.want {
			t.Errorf("groups %q, kinds %q, versions %q: %s, want %s", test.groups, test.kinds, test.versions, have, test.want)
		}
	}
}

func TestGroupsOfInputs(t *testing.T) {
	all, err := selection{versions: []string{"v1"}}.inputs(someCRDs())
	if err != nil {
		t.Fatal(err)
	}
	if have := strings.Join(groupsOf(all["v1"]), " "); have != "a.com b.com" {
		t.Errorf("the groups are %s", have)
	}
	if of := ofGroup(all["v1"], "a.com"); len(of) != 2 || len(all["v1"]) != 3 || of[1].CRD.Names.Kind != "B" {
		t.Errorf("%d of %d", len(of), len(all["v1"]))
	}
}

func TestNamesThatExistAreListed(t *testing.T) {
	for want, names := range map[string][]string{"there is a": {"a"}, "there are a, b": {"a", "b"}, "there is ": nil, "there are 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 and 1 more": slices.Repeat([]string{"1"}, 11)} {
		if have := thereAre(names); have != want {
			t.Errorf("%s, want %s", have, want)
		}
	}
}

func TestPathsOfFlagsAreBelowADirectory(t *testing.T) {
	for args, want := range map[string]string{"": "d ", "--output-dir x --header-file h": "d/x d/h", "--output-dir /x": "/x ", "--header-file /h": "d /h", "--output-dir .. --header-file ../h": ". h"} {
		cmd := &cobra.Command{}
		gf := AddFlags(cmd, "")
		if err := cmd.ParseFlags(strings.Fields(args)); err != nil {
			t.Fatal(err)
		}
		gf.Below("d")
		if have := filepath.ToSlash(gf.dir + " " + gf.headerFile); have != want {
			t.Errorf("%s: %s, want %s", args, have, want)
		}
	}
}

func TestRequestsAreWhatTheFlagsSay(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"h.txt": "Copyright\n", "bad.txt": "go:build x\n//\x00", "limit.txt": strings.Repeat("x", 64<<10), "large.txt": strings.Repeat("x", 64<<10+1)} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for args, want := range map[string]string{
		"": ". auto {[] [] []} prune, report, normalize, fields, validate, update, status, metadata, rules apiserver false 0 false ",
		"--output-dir o --layout groups --group g --kind k,l --crd-version v --package p --emit-only prune --semantics kep-2332 --register": "o groups {[g] [k l] [v]}p prune kep-2332 true 0 false ",
		"--emit-only fields --share-across-kinds": ". auto {[] [] []} fields apiserver false 1 false ",
		"--emit-only fields --keep-stale":         ". auto {[] [] []} fields apiserver false 0 true ",
		"--emit check":                            ". auto {[] [] []} prune, report, check, normalize, fields, validate, update, status, metadata, rules apiserver false 0 false ",
		"--emit-only prune --header-file h.txt":   ". auto {[] [] []} prune apiserver false 0 false // Copyright",
		"--emit-only prune --header-file bad.txt": "header file: bad.txt: line 2 has the character U+0000, which does not belong in a comment",
		"--header-file large.txt":                 "header file: large.txt is larger than 64 kB",
		"--header-file gone.txt":                  "header file: open gone.txt: no such file or directory",
		"--output-dir=":                           "--output-dir is empty",
		"--package main":                          `invalid argument "main" for --package: that cannot be the name of a Go package`,
		"--package a-b":                           `invalid argument "a-b" for --package: that cannot be the name of a Go package`,
		"--share-across-kinds --keep-stale":       "--share-across-kinds and --keep-stale cannot be combined: the files that kinds share are made for all kinds of a package",
		"--register --keep-stale":                 "--register and --keep-stale cannot be combined: there is one file that registers, for all kinds of a package",
		"--emit prune --emit-only prune":          "--emit and --emit-only cannot be combined: --emit adds to the default, --emit-only replaces it",
	} {
		cmd := &cobra.Command{}
		g := AddFlags(cmd, "")
		if err := cmd.ParseFlags(strings.Fields(args)); err != nil {
			t.Fatal(err)
		}
		err := g.Check()
		have := fmt.Sprint(err)
		if err == nil {
			have = fmt.Sprintf("%s %s %v%s %v %v %t %d %t %s", g.dir, g.layout.Value, g.selection, g.pkg, g.options.Features, g.options.Semantics, g.options.Register, g.options.Sharing, g.keepStale, g.options.Header)
		}
		if have != want {
			t.Errorf("%s\nhave %s\nwant %s", args, have, want)
		}
	}
	if text, err := readHeader("limit.txt"); err != nil || len(text) != 64<<10+len("// ") {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}

func TestPackagesAreNamed(t *testing.T) {
	made := func(pkg string) *output.Existing { return &output.Existing{Data: []byte("package " + pkg + "\n")} }
	t.Chdir(t.TempDir())
	if err := os.Mkdir("sub", 0o777); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		asked, version, there, dir, env string
		have                            map[string]*output.Existing
		want                            string
	}{
		{"", "v1", "", ".", "", nil, "v1"},
		{"", "v1", "api", ".", "env", nil, "api"},
		{"api", "v1", "api", ".", "", nil, "api"},
		{"other", "v1", "api", "sub", "", nil, "the package in sub is called api: leave out --package, or generate into another directory"},
		{"asked", "v1", "", ".", "env", map[string]*output.Existing{"a": made("have")}, "asked"},
		{"", "v1", "", ".", "env", map[string]*output.Existing{"a": made("have"), "b": made("have")}, "have"},
		{"", "v1", "", ".", "env", map[string]*output.Existing{"a": made("have"), "b": made("other")}, "env"},
		{"", "v1", "", ".", "env", map[string]*output.Existing{"a": made("main")}, "env"},
		{"", "v1", "", ".", "env", map[string]*output.Existing{"a": made("!"), "b": made("have")}, "have"},
		{"", "v1", "", "sub", "env", nil, "v1"},
		{"", "v1", "", "gone", "env", nil, "v1"},
		{"", "v1", "", ".", "main", nil, "v1"},
		{"", "main", "", ".", "", nil, `"main" cannot be the name of a Go package: choose one with --package`},
		{"", "v1-x", "", "sub", "", nil, `"v1-x" cannot be the name of a Go package: choose one with --package`},
	} {
		t.Setenv("GOPACKAGE", test.env)
		have, err := PackageName(test.asked, test.version, &target.Package{Dir: test.dir, Name: test.there}, test.have)
		if err != nil {
			have = err.Error()
		}
		if have != test.want {
			t.Errorf("%+v: %s", test, have)
		}
	}
}

// go generate sets both variables.
func TestGoGenerateIsNoticed(t *testing.T) {
	for env, want := range map[[2]string]bool{{"", ""}: false, {"a.go", ""}: false, {"", "3"}: false, {"a.go", "3"}: true} {
		t.Setenv("GOFILE", env[0])
		t.Setenv("GOLINE", env[1])
		if underGoGenerate() != want {
			t.Errorf("%q: %t", env, !want)
		}
	}
}

// The error about a missing requirement of a module names the command that adds it.
func TestModulesThatLackTheRuntime(t *testing.T) {
	root := t.TempDir()
	t.Chdir(root)
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	const module, clone = "github.com/prune-gen/prune-gen", ", where CLONE is the path of a clone of prune-gen"
	const get = "go mod edit -replace=" + module + "=CLONE && go get " + module + "@v0.0.0"
	for _, vendored := range []string{"", " && go mod vendor"} {
		if vendored != "" {
			if err := os.MkdirAll("vendor", 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile("vendor/modules.txt", nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		for want, m := range map[string]*target.Module{
			"": {Root: root},
			"module/missing dir there is no go.mod here or above, so the generated code is not part of a module yet|run: go mod init example.com/your/module && " + get + clone: {},
			"module/broken dir the module could not be loaded, so the package was not compiled with the generated code: why|":                                                   {Root: root, Err: errors.New("why"), RuntimeErr: errors.New("why not")},
			"module/runtime go.mod the runtime of generated code has not been downloaded yet|run: go mod download " + module:                                                    {Root: root, RuntimeErr: target.ErrNotDownloaded},
			"module/runtime go.mod generated code needs its runtime: why not|run: " + get + vendored + clone:                                                                    {Root: root, RuntimeErr: errors.New("why not")},
		} {
			have := ""
			for _, f := range ModuleFindings(m, "dir") {
				have += fmt.Sprintf("%s %s %s|%s", f.ID, f.File, f.Message, f.Hint)
				if f.Severity != structural.SeverityWarning {
					t.Errorf("%+v", f)
				}
			}
			if have != want {
				t.Errorf("have %s\nwant %s", have, want)
			}
		}
	}
}
