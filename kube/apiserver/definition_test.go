package apiserver

import (
	"strings"
	"testing"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

const crd = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: Thing, plural: things}
  versions:
  - {name: v1, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
  - {name: v2, served: true, storage: true, subresources: {status: {}}, schema: {openAPIV3Schema: {type: object}}}
  - {name: v0, served: false, storage: false, schema: {openAPIV3Schema: {type: object}}}
`

func TestDefinitionsFillInNames(t *testing.T) {
	all, err := Definitions([]byte("# A comment\n---\n" + crd + "\n---\n" + strings.ReplaceAll(crd, "hing", "hang") + "\n---\n"))
	if err != nil || len(all) != 2 {
		t.Fatalf("%d definitions, %v", len(all), err)
	}
	d := all[0]
	if d.Names.Singular != "thing" || d.Names.ListKind != "ThingList" || d.Namespaced() || d.Storage != "v2" || d.Versions[0].Subresources.Status != nil || d.Versions[1].Subresources.Status == nil {
		t.Errorf("%+v", d)
	}
}

func TestDefinitionsRefuseWhatIsNotServed(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"storage: true", "storage: false", "no version is the storage version"},
		{"kind: CustomResourceDefinition", "kind: Other", "is not a CustomResourceDefinition"},
		{"spec:", "spec: [", "parse a CRD"},
		{"scope: Cluster", "scope: Cluster\n  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1]}}", "things.example.com: spec.conversion does not say where its webhook is"},
	} {
		_, err := Definitions([]byte(strings.Replace(crd, c.old, c.new, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s", c.new, err, c.want)
		}
	}
}

func TestServerRefusesToStartWithoutCode(t *testing.T) {
	definitions, err := Definitions([]byte(crd))
	if err != nil {
		t.Fatal(err)
	}
	set := &prunert.Set{}
	refused := func(want string) {
		t.Helper()
		_, err := definitions[0].resources(set, false)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	refused("no code is linked for example.com/v1 Thing")
	for _, r := range compile(t, crd) {
		r.HasRules, r.ValidateRules = r.Version == "v2", nil
		if err := set.AddPartial(r); err != nil {
			t.Fatal(err)
		}
	}
	refused("things.example.com has CEL rules (x-kubernetes-validations) in v2, which the linked code does not evaluate")
	r, _ := set.Lookup("example.com", "v2", "Thing")
	r.ValidateRules = func(obj, old map[string]any) (prunert.ErrorList, []string) { return nil, nil }
	if err := set.Put(r); err != nil {
		t.Fatal(err)
	}
	if _, err := definitions[0].resources(set, false); err != nil {
		t.Errorf("rules that are evaluated: %v", err)
	}
}

// compile returns resources that do what the CRD says.
func compile(t *testing.T, crd string) []prunert.Resource {
	t.Helper()
	c, err := load.CRD([]byte(crd), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := dynamic.Compile(c)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Code that was generated from another schema would drop, refuse or accept what the CRD does not say.
func TestServerRefusesCodeOfAnotherSchema(t *testing.T) {
	for _, c := range []struct{ schema, want string }{
		{"{type: object, properties: {a: {type: string, maxLength: 5}}}", ""},
		{"{type: object, description: A thing., properties: {a: {type: string, maxLength: 5}}}", ""},
		{"{type: object, properties: {a: {type: string, maxLength: 6}}}", "the fields are the same, their types, defaults or validation are not"},
		{"{type: object, properties: {a: {type: string, maxLength: 5, default: x}}}", "the fields are the same, their types, defaults or validation are not"},
		{"{type: object, properties: {a: {type: string, maxLength: 5}, b: {type: string}}}", "the code drops b"},
		{"{type: object, properties: {b: {type: string}}}", "the code drops b; the code keeps a"},
	} {
		with := func(schema string) string {
			return strings.Replace(crd, "subresources: {status: {}}, schema: {openAPIV3Schema: {type: object}}", "subresources: {status: {}}, schema: {openAPIV3Schema: "+schema+"}", 1)
		}
		definitions, err := Definitions([]byte(with(c.schema)))
		if err != nil {
			t.Fatal(err)
		}
		set := &prunert.Set{}
		if err := set.Add(compile(t, with("{type: object, properties: {a: {type: string, maxLength: 5}}}"))...); err != nil {
			t.Fatal(err)
		}
		_, err = definitions[0].resources(set, false)
		want := "the code for example.com/v2 Thing was generated from another schema than that of the CRD: " + c.want + "; generate it again"
		if c.want == "" && err != nil || c.want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%s: %v, want %s", c.schema, err, c.want)
		}
	}
}
