package v1_test

import (
	"fmt"

	v1 "github.com/prune-gen/prune-gen/examples/operator/api/v1"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// The API server's answer to a request that creates an object, with an unknown field and without a default.
func Example() {
	obj := map[string]any{
		"apiVersion": "stable.example.com/v1", "kind": "CronTab",
		"metadata": map[string]any{"name": "nightly"},
		"spec":     map[string]any{"cronSpec": "0 3 * * *", "image": "backup", "replica": int64(2)},
	}
	answer := v1.CronTabResource.Create(obj, prunert.Request{Namespace: "default"})
	fmt.Println(answer.Warnings)       // what the API server warns of
	fmt.Println(answer.Err())          // why it refuses the object
	fmt.Println(answer.Object["spec"]) // what it would store; nil if it refuses the object
	// Output:
	// [unknown field "spec.replica"]
	// <nil>
	// map[cronSpec:0 3 * * * image:backup replicas:1]
}
