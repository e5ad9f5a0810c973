package score

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/hack/conformance/compare"
	"github.com/prune-gen/prune-gen/hack/conformance/known"
)

func TestTheBoardCountsAndShowsEverything(t *testing.T) {
	b, err := New(7)
	if err != nil {
		t.Fatal(err)
	}
	b.CRDs, b.Versions = 2, 3
	b.Add(&compare.Tally{Function: compare.Function{Name: "Fine"}, Subjects: 3, Objects: 30, Known: map[known.Name]int{known.MetadataWords: 4}}, 2)
	if b.Disagreements() != 0 {
		t.Errorf("%d disagreements", b.Disagreements())
	}
	b.Add(&compare.Tally{
		Function: compare.Function{Name: "Broken"}, Subjects: 3, Objects: 30, Disagreements: 5,
		Failures: []compare.Failure{{Function: "Broken", At: "spec.a"}},
	}, 2)
	b.Problems = append(b.Problems, "something else")
	if b.Disagreements() != 5 {
		t.Errorf("%d disagreements", b.Disagreements())
	}
	var text strings.Builder
	if err := b.Print(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"2 CRDs with 3 versions", "seed 7", "something else", "spec.a", "5 disagreements",
		"known difference metadata-in-the-words-of-a-schema, seen 4 times",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in\n%s", want, text.String())
		}
	}
	data, err := b.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var back Board
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if back.Rows[1].Disagreements != 5 || back.Rows[0].Known != 4 || back.Failures[0].At != "spec.a" {
		t.Errorf("%s", data)
	}
}
