package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// result is what a run of the program leaves behind.
type result struct {
	code           int
	stdout, stderr string
}

// runWith runs the program with the given standard input.
func runWith(stdin string, args ...string) result {
	var stdout, stderr bytes.Buffer
	code := run(args, strings.NewReader(stdin), &stdout, &stderr)
	return result{code, stdout.String(), stderr.String()}
}

// write puts files below a new directory and returns it.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// crd returns a CRD of the given plural name with one field, whose schema is field.
func crd(plural, field string) string {
	return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ` + plural + `.example.com
spec:
  group: example.com
  scope: Namespaced
  names:
    kind: Thing
    plural: ` + plural + `
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          field: ` + field + `
`
}

const (
	goodField = "{type: string}"
	badField  = "{minLength: 1}"
)

// wantClean fails when text has a character in it that a terminal acts on, apart from the ends of lines.
func wantClean(t *testing.T, what, text string) {
	t.Helper()
	for i, r := range text {
		switch {
		case r == '\n':
		case r == utf8.RuneError, r < 0x20, r >= 0x7f && r < 0xa0, r >= 0x202a && r <= 0x202e, r == 0x2028, r == 0x2029:
			t.Fatalf("%s has the character %U at %d: %q", what, r, i, text[max(0, i-40):min(len(text), i+40)])
		}
	}
}
