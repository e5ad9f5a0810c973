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
