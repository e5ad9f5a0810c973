package generator

import (
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/crdtest"
)

// inputsOf returns every version of the CRDs in the texts.
func inputsOf(t testing.TB, texts ...string) []Input {
	t.Helper()
	var inputs []Input
	for _, c := range crdtest.Load(t, texts...) {
		for _, v := range c.Versions {
			inputs = append(inputs, Input{c, v})
		}
	}
	return inputs
}

// generate returns the files for CRDs.
func generate(t testing.TB, opts Options, texts ...string) []File {
	t.Helper()
	if opts.Package == "" {
		opts.Package = "v1"
	}
	files, err := Generate(inputsOf(t, texts...), opts)
	if err != nil {
		t.Fatal(err)
	}
	return files
}
