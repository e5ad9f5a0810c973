package testcmd

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/suite"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
)

// A request with a patched CRD says nothing about the CRD; those after it, with the CRD as it is, do. Every served version counts, also
// one without a case.
func TestCoverageOfCases(t *testing.T) {
	crd := structuraltest.WidgetsWith(`  - name: v1
    served: true
    storage: true
    subresources: {scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {size: {type: integer, maximum: 10}, name: {type: string, default: x}, replicas: {type: integer, maximum: 3}}}
  - name: v2
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer, minimum: 1}}}}}}
  - name: v3
    served: false
    storage: false
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer, minimum: 2}}}}}}
`)
	never := []string{"v1 name never reached", "v1 replicas never reached", "v1 size never reached", "v2 size never reached"}
	but := func(states ...string) []string {
		all := slices.Clone(never)
		for _, s := range states {
			i := slices.IndexFunc(all, func(n string) bool {
				return strings.Join(strings.Fields(n)[:2], " ") == strings.Join(strings.Fields(s)[:2], " ")
			})
			all[i] = s
		}
		return all
	}
	const patch = ", initialCRDPatches: [{op: remove, path: /spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/size/maximum}]"
	object := func(version, spec string) string {
		return "{apiVersion: example.com/" + version + ", kind: Widget, spec: " + spec + "}"
	}
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"no case", "tests: {}", never},
		{"accepted", "tests: {onCreate: [{initial: " + object("v1", "{size: 1, name: a}") + "}]}", but("v1 name only overridden", "v1 size only satisfied")},
		{"refused", "tests: {onCreate: [{initial: " + object("v1", "{size: 11}") + "}]}", but("v1 size only violated")},
		{"another version", "tests: {onCreate: [{initial: " + object("v2", "{size: 0}") + "}]}", but("v2 size only violated")},
		{"patched, then tolerated", "tests: {onUpdate: [{initial: " + object("v1", "{size: 11, name: a}") + ", updated: " + object("v1", "{size: 11, name: a}") + patch + "}]}", but("v1 name only overridden")},
		{"patched, then refused", "tests: {onUpdate: [{initial: " + object("v1", "{size: 11, name: a}") + ", updated: " + object("v1", "{size: 12, name: a}") + patch + "}]}", but("v1 name only overridden", "v1 size only violated")},
		{"patched, then accepted", "tests: {onUpdate: [{initial: " + object("v1", "{size: 11, name: a}") + ", updated: " + object("v1", "{size: 1, name: a}") + patch + "}]}", but("v1 name only overridden", "v1 size only satisfied")},
	} {
		var vs suite.Variants
		for _, c := range crdread.Load("crd.yaml", strings.NewReader(crd)).CRDs {
			vs.All = append(vs.All, suite.NewVariant(c))
		}
		s, wrong := suite.Read(meter.New(1), "s.yaml", []byte("crdName: widgets.example.com\n"+test.text+"\n"))
		if len(wrong) > 0 {
			t.Fatal(wrong)
		}
		var c coverage
		c.expect(vs.All)
		for _, r := range vs.Runs(s) {
			r.Do(c.observe)
		}
		var got []string
		for _, of := range c.seen.Report().CRDs {
			for _, constraint := range of.Constraints {
				got = append(got, fmt.Sprintf("%s %s %s", of.Version, strings.TrimPrefix(constraint.Path, "spec."), constraint.State()))
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q\nwant %q", test.name, got, test.want)
		}
	}
}
