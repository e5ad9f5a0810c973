package prunetest_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	webhookconversion "sigs.k8s.io/controller-runtime/pkg/webhook/conversion"

	"github.com/prune-gen/prune-gen/kube/prunetest"
	"github.com/prune-gen/prune-gen/structural/load"
)

// A controller that sets a field which the CRD does not have is found by the warning, as in a cluster.
func Example() {
	crds, err := prunetest.FromFiles("../../examples/operator/config/crd/bases")
	if err != nil {
		fmt.Println(err)
		return
	}
	c := crds.NewClient(fake.NewClientBuilder())
	obj := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "stable.example.com/v1", "kind": "CronTab",
		"metadata": map[string]any{"name": "nightly", "namespace": "default"},
		"spec":     map[string]any{"cronSpec": "0 3 * * *", "image": "backup", "replica": int64(2)},
	}}
	fmt.Println(c.Create(context.Background(), obj), c.Warnings())
	fmt.Println(obj.Object["spec"])

	unstructured.SetNestedField(obj.Object, int64(50), "spec", "replicas")
	fmt.Println(apierrors.IsInvalid(c.Update(context.Background(), obj)))
	// Output:
	// <nil> [unknown field "spec.replica"]
	// map[cronSpec:0 3 * * * image:backup replicas:1]
	// true
}

// Servers before Kubernetes 1.35 do not know the format k8s-short-name.
func ExampleForKubernetes() {
	for _, version := range []string{"1.33", "1.35", "1.37"} {
		crds, err := prunetest.ForKubernetes(version, "../../golden/older/crd.yaml")
		if err != nil {
			fmt.Println(err)
			return
		}
		c := crds.NewClient(fake.NewClientBuilder())
		obj := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "example.com/v1", "kind": "Ledger",
			"metadata": map[string]any{"name": "a", "namespace": "default"},
			"spec":     map[string]any{"owner": "Upper"},
		}}
		fmt.Println(version, apierrors.IsInvalid(c.Create(context.Background(), obj)))
	}
	// Output:
	// 1.33 false
	// 1.35 true
	// 1.37 true
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

// In a test of Go types that the webhook of controller-runtime converts:
func ExampleHandlerConverter() {
	scheme := runtime.NewScheme() // with all versions
	_ = func(t *testing.T) {
		crds, err := prunetest.FromFiles("config/crd/bases")
		if err != nil {
			t.Fatal(err)
		}
		convert := prunetest.HandlerConverter(webhookconversion.NewWebhookHandler(scheme, webhookconversion.NewRegistry()))
		prunetest.RoundTrip(t, crds, convert, prunetest.RoundTripOptions{Types: scheme})
	}
}
