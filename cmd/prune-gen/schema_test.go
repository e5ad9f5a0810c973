package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Neither a link in the directory nor a name leads out of it.
func TestSchemasStayInTheirDirectory(t *testing.T) {
	dir := write(t, map[string]string{"out/README": "", "outside/README": ""})
	t.Chdir(dir)
	if err := os.Symlink("../outside", filepath.Join("out", "example.com")); err != nil {
		t.Fatal(err)
	}
	good := crd("goods", "{type: object}")
	for _, text := range []string{
		good,
		strings.ReplaceAll(good, "example.com", ".."),
		strings.ReplaceAll(good, "kind: Thing", "kind: ../../outside/x"),
		strings.ReplaceAll(good, "name: v1", "name: /../../../outside/x"),
	} {
		if r := runWith(text, "schema", "--output-dir=out", "-"); r.code != exitInput {
			t.Errorf("exit status %d\n%s%s", r.code, r.stderr, text)
		}
	}
	for _, name := range []string{".", "out", "outside"} {
		if entries, err := os.ReadDir(name); err != nil || len(entries) != 2 && name != "outside" || len(entries) != 1 && name == "outside" {
			t.Errorf("%s has %v: %v", name, entries, err)
		}
	}
}
