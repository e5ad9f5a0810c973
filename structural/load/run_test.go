package load_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/allocated"
	"github.com/prune-gen/prune-gen/internal/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/load"
)

// manySchemas is a CRD that has n schemas, the root included.
func manySchemas(n int) string {
	return structuraltest.CRDWith("{type: object, anyOf: [" + strings.Repeat("{},", n-1) + "]}")
}

func TestTheFilesOfARunShareTheLimitOfSchemas(t *testing.T) {
	run := load.NewRun()
	for i, c := range []struct {
		text    string
		message string
		crds    int
	}{
		{manySchemas(50_000), "", 1},
		{manySchemas(50_001), "the CRD exceeds the limit of 50000 schemas", 0},
		{strings.Repeat(manySchemas(46_000)+"---\n", 3), "", 3},
		{manySchemas(2_000), "", 1},
		{manySchemas(2), "with this file, the run exceeds the limit of 240000 schemas", 0},
		{manySchemas(1), "not read: the run exceeds the limit of 240000 schemas", 0},
	} {
		f := run.Load(fmt.Sprint("crd", i), strings.NewReader(c.text))
		got := ""
		for _, finding := range f.Findings {
			if got += finding.Message; finding.File != f.Name || finding.Rule != "text/too-large" || finding.Severity != structural.SeverityError {
				t.Errorf("%+v", finding)
			}
		}
		if got != c.message || len(f.CRDs) != c.crds || len(f.Refused) != 0 {
			t.Errorf("file %d: %q and %d CRDs, want %q and %d", i, got, len(f.CRDs), c.message, c.crds)
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
	run := load.NewRun()
	run.Load("most", strings.NewReader(strings.Repeat(manySchemas(50_000)+"---\n", 4)+manySchemas(39_999)))
	if bytes := allocated.By(func() { run.Load("more", strings.NewReader(text)) }); bytes > 1000*n {
		t.Errorf("allocates %d bytes for %d properties", bytes, n)
	}
}

// The first CRD beyond the limit is a problem, and those after it are not read.
func TestTheFilesOfARunShareTheLimitOfCRDs(t *testing.T) {
	const crd = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"things.example.com"},"spec":{"group":"example.com",` +
		`"scope":"Cluster","names":{"kind":"Thing","plural":"things"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}` + "\n"
	run := load.NewRun()
	for i, want := range []string{"", "", "2:1 with this file, the run exceeds the limit of 10000 CRDs", "1:1 not read: the run exceeds the limit of 10000 CRDs"} {
		f := run.Load("f", strings.NewReader(strings.Repeat(crd, []int{9_998, 1, 4, 1}[i])))
		var said []string
		for _, finding := range f.Findings {
			if finding.Rule == "text/too-large" {
				said = append(said, fmt.Sprintf("%d:%d %s", finding.Line, finding.Column, finding.Message))
			}
		}
		if have := strings.Join(said, "\n"); have != want {
			t.Errorf("file %d: %q, want %q", i, have, want)
		}
		if read := []int{9_998, 1, 1, 0}[i]; len(f.CRDs) != read {
			t.Errorf("file %d: %d CRDs are read, want %d", i, len(f.CRDs), read)
		}
	}
}

// Findings about a run have a limit, too: names can be long, and paths repeat them.
func TestTheFilesOfARunShareTheLimitOfFindings(t *testing.T) {
	long := structuraltest.CRDWith("{type: object, properties: {? " + strings.Repeat("n", 9000) + " : {allOf: [" + strings.Repeat("{x: 1},", 400) + "]}}}")
	run := load.NewRun()
	for i, want := range []struct {
		findings, crds int
		last           string
	}{
		{400, 1, ""}, {400, 1, ""},
		{401, 1, "with this file, the run exceeds the limit of 16 MiB of findings"},
		{1, 0, "not read: the run exceeds the limit of 16 MiB of findings"},
	} {
		f := run.Load("x", strings.NewReader(long))
		if len(f.Findings) != want.findings || len(f.CRDs) != want.crds {
			t.Fatalf("file %d has %d findings and %d CRDs", i, len(f.Findings), len(f.CRDs))
		}
		found := false
		for _, finding := range f.Findings {
			found = found || finding.Message == want.last && finding.Severity == structural.SeverityError
		}
		if found != (want.last != "") {
			t.Errorf("file %d does not say %q", i, want.last)
		}
	}
}
