package prunetest_test

import (
	"fmt"
	"os"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/prune-gen/prune-gen/kube/prunetest"
	"github.com/prune-gen/prune-gen/structural/load"
)

// Servers before Kubernetes 1.35 do not know the format k8s-short-name.
func ExampleForKubernetes() {
	_ = func(t *testing.T) {
		for _, version := range []string{"1.33", "1.35", "1.37"} {
			crds, err := prunetest.ForKubernetes(version, "config/crd/bases")
			if err != nil {
				t.Fatal(err)
			}
			t.Run(version, func(t *testing.T) { prunetest.Suite(t, crds, "testdata") })
		}
	}
}

// In a test:
func ExampleSuite() {
	_ = func(t *testing.T) {
		crds, err := prunetest.FromFiles("config/crd/bases")
		if err != nil {
			t.Fatal(err)
		}
		prunetest.Suite(t, crds, "testdata") // suites, testdata/valid/*.yaml, testdata/invalid/*.yaml
	}
}

func TestSuite(t *testing.T) {
	crds, err := prunetest.FromFiles("../../examples/operator/config/crd/bases")
	if err != nil {
		t.Fatal(err)
	}
	prunetest.Suite(t, crds, "../../examples/operator/config/crd/tests")
}

// A function of a controller never asks for more replicas than the CRD allows.
func ExampleObjects() {
	data, err := os.ReadFile("../../examples/operator/config/crd/bases/stable.example.com_crontabs.yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	crd, err := load.CRD(data, load.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	valid, invalid, err := prunetest.Objects(crd, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(valid), "valid,", len(invalid), "invalid")
	for _, obj := range valid {
		if n, found, _ := unstructured.NestedInt64(obj.Object, "spec", "replicas"); found && n > 10 {
			fmt.Println("the CRD allows 10 replicas, not", n)
		}
	}
	// Output: 20 valid, 20 invalid
}

// printer prints what is reported about a test.
type printer struct{ testing.TB }

func (printer) Helper()                        {}
func (printer) Error(args ...any)              { fmt.Println(args...) }
func (printer) Errorf(format string, a ...any) { fmt.Printf(format+"\n", a...) }
func (printer) Logf(format string, a ...any)   { fmt.Printf(format+"\n", a...) }

// A converter forgets a field on the way to the older version. In a test, t is a *testing.T.
func ExampleRoundTrip() {
	t := printer{}
	crds, err := prunetest.FromFiles("testdata/roundtrip/lamps.yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	convert := func(obj map[string]any, apiVersion string) (map[string]any, error) {
		obj["apiVersion"] = apiVersion
		spec := obj["spec"].(map[string]any)
		if apiVersion == "example.com/v1" {
			spec["brightness"] = spec["level"]
			delete(spec, "level")
		} else {
			spec["level"] = spec["brightness"]
			delete(spec, "brightness")
			delete(spec, "timeZone")
		}
		return obj, nil
	}
	prunetest.RoundTrip(t, crds, convert, prunetest.RoundTripOptions{
		Wanted: []string{"Lamp v1beta1 to v1: spec.timeZone"},
	})
	// Output:
	// Lamp v1 to v1beta1: spec.timeZone: lost: "x"
	//     apiVersion: example.com/v1
	//     kind: Lamp
	//     metadata:
	//       name: x
	//     spec:
	//       timeZone: x
	// 100 objects of each version, seed 1
}
