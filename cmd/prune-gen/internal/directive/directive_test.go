package directive

import (
	"fmt"
	"go/build"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("CRDS", "from/env")
	for name, text := range map[string]string{
		"go.mod":           "module m\n",
		"a.go":             "package a\n\n//go:generate go tool prune-gen generate ../crds\n//go:generate prune-gen lint x\n//go:generate stringer -type X\n",
		"b/b.go":           "package b\r\n//go:generate\tgo run example.com/cmd/prune-gen@v1.2.3 generate  --group \"a b\" $CRDS $GOPACKAGE $GOFILE:$GOLINE\r\n",
		"b/c.go":           "package b\n//go:generate -command gen go tool prune-gen generate\n//go:generate gen --emit json x\n",
		"b/d.go":           "package b\n// go:generate prune-gen generate x\n//go:generated prune-gen generate x\n",
		"b/script.go":      "package b\n//go:generate sh -c \"prune-gen generate x\"\n",
		"b/quote.go":       "package b\n//go:generate prune-gen generate \"x\n",
		"b/tabs.go":        "package b\n//go:generate\tprune-gen\tgenerate\t\"x y\"\t\"z\"\n",
		"b/unspaced.go":    "package b\n//go:generate prune-gen generate \"x\"y\n",
		"b/unbuilt.go":     "//go:build never\n\npackage b\n//go:generate prune-gen generate x\n",
		"b/tagged.go":      "//go:build generate && special\n\npackage b\n//go:generate ./bin/prune-gen generate tagged\n",
		"b/x.go":           "package b\n//go:generate prune-gen project --keep x\n//go:generate sh -c \"prune-gen project x\"\n",
		"b/word.go":        "package b\n//go:generate -command gen prune-gen\n//go:generate gen generate x\n//go:generate -command gen\n",
		"vendor/v.go":      "package v\n//go:generate prune-gen generate x\n",
		"testdata/t.go":    "package t\n//go:generate prune-gen generate x\n",
		".hidden/h.go":     "package h\n//go:generate prune-gen generate x\n",
		"_hidden/h.go":     "package h\n//go:generate prune-gen generate x\n",
		"module/go.mod":    "module other\n",
		"module/module.go": "package m\n//go:generate prune-gen generate x\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	b := "b/b.go:2: --group|a b|from/env|b|b.go:2\nb/c.go:3: --emit|json|x\nb/quote.go:2: a quoted word is not closed\n" +
		"b/script.go:2: prune-gen is called in a script: only directives that call prune-gen directly can be checked\nb/tabs.go:2: x y|z\n" +
		"b/tagged.go:4: tagged\nb/unspaced.go:2: there is no space after \"x\"\nb/word.go:3: x\n" +
		"b/x.go:2: project --keep|x\nb/x.go:3: prune-gen is called in a script: only directives that call prune-gen directly can be checked\n"
	for patterns, want := range map[string]string{
		"./...":           "a.go:3: ../crds\n" + b,
		"...":             "a.go:3: ../crds\n" + b,
		"./b/...":         b,
		"./b/... ./...":   b + "a.go:3: ../crds\n",
		"./module/...":    "module/module.go:2: x\n",
		"./b/... ./b/...": b,
	} {
		found, err := Find(strings.Fields(patterns), []string{"special"})
		if err != nil {
			t.Fatal(err)
		}
		var have strings.Builder
		for _, d := range found {
			fmt.Fprintf(&have, "%s:%d: ", filepath.ToSlash(d.File), d.Line)
			if d.Projects {
				have.WriteString("project ")
			}
			if d.Err != nil {
				fmt.Fprintln(&have, d.Err)
			} else {
				fmt.Fprintln(&have, strings.Join(d.Args, "|"))
			}
		}
		if have.String() != want {
			t.Errorf("%s has\n%s\nwant\n%s", patterns, &have, want)
		}
	}
	if _, err := Find([]string{"./gone/..."}, nil); err == nil {
		t.Error("a directory that does not exist is searched")
	}
}

func TestPatternsStandForPackages(t *testing.T) {
	for arg, want := range map[string]bool{
		"...": true, "./...": true, "a/...": true, "/...": true, "": false, ".": false, "./": false, "a...": false, "./a...": false, "....": false, "../": false, ".../a": false, "..": false,
	} {
		if IsPattern(arg) != want {
			t.Errorf("%q is a pattern: %t", arg, !want)
		}
	}
}

// Directives are split into words, replaced and expanded as go generate does it.
func TestDirectivesAreReadAsByGoGenerate(t *testing.T) {
	t.Setenv("ONE", "first second")
	t.Setenv("TOOL", "prune-gen")
	t.Setenv("NONE", "")
	dir := t.TempDir()
	const script = "prune-gen is called in a script: only directives that call prune-gen directly can be checked"
	for _, test := range []struct{ lines, want string }{
		{"//go:generate prune-gen generate", "1:"},
		{"//go:generate prune-gen", ""},
		{"//go:generate prune-gen lint generate", ""},
		{"//go:generate prune-gen --x generate", ""},
		{"//go:generate generate prune-gen", ""},
		{"//go:generate prune-gen prune-gen generate a", "1: a"},
		{"//go:generate", ""},
		{"//go:generate ", ""},
		{"//go:generateprune-gen generate a", ""},
		{" //go:generate prune-gen generate a", ""},
		{"x //go:generate prune-gen generate a", ""},
		{"//go:generate  \t prune-gen \tgenerate  a\t b ", "1: a|b"},
		{"\n\n//go:generate go tool prune-gen generate a\n\n//go:generate prune-gen generate b", "3: a\n5: b"},
		{"//go:generate ./bin/prune-gen.exe generate a", "1: a"},
		{"//go:generate go run example.com/prune-gen@latest generate a", "1: a"},
		{"//go:generate go run example.com/prune-gen@v1.0.0/x generate a", "1: a"},
		{"//go:generate my-prune-gen generate a", ""},
		{"//go:generate prune-gen-x generate a", ""},
		{"//go:generate prune-gen/x generate a", ""},
		{"//go:generate prune-gen.exe.exe generate a", ""},
		{`//go:generate "prune-gen" "generate" "a b" "" c`, "1: a b||c"},
		{`//go:generate prune-gen generate "a\"\tb" c"d`, "1: a\"\tb|c\"d"},
		{`//go:generate prune-gen generate "a`, "1: ! a quoted word is not closed"},
		{`//go:generate prune-gen generate "\q"`, "1: ! a quoted word is not closed"},
		{`//go:generate prune-gen generate "a"b`, `1: ! there is no space after "a"`},
		{`//go:generate stringer "a`, ""},
		{`//go:generate stringer "a"b`, ""},
		{"//go:generate prune-gen generate $ONE ${ONE}x $NONE $$ $DOLLAR", "1: first second|first secondx|||$"},
		{"//go:generate $TOOL generate a", "1: a"},
		{"//go:generate $TOOL$NONE generate a", "1: a"},
		{"\n//go:generate prune-gen generate $GOFILE $GOLINE $GOPACKAGE", "2: x.go|2|pkg"},
		{"//go:generate prune-gen generate $GOARCH-$GOOS", "1: " + build.Default.GOARCH + "-" + build.Default.GOOS},
		{"//go:generate prune-gen generate $GOROOT", "1: " + build.Default.GOROOT},
		{"//go:generate prune-gen generate $PWD", "1: " + dir},
		{"//go:generate -command gen prune-gen generate $ONE\n//go:generate gen a\n//go:generate other gen a", "2: first second|a"},
		{"//go:generate -command gen prune-gen\n//go:generate gen\n//go:generate gen generate", "3:"},
		{"//go:generate -command gen prune-gen generate a\n//go:generate -command gen\n//go:generate gen b", "3: a|b"},
		{"//go:generate -command gen stringer\n//go:generate -command prune-gen gen\n//go:generate prune-gen generate a", ""},
		{"//go:generate -command gen stringer\n//go:generate gen prune-gen generate a", "2: a"},
		{`//go:generate sh -c "prune-gen generate a"`, "1: ! " + script},
		{`//go:generate sh -c "cd x && go tool prune-gen generate a; prune-gen generate b"`, "1: ! " + script},
		{`//go:generate sh -c "prune-gen lint a"`, ""},
		{`//go:generate prune-gen generate "prune-gen generate a"`, "1: prune-gen generate a"},
	} {
		r := reader{file: filepath.Join(dir, "x.go"), pkg: "pkg", commands: map[string][]string{}}
		for line := range strings.SplitSeq(test.lines, "\n") {
			r.line++
			r.read(line)
		}
		var have []string
		for _, d := range r.found {
			text := strings.TrimSuffix(fmt.Sprintf("%d: %s", d.Line, strings.Join(d.Args, "|")), " ")
			if d.Err != nil {
				text += " ! " + d.Err.Error()
			}
			have = append(have, text)
		}
		if have := strings.Join(have, "\n"); have != test.want {
			t.Errorf("%s\nis read as %q, want %q", test.lines, have, test.want)
		}
	}
}

// Only regular files that go generate reads have directives, and a package clause is not needed.
func TestDirectivesAreInGoFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	const text = "//go:generate prune-gen generate $GOPACKAGE.x\n"
	for name, text := range map[string]string{
		"a/a.go": "package a\n" + text, "a/a.txt": "package a\n" + text, "a/b.go": text, "a/dir.go/c.go": "package c\n" + text, "a/none.go": "package a\n", "a/_a.go": "package a\n" + text,
		"a/a_plan9.go": "package a\n" + text, "a/a_test.go": "package a_test\n" + text, "vendor/b/b.go": "package b\n" + text, "a/vendored/b.go": "package b\n" + text,
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("a.go", "a/link.go"); err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string]string{
		"./...":        "a/a.go:2: a.x a/a_test.go:2: a_test.x a/b.go:1: .x a/dir.go/c.go:2: c.x a/vendored/b.go:2: b.x",
		"vendor/...":   "vendor/b/b.go:2: b.x",
		"a/dir.go/...": "a/dir.go/c.go:2: c.x",
	} {
		found, err := Find([]string{pattern}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var have []string
		for _, d := range found {
			have = append(have, fmt.Sprintf("%s:%d: %s", filepath.ToSlash(d.File), d.Line, strings.Join(d.Args, " ")))
		}
		if have := strings.Join(have, " "); have != want {
			t.Errorf("%s has %s, want %s", pattern, have, want)
		}
	}
}
