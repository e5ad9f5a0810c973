package dynamic_test

import (
	"slices"
	"strings"
	"testing"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

const fitCRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: apps.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: App, plural: apps, singular: app, listKind: AppList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              image: {type: string}
              image-tag: {type: string}
              env: {type: object, additionalProperties: {type: string}}
              ports: {type: array, items: {type: object, properties: {port: {type: integer}}}}
              free: {type: object, x-kubernetes-preserve-unknown-fields: true}
              plain: {type: object}
`

// compiled returns the resource of the one version of a CRD.
func compiled(t *testing.T, text string) prunert.Resource {
	t.Helper()
	c, err := load.CRD([]byte(text), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := dynamic.Compile(c)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d resources, %v", len(all), err)
	}
	return all[0]
}

func TestFitsNamesTheFieldsThatDiffer(t *testing.T) {
	for _, tt := range []struct {
		name, old, new string
		same           bool
		lost, extra    []string
	}{
		{name: "nothing", same: true},
		{name: "a description", old: "image: {type: string}", new: "image: {type: string, description: x}", same: true},
		{name: "a field more", old: "image: {type: string}", new: "image: {type: string}\n              added: {type: object, properties: {below: {type: string}}}", lost: []string{"spec.added"}},
		{name: "a field less", old: "              image: {type: string}\n", new: "", extra: []string{"spec.image"}},
		{name: "a field by another name", old: "port: {type: integer}", new: "number: {type: integer}", lost: []string{"spec.ports[].number"}, extra: []string{"spec.ports[].port"}},
		{name: "a map that is an object", old: "additionalProperties: {type: string}", new: "properties: {a: {type: string}}", lost: nil, extra: []string{"spec.env[*]"}},
		{name: "an object that is free", old: "plain: {type: object}", new: "plain: {type: object, x-kubernetes-preserve-unknown-fields: true}", lost: []string{"spec.plain..."}},
		{name: "a free object that is not", old: "free: {type: object, x-kubernetes-preserve-unknown-fields: true}", new: "free: {type: object, properties: {a: {type: string}}}", extra: []string{"spec.free..."}},
		{name: "a list less", old: "              ports: {type: array, items: {type: object, properties: {port: {type: integer}}}}\n", new: "", extra: []string{"spec.ports"}},
		{name: "a list more", old: "image: {type: string}", new: "image: {type: string}\n              images: {type: array, items: {type: object, properties: {a: {type: string}, b: {type: string}}}}", lost: []string{"spec.images"}},
		{name: "a map less", old: "              env: {type: object, additionalProperties: {type: string}}\n", new: "", extra: []string{"spec.env"}},
		{name: "a map more", old: "image: {type: string}", new: "image: {type: string}\n              env2: {type: object, additionalProperties: {type: object, properties: {a: {type: string}}}}", lost: []string{"spec.env2"}},
		{name: "a list of free objects more", old: "image: {type: string}", new: "image: {type: string}\n              more: {type: array, items: {type: object, x-kubernetes-preserve-unknown-fields: true}}", lost: []string{"spec.more"}},
		{name: "a field less whose name begins another", old: "              image: {type: string}\n              image-tag: {type: string}\n", new: "", extra: []string{"spec.image", "spec.image-tag"}},
		{name: "all less", old: "            properties:\n              image:", new: "            x-kubernetes-preserve-unknown-fields: true\n            properties:\n              image:", lost: []string{"spec..."}},
		{name: "a type", old: "port: {type: integer}", new: "port: {type: string}"},
		{name: "a default", old: "port: {type: integer}", new: "port: {type: integer, default: 1}"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			changed := fitCRD
			if tt.old != "" {
				if changed = strings.Replace(fitCRD, tt.old, tt.new, 1); changed == fitCRD {
					t.Fatal("nothing changed")
				}
			}
			installed, err := load.CRD([]byte(changed), load.Options{})
			if err != nil {
				t.Fatal(err)
			}
			fit, err := dynamic.Fits(compiled(t, fitCRD), installed)
			if err != nil || fit.Same != tt.same || !slices.Equal(fit.Lost, tt.lost) || !slices.Equal(fit.Extra, tt.extra) {
				t.Errorf("%+v, %v", fit, err)
			}
		})
	}
}

func TestFitsRefusesWhatCannotBeCompared(t *testing.T) {
	r := compiled(t, fitCRD)
	for text, want := range map[string]string{
		strings.ReplaceAll(fitCRD, "kind: App,", "kind: Other,"):         "the code is for example.com/v1 App, and the CRD for example.com/v1 Other",
		strings.Replace(fitCRD, "name: v1", "name: v2", 1):               "apps.example.com has no version v2",
		strings.ReplaceAll(fitCRD, "example.com", "example.org"):         "the code is for example.com/v1 App, and the CRD for example.org/v1 App",
		strings.Replace(fitCRD, "image: {type: string}", "image: {}", 1): "",
	} {
		c, err := load.CRD([]byte(text), load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := dynamic.Fits(r, c); err == nil || want != "" && !strings.HasPrefix(err.Error(), strings.Replace(want, "version v2", "version v1", 1)) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := load.CRD([]byte("kind: Pod"), load.Options{}); err == nil {
		t.Error("a pod is taken for a CRD")
	}
	if _, err := load.CRD([]byte("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: 5"), load.Options{}); err == nil || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("%v", err)
	}
	if _, err := load.Object(map[string]any{"kind": func() {}}, load.Options{}); err == nil {
		t.Error("a function is taken for JSON")
	}
}

// Code without Fields may lose any field, which an empty list does not say.
func TestFitsSaysThatFieldsAreNotKnown(t *testing.T) {
	installed, err := load.CRD([]byte(strings.Replace(fitCRD, "image: {type: string}", "image: {type: string}\n              added: {type: string}", 1)), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := compiled(t, fitCRD)
	for _, listed := range []bool{true, false} {
		if !listed {
			r.Fields = nil
		}
		if fit, err := dynamic.Fits(r, installed); err != nil || fit.Same || fit.Unlisted == listed || len(fit.Lost) > 0 != listed {
			t.Errorf("with fields %t: %+v, %v", listed, fit, err)
		}
	}
}

// What Compile returns does what the interpreters do.
func TestCompiledResourcesInterpretTheSchema(t *testing.T) {
	r := compiled(t, strings.Replace(fitCRD, "image: {type: string}", "image: {type: string, default: busybox}", 1))
	obj := func() map[string]any {
		return map[string]any{"apiVersion": "example.com/v1", "kind": "App", "spec": map[string]any{"x": int64(1), "image-tag": nil}}
	}
	var set prunert.Set
	if err := set.Add(r); err != nil {
		t.Fatal(err)
	}
	pruned := obj()
	if dropped, err := set.PruneReport(pruned); err != nil || !slices.Equal(dropped, []string{"spec.x"}) {
		t.Errorf("%q, %v", dropped, err)
	}
	if wrong, err := set.Check(pruned); err != nil || len(wrong) != 1 || wrong[0].Field != "spec.image-tag" {
		t.Errorf("%v, %v", wrong, err)
	}
	normal := obj()
	unknown, err := set.Normalize(normal, prunert.NormalizeOptions{ReportUnknown: true})
	spec := normal["spec"].(map[string]any)
	if err != nil || !slices.Equal(unknown, []string{"spec.x"}) || len(spec) != 1 || spec["image"] != "busybox" {
		t.Errorf("%v, %q, %v", normal, unknown, err)
	}
	if err := set.Default(pruned); err != nil || pruned["spec"].(map[string]any)["image"] != "busybox" {
		t.Errorf("%v, %v", pruned, err)
	}
}

// notStructural is a v1beta1 CRD whose schema cannot be structural: objects are validated by it all the same.
const notStructural = `
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: apps.example.com}
spec:
  group: example.com
  version: v1
  scope: Namespaced
  names: {kind: App, plural: apps, singular: app, listKind: AppList}
  validation:
    openAPIV3Schema:
      $schema: http://json-schema.org/schema#
      type: object
      properties:
        count: {type: integer, minimum: 1}
`

// scaledCRD has a scale subresource.
var scaledCRD = strings.Replace(fitCRD, "storage: true", "storage: true\n    subresources: {scale: {specReplicasPath: .spec.n, statusReplicasPath: .status.n}}", 1)

// Whatever changes what a function does makes code that has the function unfit.
func TestFitsNoticesEveryChangeOfBehavior(t *testing.T) {
	for name, tt := range map[string]struct{ crd, old, new string }{
		"the scope":       {fitCRD, "scope: Namespaced", "scope: Cluster"},
		"a subresource":   {fitCRD, "storage: true", "storage: true\n    subresources: {status: {}}"},
		"another":         {fitCRD, "storage: true", "storage: true\n    subresources: {scale: {specReplicasPath: .spec.n, statusReplicasPath: .status.n}}"},
		"its paths":       {scaledCRD, ".spec.n", ".spec.m"},
		"the deprecation": {fitCRD, "storage: true", "storage: true\n    deprecated: true"},
		"a bound in a schema that cannot be structural": {notStructural, "minimum: 1", "minimum: 5"},
		"a type in a schema that cannot be structural":  {notStructural, "type: integer, minimum: 1", "type: string"},
	} {
		t.Run(name, func(t *testing.T) {
			for changed, want := range map[string]bool{tt.crd: true, strings.Replace(tt.crd, tt.old, tt.new, 1): false} {
				installed, err := load.CRD([]byte(changed), load.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if fit, err := dynamic.Fits(compiled(t, tt.crd), installed); err != nil || fit.Same != want {
					t.Errorf("%+v, %v, want %t for\n%s", fit, err, want, changed)
				}
			}
		})
	}
}

// The API server validates by a schema that cannot be structural, and so does the resource.
func TestCompiledResourcesValidateBySchemasThatCannotBeStructural(t *testing.T) {
	r := compiled(t, notStructural)
	obj := map[string]any{"apiVersion": "example.com/v1", "kind": "App", "metadata": map[string]any{"name": "x"}, "count": int64(0)}
	if errs := r.Validate(obj); len(errs) != 1 || errs[0].Field != "count" {
		t.Errorf("%v", errs)
	}
	if r.ValidateUpdate == nil || r.ValidateMetadata == nil {
		t.Error("functions are missing")
	}
}
