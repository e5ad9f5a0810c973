// Package lint finds what an API server refuses in CustomResourceDefinitions, and where a CRD loses data or has no effect. The command
// prune-gen lint prints what it finds.
//
// A finding whose severity is structural.SeverityError makes the API server refuse the CRD. Each finding has the id of a rule, which Rules
// lists, a place in the text, and often a hint.
package lint

import (
	"io"
	"slices"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/crd/origin"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/structural"
)

// CRD returns the findings about c for the API server of the version c.Kubernetes, in the order of the text.
func CRD(c *structural.CRD) []structural.Finding { return lint.CRD(c) }

// Text returns the findings about all CRDs in r, and about the text itself where it cannot be read, in the order of the text. It reads what
// load.CRDs reads. The name is the file in the findings.
func Text(name string, r io.Reader) []structural.Finding {
	m := meter.New(1)
	f := crdread.Within(m, name, r)
	for _, c := range slices.Concat(f.CRDs, f.Refused) {
		origin.SetMeter(c, m)
	}
	lint.Refused(f)
	for _, c := range f.CRDs {
		if m.Spent() {
			break // a finding says so
		}
		f.Add(lint.CRD(c))
	}
	return f.Findings
}

// Rules returns the rules that findings can have.
func IDs() []structural.IDInfo {
	return slices.Concat(structural.IDs(), report.IDs(), crdread.IDs(), lint.IDs())
}
