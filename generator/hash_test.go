package generator

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/structural"
)

// change is a small change of a schema.
type change struct {
	name  string
	apply func(r *rand.Rand, s *structural.JSONSchema)
	// idle says for which functions the change makes no difference, as far as the hash knows.
	idle func(structural.Aspects) bool
}

var schemaTypes = []string{"object", "array", "string", "integer", "number", "boolean", ""}

func hashChanges() []change {
	always := func(structural.Aspects) bool { return true }
	never := func(structural.Aspects) bool { return false }
	pruningOnly := func(a structural.Aspects) bool { return a == structural.AspectPruning }
	one := int64(1)
	leaf := func(r *rand.Rand) *structural.JSONSchema {
		return &structural.JSONSchema{Type: schemaTypes[r.IntN(len(schemaTypes))]}
	}
	return []change{
		{"description", func(_ *rand.Rand, s *structural.JSONSchema) { s.Description += "words" }, always},
		{"title", func(_ *rand.Rand, s *structural.JSONSchema) { s.Title += "words" }, always},
		{"example", func(_ *rand.Rand, s *structural.JSONSchema) { s.Example = "words" }, always},
		{"minLength", func(_ *rand.Rand, s *structural.JSONSchema) { s.MinLength = &one }, always},
		{"pattern", func(_ *rand.Rand, s *structural.JSONSchema) { s.Pattern += "x" }, always},
		{"enum", func(_ *rand.Rand, s *structural.JSONSchema) { s.Enum = append(s.Enum, "x") }, always},
		{"required", func(_ *rand.Rand, s *structural.JSONSchema) { s.Required = append(s.Required, "x") }, always},
		{"default", func(_ *rand.Rand, s *structural.JSONSchema) { s.Default = "x" }, always},
		{"allOf", func(_ *rand.Rand, s *structural.JSONSchema) {
			s.AllOf = append(s.AllOf, &structural.JSONSchema{MinLength: &one})
		}, always},
		{"type", func(r *rand.Rand, s *structural.JSONSchema) { s.Type = schemaTypes[r.IntN(len(schemaTypes))] }, pruningOnly},
		{"nullable", func(_ *rand.Rand, s *structural.JSONSchema) { s.Nullable = !s.Nullable }, pruningOnly},
		{"int-or-string", func(_ *rand.Rand, s *structural.JSONSchema) { s.XIntOrString = !s.XIntOrString }, pruningOnly},
		{"preserve", func(_ *rand.Rand, s *structural.JSONSchema) {
			yes := true
			if s.XPreserveUnknownFields == nil {
				s.XPreserveUnknownFields = &yes
			} else {
				s.XPreserveUnknownFields = nil
			}
		}, func(a structural.Aspects) bool { return a == structural.AspectTypes }},
		{"embedded", func(_ *rand.Rand, s *structural.JSONSchema) { s.XEmbeddedResource = !s.XEmbeddedResource }, never},
		{"add a property", func(r *rand.Rand, s *structural.JSONSchema) {
			s.Properties = maps.Clone(s.Properties)
			if s.Properties == nil {
				s.Properties = map[string]*structural.JSONSchema{}
			}
			s.Properties[fmt.Sprintf("p%d", r.IntN(4))] = leaf(r)
		}, never},
		{"remove a property", func(r *rand.Rand, s *structural.JSONSchema) {
			if names := slices.Sorted(maps.Keys(s.Properties)); len(names) > 0 {
				delete(s.Properties, names[r.IntN(len(names))])
			}
		}, never},
		{"items", func(r *rand.Rand, s *structural.JSONSchema) {
			s.Items = &structural.JSONSchemaOrArray{Schema: leaf(r)}
		}, never},
		{"no items", func(_ *rand.Rand, s *structural.JSONSchema) { s.Items = nil }, never},
		{"additionalProperties", func(r *rand.Rand, s *structural.JSONSchema) {
			s.AdditionalProperties = []*structural.JSONSchemaOrBool{nil, {}, {Allows: true}, {Allows: true, Schema: leaf(r)}}[r.IntN(4)]
		}, never},
	}
}

// anyNode returns a random schema below s, or s.
func anyNode(r *rand.Rand, s *structural.JSONSchema) *structural.JSONSchema {
	for r.IntN(3) > 0 {
		var below []*structural.JSONSchema
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			below = append(below, s.Properties[name])
		}
		if s.Items != nil {
			below = append(below, s.Items.Schema)
		}
		if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
			below = append(below, s.AdditionalProperties.Schema)
		}
		if len(below) == 0 {
			break
		}
		s = below[r.IntN(len(below))]
	}
	return s
}

// hashAndPlan returns the hash that is generated for a schema and what the functions do.
func hashAndPlan(t *testing.T, s *structural.JSONSchema, opts Options, pruned bool) (hash, plan string) {
	t.Helper()
	in := hostileInput("example.com", "App", "apps", "v1", s)
	in.Version.Pruned = pruned
	l := NewLowering(opts)
	converted := l.schema(in)
	// Schemas that are not structural have plans, too, and this test needs many schemas.
	converted.refused, converted.findings = false, nil
	l.schemas[schemaKey{in.CRD, s, pruned}] = converted
	converted.hash = converted.behavior.Hash(opts.Features.Aspects())
	p, err := l.Lower([]Input{in})
	if err != nil {
		t.Fatal(err)
	}
	return p.plan.Kinds[0].SchemaHash, p.String()
}

// A schema grows by random changes. Each that changes what a function does changes the hash for it, and those that only
// reword, or concern other functions, do not.
func TestTheHashFollowsThePlan(t *testing.T) {
	testsize.NotShort(t)
	t.Parallel()
	changes := hashChanges()
	plans, hashes := 0, 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := &structural.JSONSchema{Type: "object"}
		opts := Options{Package: "v1", Features: []Features{{FeaturePrune}, {FeatureCheck}, {FeatureReport}, {FeaturePrune, FeatureCheck}}[seed%4]}
		if seed%5 == 0 {
			opts.Semantics = structural.KEP2332
		}
		pruned := seed%7 != 0
		hash, plan := hashAndPlan(t, s, opts, pruned)
		for range 150 {
			c := changes[r.IntN(len(changes))]
			c.apply(r, anyNode(r, s))
			newHash, newPlan := hashAndPlan(t, s, opts, pruned)
			if newPlan != plan && newHash == hash {
				t.Fatalf("seed %d: %s changes the plan and not the hash:\n%s\nwas\n%s", seed, c.name, newPlan, plan)
			}
			if c.idle(opts.Features.Aspects()) && newHash != hash {
				t.Fatalf("seed %d: %s changes the hash for %s", seed, c.name, opts.Features)
			}
			if newPlan != plan {
				plans++
			}
			if newHash != hash {
				hashes++
			}
			hash, plan = newHash, newPlan
		}
	}
	// The hash may change where the plan does not, but not without need.
	if plans < 1000 || hashes > 2*plans {
		t.Errorf("%d changes of the plan, %d of the hash", plans, hashes)
	}
	t.Logf("%d changes of the plan, %d of the hash", plans, hashes)
}

// What is asked of a resource is what its hash covers.
func TestFeaturesHaveAspects(t *testing.T) {
	for _, f := range features {
		if f.aspects == 0 {
			t.Errorf("%s depends on nothing", f.name)
		}
	}
	if got := AllFeatures().Aspects(); got != structural.AllAspects {
		t.Errorf("all features depend on %d", got)
	}
}
