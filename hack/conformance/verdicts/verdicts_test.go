package verdicts

import (
	"encoding/json"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/testing/schemacases"
)

// Object is a JSON object.
type Object = schemacases.Object

// compareSchema fails the test if the two sides differ on a schema, and returns what Kubernetes says about it.
func compareSchema(t *testing.T, name string, s Object) Outcome {
	t.Helper()
	raw, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	outcome, diffs := Schema(raw)
	for _, d := range diffs {
		if d.Known != "" {
			continue
		}
		t.Errorf("%s: %s\n%s", name, d, raw)
	}
	return outcome
}

func TestBrokenSchemasAreBrokenForTheSameReasons(t *testing.T) {
	t.Parallel()
	outcomes := map[Outcome]int{}
	for _, c := range schemacases.Broken() {
		outcomes[compareSchema(t, c.Name, c.Schema)]++
	}
	t.Log(outcomes)
	// The cases are worth something only while there are many of each kind.
	for o, least := range map[Outcome]int{Unconvertible: 150, NonStructural: 1500, Structural: 1500} {
		if outcomes[o] < least {
			t.Errorf("%d schemas are %s", outcomes[o], o)
		}
	}
}

func TestMutatedSchemasAreBrokenForTheSameReasons(t *testing.T) {
	t.Parallel()
	outcomes := map[Outcome]int{}
	cases := schemacases.Broken()
	for seed := range uint64(3000) {
		c := cases[seed%uint64(len(cases))]
		schemacases.Mutate(c.Schema, seed, 1+int(seed%5))
		outcomes[compareSchema(t, c.Name, c.Schema)]++
	}
	t.Log(outcomes)
	for o := range outcomes {
		if outcomes[o] < 100 {
			t.Errorf("%d schemas are %s", outcomes[o], o)
		}
	}
}

func TestCasesShareNothingWithThoseOfAnotherCall(t *testing.T) {
	texts := func() string {
		data, err := json.Marshal(schemacases.Broken())
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	var empty func(v any)
	empty = func(v any) {
		switch v := v.(type) {
		case Object:
			for _, e := range v {
				empty(e)
			}
			clear(v)
		case []any:
			for _, e := range v {
				empty(e)
			}
			clear(v)
		}
	}
	before := texts()
	for _, c := range schemacases.Broken() {
		empty(c.Schema)
	}
	if texts() != before {
		t.Error("what happens to the cases of one call shows in those of the next")
	}
}

func TestMutationsFollowFromTheSeed(t *testing.T) {
	mutated := func(seed uint64) string {
		s := jsonvalue.Copy(schemacases.Broken()[500].Schema)
		schemacases.Mutate(s, seed, 20)
		raw, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	if first := mutated(1); first != mutated(1) || first == mutated(2) {
		t.Error("a seed does not stand for a mutation")
	}
}
