package run

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/suite/specimen"
	"github.com/prune-gen/prune-gen/internal/testing/answers"
	"github.com/prune-gen/prune-gen/internal/testing/cases"
	"github.com/prune-gen/prune-gen/internal/testing/jsondocs"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// violations returns objects of the resource, the given number for each keyword of its schema, with values that violate it or nearly do.
func violations(r *cases.Resource, each int) []map[string]any {
	var all []map[string]any
	v := specimen.NewViolations(r.Schema)
	for i := range v.Keywords() {
		for seed := range each {
			all = append(all, r.Named(v.Make(i, uint64(seed))))
		}
	}
	return all
}

func TestGeneratedCodeAgreesWithTheReferenceOnViolations(t *testing.T) {
	testsize.NotShort(t)
	eachResource(t, func(t *testing.T, r *cases.Resource, generated prunert.Resource) {
		reference := jsonReference(r)
		each := 6
		if !r.Case.Validates() {
			each = 1 // bounds make no difference to others
		}
		objects := violations(r, each)
		for i, obj := range objects {
			agree(t, r, generated, obj)
			if generated.ValidateUpdate != nil {
				old := objects[max(0, i-1)]
				if errs, want := generated.ValidateUpdate(obj, old), r.ValidateUpdate(obj, old); !slices.EqualFunc(errs, want, sameCause) {
					t.Errorf("ValidateUpdate: have\n%s\nwant\n%s\nfor\n%s\nafter\n%s", cases.Lines(texts(errs)), cases.Lines(texts(want)), cases.Encode(obj), cases.Encode(old))
				}
			}
			if generated.ValidateStatus != nil {
				for _, old := range []map[string]any{objects[max(0, i-1)], objects[i*7%len(objects)]} {
					if errs, want := generated.ValidateStatus(obj, old), r.ValidateStatus(obj, old); !slices.EqualFunc(errs, want, sameCause) {
						t.Errorf("ValidateStatus: have\n%s\nwant\n%s\nfor\n%s\nafter\n%s", cases.Lines(texts(errs)), cases.Lines(texts(want)), cases.Encode(obj), cases.Encode(old))
					}
				}
			}
			if generated.PruneJSON != nil && i%each == 0 {
				agreeOnJSON(t, reference, generated, jsondocs.Spell(jsonvalue.Copy(obj), jsondocs.Spelling(i)%jsondocs.Spellings, uint64(i)))
			}
			if t.Failed() {
				return
			}
		}
	})
}

// What Kubernetes says about objects with values at the bounds of keywords is recorded beside the CRDs, by hack/conformance/answers.
// Generated code and the reference must give the same answers: a mistake that both share is caught here.
func TestObjectsAreAnsweredAsByKubernetes(t *testing.T) {
	testsize.NotShort(t)
	tried := 0
	eachResource(t, func(t *testing.T, r *cases.Resource, generated prunert.Resource) {
		want, err := os.ReadFile(filepath.Join(r.Case.Dir, "answers."+r.Version.Name+"."+strings.ToLower(r.CRD.Names.Kind)+".txt"))
		if errors.Is(err, os.ErrNotExist) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		tried++
		objects, err := answers.Objects(string(want))
		if err != nil {
			t.Fatal(err)
		}
		reference := r.Resource
		compareAnswers(t, "the reference", answers.Text(objects, functionsOf(reference)), string(want))
		// Functions that are not generated for the case are those of the reference.
		generated.PruneReport = either(generated.PruneReport == nil, reference.PruneReport, generated.PruneReport)
		generated.Normalize = either(generated.Normalize == nil, reference.Normalize, generated.Normalize)
		generated.Check = either(generated.Check == nil, reference.Check, generated.Check)
		generated.ValidateUpdate = either(generated.ValidateUpdate == nil, reference.ValidateUpdate, generated.ValidateUpdate)
		compareAnswers(t, "generated code", answers.Text(objects, functionsOf(generated)), string(want))
	})
	if tried < 5 {
		t.Errorf("there are answers of Kubernetes for %d resources", tried)
	}
}

func either[T any](first bool, one, other T) T {
	if first {
		return one
	}
	return other
}

func functionsOf(r prunert.Resource) answers.Functions {
	return answers.Functions{
		Prune: r.PruneReport,
		Normalize: func(obj map[string]any) error {
			_, err := r.Normalize(obj, prunert.NormalizeOptions{})
			return err
		},
		Check:    func(obj map[string]any) []string { return texts(r.Check(obj)) },
		Validate: func(obj map[string]any) []string { return texts(r.Validate(obj)) },
		Update:   func(obj, old map[string]any) []string { return texts(r.ValidateUpdate(obj, old)) },
	}
}

// compareAnswers compares texts of paragraphs, and shows the first that differ.
func compareAnswers(t *testing.T, who, have, want string) {
	t.Helper()
	if have == want {
		return
	}
	haves, wants := strings.Split(have, "\n\n"), strings.Split(want, "\n\n")
	if len(haves) != len(wants) {
		t.Errorf("%s: there are answers about %d objects, want %d", who, len(haves)-1, len(wants)-1)
		return
	}
	shown := 0
	for i := range haves {
		if haves[i] == wants[i] {
			continue
		}
		h, w := strings.Split(haves[i], "\n"), strings.Split(wants[i], "\n")
		more := slices.DeleteFunc(slices.Clone(h), func(line string) bool { return slices.Contains(w, line) })
		less := slices.DeleteFunc(slices.Clone(w), func(line string) bool { return slices.Contains(h, line) })
		t.Errorf("%s: have\n%s\nKubernetes says\n%s\nabout %.300s", who, strings.Join(more, "\n"), strings.Join(less, "\n"), w[0])
		if shown++; shown == 3 {
			return
		}
	}
}
