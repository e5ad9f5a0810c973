package differ_test

import (
	"encoding/json"
	"math/rand"
	"slices"
	"testing"

	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/differ"
	"github.com/prune-gen/prune-gen/structural/internal/structuraltest"
	"github.com/prune-gen/prune-gen/structural/interpret"
)

// listed returns places as Fields functions list them.
func listed(places []*differ.Place) []string {
	var all []string
	for _, p := range places {
		all = append(all, p.Listed())
	}
	return all
}

func TestWithoutNamesTheTopmostPlaces(t *testing.T) {
	for _, tt := range []struct {
		from, to string
		want     []string
	}{
		{"properties: {a: {type: object, properties: {b: {type: string}}}}", "properties: {}", []string{".a"}},
		{"properties: {a: {type: array, items: {type: object, properties: {b: {type: string}}}}}", "properties: {a: {type: array, items: {type: object}}}", []string{".a[].b"}},
		{"properties: {a: {type: object, additionalProperties: {type: object, properties: {b: {type: string}}}}}", "properties: {a: {type: object, additionalProperties: true}}", []string{".a[*].b"}},
		{"properties: {a: {type: object, properties: {b: {type: string}}}}", "properties: {a: {type: object, additionalProperties: {type: string}}}", nil},
		{"properties: {a: {type: object, additionalProperties: {type: string}}}", "properties: {a: {type: object, properties: {b: {type: string}}}}", []string{".a[*]"}},
		{"properties: {a: {type: string}}", "x-kubernetes-preserve-unknown-fields: true", nil},
		{"x-kubernetes-preserve-unknown-fields: true", "properties: {a: {type: string}}", []string{"..."}},
		{"properties: {a: {type: object, x-kubernetes-preserve-unknown-fields: true}}", "properties: {a: {type: object, additionalProperties: {x-kubernetes-preserve-unknown-fields: true}}}", nil},
		{"properties: {a: {type: object, x-kubernetes-preserve-unknown-fields: true}}", "properties: {a: {type: object, additionalProperties: {type: object}}}", []string{".a..."}},
		{"properties: {a: {type: object, properties: {b: {type: string}}}}", "properties: {a: {type: string}}", nil},
		{"properties: {a.b: {type: string}, a: {type: object, properties: {c: {type: string}}}}", "properties: {a: {type: object, properties: {b: {type: string}, c: {type: string}}}}", []string{".a.b"}},
		{"properties: {a: {type: object, properties: {b: {type: string}}}, a-b: {type: string}}", "properties: {a: {type: object}}", []string{".a-b", ".a.b"}},
		{"properties: {a: {type: array, items: {type: object, properties: {b: {type: string}}}}}", "properties: {a: {type: array}}", []string{".a[].b"}},
		{"properties: {a: {type: array, items: {type: object, properties: {b: {type: string}}}}}", "properties: {a: {type: array, x-kubernetes-preserve-unknown-fields: true}}", nil},
		{"properties: {a: {type: array, items: {type: object, properties: {b: {type: string}}}}}", "properties: {a: {type: object, properties: {b: {type: string}}}}", nil},
		{"properties: {a: {type: object, x-kubernetes-preserve-unknown-fields: true}}", "properties: {a: {type: object, additionalProperties: {type: string}}}", nil},
		{"properties: {a: {type: object, x-kubernetes-preserve-unknown-fields: true}}", "properties: {a: {type: string}}", nil},
		{"properties: {a: {x-kubernetes-preserve-unknown-fields: true}}", "properties: {a: {type: string}}", nil},
		{"properties: {a: {x-kubernetes-preserve-unknown-fields: true}}", "properties: {a: {type: object}}", []string{".a..."}},
		{"x-kubernetes-preserve-unknown-fields: true", "x-kubernetes-preserve-unknown-fields: true\nproperties: {a: {type: object, x-kubernetes-preserve-unknown-fields: true}, b: {type: string}, c: {type: object}, d: {type: array}, e: {type: array, items: {type: object}}}",
			[]string{".c...", ".e..."}},
		{"x-kubernetes-preserve-unknown-fields: true\nproperties: {c: {type: object}}", "x-kubernetes-preserve-unknown-fields: true\nproperties: {c: {type: object}, d: {type: object}}", []string{".d..."}},
		{"properties: {a: {type: object, x-kubernetes-embedded-resource: true}}", "properties: {a: {type: object, properties: {kind: {type: string}, metadata: {type: object, properties: {name: {type: string}}}}}}",
			[]string{".a.apiVersion", ".a.metadata.annotations", ".a.metadata.creationTimestamp", ".a.metadata.deletionGracePeriodSeconds", ".a.metadata.deletionTimestamp", ".a.metadata.finalizers",
				".a.metadata.generateName", ".a.metadata.generation", ".a.metadata.labels", ".a.metadata.managedFields", ".a.metadata.namespace", ".a.metadata.ownerReferences", ".a.metadata.resourceVersion",
				".a.metadata.selfLink", ".a.metadata.uid"}},
	} {
		kept := func(text string) *differ.Kept {
			return differ.KeptBy(structural.Behavior{Schema: structuraltest.NewSchema(t, "type: object\n"+text), Pruned: true})
		}
		if got := listed(kept(tt.from).Without(kept(tt.to))); !slices.Equal(got, tt.want) {
			t.Errorf("from %s to %s: %q, want %q", tt.from, tt.to, got, tt.want)
		}
		if got := kept(tt.from).Without(kept(tt.from)); len(got) > 0 {
			t.Errorf("from %s to itself: %q", tt.from, listed(got))
		}
	}
}

// What a Fields function lists is what the schema keeps.
func TestKeptFieldsAgreesWithKeptBy(t *testing.T) {
	for seed := range int64(300) {
		g := structuraltest.Random{Rand: rand.New(rand.NewSource(seed))}
		for _, b := range []structural.Behavior{
			{Schema: g.Structural(4), Pruned: true}, {Schema: g.Structural(4)}, {Schema: g.Structural(4), Pruned: true, Semantics: structural.KEP2332}, {Pruned: true},
		} {
			opts := interpret.PruneOptions{PreserveUnknownFields: !b.Pruned, Semantics: b.Semantics}
			schema := differ.KeptBy(b)
			fields := differ.KeptFields(func(visit func(string)) { interpret.Fields(b.Schema, opts, visit) }, schema)
			if a, b := listed(fields.Without(schema)), listed(schema.Without(fields)); len(a) > 0 || len(b) > 0 {
				t.Fatalf("seed %d: only listed: %q, only in the schema: %q", seed, a, b)
			}
		}
	}
}

// If an object that one schema keeps whole loses something by another that takes its types, a place is named.
func TestWithoutNoticesEveryLoss(t *testing.T) {
	losses := 0
	for seed := range int64(4000) {
		g := structuraltest.Random{Rand: rand.New(rand.NewSource(seed))}
		from, to := g.Structural(3), g.Structural(3)
		obj := g.Object(from, 3)
		interpret.Prune(obj, from, interpret.PruneOptions{})
		text, err := json.Marshal(obj)
		if err != nil {
			t.Fatal(err)
		}
		obj = structuraltest.ParseObject(t, string(text))
		if len(interpret.Check(obj, from)) > 0 || len(interpret.Check(obj, to)) > 0 {
			continue
		}
		dropped := interpret.Prune(obj, to, interpret.PruneOptions{})
		if len(dropped) == 0 {
			continue
		}
		losses++
		kept := func(s *structural.Schema) *differ.Kept {
			return differ.KeptBy(structural.Behavior{Schema: s, Pruned: true})
		}
		if lost := kept(from).Without(kept(to)); len(lost) == 0 {
			t.Fatalf("seed %d: %s loses %q", seed, text, dropped)
		}
	}
	if losses < 20 {
		t.Errorf("%d objects lost something", losses)
	}
}
