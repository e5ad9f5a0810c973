package directive

import (
	"fmt"
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
	b := "b/b.go:2: --group|a b|from/env|b|b.go:2\nb/c.go:3: --emit|json|x\nb/quote.go:2: a quoted word does not end\n" +
		"b/script.go:2: prune-gen is called in a script: only directives that call it themselves are understood\nb/tabs.go:2: x y|z\n" +
		"b/tagged.go:4: tagged\nb/unspaced.go:2: there is no space after \"x\"\nb/word.go:3: x\n"
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
