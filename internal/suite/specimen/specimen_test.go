package specimen

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/structural"
)

func testSchema(t *testing.T) *structural.Schema {
	t.Helper()
	text, err := os.ReadFile("testdata/schema.yaml")
	if err != nil {
		t.Fatal(err)
	}
	js, findings := crdread.ParseSchema("schema", text)
	s, errs := structural.NewSchema(js, nil)
	if errs = append(errs, structural.Validate(s, nil)...); len(findings)+len(errs) > 0 {
		t.Fatal(findings, errs)
	}
	return s
}

func TestCleanObjectsHaveNothingToPrune(t *testing.T) {
	s := testSchema(t)
	for seed := range uint64(500) {
		obj := Make(s, seed, Options{Size: int(200 + 20*seed)})
		if dropped := interpret.Prune(obj, s, interpret.PruneOptions{}); len(dropped) > 0 {
			t.Fatalf("seed %d: %q", seed, dropped)
		}
	}
}

func TestCleanObjectsKeepToTheirBounds(t *testing.T) {
	s := testSchema(t)
	for seed := range uint64(300) {
		spec := Make(s, seed, Options{})["spec"].(map[string]any)
		if name, ok := spec["name"].(string); !ok || len(name) < 3 || len(name) > 5 {
			t.Fatalf("seed %d: name %#v", seed, spec["name"])
		}
		if n, ok := spec["count"]; ok && (n.(int64) < 5 || n.(int64) > 7) {
			t.Fatalf("seed %d: count %#v", seed, n)
		}
		if mode, ok := spec["mode"]; ok && mode != "Fast" && mode != "Slow" {
			t.Fatalf("seed %d: mode %#v", seed, mode)
		}
	}
}

func TestSizeIsAboutWhatIsWanted(t *testing.T) {
	s := testSchema(t)
	small, _ := crdread.ParseSchema("schema", []byte(`{type: object, properties: {spec: {type: object, properties: {a: {type: string}, b: {type: string}}}}}`))
	text, _ := structural.NewSchema(small, nil)
	for _, size := range []int{2_000, 15_000, 200_000} {
		for seed := range uint64(20) {
			for name, s := range map[string]*structural.Schema{"everything": s, "text only": text} {
				data, err := json.Marshal(Make(s, seed, Options{Size: size}))
				if err != nil {
					t.Fatal(err)
				}
				if len(data) < size*9/10 || len(data) > size*11/10 {
					t.Errorf("%s: seed %d: %d bytes, not %d", name, seed, len(data), size)
				}
			}
		}
	}
}

// Every field of metadata is in some objects.
func TestMetadataHasAllFields(t *testing.T) {
	s := testSchema(t)
	seen := map[string]bool{}
	for seed := range uint64(300) {
		for name := range Make(s, seed, Options{})["metadata"].(map[string]any) {
			seen[name] = true
		}
	}
	for name := range structural.ObjectMeta().Properties {
		if !seen[name] {
			t.Errorf("no object has metadata.%s", name)
		}
	}
}

func TestNamesAreThoseAskedFor(t *testing.T) {
	obj := Make(testSchema(t), 1, Options{APIVersion: "example.com/v1", Kind: "Widget", Name: "w", Namespace: "n"})
	meta := obj["metadata"].(map[string]any)
	if obj["apiVersion"] != "example.com/v1" || obj["kind"] != "Widget" || meta["name"] != "w" || meta["namespace"] != "n" {
		t.Errorf("%v", obj)
	}
}

func TestNoSchemaMakesMetadataOnly(t *testing.T) {
	for k := range Make(nil, 1, Options{}) {
		if !structural.IsMetaField(k) {
			t.Errorf("%s is not specified", k)
		}
	}
}
