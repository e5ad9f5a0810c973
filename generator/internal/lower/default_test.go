package lower

import (
	"reflect"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/testing/crdtest"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
)

// specFunction returns what the plan of a pass says about the function for .spec, where schema is the schema of .spec.
func specFunction(t *testing.T, pass Pass, schema string) string {
	t.Helper()
	manifest := crdtest.Manifest("App", "type: object\nproperties:\n  spec:\n"+crdtest.Indent(schema, 4))
	tree := Plan(resources(t, structural.APIServer, manifest), []Pass{pass}, ShareWithinKinds, nil).Trees[0]
	for _, n := range tree.Funcs {
		if n.Path == ".spec" {
			return strings.TrimSpace(tree.Describe(n))
		}
	}
	t.Fatalf("nothing walks .spec to %s", pass.Name)
	return ""
}

// The rest is walked, so that a field that is left out would be taken for one of the values.
func TestFieldsWithNothingToDoAreNamedBesideAMap(t *testing.T) {
	crdtest.CompareText(t, specFunction(t, Check, `
type: object
properties:
  any: {x-kubernetes-preserve-unknown-fields: true}
additionalProperties: {type: string}`), `
check AppSpec  .spec  object  range
  any  keep
  *    string`)
	crdtest.CompareText(t, specFunction(t, Default, `
type: object
properties:
  filled: {type: string, default: x}
  plain: {type: object}
additionalProperties:
  type: object
  properties: {a: {type: string, default: x}}`), `
default AppSpec  .spec
  filled  no default, default for null default "x"
  plain   no default
  *       default AppSpecValue`)
}

func TestNullsInListsBecomeTheDefaultUnlessTheyMayBeThere(t *testing.T) {
	crdtest.CompareText(t, specFunction(t, Normalize, `
type: array
items: {type: string, default: x}`), `
normalize AppSpec  .spec  list
  *   drop
  []  leaf, default for null default "x"`)
	crdtest.CompareText(t, specFunction(t, Normalize, `
type: array
items: {type: object, nullable: true, default: {a: x}, properties: {a: {type: string}}}`), `
normalize AppSpec  .spec  list
  *   drop
  []  normalize AppSpecItem`)
}

func TestDefaultsArePruned(t *testing.T) {
	for _, pass := range []Pass{Default, Normalize} {
		got := specFunction(t, pass, `
type: object
properties:
  a:
    type: object
    default: {b: x, unknown: y}
    properties: {b: {type: string}}`)
		if !strings.Contains(got, `default {"b": "x"}`) {
			t.Errorf("%s fills in what is not pruned:\n%s", pass.Name, got)
		}
	}
}

// The reference prunes them in another way.
func TestDefaultsAreWhatTheReferenceMakesOfThem(t *testing.T) {
	changed := 0
	for seed := range uint64(600) {
		s := structuraltest.RandomSchema(t, seed, specimentest.SchemaOptions{Depth: 5})
		obj := structuraltest.RandomObject(s, seed)
		structuraltest.SetDefaults(s, obj)
		s.Default = nil
		got, want := pruneDefaults(s), interpret.PruneDefaults(s)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: pruned to %s, want %s", seed, structuraltest.ToJSON(t, got), structuraltest.ToJSON(t, want))
		}
		if want != s {
			changed++
		}
		for _, v := range []map[string]any{{}, obj} {
			filled := jsonvalue.Copy(v)
			new(interpret.Work).Default(filled, want)
			if have := complete(v, got); !reflect.DeepEqual(have, any(filled)) {
				t.Fatalf("seed %d: filled in to %v, want %v", seed, have, filled)
			}
		}
	}
	if changed < 100 {
		t.Errorf("only %d schemas have defaults that change", changed)
	}
}

func TestOnlyAnUnusualListKindIsInAPlan(t *testing.T) {
	manifest := crdtest.Manifest("App", "type: object")
	usual := resources(t, structural.APIServer, manifest)
	usual[0].CRD.Names.ListKind = "AppList"
	if got := Plan(usual, []Pass{Prune}, ShareWithinKinds, nil).Kinds[0].ListKind; got != "" {
		t.Errorf("the usual list kind is %q", got)
	}
	unusual := resources(t, structural.APIServer, manifest)
	unusual[0].CRD.Names.ListKind = "Apps"
	if got := Plan(unusual, []Pass{Prune}, ShareWithinKinds, nil).Kinds[0].ListKind; got != "Apps" {
		t.Errorf("the unusual list kind is %q", got)
	}
}

// Kubernetes turns int-or-string into two types, whatever type says.
func TestATypeBesideIntOrStringTakesNoPart(t *testing.T) {
	var schema structural.Schema
	schema.Type, schema.XIntOrString = "string", true
	n := (&checking{nodes: newNodes()}).lower(&schema)
	if got := n.Do.String(); got != "integer,string" {
		t.Errorf("%s is accepted", got)
	}
}
