package apiserver

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/structural"
)

// An accepted CRD has no errors, and one that prunes nothing is no longer accepted.
func TestServerAcceptsCRDsThatLintClean(t *testing.T) {
	s, _ := install(t)
	for _, file := range crdFiles(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, doc := range bytes.Split(data, []byte("\n---\n")) {
			if errs := lintErrors(t, file, doc); len(errs) > 0 {
				t.Errorf("%s: %s", file, strings.Join(errs, "\n"))
			}
			resp, err := s.PostCRD(t.Context(), doc)
			if err != nil {
				t.Fatal(err)
			}
			if resp.Code != http.StatusCreated {
				t.Errorf("%s: the server answered %d: %s", file, resp.Code, resp.Body)
			}
		}
	}

	crd := bytes.Replace(crdWithSchemas("subjects", "type: object"),
		[]byte("scope:"), []byte("preserveUnknownFields: true\n  scope:"), 1)
	ours, theirs := lintErrors(t, "preserve.yaml", crd), refusal(t, s, crd)
	if !slices.Equal(ours, theirs) {
		t.Errorf("preserveUnknownFields: ours %q, theirs %q", ours, theirs)
	}
}

// lintErrors returns the texts of our errors about a CRD, sorted.
func lintErrors(t *testing.T, name string, crd []byte) []string {
	t.Helper()
	file := crdread.Load(name, bytes.NewReader(crd))
	if len(file.CRDs) != 1 {
		t.Fatalf("%s: %d CRDs, findings %v", name, len(file.CRDs), file.Findings)
	}
	var texts []string
	for _, f := range append(file.Findings, lint.CRD(file.CRDs[0])...) {
		if f.Severity == structural.SeverityError {
			texts = append(texts, f.Message)
		}
	}
	slices.Sort(texts)
	return texts
}

// refusal sends a CRD that the server has to refuse and returns the reasons, each with its path, sorted.
func refusal(t *testing.T, s *server.Server, crd []byte) []string {
	t.Helper()
	resp, err := s.PostCRD(t.Context(), crd)
	if err != nil {
		t.Fatal(err)
	}
	status, err := resp.Status()
	if err != nil || resp.Code != http.StatusUnprocessableEntity {
		t.Fatalf("the server answered %d: %s", resp.Code, resp.Body)
	}
	var texts []string
	for _, c := range status.Details.Causes {
		texts = append(texts, c.Field+": "+c.Message)
	}
	slices.Sort(texts)
	return texts
}

// crdWithSchemas returns a CRD with a version for each schema, which is YAML.
func crdWithSchemas(plural string, schemas ...string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: %[1]s.prune.example.org
spec:
  group: prune.example.org
  scope: Namespaced
  names: {kind: Kind-%[1]s, plural: %[1]s, singular: %[1]s, listKind: List-%[1]s}
  versions:
`, plural)
	for i, schema := range schemas {
		name, storage := "v1", "true"
		if i > 0 {
			name, storage = "v2", "false"
		}
		const indent = "\n        "
		fmt.Fprintf(&b, "  - name: %s\n    served: true\n    storage: %s\n    schema:\n      openAPIV3Schema:%s\n",
			name, storage, indent+strings.ReplaceAll(strings.TrimSpace(schema), "\n", indent))
	}
	return []byte(b.String())
}
