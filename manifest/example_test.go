package manifest_test

import (
	"fmt"
	"log"

	"github.com/prune-gen/prune-gen/manifest"
	prunert "github.com/prune-gen/prune-gen/runtime"
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
          spec:
            type: object
            properties:
              cronSpec: {type: string}
              replicas: {type: integer, maximum: 10, default: 1}
`

const objects = `apiVersion: stable.example.com/v1
kind: CronTab
metadata: {name: nightly}
spec:
  cronspec: "0 3 * * *"
---
apiVersion: stable.example.com/v1
kind: CronTab
metadata: {name: hourly}
spec:
  replicas: 50
`

func ExampleServer_Answers() {
	c, err := load.CRD([]byte(crd), load.Options{Name: "crd.yaml", Strict: true})
	if err != nil {
		log.Fatal(err)
	}
	server, err := manifest.NewServer(c)
	if err != nil {
		log.Fatal(err)
	}
	answers, findings := server.Answers("objects.yaml", []byte(objects), prunert.FieldValidationWarn)
	for _, f := range findings {
		fmt.Printf("%s:%d: %s: %s\n", f.File, f.Line, f.Severity, f.Message)
	}
	for _, a := range answers {
		fmt.Println(a.Kind, a.Name, a.Stored["spec"])
	}
	// Output:
	// objects.yaml:5: warning: unknown field "spec.cronspec"
	// objects.yaml:11: error: spec.replicas: Invalid value: 50: spec.replicas in body should be less than or equal to 10
	// CronTab nightly map[replicas:1]
	// CronTab hourly <nil>
}
