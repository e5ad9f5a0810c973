package crdread_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/listed"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
)

func TestDuplicateKeysAreErrors(t *testing.T) {
	const schema = "spec.versions[0].schema.openAPIV3Schema"
	f := crdread.Load("x", strings.NewReader(
		structuraltest.CRDWith("type: object\nproperties:\n  a: {type: string}\n  b: {type: string}\n  a: {type: integer}\ntype: object")))
	wantFindings(t, f.Findings,
		`20:11 error: duplicate field "`+schema+`.properties.a" (it is set on line 18 already, and the last one counts)`,
		`21:9 error: duplicate field "`+schema+`.type" (it is set on line 16 already, and the last one counts)`)
	if len(f.CRDs) != 0 {
		t.Error("a CRD with duplicate keys was used")
	}
	if at := f.Findings[0]; at.CRD != "jobs.example.com" || at.Path != schema+".properties.a" {
		t.Errorf("got %+v", at)
	}

	f = crdread.Load("x", strings.NewReader(strings.Replace(smallCRD("Job"), `{"type": "object"}`,
		"{\"type\": \"object\",\n\"properties\": {\n\"a\": {},\n\"b\":{},\n  \"a\":{}\n},\n  \"type\": \"object\"}", 1)))
	wantFindings(t, f.Findings,
		`5:3 error: duplicate field "`+schema+`.properties.a" (it is set on line 3 already, and the last one counts)`,
		`7:3 error: duplicate field "`+schema+`.type" (it is set on line 1 already, and the last one counts)`)
	if len(f.CRDs) != 0 {
		t.Error("a CRD with duplicate keys was used")
	}
}

func TestDuplicateKeysAreFoundInLargeMaps(t *testing.T) {
	// Whichever key comes again, right after itself or at the end, however large the map is by then.
	for n := 1; n < 20; n++ {
		for again := range n {
			for _, open := range []string{`{"type": "object", "properties": {`, `{type: object, "properties": {`} {
				var b strings.Builder
				for i := range n {
					fmt.Fprintf(&b, `"k%d": {}, `, i)
				}
				schema := open + b.String() + fmt.Sprintf(`"k%d": {}, "z": {}}}`, again)
				f := crdread.Load("x", strings.NewReader(strings.Replace(smallCRD("Job"), `{"type": "object"}`, schema, 1)))
				want := fmt.Sprintf(`duplicate field "spec.versions[0].schema.openAPIV3Schema.properties.k%d"`, again)
				if len(f.Findings) != 1 || f.Findings[0].Message != want {
					t.Fatalf("%s: %q", schema, findingLines(f.Findings))
				}
			}
		}
	}
}

func TestDuplicateKeysBehindAliasesAreReportedOnce(t *testing.T) {
	f := crdread.Load("x", strings.NewReader(structuraltest.CRDWith("type: object\nproperties:\n  a: &a {type: string, type: string}\n  b: *a\n  c: *a")))
	wantFindings(t, f.Findings, `18:32 error: duplicate field "spec.versions[0].schema.openAPIV3Schema.properties.a.type" `+
		`(it is set on line 18 already, and the last one counts)`)
}

func TestDuplicateKeysInMergedMapsAreErrors(t *testing.T) {
	const hint = " (it is set on line 19 already, and the last one counts)"
	for text, want := range map[string]string{
		"<<: {type: string, type: integer}":                  `19:32 error: duplicate field "%s.type"` + hint,
		"<<: [{<<: {type: string, type: integer}}, {id: z}]": `19:38 error: duplicate field "%s.type"` + hint,
		"<<: &x {type: string, type: integer}":               `19:35 error: duplicate field "%s.type"` + hint,
	} {
		f := crdread.Load("x", strings.NewReader(structuraltest.CRDWith("type: object\nproperties:\n  a:\n    "+text)))
		wantFindings(t, f.Findings, fmt.Sprintf(want, "spec.versions[0].schema.openAPIV3Schema.properties.a"))
		if len(f.CRDs) != 0 {
			t.Error("the CRD was used")
		}
	}
}

func TestDuplicateKeysCannotHideBehindOthers(t *testing.T) {
	flood := "{" + strings.Repeat("a: 1, ", 3*listed.Findings) + "}"
	twice := strings.Replace(smallCRD("Job"), `{"type": "object"}`, `{"type": "object", "type": "string"}`, 1)
	f := crdread.Load("x", strings.NewReader("apiVersion: v1\nkind: List\nitems:\n- "+flood+"\n- "+twice))
	if len(f.CRDs) != 0 || len(f.Findings) != 1 {
		t.Errorf("%d CRDs, %d findings", len(f.CRDs), len(f.Findings))
	}
	f = crdread.Load("x", strings.NewReader(structuraltest.CRDWith("type: object\nallOf: ["+strings.Repeat("{x: 1}, ", 2*listed.Findings)+"]\ntype: object")))
	if len(f.CRDs) != 0 {
		t.Error("a CRD was used that has a duplicate key which is not shown")
	}
	f = crdread.Load("x", strings.NewReader(structuraltest.CRDWith("x: "+flood)))
	if len(f.CRDs) != 0 || len(f.Findings) != listed.Findings+1 || f.Findings[listed.Findings].Severity != structural.SeverityError {
		t.Errorf("%d CRDs, %d findings", len(f.CRDs), len(f.Findings))
	}
}

func TestDuplicateKeysElsewhereAreNobodysBusiness(t *testing.T) {
	f := crdread.Load("x", strings.NewReader("a: 1\na: 2\n---\napiVersion: v1\nkind: A\nkind: B\n---\n{\"a\": 1, \"a\": 2}\n---\n"+smallCRD("Job")+
		"\n---\napiVersion: v1\nkind: List\nitems:\n- {a: 1, a: 2}\n- "+smallCRD("Bean")))
	wantFindings(t, f.Findings)
	if len(f.CRDs) != 2 || f.Passed != 4 {
		t.Errorf("%d CRDs, %d passed over", len(f.CRDs), f.Passed)
	}
}

func TestKeysThatAreTheSameAsStringsAreDuplicates(t *testing.T) {
	f := crdread.Load("x", strings.NewReader(structuraltest.CRDWith("type: object\nproperties:\n  on: {}\n  \"true\": {}\n  1: {}\n  '1': {}")))
	wantFindings(t, f.Findings,
		`19:11 error: duplicate field "spec.versions[0].schema.openAPIV3Schema.properties.true" (on line 18, YAML reads the key on as true: put it in quotes)`,
		`21:11 error: duplicate field "spec.versions[0].schema.openAPIV3Schema.properties.1" (it is set on line 20 already, and the last one counts)`)
}

func TestMergedKeysMayBeWrittenOut(t *testing.T) {
	base := "type: object\nproperties:\n  a: &a\n    type: string\n    description: x\n  b:\n"
	f := crdread.Load("x", strings.NewReader(structuraltest.CRDWith(base+"    <<: *a\n    description: z")))
	wantFindings(t, f.Findings)
	if b := f.CRDs[0].Versions[0].Schema.Properties["b"]; b.Type != "string" || b.Description != "z" {
		t.Errorf("b is %+v", b)
	}
	f = crdread.Load("x", strings.NewReader(structuraltest.CRDWith(base+"    description: z\n    <<: *a")))
	wantFindings(t, f.Findings, `22:13 warning: field "spec.versions[0].schema.openAPIV3Schema.properties.b.description" is replaced by the merge key `+
		`in line 23 (Kubernetes lets the last one win: move the merge key (<<) to the top of its map)`)
	if b := f.CRDs[0].Versions[0].Schema.Properties["b"]; b.Description != "x" {
		t.Errorf("b is %+v", b)
	}
}
