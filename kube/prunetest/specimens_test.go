package prunetest_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/prune-gen/prune-gen/kube/prunetest"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

func loadCRD(t *testing.T, file string) *structural.CRD {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	crd, err := load.CRD(data, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return crd
}

func TestObjectsAreValidOrNot(t *testing.T) {
	files, err := filepath.Glob("testdata/crds/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, "../../examples/operator/config/crd/bases/stable.example.com_crontabs.yaml") {
		crd := loadCRD(t, file)
		resources, err := dynamic.Compile(crd)
		if err != nil {
			t.Fatal(err)
		}
		valid, invalid, err := prunetest.Objects(crd, 1)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if len(valid) == 0 || len(invalid) < len(valid)/2 {
			t.Errorf("%s: %d valid and %d invalid objects", file, len(valid), len(invalid))
		}
		refusal := func(obj *unstructured.Unstructured, validation prunert.FieldValidation) error {
			for _, r := range resources {
				if r.APIVersion() == obj.GetAPIVersion() {
					return r.Create(obj.DeepCopy().Object, prunert.Request{FieldValidation: validation}).Err()
				}
			}
			t.Fatalf("%s: there is no version %s", file, obj.GetAPIVersion())
			return nil
		}
		for _, obj := range valid {
			if err := refusal(obj, prunert.FieldValidationStrict); err != nil {
				t.Errorf("%s: %v: %v", file, err, obj.Object)
			}
		}
		dropped := 0
		for _, obj := range invalid {
			if refusal(obj, prunert.FieldValidationStrict) == nil {
				t.Errorf("%s: accepted: %v", file, obj.Object)
			}
			if refusal(obj, prunert.FieldValidationIgnore) == nil {
				dropped++
			}
		}
		if dropped == len(invalid) {
			t.Errorf("%s: invalid objects have unknown fields only", file)
		}
	}
}

func TestObjectsFollowFromTheSeed(t *testing.T) {
	crd := loadCRD(t, "../../examples/operator/config/crd/bases/stable.example.com_crontabs.yaml")
	objects := func(seed uint64) [2][]*unstructured.Unstructured {
		valid, invalid, err := prunetest.Objects(crd, seed)
		if err != nil {
			t.Fatal(err)
		}
		return [2][]*unstructured.Unstructured{valid, invalid}
	}
	if one := objects(1); !reflect.DeepEqual(one, objects(1)) || reflect.DeepEqual(one, objects(2)) {
		t.Error("they do not")
	}
}

func TestObjectsOfACRDThatTheServerRefuses(t *testing.T) {
	crd := loadCRD(t, "../../examples/operator/config/crd/bases/stable.example.com_crontabs.yaml")
	crd.Versions[0].Schema.Type = "string"
	if valid, _, err := prunetest.Objects(crd, 1); err == nil {
		t.Errorf("%d objects", len(valid))
	}
}
