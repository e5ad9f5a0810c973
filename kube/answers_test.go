package kube_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	v1 "github.com/prune-gen/prune-gen/examples/operator/api/v1"
	"github.com/prune-gen/prune-gen/kube"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// A Status has details as soon as there is one, whichever it is.
func TestStatusHasTheDetailsOfARefusal(t *testing.T) {
	for bits := range 16 {
		r := &prunert.Refusal{Code: 422, Reason: "Invalid", Message: "m"}
		for i, set := range []func(){
			func() { r.Name = "n" },
			func() { r.Group = "g" },
			func() { r.Kind = "k" },
			func() {
				r.Causes = []prunert.Cause{{Reason: "FieldValueInvalid", Message: "x", Field: "f"}, {Reason: "FieldValueRequired", Message: "y", Field: "g"}}
			},
		} {
			if bits>>i&1 == 1 {
				set()
			}
		}
		status := kube.Status(r)
		got, err := json.Marshal(status)
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(object(t, string(got)), object(t, string(want))) {
			t.Errorf("%+v:\n%s, want\n%s", r, got, want)
		}
		if (status.Details == nil) != (bits == 0) {
			t.Errorf("%+v has the details %v", r, status.Details)
		}
	}
}

// What a webhook answers says which object it is about, and in which form.
func TestAdmissionNamesWhatItRefuses(t *testing.T) {
	bad := strings.Replace(good, `"image":"i"`, `"image":"i","odd":1,"replicas":50`, 1)
	r := review(t, kube.Admission{Mutate: true}, bad, "", "")
	if r.Allowed || r.Status.Message != `CronTab.stable.example.com "a" is invalid: spec.replicas: Invalid value: 50: spec.replicas in body should be less than or equal to 10` ||
		r.Status.Details.Group != "stable.example.com" || r.Status.Details.Kind != "CronTab" || r.Status.Details.Name != "a" || r.Status.Reason != "Invalid" || r.Status.Status != "Failure" ||
		!reflect.DeepEqual(r.Warnings, []string{`unknown field "spec.odd"`}) || r.Patch != nil || r.PatchType != nil {
		t.Errorf("%+v, %+v", r, r.Status)
	}
	// A request to create an object need not repeat its name.
	body := `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"1","object":` + bad + `}}`
	w := httptest.NewRecorder()
	kube.Admission{Resources: generated()}.ServeHTTP(w, httptest.NewRequest("POST", "/", strings.NewReader(body)))
	if !strings.Contains(w.Body.String(), `CronTab.stable.example.com \"a\" is invalid`) {
		t.Errorf("without a name in the request: %s", w.Body)
	}
	// What is unknown in the old object is not news.
	if r := review(t, kube.Admission{}, good, bad, ""); !r.Allowed || r.Warnings != nil {
		t.Errorf("after what was unknown: %+v", r)
	}
	// Other subresources change the object as a whole.
	if r := review(t, kube.Admission{}, bad, good, "scale"); r.Allowed {
		t.Error("a scale that is too large is allowed")
	}
	if r := review(t, kube.Admission{Mutate: true}, "", good, ""); !r.Allowed || r.Patch != nil {
		t.Errorf("a deletion: %+v", r)
	}
	if r := review(t, kube.Admission{}, `{"apiVersion":"v1","kind":"Pod"}`, "", ""); len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "Pod") {
		t.Errorf("another kind: %q", r.Warnings)
	}
	// An object that is complete needs no patch.
	whole := strings.Replace(good, `"image":"i"`, `"image":"i","replicas":1`, 1)
	if r := review(t, kube.Admission{Mutate: true}, whole, "", ""); !r.Allowed || r.Patch != nil || r.PatchType != nil {
		t.Errorf("a whole object: %+v, %s", r, r.Patch)
	}
}

func TestAdmissionRefusesOtherBodies(t *testing.T) {
	for body, code := range map[string]int{
		`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u"}}`:      200,
		`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReviews","request":{"uid":"u"}}`:     400,
		`{"apiVersion":"admission.k8s.io/v1beta1","kind":"AdmissionReview","request":{"uid":"u"}}`: 400,
		`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"}`:                            400,
		`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":1}}`:        400,
	} {
		w := httptest.NewRecorder()
		kube.Admission{Resources: generated()}.ServeHTTP(w, httptest.NewRequest("POST", "/", strings.NewReader(body)))
		if w.Code != code {
			t.Errorf("%s: %d, want %d", body, w.Code, code)
		}
		if want := `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"u","allowed":true}}`; code == 200 && (w.Body.String() != want || w.Header().Get("Content-Type") != "application/json") {
			t.Errorf("%s: %s %v, want %s", body, w.Body, w.Header(), want)
		}
	}
}

// holder has an object in a field of another name, or of another type than any.
type (
	renamedHolder struct{ Object any }
	typedHolder   struct{ Obj *unstructured.Unstructured }
	hiddenHolder  struct{ obj any }
)

func TestTransformLeavesAloneWhatItDoesNotKnow(t *testing.T) {
	odd := strings.Replace(good, `"image":"i"`, `"image":"i","odd":1`, 1)
	transform := kube.Transform(generated())
	for name, in := range map[string]any{"another field": renamedHolder{object(t, odd)}, "another type": typedHolder{object(t, odd)}, "a hidden field": hiddenHolder{object(t, odd)}} {
		out, err := transform(in)
		if err != nil || !reflect.DeepEqual(out, in) {
			t.Errorf("%s: %v, %v", name, out, err)
		}
		var u *unstructured.Unstructured
		switch in := in.(type) {
		case renamedHolder:
			u = in.Object.(*unstructured.Unstructured)
		case typedHolder:
			u = in.Obj
		case hiddenHolder:
			u = in.obj.(*unstructured.Unstructured)
		}
		if !reflect.DeepEqual(u, object(t, odd)) {
			t.Errorf("%s was pruned: %v", name, u)
		}
	}
	r := v1.CronTabResource
	r.Prune = nil
	set := &prunert.Set{}
	if err := set.Add(r); err != nil {
		t.Fatal(err)
	}
	u := object(t, odd)
	if _, err := kube.Transform(set)(u); fmt.Sprint(err) != "no function Prune was generated for stable.example.com/v1 CronTab" || !reflect.DeepEqual(u, object(t, odd)) {
		t.Errorf("without a function: %v, %v", u, err)
	}
	for _, metadata := range []string{`{"managedFields":null}`, `"text"`, `null`} {
		u := object(t, `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":`+metadata+`}`)
		want := object(t, `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":`+strings.Replace(metadata, `"managedFields":null`, "", 1)+`}`)
		if _, err := transform(u); err != nil || !reflect.DeepEqual(u, want) {
			t.Errorf("%v, %v; want %v", u, err, want)
		}
	}
}
