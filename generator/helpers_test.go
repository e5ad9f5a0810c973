package generator

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/structural"
)

// manifest returns the text of a CRD with one version and the given schema.
func manifest(kind, schema string) string {
	plural := strings.ToLower(kind) + "s"
	return fmt.Sprintf(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %[2]s.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: %[1]s, plural: %[2]s}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
%[3]s`, kind, plural, indent(schema, 8))
}

// manifestV1beta1 returns the text of a v1beta1 CRD that prunes or does not.
func manifestV1beta1(kind string, preserve bool, schema string) string {
	plural := strings.ToLower(kind) + "s"
	return fmt.Sprintf(`
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: %[2]s.example.com}
spec:
  group: example.com
  version: v1
  names: {kind: %[1]s, plural: %[2]s}
  preserveUnknownFields: %[4]t
  validation:
    openAPIV3Schema:
%[3]s`, kind, plural, indent(schema, 6), preserve)
}

func indent(text string, n int) string {
	var b strings.Builder
	for line := range strings.Lines(strings.Trim(text, "\n")) {
		b.WriteString(strings.Repeat(" ", n) + strings.ReplaceAll(line, "\t", "  "))
	}
	return b.String()
}

// load returns every version of the CRDs in the texts.
func load(t testing.TB, texts ...string) []Input {
	t.Helper()
	var inputs []Input
	for i, text := range texts {
		f := structural.Load(fmt.Sprintf("crd%d.yaml", i), strings.NewReader(text))
		if len(f.Findings) > 0 || len(f.CRDs) == 0 {
			t.Fatalf("the CRD does not load: %+v\n%s", f.Findings, text)
		}
		for _, c := range f.CRDs {
			for _, v := range c.Versions {
				inputs = append(inputs, Input{c, v})
			}
		}
	}
	return inputs
}

// plan lowers CRDs.
func plan(t testing.TB, semantics structural.Semantics, texts ...string) *Plan {
	t.Helper()
	p, err := Lower(load(t, texts...), semantics)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// generate returns the files for CRDs.
func generate(t testing.TB, opts Options, texts ...string) []File {
	t.Helper()
	if opts.Package == "" {
		opts.Package = "v1"
	}
	files, err := Generate(load(t, texts...), opts)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// compareText compares texts, but for the white space around them.
func compareText(t *testing.T, got, want string) {
	t.Helper()
	got, want = strings.TrimSpace(got), strings.TrimSpace(want)
	if got != want {
		t.Errorf("have\n%s\nwant\n%s", got, want)
	}
}
