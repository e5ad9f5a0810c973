package structural_test

import (
	"fmt"
	"log"
	"maps"
	"slices"

	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/load"
)

const backups = `apiVersion: apiextensions.k8s.io/v1
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
          spec:
            type: object
            properties:
              bucket: {type: string, maxLength: 63}
              keep: {type: integer, default: 7}
              labels: {additionalProperties: {type: string}}
`

func ExampleCRD_Structural() {
	crd, err := load.CRD([]byte(backups), load.Options{Name: "backups.yaml"})
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range crd.Versions {
		fmt.Println(crd.Names.Kind, v.Name)
		fields := crd.Structural(v).Properties["spec"].Properties
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			fmt.Printf("  %s: type %q, default %v\n", name, fields[name].Type, fields[name].Default)
		}
	}
	// Output:
	// Backup v1
	//   bucket: type "string", default <nil>
	//   keep: type "integer", default 7
	//   labels: type "", default <nil>
}

// The errors are those of the API server. Finding adds their places in the file.
func ExampleValidate() {
	crd, err := load.CRD([]byte(backups), load.Options{Name: "backups.yaml"})
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range crd.Versions {
		for _, e := range structural.Validate(crd.Structural(v), v.SchemaPath) {
			f := crd.Finding(v.Name, structural.SeverityError, e)
			fmt.Printf("%s:%d: %s\n", f.File, f.Line, f.ID)
			fmt.Println(e)
		}
	}
	// Output:
	// backups.yaml:21: structural/type-required
	// spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[labels].type: Required value: must not be empty for specified object fields
}
