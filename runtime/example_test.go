package prunert_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	v1 "github.com/prune-gen/prune-gen/golden/crontab"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// A set finds the generated code for an object by its apiVersion and kind.
func ExampleSet() {
	var set prunert.Set
	if err := set.Add(v1.CronTabResource); err != nil {
		log.Fatal(err)
	}
	obj := map[string]any{
		"apiVersion": "example.com/v1", "kind": "CronTab",
		"spec": map[string]any{"cronSpec": "0 3 * * *", "image": "backup", "replica": int64(2)},
	}
	dropped, err := set.PruneReport(obj)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(dropped)
	fmt.Println(obj["spec"])
	// Output:
	// [spec.replica]
	// map[cronSpec:0 3 * * * image:backup]
}

// The answer to a request has what the API server would store, or why it refuses the object.
func ExampleResource_CreateJSON() {
	body := `{"apiVersion": "example.com/v1", "kind": "CronTab", "metadata": {"name": "nightly"},
		"spec": {"cronSpec": "0 3 * * *", "image": "backup", "replicas": 50}}`
	answer := v1.CronTabResource.CreateJSON([]byte(body), prunert.Request{
		Namespace:       "default",
		FieldValidation: prunert.FieldValidationStrict,
	})
	if err := answer.Err(); err != nil {
		fmt.Println(answer.Refusal.Code, answer.Refusal.Reason)
		fmt.Println(err)
	}
	// Output:
	// 422 Invalid
	// The CronTab "nightly" is invalid: spec.replicas: Invalid value: 50: spec.replicas in body should be less than or equal to 10
}

// A stream is pruned without decoding it.
func ExampleResource_stream() {
	in := strings.NewReader(`{"apiVersion":"example.com/v1","kind":"CronTab","spec":{"image":"backup","replica":2}}`)
	if err := v1.CronTabResource.PruneStream(os.Stdout, in); err != nil {
		log.Fatal(err)
	}
	// Output: {"apiVersion":"example.com/v1","kind":"CronTab","spec":{"image":"backup"}}
}
