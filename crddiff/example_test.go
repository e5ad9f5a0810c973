package crddiff_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/prune-gen/prune-gen/crddiff"
	"github.com/prune-gen/prune-gen/structural/load"
)

const oldCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: backups.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Backup, plural: backups, singular: backup, listKind: BackupList}
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
              bucket: {type: string, pattern: "^[a-z]+$"}
              keep: {type: integer, maximum: 90}
              region: {type: string}
`

func ExampleCompare() {
	newCRD := strings.NewReplacer("^[a-z]+$", "^[a-z0-9]+$", "maximum: 90", "maximum: 30", "              region: {type: string}\n", "").Replace(oldCRD)
	was, err := load.CRD([]byte(oldCRD), load.Options{Name: "old.yaml"})
	if err != nil {
		log.Fatal(err)
	}
	is, err := load.CRD([]byte(newCRD), load.Options{Name: "new.yaml"})
	if err != nil {
		log.Fatal(err)
	}
	changes, err := crddiff.Compare(was, is)
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range changes {
		fmt.Printf("%-8s %s: %s\n", c.Level, c.Field(), c.What)
	}
	// Output:
	// none     spec.bucket: the pattern was ^[a-z]+$ and is ^[a-z0-9]+$
	// requests spec.keep: maximum was 90 and is 30
	// stored   spec.region: the field is gone
}
