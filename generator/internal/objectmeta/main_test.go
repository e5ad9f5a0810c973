package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/prune-gen/prune-gen/generator"
)

func TestRuntimeIsCurrent(t *testing.T) {
	for _, pkg := range []string{"pruneimpl", "prunejson"} {
		file, err := generator.ObjectMeta(pkg)
		if err != nil {
			t.Fatal(err)
		}
		have, err := os.ReadFile(filepath.Join("../../../runtime", pkg, file.Name))
		if err != nil {
			t.Fatal(err)
		}
		if string(have) != string(file.Content) {
			t.Errorf("runtime/%s/%s is not current: run go generate ./runtime/...", pkg, file.Name)
		}
	}
}

func TestRunWritesTheFile(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := run("pruneimpl"); err != nil {
		t.Fatal(err)
	}
	file, err := generator.ObjectMeta("pruneimpl")
	if err != nil {
		t.Fatal(err)
	}
	if have, err := os.ReadFile(file.Name); err != nil || string(have) != string(file.Content) {
		t.Errorf("%v\n%s", err, have)
	}
	if err := run("main"); err == nil {
		t.Error("there is a file for any package")
	}
}
