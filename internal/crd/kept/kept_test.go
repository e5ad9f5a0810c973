package kept_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/crd/kept"
	"github.com/prune-gen/prune-gen/internal/testing/numbers"
	"github.com/prune-gen/prune-gen/internal/testing/recorded"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
)

var update = flag.Bool("update", false, "write the files in testdata instead of comparing with them")

// listed returns places as Fields functions list them.
func listed(places []*kept.Place) []string {
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
		{"properties: {a: {type: object, x-kubernetes-preserve-unknown-fields: true, additionalProperties: {type: object}}}", "properties: {a: {type: object, additionalProperties: {type: object}}}", nil},
		{"properties: {a: {type: object, x-kubernetes-preserve-unknown-fields: true}}", "properties: {a: {type: object, x-kubernetes-preserve-unknown-fields: true, additionalProperties: {type: object}}}", []string{".a..."}},
		{"properties: {a: {x-kubernetes-preserve-unknown-fields: true, additionalProperties: {type: object}}}", "properties: {a: {type: array, items: {type: object}}}", []string{".a[*]", ".a[]..."}},
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
		tree := func(text string) *kept.Tree {
			return kept.By(structural.Behavior{Schema: structuraltest.NewSchema(t, "type: object\n"+text), Pruned: true})
		}
		if got := listed(tree(tt.from).Without(tree(tt.to), nil)); !slices.Equal(got, tt.want) {
			t.Errorf("from %s to %s: %q, want %q", tt.from, tt.to, got, tt.want)
		}
		if got := tree(tt.from).Without(tree(tt.from), nil); len(got) > 0 {
			t.Errorf("from %s to itself: %q", tt.from, listed(got))
		}
	}
}

// What a Fields function lists is what the schema keeps.
func TestKeptFieldsAgreesWithKeptBy(t *testing.T) {
	for seed := range uint64(300) {
		random := func(n uint64) *structural.Schema {
			return structuraltest.RandomSchema(t, 3*seed+n, specimentest.SchemaOptions{Depth: 4})
		}
		for _, b := range []structural.Behavior{
			{Schema: random(0), Pruned: true}, {Schema: random(1)}, {Schema: random(2), Pruned: true, Semantics: structural.KEP2332}, {Pruned: true},
		} {
			opts := interpret.PruneOptions{PreserveUnknownFields: !b.Pruned, Semantics: b.Semantics}
			schema := kept.By(b)
			fields := kept.ByFields(func(visit func(string)) { interpret.Fields(b.Schema, opts, visit) }, schema)
			if a, b := listed(fields.Without(schema, nil)), listed(schema.Without(fields, nil)); len(a) > 0 || len(b) > 0 {
				t.Fatalf("seed %d: only listed: %q, only in the schema: %q", seed, a, b)
			}
		}
	}
}

// If an object that one schema keeps whole loses something by another that takes its types, a place is named.
func TestWithoutNoticesEveryLoss(t *testing.T) {
	losses := 0
	for seed := range uint64(4000) {
		from := structuraltest.RandomSchema(t, seed, specimentest.SchemaOptions{Depth: 3})
		to := structuraltest.RandomSchema(t, seed+1<<32, specimentest.SchemaOptions{Depth: 3})
		obj := structuraltest.RandomObject(from, seed)
		interpret.Prune(obj, from, interpret.PruneOptions{})
		text, err := json.Marshal(obj)
		if err != nil {
			t.Fatal(err)
		}
		if obj, err = numbers.Decode(text); err != nil {
			t.Fatal(err)
		}
		if len(new(interpret.Work).Check(obj, from)) > 0 || len(new(interpret.Work).Check(obj, to)) > 0 {
			continue
		}
		dropped := interpret.Prune(obj, to, interpret.PruneOptions{})
		if len(dropped) == 0 {
			continue
		}
		losses++
		tree := func(s *structural.Schema) *kept.Tree {
			return kept.By(structural.Behavior{Schema: s, Pruned: true})
		}
		if lost := tree(from).Without(tree(to), nil); len(lost) == 0 {
			t.Fatalf("seed %d: %s loses %q", seed, text, dropped)
		}
	}
	if losses < 20 {
		t.Errorf("%d objects lost something", losses)
	}
}

// A list of fields is that of the schema that it was made of: in objects, lists and maps, of resources, of what looks like resources,
// and with names that look like paths. How it differs from others is in testdata/fields.txt.
func TestFieldsOfWhatLooksLikeAResource(t *testing.T) {
	bodies := []string{
		"{type: object}",
		"{type: object, x-kubernetes-preserve-unknown-fields: true}",
		"{type: object, x-kubernetes-embedded-resource: true}",
		"{type: object, x-kubernetes-embedded-resource: true, properties: {metadata: {type: object}, spec: {type: object, properties: {a: {type: string}}}}}",
		"{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}",
		"{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, properties: {spec: {type: object}}}",
		"{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {metadata: {type: object}}}",
		"{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {metadata: {type: object, properties: {name: {type: string}}}}}",
		"{type: object, properties: {metadata: {type: object}, apiVersion: {type: string}, kind: {type: string}}}",
		"{type: object, properties: {metadata: {type: object}, apiVersion: {x-kubernetes-preserve-unknown-fields: true}, kind: {type: string}}}",
		"{type: object, properties: {metadata: {type: object, properties: {name: {type: string}}}, apiVersion: {x-kubernetes-preserve-unknown-fields: true}, kind: {x-kubernetes-preserve-unknown-fields: true}}}",
		"{type: object, properties: {metadata: {type: object, additionalProperties: {type: string}}, apiVersion: {x-kubernetes-preserve-unknown-fields: true}, kind: {x-kubernetes-preserve-unknown-fields: true}}}",
		"{type: object, properties: {metadata: {type: object, x-kubernetes-preserve-unknown-fields: true}, apiVersion: {x-kubernetes-preserve-unknown-fields: true}, kind: {x-kubernetes-preserve-unknown-fields: true}}}",
		"{type: object, properties: {metadata: {type: object}, kind: {type: string}}}",
		"{type: object, properties: {metadata: {type: object}}}",
		"{type: object, additionalProperties: {type: string}}",
		"{type: object, additionalProperties: {type: object, x-kubernetes-embedded-resource: true}}",
		"{type: object, properties: {e: {type: object, x-kubernetes-embedded-resource: true}, metadata: {type: object, x-kubernetes-embedded-resource: true}}}",
		"{type: object, properties: {a: {type: object, properties: {c: {type: string}}}, a.b: {type: string}}}",
		"{type: object, properties: {a: {type: object, properties: {b: {type: string}, c: {type: string}}}}}",
		"{type: object, properties: {a: {type: array, items: {type: object, properties: {b: {type: string}}}}}}",
		"{type: object, properties: {a: {type: object, additionalProperties: {type: object, properties: {b: {type: string}}}}}}",
	}
	var have strings.Builder
	for _, around := range []string{
		"%s", "{type: array, items: %s}", "{type: object, additionalProperties: %s}", "{type: object, properties: {q.r: %s}}",
		"{type: array, items: {type: object, properties: {q: %s}}}", "{type: object, additionalProperties: {type: array, items: %s}}",
	} {
		var trees []*kept.Tree
		for _, body := range bodies {
			trees = append(trees, kept.By(behavior(t, around, body)))
		}
		for i, body := range bodies {
			schema := behavior(t, around, body).Schema
			for j, other := range trees {
				fields := kept.ByFields(func(visit func(string)) { interpret.Fields(schema, interpret.PruneOptions{}, visit) }, other)
				lost, new := listed(fields.Without(other, nil)), listed(other.Without(fields, nil))
				if i == j && len(lost)+len(new) > 0 {
					t.Errorf("%s: %s against itself loses %q and gets %q", around, body, lost, new)
				}
				if around == "{type: object, additionalProperties: {type: array, items: %s}}" && strings.Contains(bodies[j], "metadata: {type: object}") {
					fmt.Fprintf(&have, "%s\n%s\n- %s\n+ %s\n", body, bodies[j], strings.Join(lost, " "), strings.Join(new, " "))
				}
			}
		}
	}
	recorded.Compare(t, *update, "testdata/fields.txt", have.String())
}

// behavior is that of objects whose field p has a schema.
func behavior(t *testing.T, around, body string) structural.Behavior {
	t.Helper()
	return structural.Behavior{Schema: structuraltest.NewSchema(t, "type: object\nproperties: {p: "+fmt.Sprintf(around, body)+"}"), Pruned: true}
}
