package known

import (
	"testing"

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

func TestDifferencesFromOlderVersionsAreNamed(t *testing.T) {
	for _, c := range []struct {
		evidence Evidence
		want     kubeversion.Change // 0 for a difference that has no name
	}{
		{Evidence{Expression: `(startsWith #starts_with_string (. self "a") "b")`, Cost: true}, kubeversion.RunTimeCosts},
		{Evidence{Expression: `(startsWith #starts_with_string (. self "a") "b")`}, 0},
		{Evidence{Expression: `(size (. self "a"))`, Cost: true}, 0},
		{Evidence{Expression: `(lastIndexOf #string_last_index_of_string_int (. self "a") "" 5)`}, kubeversion.CheckedArguments},
		{Evidence{Expression: `(add #quantity_add (quantity #string_to_quantity "1") 2)`}, kubeversion.CopiedQuantities},
		{Evidence{Expression: `(_==_ (. self "a") (. oldSelf "a"))`, Schema: `{"x-kubernetes-list-type":"set"}`}, kubeversion.CollectionEquality},
		{Evidence{Expression: `(_==_ (. self "a") (. oldSelf "a"))`, Schema: `{"x-kubernetes-list-type":"atomic"}`}, 0},
		{Evidence{Expression: `(_+_ #add_list (. self "a") (. self "b"))`}, kubeversion.CollectionEquality},
		{Evidence{Expression: `(_+_ #add_list @result (list m))`}, 0},
		{Evidence{Expression: `(_+_ #add_string (. self "a") "b")`}, 0},
		{Evidence{Theirs: []string{"a in body should be a multiple of 0.5"}}, kubeversion.RoundedIntegers},
		{Evidence{Theirs: []string{"a in body should be a multiple of 0.5", "a in body should match 'b'"}}, 0},
		{Evidence{Ours: []string{"spec: Forbidden: must be empty to be structural"}, Schema: `{"example":1}`}, kubeversion.SchemaExamples},
		{Evidence{Ours: []string{"spec: Forbidden: must be empty to be structural"}}, 0},
		{Evidence{Ours: []string{"spec.a: Invalid value: null: b"}, Theirs: []string{`spec.a: Invalid value: "null": a b`}, Schema: "{}"}, kubeversion.CRDTexts},
		{Evidence{Ours: []string{"spec.a: Invalid value: null: b"}, Theirs: []string{`spec.a: Invalid value: "null": a b`}}, 0},
		{Evidence{Ours: []string{`metadata.deletionTimestamp: Invalid value: "2021-09-25T09:32:52Z": field is immutable`},
			Theirs: []string{"metadata.deletionTimestamp: Invalid value: 2021-09-25 09:32:52.5 +0000 UTC: field is immutable"}}, kubeversion.MetadataValues},
		{Evidence{Ours: []string{"metadata.ownerReferences: Invalid value: [{}]: a"}, Theirs: []string{"metadata.ownerReferences: Invalid value: []v1.OwnerReference{}: a"}},
			kubeversion.MetadataValues},
		{Evidence{Ours: []string{"spec.a: Invalid value: null: b"}, Theirs: []string{"spec.a: Required value"}}, 0},
		{Evidence{}, 0},
	} {
		var want Name
		if c.want != 0 {
			want = Row(c.want)
		}
		if got := Older(kubeversion.Oldest, c.evidence); got != want {
			t.Errorf("%+v is %q, want %q", c.evidence, got, want)
		}
		if got := Older(kubeversion.Newest, c.evidence); got != "" {
			t.Errorf("%+v is %q in the newest version", c.evidence, got)
		}
	}
}
