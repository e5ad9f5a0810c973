package kube_test

import (
	"fmt"
	"net/http/httptest"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	v1 "github.com/prune-gen/prune-gen/examples/operator/api/v1"
	"github.com/prune-gen/prune-gen/kube"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// resources returns a set with the kinds of the program. Packages generated with --register are in prunert.Linked().
func resources() *prunert.Set {
	set := &prunert.Set{}
	if err := set.Add(v1.CronTabResource); err != nil {
		panic(err)
	}
	return set
}

// The refusal of a request is the error that a client of the API server would get.
func ExampleErr() {
	obj := map[string]any{
		"apiVersion": "stable.example.com/v1", "kind": "CronTab",
		"metadata": map[string]any{"name": "nightly"},
		"spec":     map[string]any{"cronSpec": "0 3 * * *", "image": "backup", "replicas": int64(50)},
	}
	err := kube.Err(v1.CronTabResource.Create(obj, prunert.Request{Namespace: "default"}))
	fmt.Println(apierrors.IsInvalid(err))
	fmt.Println(err)
	// Output:
	// true
	// CronTab.stable.example.com "nightly" is invalid: spec.replicas: Invalid value: 50: spec.replicas in body should be less than or equal to 10
}

// An informer keeps what the program knows of an object: informer.SetTransform(kube.Transform(set)).
func ExampleTransform() {
	transform := kube.Transform(resources())
	u := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "stable.example.com/v1", "kind": "CronTab",
		"spec": map[string]any{"image": "backup", "addedInALaterVersion": "x"},
	}}
	if _, err := transform(u); err != nil {
		fmt.Println(err)
	}
	fmt.Println(u.Object["spec"])
	// Output: map[image:backup]
}

// A webhook refuses what the generated code does not allow. With controller-runtime:
// mgr.GetWebhookServer().Register("/validate", kube.Admission{Resources: set}).
func ExampleAdmission() {
	webhook := kube.Admission{Resources: resources()}
	review := `{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": "1", "name": "nightly", "object": {
		"apiVersion": "stable.example.com/v1", "kind": "CronTab", "metadata": {"name": "nightly"}, "spec": {"cronSpec": "0 3 * * *", "img": "backup"}}}}`
	w := httptest.NewRecorder()
	webhook.ServeHTTP(w, httptest.NewRequest("POST", "/validate", strings.NewReader(review)))
	fmt.Println(w.Body)
	// Output: {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"1","allowed":false,"status":{"metadata":{},"status":"Failure","message":"CronTab.stable.example.com \"nightly\" is invalid: spec.image: Required value","reason":"Invalid","details":{"name":"nightly","group":"stable.example.com","kind":"CronTab","causes":[{"reason":"FieldValueRequired","message":"Required value","field":"spec.image"}]},"code":422},"warnings":["unknown field \"spec.img\""]}}
}
