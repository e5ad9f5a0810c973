package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Directives in this repository's own examples are what users copy. What they generate is current.
func TestExamplesAreCurrent(t *testing.T) {
	directive := regexp.MustCompile(`(?m)^//go:generate go tool prune-gen generate (.*)$`)
	found := 0
	err := filepath.WalkDir(filepath.Join(repository, "examples"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, match := range directive.FindAllStringSubmatch(string(text), -1) {
			found++
			t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
				t.Chdir(filepath.Dir(path))
				r := runWith("", append([]string{"verify"}, strings.Fields(match[1])...)...)
				if r.code != exitOK || r.stderr != "" {
					t.Errorf("exit status %d; run go generate in %s\n%s%s", r.code, filepath.Dir(path), r.stderr, r.stdout)
				}
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found == 0 {
		t.Error("there are no directives in the examples")
	}
}
