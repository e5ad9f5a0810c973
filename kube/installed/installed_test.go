package installed_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"

	v1 "github.com/prune-gen/prune-gen/examples/operator/api/v1"
	"github.com/prune-gen/prune-gen/kube/installed"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: apps.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: App, plural: apps, singular: app, listKind: AppList}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {a: {type: string}, b: {type: string}}}}}}}
`

// The operator has the directive that the documentation shows. CRDs are upgraded before it, and that must not make it unready.
func TestCheckOfCodeThatIsGeneratedByDefault(t *testing.T) {
	data, err := os.ReadFile("../../examples/operator/config/crd/bases/stable.example.com_crontabs.yaml")
	if err != nil {
		t.Fatal(err)
	}
	const image = "              image:\n                type: string\n"
	for name, tt := range map[string]struct {
		old, new string
		dropped  []string
	}{
		"the same":             {image, image, nil},
		"one field newer":      {image, image + "              imageTag:\n                type: string\n", nil},
		"one value looser":     {"maximum: 10", "maximum: 20", nil},
		"one field older":      {image, "", []string{"spec.image"}},
		"older below elements": {"                    reason:\n                      type: string\n", "", []string{"status.conditions[].reason"}},
	} {
		t.Run(name, func(t *testing.T) {
			changed := strings.Replace(string(data), tt.old, tt.new, 1)
			if changed == string(data) != (tt.old == tt.new) {
				t.Fatal("the CRD is the same")
			}
			var obj unstructured.Unstructured
			if err := utilyaml.Unmarshal([]byte(changed), &obj.Object); err != nil {
				t.Fatal(err)
			}
			var older *installed.OlderError
			err := installed.Check(&obj, v1.CronTabResource)
			if (err == nil) != (tt.dropped == nil) || err != nil && (!errors.As(err, &older) || !slices.Equal(older.Fields, tt.dropped)) {
				t.Errorf("%v, want %q", err, tt.dropped)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	parsed, err := load.CRD([]byte(crd), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	code, err := dynamic.Compile(parsed)
	if err != nil {
		t.Fatal(err)
	}
	without := code[0]
	without.Fields = nil
	for name, tt := range map[string]struct {
		old, new, want string
		noFields       bool
	}{
		"the same":       {},
		"same unlisted":  {noFields: true},
		"newer":          {old: "b: {type: string}", new: "b: {type: string}, c: {type: string}"},
		"older":          {old: ", b: {type: string}", want: "the CRD apps.example.com v1 is older than the code: the API server drops spec.b"},
		"newer unlisted": {old: "b: {type: string}", new: "b: {type: string}, c: {type: string}", noFields: true, want: "no function Fields"},
		"not served":     {old: "served: true", new: "served: false", want: "the CRD apps.example.com does not serve v1"},
		"other version":  {old: "name: v1", new: "name: v2", want: "does not serve v1"},
		"other kind":     {old: "kind: App,", new: "kind: Other,", want: "the code is for example.com/v1 App"},
		"no CRD":         {old: "kind: CustomResourceDefinition", new: "kind: Pod", want: "read the CustomResourceDefinition"},
	} {
		t.Run(name, func(t *testing.T) {
			var obj unstructured.Unstructured
			if err := utilyaml.Unmarshal([]byte(strings.Replace(crd, tt.old, tt.new, 1)), &obj.Object); err != nil {
				t.Fatal(err)
			}
			r := code[0]
			if tt.noFields {
				r = without
			}
			err := installed.Check(&obj, r)
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
			var older *installed.OlderError
			if isOlder := errors.As(err, &older); isOlder != (name == "older") || isOlder && !slices.Equal(older.Fields, []string{"spec.b"}) {
				t.Errorf("%+v", older)
			}
		})
	}
}
