package load_test

import (
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/prune-gen/prune-gen/structural/load"
)

func ExampleCRDs() {
	file, err := os.Open("../../examples/operator/config/crd/bases/stable.example.com_crontabs.yaml")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	crds, err := load.CRDs(file, load.Options{Name: file.Name()})
	if err != nil {
		log.Fatal(err)
	}
	for _, crd := range crds {
		fmt.Println(crd.Name, crd.Names.Kind, crd.Scope, crd.Versions[0].Name)
	}
	// Output: crontabs.stable.example.com CronTab Namespaced v1
}

// With Strict, the error has every reason for which an API server would refuse the CRDs.
func ExampleError() {
	_, err := load.CRDs(strings.NewReader(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: backups.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Backup, plural: backups}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {properties: {bucket: {type: string}}}
`), load.Options{Name: "backups.yaml", Strict: true})
	var refused *load.Error
	if errors.As(err, &refused) {
		for _, f := range refused.Findings {
			fmt.Printf("%s:%d: %s\n", f.File, f.Line, f.Message)
		}
	}
	// Output: backups.yaml:16: spec.versions[0].schema.openAPIV3Schema.properties[spec].type: Required value: must not be empty for specified object fields
}
