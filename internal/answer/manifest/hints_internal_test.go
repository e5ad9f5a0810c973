package manifest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// document returns a document whose field f has a value.
func document(t *testing.T, value string) (doc *yamltext.Document) {
	t.Helper()
	yamltext.Parse([]byte("f: "+value+"\n"), func(d *yamltext.Document) { doc = d }, func(p *yamltext.Problem) { t.Fatal(p.Message) })
	return doc
}

// How a value of one type is written as one of another.
func TestHintsAboutTypes(t *testing.T) {
	const quotes, bools, bare, dash = "put it in quotes: ", "put it in quotes: YAML reads true, false, yes, no, on, off, y and n as booleans", "write it without quotes", "write it as a list, with a dash before each element"
	values := []string{"null", "true", "'true'", "'false'", "'yes'", "'12'", "'1x'", "'-1'", "''", "7", "1.5", "[]", "[a]", "{}", "{a: 1}"}
	for typ, want := range map[string]map[string]string{
		"string": {"null": "give it a value, a string, or remove it", "true": bools, "7": quotes + `"7"`, "1.5": quotes + `"1.5"`,
			"1.10": quotes + `"1.10"`, "0644": quotes + `"0644"`, "1.0": quotes + `"1.0"`, "1e3": quotes + `"1e3"`, "12345678901234567890": quotes + `"12345678901234567890"`,
			"1_000": quotes + `"1_000"`},
		"integer": {"null": "give it a value, an integer, or remove it", "'12'": bare},
		"number":  {"null": "give it a value, a number, or remove it", "'12'": bare},
		"boolean": {"null": "give it a value, a boolean, or remove it", "'true'": bare, "'false'": bare},
		"object": {"null": "give it a value, an object, or remove it",
			"weight 10": `it is the text "weight 10": a key has a colon and a space after it`, "weight:10": `it is the text "weight:10": a key has a colon and a space after it`},
		"array": {"null": dash, "true": dash, "'true'": dash, "'false'": dash, "'yes'": dash, "'12'": dash, "'1x'": dash, "'-1'": dash, "''": dash, "7": dash, "1.5": dash,
			"{}": dash, "{a: 1}": dash},
	} {
		for _, value := range slices.Concat(values, slices.Collect(maps.Keys(want))) { // of numbers, the text counts, and not the value
			doc := document(t, value)
			p := place{node: doc.Root.Child("f"), schema: &structural.Schema{Generic: structural.Generic{Type: typ}}}
			if have, _ := typeHint(p, doc); have != want[value] {
				t.Errorf("%s for a value of type %s: %q, want %q", value, typ, have, want[value])
			}
		}
	}
}

func TestHintsAboutEnums(t *testing.T) {
	for _, test := range []struct{ value, detail, want string }{
		{"Fst", `supported values: "Slow", "Fast"`, "Fast"},
		{"fast", `supported values: "Slow", "Fast"`, "Fast"},
		{"Prefix", `supported values: "Exact", "PathPrefix", "RegularExpression"`, "PathPrefix"},
		{"Path", `"PathPrefix", "FilePath"`, ""},
		{"a", `"Fast"`, ""},
		{"nothing", `supported values: "Slow", "Fast"`, ""},
		{"Fst", `"Fst": supported values: "Fst "`, "Fst "},
		{"7", `supported values: "Slow"`, ""},
		{"nothing", "", ""},
	} {
		if have := enumNear(test.value, allowedTexts(nil, &prunert.Error{Detail: test.detail})); have != test.want {
			t.Errorf("%s of %s: %q, want %q", test.value, test.detail, have, test.want)
		}
	}
}

func TestHintsAboutTexts(t *testing.T) {
	for text, want := range map[string]string{
		"128MB": "write 128Mi: a quantity has no B", "1.5gb": "", "1.5Gb": "write 1.5Gi: a quantity has no B", "64kB": "write 64Ki: a quantity has no B",
		"2GiB": "write 2Gi: a quantity has no B", "128Mi": "", "MB": "", "12 MB": "",
		"${NAME}": "it looks like a template: render it first", "{{ name }}-x": "it looks like a template: render it first", "$5": "", "": "",
	} {
		if have, _ := textHint(text); have != want {
			t.Errorf("%s: %q, want %q", text, have, want)
		}
	}
}

// A resource has fields that its schema does not mention.
func TestNamesOfFields(t *testing.T) {
	object := &structural.Schema{Properties: map[string]*structural.Schema{"a": {}, "metadata": {}}}
	resource := object.Resource()
	for want, s := range map[string]*structural.Schema{"": nil, "a metadata": object, "a apiVersion kind metadata": resource} {
		if have := strings.Join(sortedFields(s), " "); have != want {
			t.Errorf("%s, want %s", have, want)
		}
	}
}

// Alternatives are named only if each of them requires fields: one that does not may be the one that was meant.
func TestHintsAboutAlternatives(t *testing.T) {
	schema := func(required ...string) (all []*structural.NestedValueValidation) {
		for _, names := range required {
			n := &structural.NestedValueValidation{}
			n.Required = strings.Fields(names)
			all = append(all, n)
		}
		return all
	}
	var many []string
	for i := range 13 {
		many = append(many, fmt.Sprint("f", i))
	}
	for _, test := range []struct {
		oneOf, anyOf []string // what each alternative requires
		want         string
	}{
		{nil, nil, ""},
		{[]string{""}, nil, ""},
		{[]string{"a"}, nil, "set exactly one of a"},
		{[]string{"a", "b"}, nil, "set exactly one of a, b"},
		{[]string{"a", "b c"}, nil, "set exactly one of a, b and c"},
		{[]string{"a", ""}, nil, ""},
		{[]string{"", "a"}, nil, ""},
		{[]string{"a", "", "b"}, nil, ""},
		{nil, []string{"a", "b"}, "set at least one of a, b"},
		{nil, []string{"a", ""}, ""},
		{[]string{"a", "b"}, []string{"c", "d"}, "set exactly one of a, b; set at least one of c, d"},
		{[]string{"a", ""}, []string{"c", "d"}, "set at least one of c, d"},
		{[]string{"a", "b"}, []string{"", "d"}, "set exactly one of a, b"},
		{many[:12], nil, "set exactly one of f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11"},
		{many, nil, "set exactly one of f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11 and 1 more"},
	} {
		s := &structural.Schema{ValueValidation: &structural.ValueValidation{OneOf: schema(test.oneOf...), AnyOf: schema(test.anyOf...)}}
		if have := alternatives(place{schema: s}); have != test.want {
			t.Errorf("oneOf %q, anyOf %q: %q, want %q", test.oneOf, test.anyOf, have, test.want)
		}
	}
	for _, p := range []place{{}, {schema: &structural.Schema{}}} {
		if have := alternatives(p); have != "" {
			t.Errorf("%+v: %q", p, have)
		}
	}
}

// Each type of error has a rule of its own, so that each can be muted and found by itself. Kubernetes' other types do not occur.
func TestRulesOfErrors(t *testing.T) {
	types := []prunert.ErrorType{
		prunert.ErrorTypeInvalid, prunert.ErrorTypeTypeInvalid, prunert.ErrorTypeRequired, prunert.ErrorTypeNotSupported, prunert.ErrorTypeTooLong,
		prunert.ErrorTypeTooMany, prunert.ErrorTypeDuplicate, prunert.ErrorTypeForbidden, prunert.ErrorTypeNotFound, prunert.ErrorTypeOmitted,
	}
	seen := map[structural.ID]prunert.ErrorType{}
	for _, typ := range types {
		id := idFor(typ)
		if other, ok := seen[id]; ok {
			t.Errorf("%s and %s have the rule %s", typ, other, id)
		}
		seen[id] = typ
	}
	if seen[IDOmitted] != prunert.ErrorTypeOmitted || seen[IDInvalid] != prunert.ErrorTypeInvalid {
		t.Errorf("%v", seen)
	}
}
