package crddiff_test

import (
	"slices"
	"strings"
	"testing"
)

// A CEL rule that is listed twice refuses what it refuses once.
func TestRepeatedRulesCountOnce(t *testing.T) {
	const one, other, spaced, optional = "{rule: self > 1, message: one}", "{rule: self > 1, message: other}", "{rule: self>1, message: one}", "{rule: self > 1, message: other, optionalOldSelf: true}"
	for _, tt := range []struct {
		old, new []string
		want     []string
	}{
		{[]string{one, one}, []string{one}, nil},
		{[]string{one}, []string{one, one}, nil},
		{[]string{one, spaced}, []string{one}, nil},
		{[]string{one}, []string{one, spaced}, nil},
		{[]string{one, other}, []string{other}, []string{"the message of rule self > 1 has changed; the same values are refused"}},
		{[]string{one}, []string{other, one}, []string{"the message of rule self > 1 has changed; the same values are refused"}},
		{[]string{one, other}, []string{other, one}, nil},
		{[]string{one, optional}, []string{optional}, []string{"rule self > 1 is gone; more values are accepted"}},
		{[]string{optional}, []string{one, optional}, []string{"rule self > 1 is new; new objects and changed values can be refused; values that stay as they are are tolerated (requests)"}},
	} {
		crd := func(rules []string) string {
			return strings.NewReplacer("ROOT", "", "FIELD", "{type: integer, x-kubernetes-validations: ["+strings.Join(rules, ", ")+"]}").Replace(crdWithRule)
		}
		var got []string
		for _, c := range changesOf(t, parse(t, crd(tt.old)), parse(t, crd(tt.new))) {
			got = append(got, strings.TrimPrefix(c.String(), "spec.f: "))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s to %s: got %q, want %q", tt.old, tt.new, got, tt.want)
		}
	}
}

// A change points at what has changed, and says what becomes of objects.
func TestChangesOfFields(t *testing.T) {
	const old = "{type: object, properties: {a: {type: string}, b: {type: number}}}"
	for _, tt := range []struct{ new, at, want string }{
		{"{type: object, required: [b, a], properties: {a: {type: string}, b: {type: number, default: 1}}}", "required[1]",
			"spec.f.a: the field is required; new objects without it are refused; those that already lack it are tolerated (requests)"},
		{"{type: object, properties: {a: {type: string}, b: {type: number}, c: {type: string, default: x}}}", "properties[c].default",
			`spec.f.c: the default is new: "x"; objects without the field get it, including those already stored`},
		{"{type: object, properties: {a: {type: string}, b: {type: number}, c: {type: string}}}", "properties[c]", "spec.f.c: the field is new; objects that have it keep it"},
		{"{type: object, properties: {a: {type: integer}, b: {type: number}}}", "properties[a].type",
			"spec.f.a: the type was string and is integer; values of the old type are refused; server-side apply fails for every stored object that has one (requests)"},
		{"{type: object, properties: {a: {type: string}, b: {type: integer}}}", "properties[b].type", "spec.f.b: the type was number and is integer; values of other types are refused (requests)"},
	} {
		crd := func(field string) string { return strings.NewReplacer("ROOT", "", "FIELD", field).Replace(crdWithRule) }
		var got []string
		for _, c := range changesOf(t, parse(t, crd(old)), parse(t, crd(tt.new))) {
			got = append(got, strings.TrimPrefix(c.At.String(), "spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[f].")+" "+c.String())
		}
		if !slices.Contains(got, tt.at+" "+tt.want) {
			t.Errorf("%s: got %q, want %q", tt.new, got, tt.at+" "+tt.want)
		}
	}
}
