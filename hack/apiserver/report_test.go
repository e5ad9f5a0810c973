package apiserver

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
	"k8s.io/apimachinery/pkg/runtime"
)

// report returns the texts with which the server lists the fields that p drops from obj, in the server's order: the
// unknown fields of the root's metadata, then those that the schema does not specify, then those of embedded metadata.
// Our list is sorted as one.
func (r *resource) report(obj map[string]any, p pruner) []string {
	all := p(runtime.DeepCopyJSON(obj))
	inMetadata := map[string]int{}
	for _, path := range r.metadata(runtime.DeepCopyJSON(obj)) {
		inMetadata[path]++
	}
	var groups [3][]string
	for _, path := range all {
		group := 1
		if inMetadata[path] > 0 {
			inMetadata[path]--
			group = 2
			if strings.HasPrefix(path, "metadata.") {
				group = 0
			}
		}
		groups[group] = append(groups[group], fmt.Sprintf(`unknown field "%s"`, path))
	}
	return slices.Concat(groups[0], groups[1], groups[2])
}

// checkWarnings fails the test where the server's warnings are not what our functions report for obj.
func (r *resource) checkWarnings(t *testing.T, what string, obj map[string]any, resp *server.Response) {
	t.Helper()
	for name, p := range r.pruners {
		want := asWarnings(r.report(obj, p))
		if !slices.Equal(want, resp.Warnings) {
			t.Errorf("%s: the server's warnings differ from the report of %s:\n ours   %s\n theirs %s",
				what, name, strings.Join(want, "\n        "), strings.Join(resp.Warnings, "\n        "))
		}
	}
}

// asWarnings leaves out what the server does not send as a warning: a text for the second time, and texts that do not fit
// into a header.
func asWarnings(texts []string) []string {
	var out []string
	for _, text := range texts {
		if !slices.Contains(out, text) && !strings.ContainsFunc(text, unicode.IsControl) {
			out = append(out, text)
		}
	}
	return out
}

// checkStrict sends obj with fieldValidation=Strict and fails the test where the refusal does not name what our functions
// report; where they report nothing, the object has to be accepted.
func (r *resource) checkStrict(t *testing.T, s *server.Server, what string, obj map[string]any) {
	t.Helper()
	resp := do(t, s, http.MethodPost, r.collection()+"?dryRun=All&fieldValidation=Strict", server.JSON, obj)
	for name, p := range r.pruners {
		report := r.report(obj, p)
		if len(report) == 0 {
			if resp.Code != http.StatusCreated {
				t.Errorf("%s: %s reports nothing, the server answered %d: %s", what, name, resp.Code, resp.Body)
			}
			continue
		}
		status, err := resp.Status()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		want := fmt.Sprintf("%[1]s in version %[2]q cannot be handled as a %[1]s: strict decoding error: %[3]s",
			r.crd.Names.Kind, r.version.Name, strings.Join(report, ", "))
		if resp.Code != http.StatusBadRequest || status.Message != want {
			t.Errorf("%s: the server's strict error differs from the report of %s:\n ours   %s\n theirs %d %s",
				what, name, want, resp.Code, status.Message)
		}
	}
}

// sortedKeys returns the keys of both maps, each once.
func sortedKeys(a, b map[string]any) []string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}
