package specimentest

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/suite/specimen"
)

func TestChangesFollowFromTheSeedAndThePath(t *testing.T) {
	obj := map[string]any{"a": []any{"x", int64(1), true}, "b": map[string]any{"c": "x", "d": 1.5}, "metadata": map[string]any{"name": "n"}}
	before := jsonvalue.Copy(obj)
	outcomes := map[string]bool{}
	for seed := range uint64(300) {
		c := Change{Seed: seed, OneIn: 5, Types: seed%2 == 0, Aim: &specimen.Aim{Texts: []string{"wanted"}, Integers: []int64{100}}}
		changed := c.Of(obj)
		if !reflect.DeepEqual(changed, c.Of(obj)) {
			t.Fatalf("seed %d: two outcomes", seed)
		}
		outcomes[fmt.Sprint(changed)] = true
		if _, ok := changed["metadata"]; !ok && !c.Types {
			t.Errorf("seed %d: metadata is gone", seed)
		}
		// What is left of a smaller object changes as before.
		small := jsonvalue.Copy(obj)
		delete(small, "a")
		if have, want := fmt.Sprint(c.Of(small)["b"]), fmt.Sprint(changed["b"]); have != want {
			t.Errorf("seed %d: b is %s, and %s in the smaller object", seed, want, have)
		}
	}
	if !reflect.DeepEqual(obj, before) {
		t.Error("the object itself was changed")
	}
	if len(outcomes) < 100 {
		t.Errorf("%d different outcomes", len(outcomes))
	}
	for _, change := range []Change{{OneIn: 1}, {OneIn: 1, Aim: &specimen.Aim{Texts: []string{"wanted"}}}} {
		for seed := range uint64(50) {
			change.Seed = seed
			v, ok := change.Of(map[string]any{"a": "x"})["a"]
			if ok && v == "x" {
				t.Errorf("%+v changes nothing", change)
			}
		}
	}
}
