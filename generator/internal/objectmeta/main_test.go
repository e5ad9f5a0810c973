package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/prune-gen/prune-gen/generator"
)

func TestRuntimeIsCurrent(t *testing.T) {
	file, err := generator.ObjectMeta()
	if err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile(filepath.Join("../../../runtime/pruneimpl", file.Name))
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != string(file.Content) {
		t.Errorf("runtime/pruneimpl/%s is not current: run go generate ./runtime/...", file.Name)
	}
}

func TestRunWritesTheFile(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := run(); err != nil {
		t.Fatal(err)
	}
	file, err := generator.ObjectMeta()
	if err != nil {
		t.Fatal(err)
	}
	if have, err := os.ReadFile(file.Name); err != nil || string(have) != string(file.Content) {
		t.Errorf("%v\n%s", err, have)
	}
}
