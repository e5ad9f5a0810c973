package serve

import (
	"net"
	"strings"
	"testing"

	genericapiserver "k8s.io/apiserver/pkg/server"

	prunert "github.com/prune-gen/prune-gen/runtime"
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
	all, err := Definitions([]byte(crd + "\n---\n" + strings.ReplaceAll(crd, "hing", "hang") + "\n---\n"))
	if err != nil || len(all) != 2 {
		t.Fatalf("%d definitions, %v", len(all), err)
	}
	d := all[0]
	if d.Names.Singular != "thing" || d.Names.ListKind != "ThingList" || d.Namespaced || d.Storage != "v2" || d.Versions[0].Status || !d.Versions[1].Status {
		t.Errorf("%+v", d)
	}
}

func TestDefinitionsRefuseWhatIsNotServed(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"status: {}", "scale: {specReplicasPath: .a, statusReplicasPath: .b}", "the scale subresource is not served"},
		{"scope: Cluster", "scope: Cluster\n  conversion: {strategy: Webhook}", "only None is served"},
		{"storage: true", "storage: false", "no version is the storage version"},
		{"kind: CustomResourceDefinition", "kind: Other", "is not a CustomResourceDefinition"},
		{"spec:", "spec: [", "parse a CRD"},
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
	config := Config{Generic: &genericapiserver.RecommendedConfig{}, Resources: set, Definitions: append(definitions, definitions...)}
	for _, want := range []string{"no code is linked for example.com/v1 Thing", "things.example.com is defined twice"} {
		if _, err := config.New(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	for _, version := range []string{"v1", "v2"} {
		if err := set.Add(prunert.Resource{Group: "example.com", Version: version, Kind: "Thing", HasRules: version == "v2"}); err != nil {
			t.Fatal(err)
		}
	}
	config.Definitions = definitions
	if _, err := config.New(); err == nil || !strings.Contains(err.Error(), "things.example.com has CEL rules (x-kubernetes-validations) in v2") {
		t.Errorf("rules: %v", err)
	}
	config.Definitions = nil
	if _, err := config.New(); err == nil || err.Error() != "no resource is defined" {
		t.Errorf("no definitions: %v", err)
	}
}

func TestOptionsStayOnLoopback(t *testing.T) {
	o := NewOptions()
	if !o.Recommended.SecureServing.BindAddress.IsLoopback() {
		t.Errorf("the default is %s", o.Recommended.SecureServing.BindAddress)
	}
	o.Local = true
	if err := o.Validate(); err != nil {
		t.Errorf("on loopback: %v", err)
	}
	o.Recommended.SecureServing.BindAddress = net.IPv4zero
	if err := o.Validate(); err == nil {
		t.Error("everybody may do everything, everywhere")
	}
}
