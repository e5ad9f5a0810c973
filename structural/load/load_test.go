package load_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/prune-gen/prune-gen/structural/load"
)

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crontabs.stable.example.com}
spec:
  group: stable.example.com
  scope: Namespaced
  names: {kind: CronTab, plural: crontabs}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {cronSpec: {type: string}}}
`

// unusable cannot be read, refused can be read and would be refused.
var (
	unusable = strings.Replace(crd, "cronSpec: {type: string}", "cronSpec: {type: [string]}", 1)
	refused  = strings.Replace(crd, "cronSpec: {type: string}", "cronSpec: {}", 1)
)

func TestCRDsAreReadFromDocumentsAndLists(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, crd: 1, crd + "---\na: 1\n---\n" + strings.ReplaceAll(crd, "crontabs", "others"): 2,
		`{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Pod"}]}`: 0,
	} {
		all, err := load.CRDs(strings.NewReader(text), load.Options{Strict: true})
		if err != nil || len(all) != want {
			t.Errorf("%d CRDs, %v, want %d", len(all), err, want)
		}
		if _, err := load.CRD([]byte(text), load.Options{}); (err == nil) != (want == 1) {
			t.Errorf("one of %d: %v", want, err)
		}
	}
}

func TestStrictRefusesWhatTheServerRefuses(t *testing.T) {
	const (
		notString = "spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[cronSpec].type: expected a string, found a list"
		noType    = "spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[cronSpec].type: Required value: must not be empty for specified object fields"
	)
	for _, c := range []struct {
		text   string
		strict bool
		want   string
	}{
		{crd, false, ""}, {crd, true, ""}, {refused, false, ""}, {refused, true, noType}, {unusable, false, notString}, {unusable, true, notString},
	} {
		got, err := load.CRD([]byte(c.text), load.Options{Name: "crd.yaml", Strict: c.strict})
		if (err == nil) != (c.want == "") || (got == nil) != (c.want != "") {
			t.Errorf("strict %t: %v, want %s", c.strict, err, c.want)
			continue
		}
		if err == nil {
			continue
		}
		var e *load.Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), "read the CustomResourceDefinition: crd.yaml: line 16: "+c.want) || e.Findings[0].Line != 16 {
			t.Errorf("strict %t: %v, want %s", c.strict, err, c.want)
		}
	}
}

func TestObjectsHaveNoLines(t *testing.T) {
	spec := map[string]any{
		"group": "example.com", "scope": "Namespaced", "names": map[string]any{"kind": "App", "plural": "apps"},
		"versions": []any{map[string]any{"name": "v1", "served": true, "storage": true}},
	}
	obj := map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": "apps.example.com"}, "spec": spec,
	}
	if c, err := load.Object(obj, load.Options{}); err != nil || c.Names.Kind != "App" {
		t.Errorf("%v, %v", c, err)
	}
	const want = "read the CustomResourceDefinition: spec.versions[0].schema.openAPIV3Schema: Required value"
	if _, err := load.Object(obj, load.Options{Strict: true}); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	obj["status"] = math.NaN()
	if _, err := load.Object(obj, load.Options{}); err == nil {
		t.Error("NaN is read")
	}
}

func TestReadersThatFailAreErrors(t *testing.T) {
	if _, err := load.CRDs(iotest.ErrReader(errors.New("broken")), load.Options{Name: "f", Strict: true}); err == nil || err.Error() != "read the CustomResourceDefinition: f: line 1: cannot read the file: broken" {
		t.Error(err)
	}
}

// A program has no flag that raises a limit.
func TestLimitsNameNoFlag(t *testing.T) {
	const want = "read the CustomResourceDefinition: f: line 50001: too large: the run exceeds the limit of 50000 documents"
	if _, err := load.CRDs(strings.NewReader(strings.Repeat("--- 1\n", 50_001)), load.Options{Name: "f"}); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
