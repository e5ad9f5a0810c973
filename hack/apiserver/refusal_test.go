package apiserver

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
	"github.com/prune-gen/prune-gen/internal/crdread"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/structural"
)

const (
	// firstVersion is where the first version of a CRD has its schema.
	firstVersion = "spec.versions[0].schema.openAPIV3Schema"
	// allVersions is what the server writes instead when all versions have the same schema, also when there is only one:
	// its own form of a CRD then has the schema once. There is no such field in a v1 CRD.
	allVersions = "spec.validation.openAPIV3Schema"
)

// reworded lists, by file, what the server says in other words, or not at all. These schemas cannot even be converted to
// structural ones. Our texts are those of the conversion; the server says them only where the check of all keywords,
// which comes next, finds nothing, and it does not look at the structural rules.
var reworded = map[string][]struct{ ours, theirs string }{
	"ref.yaml": {
		{".properties[spec].$ref: OpenAPIV3Schema '$ref' is not supported",
			".properties[spec].$ref: Forbidden: $ref is not supported"},
		{".properties[spec].type: Required value: must not be empty for specified object fields",
			""},
	},
	"pattern-properties.yaml": {
		{".properties[spec].patternProperties: OpenAPIV3Schema 'patternProperties' is not supported",
			".properties[spec].patternProperties: Forbidden: patternProperties is not supported"},
	},
	"preserve-false.yaml": {
		{".properties[spec].x-kubernetes-preserve-unknown-fields: internal error: " +
			"'x-kubernetes-preserve-unknown-fields' must be true or undefined",
			".properties[spec].x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined"},
	},
}

// reword returns a text of ours, about the first version, as the server has it; empty if it does not say it.
func reword(file, text string) string {
	for _, r := range reworded[file] {
		if text == firstVersion+r.ours {
			if r.theirs == "" {
				return ""
			}
			return firstVersion + r.theirs
		}
	}
	return text
}

func TestServerRefusesCRDsInOurWords(t *testing.T) {
	s, _ := install(t)
	files, err := filepath.Glob("testdata/refused/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no schemas: %v", err)
	}
	for _, file := range files {
		schema, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name     string
			versions []string
			prefix   string
		}{
			{"one version", []string{string(schema)}, allVersions},
			{"two versions", []string{string(schema), "type: object"}, firstVersion},
		} {
			t.Run(filepath.Base(file)+"/"+c.name, func(t *testing.T) {
				crd := crdWithSchemas("subjects", c.versions...)
				var ours []string
				for _, text := range lintErrors(t, file, crd) {
					if text = reword(filepath.Base(file), text); text != "" {
						ours = append(ours, strings.ReplaceAll(text, firstVersion, c.prefix))
					}
				}
				slices.Sort(ours)
				if theirs := refusal(t, s, crd); !slices.Equal(ours, theirs) {
					t.Errorf("the server gives other reasons than we do:\n ours   %s\n theirs %s",
						strings.Join(ours, "\n        "), strings.Join(theirs, "\n        "))
				}
			})
		}
	}
}

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
