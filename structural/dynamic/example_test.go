package dynamic_test

import (
	"fmt"
	"log"
	"os"

	v1 "github.com/prune-gen/prune-gen/golden/crontab"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

// crontabs returns the CRD of CronTabs.
func crontabs() *structural.CRD {
	data, err := os.ReadFile("../../golden/crontab/crd.yaml")
	if err != nil {
		log.Fatal(err)
	}
	crd, err := load.CRD(data, load.Options{})
	if err != nil {
		log.Fatal(err)
	}
	return crd
}

// A program that knows a CRD only at run time needs no generated code.
func ExampleCompile() {
	resources, err := dynamic.Compile(crontabs())
	if err != nil {
		log.Fatal(err)
	}
	var set prunert.Set
	if err := set.Add(resources...); err != nil {
		log.Fatal(err)
	}
	answer := set.Create(map[string]any{
		"apiVersion": "example.com/v1", "kind": "CronTab",
		"metadata": map[string]any{"name": "nightly"},
		"spec":     map[string]any{"cronSpec": "0 3 * * *", "image": "backup", "replica": int64(2)},
	}, prunert.Request{Namespace: "default"})
	fmt.Println(answer.Warnings)
	fmt.Println(answer.Err())
	fmt.Println(answer.Object["spec"])
	// Output:
	// [unknown field "spec.replica"]
	// <nil>
	// map[cronSpec:0 3 * * * image:backup replicas:1 suspend:false]
}

// The CRD that is installed has a field that the generated code does not know, and would drop.
func ExampleFits() {
	installed := crontabs()
	spec := installed.Versions[0].Schema.Properties["spec"]
	spec.Properties["timeZone"] = &structural.JSONSchema{Type: "string"}

	fit, err := dynamic.Fits(v1.CronTabResource, installed)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fit.Same, fit.Lost)
	// Output: false [spec.timeZone]
}
