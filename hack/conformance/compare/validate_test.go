package compare

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/hack/conformance/corpus"
	"github.com/prune-gen/prune-gen/hack/conformance/known"
	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
)

const validatedCRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.example.com}
spec:
  group: example.com
  names: {kind: Gadget, plural: gadgets}
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
            required: [name]
            properties:
              name: {type: string, maxLength: 8}
              count: {type: integer, minimum: 3}
              set: {type: array, x-kubernetes-list-type: set, items: {type: string}}
              template: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
            anyOf: [{required: [count]}, {required: [set]}]
`

func validatedSubject(t *testing.T) *Subject {
	t.Helper()
	c := &corpus.Corpus{}
	c.AddFile("crd.yaml", []byte(validatedCRD))
	subjects, err := Subjects(c.CRDs[0])
	if err != nil || len(subjects) != 1 {
		t.Fatal(subjects, err)
	}
	return subjects[0]
}

// Each of these is wrong in one small way.
func TestWrongValidationIsNoticed(t *testing.T) {
	testsize.Large(t, "breaks the functions that are compared")
	s := validatedSubject(t)
	without := func(is func(*prunert.Error) bool) func(prunert.ErrorList) prunert.ErrorList {
		return func(errs prunert.ErrorList) (left prunert.ErrorList) {
			for _, e := range errs {
				if !is(e) {
					left = append(left, e)
				}
			}
			return left
		}
	}
	ofType := func(typ prunert.ErrorType) func(prunert.ErrorList) prunert.ErrorList {
		return without(func(e *prunert.Error) bool { return e.Type == typ })
	}
	changed := func(change func(*prunert.Error)) func(prunert.ErrorList) prunert.ErrorList {
		return func(errs prunert.ErrorList) prunert.ErrorList {
			for _, e := range errs {
				change(e)
			}
			return errs
		}
	}
	for name, wrong := range map[string]func(prunert.ErrorList) prunert.ErrorList{
		"nothing is too long":       ofType(prunert.ErrorTypeTooLong),
		"nothing is required":       ofType(prunert.ErrorTypeRequired),
		"nothing is there twice":    ofType(prunert.ErrorTypeDuplicate),
		"alternatives are optional": without(func(e *prunert.Error) bool { return strings.Contains(e.Detail, "anyOf") }),
		"resources have any kind":   without(func(e *prunert.Error) bool { return strings.HasSuffix(e.Field, "template.kind") }),
		"another type":              changed(func(e *prunert.Error) { e.Type = alike(e.Type) }),
		"numbers of another type": changed(func(e *prunert.Error) {
			if i, ok := e.BadValue.(int64); ok {
				e.BadValue = int(i)
			}
		}),
	} {
		s.Generated = &prunert.Resource{
			Validate: func(obj map[string]any) prunert.ErrorList {
				return wrong(new(interpret.Work).Validate(obj, s.written()))
			},
			ValidateUpdate: func(obj, old map[string]any) prunert.ErrorList {
				return wrong(new(interpret.Work).ValidateUpdate(obj, old, s.written()))
			},
		}
		for _, f := range []string{"Validate", "ValidateUpdate"} {
			tally := Run([]*Subject{s}, []Function{function(t, f)}, Options{Seed: 1, Objects: 60, Keywords: 20})[0]
			if tally.Disagreements == 0 {
				t.Errorf("%s: %s: not noticed", f, name)
			}
		}
	}
	// An update that is validated like a new object.
	s.Generated = &prunert.Resource{ValidateUpdate: func(obj, _ map[string]any) prunert.ErrorList { return new(interpret.Work).Validate(obj, s.written()) }}
	if tally := Run([]*Subject{s}, []Function{function(t, "ValidateUpdate")}, Options{Seed: 1, Objects: 60, Keywords: 20})[0]; tally.Disagreements == 0 || tally.Errors == 0 {
		t.Error("nothing is tolerated: not noticed")
	}
}

// alike returns a type that prints alike.
func alike(t prunert.ErrorType) prunert.ErrorType {
	switch t {
	case prunert.ErrorTypeInvalid:
		return prunert.ErrorTypeTypeInvalid
	case prunert.ErrorTypeTypeInvalid:
		return prunert.ErrorTypeInvalid
	}
	return t
}

func TestMalformedMetadataIsComparedByVerdict(t *testing.T) {
	s := validatedSubject(t)
	obj := map[string]any{"spec": map[string]any{"name": "a", "count": int64(5)}, "metadata": map[string]any{"name": int64(1)}}
	s.Generated = &prunert.Resource{Validate: func(obj map[string]any) prunert.ErrorList { return new(interpret.Work).Validate(obj, s.written()) }}
	if d := function(t, "Validate").Compare(NewCase(s, obj)); d == nil || d.Known != known.MetadataWords {
		t.Errorf("%+v", d)
	}
	s.Generated = &prunert.Resource{Validate: func(map[string]any) prunert.ErrorList { return nil }}
	if d := function(t, "Validate").Compare(NewCase(s, obj)); d == nil || d.Known != "" {
		t.Errorf("not noticed: %+v", d)
	}
}

// Every rule of metadata is broken by some object.
func TestEveryErrorOfMetadataIsMade(t *testing.T) {
	s := validatedSubject(t)
	missing := map[string]bool{}
	for _, part := range []string{
		"253 characters", "RFC 1123 subdomain", "63 characters", "RFC 1123 label", "must not contain dots", "prefix part must be non-empty", "prefix part must be no more",
		"prefix part a lowercase", "name part must be non-empty", "name part must be no more", "name part must consist", "a valid label key", "a valid label must",
		"must be no more than 63 bytes", "may not be more than 262144 bytes", "must not be empty", "must be <group>/<version>", "disallowed from being an owner",
		"Only one reference", "cannot be both set", "no new finalizers", "must be specified for an update", "must not be decremented", "field is immutable",
		"greater than or equal to 0", "supported values", "must be `FieldsV1`", "128 bytes", "256 bytes", "invalid character", "may not contain '/'", "may not contain '%'",
		"may not be '.'", "name or generateName is required", "metadata.namespace: Required", "template.metadata.labels",
	} {
		missing[part] = true
	}
	f := function(t, "interpret.ValidateMetadata")
	for seed := range uint64(6000) {
		obj := Object(s, seed)
		c := NewCase(s, obj)
		if seed < 500 {
			if d := f.Compare(c); d != nil && d.Known == "" {
				t.Fatalf("seed %d: %+v", seed, d)
			}
		}
		for salt := range uint64(2) {
			var old map[string]any
			if salt > 0 {
				old = before(obj, salt, seed)
			}
			for _, e := range pruneimpl.CheckMetadataValues(obj, old, true, interpret.MetadataShape(s.written())) {
				for part := range missing {
					if strings.Contains(e.Error(), part) {
						delete(missing, part)
					}
				}
			}
		}
		if len(missing) == 0 {
			return
		}
	}
	for part := range missing {
		t.Errorf("nothing says %q", part)
	}
}

// Names in metadata can be the words that servers have changed in their errors. They are written as they are, by every version.
func TestNamesInErrorsOfMetadataAreNotReworded(t *testing.T) {
	s := validatedSubject(t)
	const words = "a valid label key must consist of no more than 63 bytes, more than 253 bytes, greater than or equal to 0"
	owner := func(name string) any {
		return map[string]any{"apiVersion": "v1", "kind": "A", "name": name, "uid": "u", "controller": true}
	}
	with := func(fields map[string]any) map[string]any {
		meta := map[string]any{"name": "a", "namespace": "b", "resourceVersion": "1"}
		maps.Copy(meta, fields)
		return map[string]any{"metadata": meta}
	}
	deleted := with(map[string]any{"deletionTimestamp": "2024-01-01T00:00:00Z"})
	for name, c := range map[string]struct {
		fields map[string]any
		old    map[string]any
		quoted bool
	}{
		"an owner":                {map[string]any{"ownerReferences": []any{owner("a"), owner(words)}}, nil, true},
		"the owner of an update":  {map[string]any{"ownerReferences": []any{owner("a"), owner(words)}}, with(nil), true},
		"a finalizer":             {map[string]any{"finalizers": []any{words}}, nil, true},
		"a new finalizer":         {map[string]any{"deletionTimestamp": "2024-01-01T00:00:00Z", "finalizers": []any{words}}, deleted, true},
		"a label":                 {map[string]any{"labels": map[string]any{words: words, words + "/" + words: "", "a/b/c": ""}}, nil, true},
		"an annotation":           {map[string]any{"annotations": map[string]any{words: words}}, nil, true},
		"a manager":               {map[string]any{"managedFields": []any{map[string]any{"manager": words + "\n", "operation": words}}}, nil, true},
		"a negative generation":   {map[string]any{"generation": int64(-1)}, with(nil), false},
		"one that was negative":   {map[string]any{"generation": int64(-1)}, with(map[string]any{"generation": int64(-2)}), false},
		"an owner without a name": {map[string]any{"ownerReferences": []any{owner("")}}, nil, false},
	} {
		obj := with(c.fields)
		want := s.Kube.ValidateMetadata(obj, c.old, true)
		if quoted := slices.ContainsFunc(want, func(text string) bool { return strings.Contains(text, words) }); quoted != c.quoted {
			t.Errorf("%s: Kubernetes says %q", name, want)
		}
		for by, errs := range map[string]prunert.ErrorList{
			"the interpreter": s.Interpreted.ValidateMetadata(obj, c.old),
			"generated code":  pruneimpl.CheckMetadataValues(obj, c.old, true, &pruneimpl.Shape{}, s.CRD.Kubernetes),
		} {
			var have []string
			for _, e := range errs {
				have = append(have, string(e.Type)+" "+e.Error())
			}
			if d := olderErrors(have, want); d != nil && d.Known == "" {
				t.Errorf("%s: %s says\n%q, want\n%q", name, by, have, want)
			}
		}
	}
}
