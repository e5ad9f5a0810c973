package crdread_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/testing/allocated"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/structural"
)

// The files of a run share a meter. The one that exceeds it is refused, and so are those after it.
func TestTheFilesOfARunShareAMeter(t *testing.T) {
	const crd = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"things.example.com"},"spec":{"group":"example.com",` +
		`"scope":"Cluster","names":{"kind":"Thing","plural":"things"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}` + "\n"
	for name, text := range map[string]string{
		"schemas":  structuraltest.CRDWith("{type: object, anyOf: [" + strings.Repeat("{},", 4000) + "]}"),
		"CRDs":     strings.Repeat(crd, 200),
		"findings": structuraltest.CRDWith("{type: object, properties: {? " + strings.Repeat("n", 9000) + " : {allOf: [" + strings.Repeat("{x: 1},", 40) + "]}}}"),
	} {
		m := meter.New(1)
		m.Spend(meter.Work - 1_500_000)
		refused := 0
		for i := range 10 {
			f := crdread.Within(m, fmt.Sprint("crd", i), strings.NewReader(text))
			said := 0
			for _, finding := range f.Findings {
				if finding.ID == "text/too-large" {
					said++
					if finding.File != f.Name || finding.Severity != structural.SeverityError || finding.Message != m.Err().Error() {
						t.Errorf("%s: %+v", name, finding)
					}
				}
			}
			if said > 0 {
				refused++
			}
			if said > 1 || said == 0 && refused > 0 || said == 0 && len(f.CRDs) == 0 || refused > 1 && len(f.CRDs) > 0 {
				t.Errorf("%s: file %d: %d problems and %d CRDs", name, i, said, len(f.CRDs))
			}
		}
		if refused == 0 || refused == 10 {
			t.Errorf("%s: %d files are refused", name, refused)
		}
	}
}

// Schemas beyond the limit are not made.
func TestSchemasBeyondTheLimitTakeNoMemory(t *testing.T) {
	const n = 60_000
	var properties strings.Builder
	for i := range n {
		fmt.Fprintf(&properties, "a%d: {}, ", i)
	}
	text := structuraltest.CRDWith("{type: object, properties: {" + properties.String() + "}}")
	m := meter.New(1)
	m.Spend(meter.Work - 50*n)
	if bytes := allocated.By(func() { crdread.Within(m, "more", strings.NewReader(text)) }); bytes > 1000*n {
		t.Errorf("allocates %d bytes for %d properties", bytes, n)
	}
}

// A text is searched once for what its findings are about, however many there are.
func TestAForeignTextIsSearchedOnce(t *testing.T) {
	text := "# " + strings.Repeat("x", 1<<20) + "\n" + strings.Repeat("---\na: [\n", 900)
	spent := func(text string) int64 {
		m := meter.New(1)
		if f := crdread.Within(m, "f.yaml", strings.NewReader(text)); f.Foreign == report.NotForeign || len(f.Findings) < 900 {
			t.Errorf("%d findings, foreign: %v", len(f.Findings), f.Foreign)
		}
		return meter.Work - m.Left()
	}
	if units, short := spent(text), spent(text[1<<20:]); units-short < 1<<10 || units-short > 1<<17 {
		t.Errorf("%d units for 1 MiB more", units-short)
	}
}
