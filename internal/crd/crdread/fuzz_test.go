package crdread_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// FuzzLoad wants an answer to any bytes, and every finding with its place.
func FuzzLoad(f *testing.F) {
	crd := structuraltest.CRDWith(keywordSample)
	for _, seed := range []string{
		crd, structuraltest.V1beta1With("version: v1\nvalidation: {openAPIV3Schema: {type: object}}"), smallCRD("Job"),
		"apiVersion: v1\nkind: List\nitems:\n- " + smallCRD("Job"), smallCRD("A") + "\n---\n" + configMap + "---\n" + smallCRD("B"),
		strings.Replace(crd, "plural: jobs", "plural: [jobs]", 1), strings.Replace(crd, "v1\n", "v2\n", 1),
		"a: &a [*a]", "a: &a [1]\nb: &b [*a, *a]\nc: [*b, *b]", "\xff\xfea\x00", "{\"a\": [1, {\"b\": \"\\ud800\"}]} {\"c\": }", "a: b\n...\n%TAG ! x\n---\n<<: [*a]",
		"kind: CustomResourceDefinition", "{{ a }}", "\r\r---\r", "? - a\n  - b\n: c", "!!binary x", "a: |2\n\tb\u2028c",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file := crdread.Load("fuzz.yaml", bytes.NewReader(data))
		data = yamltext.Decode(data)
		for _, finding := range file.Findings {
			if finding.File != "fuzz.yaml" || finding.Message == "" {
				t.Errorf("no file or no message: %+v", finding)
			}
			line := file.Lines.Line(data, finding.Line)
			if line == nil || finding.Column < 1 || finding.Column > utf8.RuneCount(line)+1 {
				t.Errorf("no such place in %q: %+v", line, finding)
			}
			if !slices.ContainsFunc(slices.Concat(structural.IDs(), report.IDs(), crdread.IDs()), func(r structural.IDInfo) bool { return r.ID == finding.ID }) {
				t.Errorf("no rule: %+v", finding)
			}
		}
		for _, c := range file.CRDs {
			if c.Group == "" || c.Names.Kind == "" || c.Names.Plural == "" || c.Name == "" || len(c.Versions) == 0 {
				t.Errorf("half a CRD: %+v", c)
			}
			for _, v := range c.Versions {
				if v.Name == "" || v.SchemaPath == nil || c.Locate(v.SchemaPath.Steps()).Line < 1 {
					t.Errorf("half a version: %+v", v)
				}
			}
		}
	})
}
