package structural

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// parseSchema reads a schema that has nothing wrong as a document.
func parseSchema(t testing.TB, text string) *JSONSchema {
	t.Helper()
	s, findings := ParseSchema("schema.yaml", []byte(text))
	if s == nil || len(findings) > 0 {
		t.Fatalf("ParseSchema: %v\n%s", findings, text)
	}
	return s
}

// newSchema reads a schema that can be converted.
func newSchema(t testing.TB, text string) *Schema {
	t.Helper()
	s, errs := NewSchema(parseSchema(t, text), nil)
	if len(errs) > 0 {
		t.Fatalf("NewSchema: %q\n%s", texts(errs), text)
	}
	return s
}

func texts(errs []*Error) []string {
	var out []string
	for _, e := range errs {
		out = append(out, e.Error())
	}
	return out
}

// wantTexts compares errors with texts, in whatever order those are written down.
func wantTexts(t *testing.T, got []*Error, want ...string) {
	t.Helper()
	want = slices.Sorted(slices.Values(want))
	if !slices.Equal(texts(got), want) {
		t.Errorf("got:\n\t%s\nwant:\n\t%s", strings.Join(texts(got), "\n\t"), strings.Join(want, "\n\t"))
	}
}

// parseObject reads an object, with numbers as the API server has them.
func parseObject(t testing.TB, text string) map[string]any {
	t.Helper()
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		t.Fatal(err)
	}
	obj, ok := fixNumbers(v).(map[string]any)
	if !ok {
		t.Fatalf("not an object: %s", text)
	}
	return obj
}

func fixNumbers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			v[k] = fixNumbers(e)
		}
	case []any:
		for i, e := range v {
			v[i] = fixNumbers(e)
		}
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i
		}
		f, _ := v.Float64()
		return f
	}
	return v
}

func toJSON(t testing.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// findAll returns what reading and linting say about a text.
func findAll(text string) []Finding {
	f := Load("x", strings.NewReader(text))
	all := f.Findings
	for _, c := range f.CRDs {
		all = append(all, Lint(c)...)
	}
	slices.SortStableFunc(all, func(a, b Finding) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column)) })
	return all
}

// structureOf returns a copy of s that has its structure alone: whatever s accepts, the copy accepts.
func structureOf(s *Schema) *Schema {
	out := s.copy()
	out.visit(func(s *Schema) { s.ValueValidation = nil })
	return out
}
