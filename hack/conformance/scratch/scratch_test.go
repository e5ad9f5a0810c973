package scratch

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/hack/conformance/compare"
	"github.com/prune-gen/prune-gen/hack/conformance/corpus"
)

// crd returns a CRD with one version whose field has the given type.
func crd(kind, group, version, typ string) []byte {
	plural := strings.ToLower(kind) + "s"
	return fmt.Appendf(nil, `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %[1]s.%[3]s}
spec:
  group: %[3]s
  names: {kind: %[2]s, plural: %[1]s}
  scope: Namespaced
  versions:
  - {name: %[4]s, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: %[5]s}}}}}
`, plural, kind, group, version, typ)
}

func subjects(t *testing.T, files ...[]byte) []*compare.Subject {
	t.Helper()
	c := &corpus.Corpus{}
	for i, data := range files {
		c.AddFile(fmt.Sprintf("%d.yaml", i), data)
	}
	var all []*compare.Subject
	for _, crd := range c.CRDs {
		s, err := compare.Subjects(crd)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s...)
	}
	if len(all) != len(files) {
		t.Fatalf("%d subjects of %d files", len(all), len(files))
	}
	return all
}

func TestKindsOfAGroupAndVersionShareAPackage(t *testing.T) {
	all := subjects(t,
		crd("Widget", "example.com", "v1", "string"),
		crd("Gadget", "example.com", "v1", "string"),
		crd("Widget", "example.com", "v1", "integer"), // another edition of the first
		crd("Widget", "example.com", "v2", "string"),
		crd("Widget", "example.org", "v1", "string"),
	)
	packages, refused, stats, err := Generate(all, generator.AllFeatures())
	if err != nil || len(refused) > 0 {
		t.Fatal(err, refused)
	}
	var names []string
	ids := map[string]bool{}
	for _, p := range packages {
		names = append(names, strings.Join(slices.Sorted(maps.Values(p.Resources)), " "))
		for id := range p.Resources {
			ids[id] = true
		}
	}
	want := []string{"GadgetResource WidgetResource", "WidgetResource", "WidgetResource", "WidgetResource"}
	if !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	for _, s := range all {
		if !ids[s.ID()] {
			t.Errorf("%s has no resource", s)
		}
	}
	if stats.Packages != 4 || stats.Kinds != 5 || stats.Bytes == 0 {
		t.Errorf("%+v", stats)
	}
	main := string(mainFile(packages))
	for id := range ids {
		if !strings.Contains(main, fmt.Sprintf("%q: {Resource: p00", id)) {
			t.Errorf("%s is not in\n%s", id, main)
		}
	}
}

func TestWhatTheGeneratorRefusesIsListed(t *testing.T) {
	all := subjects(t, crd("Widget", "example.com", "v1", "string"), crd("Odd", "example.com", "v1", "strings"))
	packages, refused, _, err := Generate(all, generator.AllFeatures())
	if err != nil {
		t.Fatal(err)
	}
	if len(packages) != 1 || len(packages[0].Resources) != 1 {
		t.Errorf("%d packages", len(packages))
	}
	if len(refused) != 1 || refused[0].Subject != all[1] || !strings.Contains(refused[0].Reason, "strings") {
		t.Errorf("%+v", refused)
	}
}
