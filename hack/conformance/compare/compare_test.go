package compare

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/hack/conformance/corpus"
	"github.com/prune-gen/prune-gen/hack/conformance/known"
	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

const crd = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              name: {type: string}
              count: {type: integer}
              steps: {type: array, items: {type: object, properties: {run: {type: string}}}}
              template: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
  - name: v2
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object, properties: {spec: {properties: {a: {type: string}}}}}}
`

func subject(t *testing.T) *Subject {
	t.Helper()
	c := &corpus.Corpus{}
	c.AddFile("crd.yaml", []byte(crd))
	if len(c.CRDs) != 1 {
		t.Fatalf("%+v", c)
	}
	subjects, err := Subjects(c.CRDs[0])
	if err != nil {
		t.Fatal(err)
	}
	if len(subjects) != 1 || subjects[0].Version.Name != "v1" {
		t.Fatalf("%d subjects: v2 is not structural", len(subjects))
	}
	return subjects[0]
}

func function(t *testing.T, name string) Function {
	t.Helper()
	for _, f := range Functions() {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("no function is called %s", name)
	return Function{}
}

func TestTheReferencesAgree(t *testing.T) {
	objects := testsize.Pick(30, 300)
	for _, tally := range Run([]*Subject{subject(t)}, Functions(), Options{Seed: 1, Objects: objects}) {
		if wanted := strings.HasPrefix(tally.Name, "interpret"); (tally.Compared == objects) != wanted {
			t.Errorf("%s: %d objects", tally.Name, tally.Compared)
		}
		for _, f := range tally.Failures {
			t.Error(f)
		}
	}
}

// Each of these functions is wrong in one small way. The comparison notices, and shows it on a small object.
func TestWrongFunctionsAreNoticed(t *testing.T) {
	testsize.Large(t, "breaks the functions that are compared")
	right := func(s *Subject, obj map[string]any) []string {
		return interpret.Prune(obj, s.Schema, interpret.PruneOptions{})
	}
	for name, wrong := range map[string]func(s *Subject, obj map[string]any) []string{
		"keeps everything": func(*Subject, map[string]any) []string { return nil },
		"keeps what is in lists": func(s *Subject, obj map[string]any) []string {
			before := jsonvalue.Copy(obj)
			paths := right(s, obj)
			spec, _ := obj["spec"].(map[string]any)
			if old, _ := before["spec"].(map[string]any); spec["steps"] != nil {
				spec["steps"] = old["steps"]
			}
			return paths
		},
		"drops too much": func(s *Subject, obj map[string]any) []string {
			paths := right(s, obj)
			if spec, ok := obj["spec"].(map[string]any); ok {
				delete(spec, "count")
			}
			return paths
		},
		"reports nothing": func(s *Subject, obj map[string]any) []string { right(s, obj); return nil },
		"reports out of order": func(s *Subject, obj map[string]any) []string {
			paths := right(s, obj)
			for i, j := 0, len(paths)-1; i < j; i, j = i+1, j-1 {
				paths[i], paths[j] = paths[j], paths[i]
			}
			return paths
		},
		"changes numbers": func(s *Subject, obj map[string]any) []string {
			paths := right(s, obj)
			if spec, ok := obj["spec"].(map[string]any); ok {
				if n, ok := spec["count"].(int64); ok {
					spec["count"] = float64(n)
				}
			}
			return paths
		},
		"panics": func(s *Subject, obj map[string]any) []string {
			if _, ok := obj["spec"].([]any); ok {
				panic("a list")
			}
			return right(s, obj)
		},
	} {
		s := subject(t)
		s.Generated = &prunert.Resource{PruneReport: func(obj map[string]any) []string { return wrong(s, obj) }}
		tally := Run([]*Subject{s}, []Function{function(t, "PruneReport")}, Options{Seed: 1, Objects: 500})[0]
		if tally.Disagreements == 0 {
			t.Errorf("%s: not noticed", name)
			continue
		}
		text := tally.Failures[0]
		if _, object, _ := strings.Cut(text, "object     "); strings.Index(object, "\n") > 120 {
			t.Errorf("%s: %s is not small", name, object)
		}
		for _, part := range []string{"widgets.example.com", "version v1", "crd.yaml", "go test ./scoreboard -v -function", "schema     {"} {
			if !strings.Contains(text, part) {
				t.Errorf("%s: %q is not in\n%s", name, part, text)
			}
		}
	}
}

func TestWrongChecksAreNoticed(t *testing.T) {
	s := subject(t)
	check := function(t, "Check")
	typeError := func(field, want, found string) *prunert.Error {
		return &prunert.Error{Type: prunert.ErrorTypeTypeInvalid, Field: field, BadValue: found,
			Detail: fmt.Sprintf("%s in body must be of type %s: %q", field, want, found)}
	}
	for _, tt := range []struct {
		name   string
		obj    map[string]any
		errors prunert.ErrorList
		at     string
		known  known.Name
	}{
		{"all is well", map[string]any{"spec": map[string]any{"name": "a"}}, nil, "", ""},
		{"the right error", map[string]any{"spec": []any{}}, prunert.ErrorList{typeError("spec", "object", "array")}, "", ""},
		{"a missing error", map[string]any{"spec": []any{}}, nil, "error 1 of 0 and 1", ""},
		{"another text", map[string]any{"spec": []any{}}, prunert.ErrorList{typeError("spec", "object", "list")}, "error 1 of 1 and 1", ""},
		{"an error too many", map[string]any{}, prunert.ErrorList{typeError("spec", "object", "array")}, "error 1 of 1 and 0", ""},
	} {
		s.Generated = &prunert.Resource{Check: func(map[string]any) prunert.ErrorList { return tt.errors }}
		switch d := check.Compare(NewCase(s, tt.obj)); {
		case d == nil && tt.at != "":
			t.Errorf("%s: not noticed", tt.name)
		case d != nil && d.At != tt.at:
			t.Errorf("%s: noticed at %q", tt.name, d.At)
		}
	}
	// Metadata is compared by verdict.
	malformed := map[string]any{"metadata": map[string]any{"name": int64(1)}}
	s.Generated = &prunert.Resource{Check: func(map[string]any) prunert.ErrorList { return nil }}
	if d := check.Compare(NewCase(s, malformed)); d == nil || d.At != "metadata" || d.Known != "" {
		t.Errorf("malformed metadata passes unnoticed: %+v", d)
	}
	s.Generated = &prunert.Resource{Check: func(obj map[string]any) prunert.ErrorList {
		if _, ok := obj["metadata"]; ok {
			return prunert.ErrorList{typeError("metadata.name", "string", "integer")}
		}
		return nil
	}}
	if d := check.Compare(NewCase(s, malformed)); d == nil || d.Known != known.MetadataWords {
		t.Errorf("malformed metadata is refused by both: %+v", d)
	}
}

func TestKnownDifferencesAreTheOnesMeant(t *testing.T) {
	s := subject(t)
	many := map[string]any{}
	for i := range 150 {
		many[fmt.Sprintf("unknown%d", i)] = true
	}
	alike := map[string]any{
		"ownerReferences[0].x": true,
		"ownerReferences":      []any{map[string]any{"x": true}},
	}
	for want, metadata := range map[known.Name]map[string]any{known.MetadataBeyond100: many, known.MetadataAlikePaths: alike} {
		for _, obj := range []map[string]any{
			{"metadata": metadata},
			{"spec": map[string]any{"template": map[string]any{"metadata": metadata}}},
		} {
			if d := function(t, "interpret.Prune").Compare(NewCase(s, obj)); d == nil || d.Known != want {
				t.Errorf("%s: %+v", want, d)
			}
		}
	}
	// A pruner that reports less than it drops has no such excuse.
	s.Generated = &prunert.Resource{PruneReport: func(obj map[string]any) []string { return s.Interpreted.PruneReport(obj)[:120] }}
	if d := function(t, "PruneReport").Compare(NewCase(s, map[string]any{"metadata": many})); d == nil || d.Known != "" {
		t.Errorf("missing paths are excused: %+v", d)
	}
}

func TestTheFirstDifferenceIsFound(t *testing.T) {
	for _, tt := range []struct {
		ours, theirs any
		at           string
	}{
		{map[string]any{"a": int64(1)}, map[string]any{"a": int64(1)}, ""},
		{map[string]any{"a": int64(1)}, map[string]any{"a": 1.0}, "a"},
		{map[string]any{"a": []any{nil, true}}, map[string]any{"a": []any{nil, false}}, "a[1]"},
		{map[string]any{"b": 1.0, "a": map[string]any{}}, map[string]any{"b": 2.0}, "a"},
		{map[string]any{"a": map[string]any{}}, map[string]any{"a": map[string]any{"b": nil}}, "a.b"},
		{map[string]any{"a": nil}, map[string]any{}, "a"},
		{map[string]any{"a": []any{}}, map[string]any{"a": map[string]any{}}, "a"},
		{map[string]any{"a": []any{}}, map[string]any{"a": []any{nil}}, "a[0]"},
	} {
		switch d := values("", tt.ours, tt.theirs); {
		case d == nil && tt.at != "":
			t.Errorf("%v and %v are the same", tt.ours, tt.theirs)
		case d != nil && d.At != tt.at:
			t.Errorf("%v and %v differ at %q", tt.ours, tt.theirs, d.At)
		}
	}
}
