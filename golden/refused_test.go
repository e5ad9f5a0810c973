package golden

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/testing/cases"
	"github.com/prune-gen/prune-gen/structural"
)

// refusal returns what is said about the CRDs in an archive, a finding a line with its hint below it.
func refusal(t *testing.T, archive *txtar.Archive) string {
	t.Helper()
	var crds []*structural.CRD
	var findings []structural.Finding
	for _, f := range archive.Files {
		if strings.HasSuffix(f.Name, ".yaml") {
			file := crdread.Load(f.Name, bytes.NewReader(f.Data))
			crds = append(crds, file.CRDs...)
			findings = append(findings, file.Findings...)
		}
	}
	var other string
	if len(findings) == 0 {
		for _, p := range cases.Packages(crds, "refused") {
			_, err := generator.Generate(p.Inputs, generator.Options{Package: p.Version})
			var in *generator.InputError
			switch {
			case errors.As(err, &in):
				findings = append(findings, in.Findings...)
			case err != nil:
				other += err.Error() + "\n"
			}
		}
	}
	if len(findings) == 0 && other == "" {
		t.Error("nothing is refused")
	}
	var b strings.Builder
	for _, f := range findings {
		fmt.Fprintf(&b, "%s:%d:%d: %s: %s\n", f.File, f.Line, f.Column, f.Severity, f.Message)
		if f.Hint != "" {
			fmt.Fprintf(&b, "\t%s\n", f.Hint)
		}
	}
	return b.String() + other
}
