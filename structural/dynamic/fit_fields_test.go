package dynamic_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

// fitSchema has fields in objects, lists and maps, and in each of these in the others.
const fitSchema = `
type: object
properties:
  spec:
    type: object
    properties:
      a: {type: string}
      ab: {type: object, properties: {c: {type: string}, d: {type: object, properties: {e: {type: integer}}}}}
      "a.b": {type: object, properties: {c: {type: string}}}
      list: {type: array, items: {type: object, properties: {x: {type: string}, y: {type: array, items: {type: object, properties: {z: {type: string}}}}}}}
      map: {type: object, additionalProperties: {type: object, properties: {x: {type: string}, y: {type: object, additionalProperties: {type: object, properties: {z: {type: string}}}}}}}
      listOfMaps: {type: array, items: {type: object, additionalProperties: {type: object, properties: {x: {type: string}}}}}
      mapOfLists: {type: object, additionalProperties: {type: array, items: {type: object, properties: {x: {type: string}}}}}
      free: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {known: {type: object, properties: {x: {type: string}}}}}
      embedded: {type: object, x-kubernetes-embedded-resource: true, properties: {data: {type: string}, spec: {type: object, properties: {x: {type: string}}}}}
  status: {type: object, properties: {a: {type: string}}}
`

// fitCRDOf returns a CRD with a schema.
func fitCRDOf(t *testing.T, schema map[string]any) string {
	t.Helper()
	data, err := json.Marshal(map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": "apps.example.com"},
		"spec": map[string]any{
			"group": "example.com", "scope": "Namespaced", "names": map[string]any{"kind": "App", "plural": "apps", "singular": "app", "listKind": "AppList"},
			"versions": []any{map[string]any{"name": "v1", "served": true, "storage": true, "schema": map[string]any{"openAPIV3Schema": schema}}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// removal takes something out of a schema, and puts it back.
type removal struct {
	path    string
	remove  func()
	restore func()
}

// removals returns one for each field below a schema, and one for each list and map that loses what is known about its elements and
// values. Below a schema that keeps everything, nothing is lost with a field.
func removals(at string, s map[string]any) []removal {
	var all []removal
	take := func(path string, from map[string]any, key string) {
		old := from[key]
		all = append(all, removal{path, func() { delete(from, key) }, func() { from[key] = old }})
	}
	properties, _ := s["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if s["x-kubernetes-preserve-unknown-fields"] != true {
			take(at+"."+name, properties, name)
		}
		all = append(all, removals(at+"."+name, properties[name].(map[string]any))...)
	}
	if items, ok := s["items"].(map[string]any); ok {
		all = append(all, removals(at+"[]", items)...)
	}
	if values, ok := s["additionalProperties"].(map[string]any); ok {
		take(at+"[*]", s, "additionalProperties")
		all = append(all, removals(at+"[*]", values)...)
	}
	return all
}

// What a CRD has more or less is named by its topmost path, whatever it is and wherever it stands.
func TestFitsPropertyByProperty(t *testing.T) {
	var schema map[string]any
	if err := yaml.Unmarshal([]byte(fitSchema), &schema); err != nil {
		t.Fatal(err)
	}
	whole := fitCRDOf(t, schema)
	fits := func(code, crd string) dynamic.Fit {
		t.Helper()
		installed, err := load.CRD([]byte(crd), load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		fit, err := dynamic.Fits(compiled(t, code), installed)
		if err != nil {
			t.Fatal(err)
		}
		return fit
	}
	if fit := fits(whole, whole); !fit.Same || fit.Lost != nil || fit.Extra != nil {
		t.Errorf("the CRD does not fit itself: %+v", fit)
	}
	all := removals("", schema)
	if len(all) < 30 {
		t.Errorf("only %d fields are removed", len(all))
	}
	for _, r := range all {
		r.remove()
		part := fitCRDOf(t, schema)
		r.restore()
		want := []string{strings.TrimPrefix(r.path, ".")}
		if fit := fits(whole, part); fit.Same || fit.Lost != nil || !slices.Equal(fit.Extra, want) {
			t.Errorf("the code has %s more: %+v", r.path, fit)
		}
		if fit := fits(part, whole); fit.Same || fit.Extra != nil || !slices.Equal(fit.Lost, want) {
			t.Errorf("the CRD has %s more: %+v", r.path, fit)
		}
	}
}
