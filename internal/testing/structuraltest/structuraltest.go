// Package structuraltest has what the tests of the packages below structural share.
package structuraltest

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/testing/numbers"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	"github.com/prune-gen/prune-gen/structural"
)

// ParseSchema reads a schema that has nothing wrong as a document.
func ParseSchema(t testing.TB, text string) *structural.JSONSchema {
	t.Helper()
	s, findings := crdread.ParseSchema("schema.yaml", []byte(text))
	if s == nil || len(findings) > 0 {
		t.Fatalf("ParseSchema: %v\n%s", findings, text)
	}
	return s
}

// NewSchema reads a schema that can be converted.
func NewSchema(t testing.TB, text string) *structural.Schema {
	t.Helper()
	s, errs := structural.NewSchema(ParseSchema(t, text), nil)
	if len(errs) > 0 {
		t.Fatalf("NewSchema: %q\n%s", Texts(errs), text)
	}
	return s
}

func Texts(errs []*structural.Error) []string {
	var out []string
	for _, e := range errs {
		out = append(out, e.Error())
	}
	return out
}

// WantTexts compares errors with texts, in any order.
func WantTexts(t *testing.T, got []*structural.Error, want ...string) {
	t.Helper()
	want = slices.Sorted(slices.Values(want))
	if !slices.Equal(Texts(got), want) {
		t.Errorf("got:\n\t%s\nwant:\n\t%s", strings.Join(Texts(got), "\n\t"), strings.Join(want, "\n\t"))
	}
}

// ParseObject reads an object, with numbers as the API server has them.
func ParseObject(t testing.TB, text string) map[string]any {
	t.Helper()
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	obj, err := numbers.Decode(data)
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return obj
}

func ToJSON(t testing.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// FindAll returns the findings of reading and linting a text.
func FindAll(text string) []structural.Finding {
	f := crdread.Load("x", strings.NewReader(text))
	lint.Refused(f)
	all := f.Findings
	for _, c := range f.CRDs {
		all = append(all, lint.CRD(c)...)
	}
	slices.SortStableFunc(all, func(a, b structural.Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return all
}

// RandomSchema returns a schema that is structural, or of any form, without value validation.
func RandomSchema(t testing.TB, seed uint64, opts specimentest.SchemaOptions) *structural.Schema {
	t.Helper()
	s, errs := structural.NewSchema(ParseSchema(t, ToJSON(t, specimentest.Schema(seed, opts))), nil)
	if len(errs) > 0 {
		t.Fatalf("seed %d: %q", seed, Texts(errs))
	}
	return s
}

// RandomObject returns a small object that a schema partly specifies.
func RandomObject(s *structural.Schema, seed uint64) map[string]any {
	opts := specimentest.Mixed(seed)
	opts.Size = 300
	return specimentest.Make(s, seed, opts)
}

// SetDefaults makes the parts of v, which has the schema s, the defaults of their schemas.
func SetDefaults(s *structural.Schema, v any) {
	if s == nil {
		return
	}
	s.Default = jsonvalue.Copy(v)
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if child := s.Properties[k]; child != nil {
				SetDefaults(child, e)
			} else if s.AdditionalProperties != nil {
				SetDefaults(s.AdditionalProperties.Schema, e)
			}
		}
	case []any:
		for _, e := range v {
			SetDefaults(s.Items, e)
		}
	}
}
