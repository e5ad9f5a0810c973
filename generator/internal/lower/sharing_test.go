package lower

import (
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/internal/testing/crdtest"
	"github.com/prune-gen/prune-gen/structural"
)

func TestFunctionsAreSharedWithinKindsOrAcrossThem(t *testing.T) {
	shared := "{type: object, properties: {x: {type: string}, list: {type: array, items: {type: object, properties: {z: {type: string}}}}}}"
	all := resources(t, structural.APIServer,
		crdtest.Manifest("Beta", "type: object\nproperties: {a: {type: object, properties: {b: "+shared+", c: "+shared+"}}, own: {type: object, properties: {b: {type: string}}}}"),
		crdtest.Manifest("Alpha", "type: object\nproperties: {spec: "+shared+"}"))
	names := func(sharing Sharing) string {
		var names []string
		for _, n := range Plan(all, []Pass{Prune}, sharing, nil).Tree("prune").Funcs {
			owner := "-"
			if n.Owner != "" {
				owner = n.Owner
			}
			names = append(names, owner+" "+n.Name+" "+n.Path)
		}
		return strings.Join(names, "\n")
	}
	crdtest.CompareText(t, names(ShareWithinKinds), `
Alpha Alpha 
Alpha AlphaSpec .spec
Alpha AlphaSpecList .spec.list
Alpha AlphaSpecListItem .spec.list[]
Beta Beta 
Beta BetaA .a
Beta BetaWithListX .a.b
Beta BetaABList .a.b.list
Beta BetaABListItem .a.b.list[]
Beta BetaOwn .own`)
	crdtest.CompareText(t, names(ShareAcrossKinds), `
Alpha Alpha 
Beta Beta 
Beta BetaA .a
Beta BetaOwn .own
- SharedWithListX .spec
- SharedSpecList .spec.list
- SharedSpecListItem .spec.list[]`)
}

func TestKindsThatAreEqualShareEvenTheirRoots(t *testing.T) {
	all := resources(t, structural.APIServer, crdtest.Manifest("B", "type: object"), crdtest.Manifest("Shared", "type: object"))
	p := Plan(all, []Pass{Prune}, ShareAcrossKinds, nil)
	got := p.String()
	for _, want := range []string{"B example.com/v1\n  prune Shared\n", "Shared example.com/v1\n  prune Shared\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("the plan lacks %q:\n%s", want, got)
		}
	}
}

func TestFunctionsComeInTheOrderOfTheirPaths(t *testing.T) {
	schema := `
type: object
properties:
  a: {type: object, properties: {b: {type: object, properties: {c: {type: array, items: {type: object, properties: {d: {type: integer}}}}}}}}
  e: {type: object, properties: {f: {type: object, properties: {g: {type: boolean}}}}}
`
	p := lowered(t, structural.APIServer, crdtest.Manifest("App", schema), crdtest.Manifest("Zoo", strings.ReplaceAll(schema, "boolean", "number")))
	names := func(nodes []*plan.Node) string {
		var all []string
		for _, n := range nodes {
			all = append(all, n.Name)
		}
		return strings.Join(all, " ")
	}
	crdtest.CompareText(t, names(p.Tree("prune").Funcs), "App AppA AppAB AppABC AppABCItem AppE AppEF Zoo ZooA ZooAB ZooABC ZooABCItem ZooE ZooEF")
	crdtest.CompareText(t, names(p.Tree("check").Funcs), "App AppA AppAB AppABC AppABCItem AppE AppEF Zoo ZooA ZooAB ZooABC ZooABCItem ZooE ZooEF")
}
