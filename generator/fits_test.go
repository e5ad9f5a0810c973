package generator

import (
	"maps"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/crdtest"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

// resourceOf returns the resource that is generated for the only kind of a CRD, without its functions.
func resourceOf(t *testing.T, crd string, opts Options) prunert.Resource {
	t.Helper()
	p, err := Lower(inputsOf(t, crd), opts)
	if err != nil {
		t.Fatal(err)
	}
	k := p.plan.Kinds[0]
	return prunert.Resource{Group: k.Group, Version: k.Version, Kind: k.Kind, SchemaHash: k.SchemaHash}
}

// Fits and generate hash alike: generated code fits its own CRD, whatever was generated in whichever reading, and no other
// that its functions tell from it.
func TestGeneratedCodeFitsItsOwnCRD(t *testing.T) {
	crd := crdtest.Manifest("App", appSchema)
	cluster := strings.Replace(crd, "scope: Namespaced", "scope: Cluster", 1)
	if cluster == crd {
		t.Fatal("the scope is the same")
	}
	for _, features := range []Features{AllFeatures(), {FeaturePrune}, {FeatureCheck}, {FeatureMetadata}, {FeatureValidate}} {
		for _, semantics := range []structural.Semantics{structural.APIServer, structural.KEP2332} {
			r := resourceOf(t, crd, Options{Features: features, Semantics: semantics})
			for text, want := range map[string]bool{crd: true, cluster: !features.Has(FeatureMetadata)} {
				installed, err := load.CRD([]byte(text), load.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if fit, err := dynamic.Fits(r, installed); err != nil || fit.Same != want {
					t.Errorf("%s, %s: %+v, %v, want %t\n%s", features, semantics, fit, err, want, r.SchemaHash)
				}
			}
		}
	}
}

// Only their CRD tells versions without a schema apart: one must not get the code of another.
func TestCRDsWithoutSchemasDoNotShareTheirScope(t *testing.T) {
	crd := func(kind, plural, scope string) string {
		return "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata: {name: " + plural + ".example.com}\nspec:\n" +
			"  group: example.com\n  scope: " + scope + "\n  names: {kind: " + kind + ", plural: " + plural + "}\n" +
			"  versions: [{name: v1, served: true, storage: true}, {name: v2, served: true, storage: false}]\n"
	}
	app, zoo := crd("App", "apps", "Namespaced"), crd("Zoo", "zoos", "Cluster")
	hashes := func(texts ...string) map[string]string {
		l := NewLowering(Options{Features: AllFeatures()})
		var inputs []Input
		for _, in := range inputsOf(t, texts...) {
			if in.Version.Name == "v1" {
				inputs = append(inputs, in)
			}
		}
		p, err := l.Lower(inputs)
		if err != nil {
			t.Fatal(err)
		}
		all := map[string]string{}
		for _, k := range p.plan.Kinds {
			all[k.Kind] = k.SchemaHash
		}
		return all
	}
	alone := map[string]string{"App": hashes(app)["App"], "Zoo": hashes(zoo)["Zoo"]}
	for _, texts := range [][]string{{app, zoo}, {zoo, app}} {
		if have := hashes(texts...); !maps.Equal(have, alone) {
			t.Errorf("%v, want %v", have, alone)
		}
	}
	if alone["App"] == alone["Zoo"] {
		t.Error("the scope makes no difference")
	}
}
