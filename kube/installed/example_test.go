package installed_test

import (
	"errors"
	"fmt"
	"log"
	"os"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"

	v1 "github.com/prune-gen/prune-gen/golden/crontab"
	"github.com/prune-gen/prune-gen/kube/installed"
)

// An operator checks the CRD before it starts. A client gets it from the cluster; here it is a file, and one field is missing.
func ExampleCheck() {
	data, err := os.ReadFile("../../golden/crontab/crd.yaml")
	if err != nil {
		log.Fatal(err)
	}
	crd := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(data, &crd.Object); err != nil {
		log.Fatal(err)
	}
	fmt.Println(installed.Check(crd, v1.CronTabResource))

	versions, _, _ := unstructured.NestedSlice(crd.Object, "spec", "versions")
	unstructured.RemoveNestedField(versions[0].(map[string]any), "schema", "openAPIV3Schema", "properties", "spec", "properties", "suspend")
	unstructured.SetNestedSlice(crd.Object, versions, "spec", "versions")
	err = installed.Check(crd, v1.CronTabResource)
	fmt.Println(err)

	var older *installed.OlderError
	if errors.As(err, &older) {
		fmt.Println(older.Fields)
	}
	// Output:
	// <nil>
	// the CRD crontabs.example.com v1 is older than the code: the API server drops spec.suspend
	// [spec.suspend]
}
