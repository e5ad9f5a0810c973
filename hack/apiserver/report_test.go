package apiserver

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
	"k8s.io/apimachinery/pkg/runtime"
)

// report returns the texts with which the server lists the fields that p drops from obj, in the server's order: the
// unknown fields of the root's metadata as they stand in the document, then, sorted, those that the schema does not
// specify, then, sorted, those of embedded metadata. Our list is sorted as one.
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
	slices.SortFunc(groups[0], inDocumentOrder)
	return slices.Concat(groups[0], groups[1], groups[2])
}

// inDocumentOrder compares two paths by their steps, as a decoder meets them in a document with sorted keys: element 2
// before element 10, and all of ownerReferences before ownerReferencesA. The other groups are sorted as plain text.
func inDocumentOrder(a, b string) int {
	return slices.CompareFunc(steps(a), steps(b), func(a, b string) int {
		i, iErr := strconv.Atoi(strings.TrimSuffix(a, "]"))
		j, jErr := strconv.Atoi(strings.TrimSuffix(b, "]"))
		if iErr == nil && jErr == nil {
			return cmp.Compare(i, j)
		}
		return strings.Compare(a, b)
	})
}

// steps splits a path at dots and brackets.
func steps(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' })
}

// checkWarnings fails the test if the server's warnings are not what our functions report for obj. The server also
// warns of other things than unknown fields, such as finalizers without a domain.
func (r *resource) checkWarnings(t *testing.T, what string, obj map[string]any, resp *server.Response) {
	t.Helper()
	theirs := slices.DeleteFunc(slices.Clone(resp.Warnings), func(text string) bool {
		return !strings.HasPrefix(text, "unknown field ")
	})
	for name, p := range r.pruners {
		if ours := asWarnings(r.report(obj, p)); !slices.Equal(ours, theirs) {
			t.Errorf("%s: the server's warnings differ from the report of %s:\n ours   %s\n theirs %s",
				what, name, strings.Join(ours, "\n        "), strings.Join(theirs, "\n        "))
		}
	}
}

// asWarnings returns what the server sends as warnings of the given texts. It leaves out a text that comes a second time
// and those that do not fit into a header, and it cuts off: when there are more than 4,096 characters, no text has more
// than 256, and none follows once 4,096 are reached.
func asWarnings(texts []string) []string {
	const inAll, each = 4096, 256
	var out []string
	for _, text := range texts {
		if !slices.Contains(out, text) && !strings.ContainsFunc(text, unicode.IsControl) {
			out = append(out, text)
		}
	}
	total, cut := 0, 0
	for i, text := range out {
		runes := []rune(text)
		if total += len(runes); total <= inAll && cut == 0 {
			continue
		}
		if cut == 0 {
			// This text is one too many: it and all before it are cut, and counted again.
			total = 0
			for k := range out[:i+1] {
				out[k] = firstRunes(out[k], each)
				total += utf8.RuneCountInString(out[k])
			}
		} else {
			out[i] = firstRunes(text, each)
			total += utf8.RuneCountInString(out[i]) - len(runes)
		}
		if cut = i + 1; total >= inAll {
			return out[:cut]
		}
	}
	return out
}

// firstRunes returns the first n characters of s.
func firstRunes(s string, n int) string {
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n])
	}
	return s
}

// checkStrict sends obj with fieldValidation=Strict and fails the test if the refusal does not name what our functions
// report. Where they report nothing, the answer has to be the one that a create without Strict gets.
func (r *resource) checkStrict(t *testing.T, s *server.Server, what string, obj map[string]any, otherwise int) {
	t.Helper()
	resp := do(t, s, http.MethodPost, r.collection()+"?dryRun=All&fieldValidation=Strict", server.JSON, obj)
	r.checkStrictAnswer(t, what, obj, resp, http.StatusBadRequest, otherwise)
}

// checkStrictAnswer is checkStrict for an answer that exists already. refused is the code of a refusal: it differs between
// creates and patches.
func (r *resource) checkStrictAnswer(
	t *testing.T, what string, obj map[string]any, resp *server.Response, refused, otherwise int,
) {
	t.Helper()
	for name, p := range r.pruners {
		ours := r.report(obj, p)
		if len(ours) == 0 {
			if resp.Code != otherwise {
				t.Errorf("%s: %s reports nothing, the server answered %d: %s", what, name, resp.Code, resp.Body)
			}
			continue
		}
		if theirs := strictError(t, resp, refused); theirs != strings.Join(ours, ", ") {
			t.Errorf("%s: the server's strict error differs from the report of %s:\n ours   %s\n theirs %s",
				what, name, strings.Join(ours, ", "), theirs)
		}
	}
}

// strictError returns the list of fields in a refusal that must have the given code.
func strictError(t *testing.T, resp *server.Response, code int) string {
	t.Helper()
	status, err := resp.Status()
	if err != nil || resp.Code != code {
		t.Fatalf("the server answered %d, want %d: %s", resp.Code, code, resp.Body)
	}
	_, list, ok := strings.Cut(status.Message, "strict decoding error: ")
	if !ok {
		t.Fatalf("no strict error: %s", status.Message)
	}
	return list
}

// sortedKeys returns the keys of both maps, each once.
func sortedKeys(a, b map[string]any) []string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}
