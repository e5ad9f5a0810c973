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

// A schema is printed as it is written to a file.
func TestASchemaIsPrintedOrWritten(t *testing.T) {
	t.Chdir(write(t, map[string]string{"crd.yaml": crd("goods", goodField)}))
	printed := wantRun(t, exitOK, `"const": "Thing"`, "-", "schema", "crd.yaml").stdout
	wantRun(t, exitOK, "-", "1 schema in out: 1 written, 0 unchanged", "schema", "--output-dir=out", "crd.yaml")
	if written, err := os.ReadFile("out/example.com/thing_v1.json"); err != nil || string(written) != printed {
		t.Errorf("%v, written\n%s\nprinted\n%s", err, written, printed)
	}
}
