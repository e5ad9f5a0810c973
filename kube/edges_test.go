package kube_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	v1 "github.com/prune-gen/prune-gen/examples/operator/api/v1"
	"github.com/prune-gen/prune-gen/kube"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Whatever a refusal says, it is the Status that it is as JSON.
func TestStatusHasWhatTheRefusalHas(t *testing.T) {
	causes := []prunert.Cause{{Reason: "FieldValueInvalid", Message: "m", Field: "f"}, {Field: "g"}}
	for subset := range 128 {
		var r prunert.Refusal
		for i, set := range []func(){
			func() { r.Group = "g" }, func() { r.Kind = "k" }, func() { r.Name = "n" }, func() { r.Causes = causes }, func() { r.Reason = "Invalid" },
			func() { r.Code, r.Message = 422, "m" }, func() { r.Causes = causes[:1] },
		} {
			if subset>>i&1 != 0 {
				set()
			}
		}
		status := kube.Status(&r)
		got, err := json.Marshal(status)
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(&r)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(object(t, string(got)), object(t, string(want))) {
			t.Errorf("have %s, want %s", got, want)
		}
		if e := kube.StatusError(&r); !reflect.DeepEqual(e.ErrStatus, status) {
			t.Errorf("the error is %+v", e)
		}
	}
}

func TestCausesAreThoseOfAStatus(t *testing.T) {
	errs := prunert.ErrorList{{Type: prunert.ErrorTypeTooMany, Field: "a", BadValue: 3, Detail: "d"}, {Type: prunert.ErrorTypeRequired, Field: "b"}}
	want := []metav1.StatusCause{{Type: "FieldValueTooMany", Message: "Too many: 3: d", Field: "a"}, {Type: "FieldValueRequired", Message: "Required value", Field: "b"}}
	if got := kube.Causes(errs); !reflect.DeepEqual(got, want) {
		t.Errorf("have %v, want %v", got, want)
	}
	if got := kube.Causes(nil); got == nil || len(got) != 0 {
		t.Errorf("no errors have the causes %#v", got)
	}
	err := kube.Invalid(cronTab, "x", errs[1:])
	if want := `CronTab.stable.example.com "x" is invalid: b: Required value`; err.Error() != want {
		t.Errorf("have %s, want %s", err, want)
	}
}

// The response is in a review of the version of the request.
func TestAdmissionAnswersWithAReview(t *testing.T) {
	const body = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u","object":{"apiVersion":"v1","kind":"Pod"}}}`
	const want = `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"u","allowed":true,"warnings":["no code for v1 Pod"]}}`
	w := httptest.NewRecorder()
	kube.Admission{Resources: generated()}.ServeHTTP(w, httptest.NewRequest("POST", "/", strings.NewReader(body)))
	if w.Body.String() != want || w.Code != 200 || w.Header().Get("Content-Type") != "application/json" {
		t.Errorf("%d %v %s, want %s", w.Code, w.Header(), w.Body, want)
	}
}

// A refusal names the object, and comes without a patch, but with the warnings that were given before.
func TestAdmissionRefusesWithWarnings(t *testing.T) {
	bad := strings.Replace(good, `"image":"i"`, `"odd":1`, 1)
	r := review(t, kube.Admission{Mutate: true}, bad, "null", "")
	if r.Allowed || r.Patch != nil || r.PatchType != nil || !slices.Equal(r.Warnings, []string{`unknown field "spec.odd"`}) {
		t.Errorf("%+v", r)
	}
	if want := `CronTab.stable.example.com "a" is invalid: spec.image: Required value`; r.Status == nil || r.Status.Message != want || r.Status.Reason != metav1.StatusReasonInvalid {
		t.Errorf("%+v, want %s", r.Status, want)
	}
	// An update may keep what was wrong before.
	if r := review(t, kube.Admission{}, bad, bad, ""); !r.Allowed || len(r.Warnings) != 1 {
		t.Errorf("an update: %+v", r)
	}
}

// Without a set, all registered resources are used.
func TestWithoutASetTheRegisteredOneIsUsed(t *testing.T) {
	if _, ok := prunert.Lookup("stable.example.com", "v1", "CronTab"); !ok {
		prunert.Register(v1.CronTabResource)
	}
	u := object(t, strings.Replace(good, `"image":"i"`, `"image":"i","odd":1`, 1))
	if _, err := kube.Transform(nil)(u); err != nil || !reflect.DeepEqual(u, object(t, good)) {
		t.Errorf("%v, %v", u, err)
	}
}

// What is a list by its kind, and has no items that are objects in a list, is an object, or is left to others.
func TestDecoderAndListsThatAreNone(t *testing.T) {
	set := interpreted(t)
	for items, isList := range map[string]bool{`[]`: true, `null`: false, `"x"`: false, `{}`: false} {
		body := `{"apiVersion":"stable.example.com/v1","kind":"CronTabList","items":` + items + `}`
		obj, kind, err := kube.Decoder(set, refusing{}).Decode([]byte(body), nil, nil)
		if err != nil || kind.Kind != "CronTabList" {
			t.Errorf("%s: %v, %v", items, kind, err)
			continue
		}
		list, ok := obj.(*unstructured.UnstructuredList)
		if ok != isList || ok && (len(list.Items) != 0 || list.Object["items"] != nil) {
			t.Errorf("%s: %T %v", items, obj, obj)
		}
	}
}

type unexported struct{ obj any }

type text struct{ Obj string }

// Only an object in a field Obj that is an interface is looked into.
func TestTransformLeavesOtherStructsAlone(t *testing.T) {
	transform := kube.Transform(generated())
	odd := strings.Replace(good, `"image":"i"`, `"image":"i","odd":1`, 1)
	for _, in := range []any{unexported{object(t, odd)}, &unexported{object(t, odd)}, text{"x"}, &text{"x"}, struct{}{}, tombstone{"a", "text"}, tombstone{"a", tombstone{"b", object(t, odd)}}} {
		before := fmt.Sprint(in)
		if out, err := transform(in); err != nil || !reflect.DeepEqual(out, in) || fmt.Sprint(out) != before {
			t.Errorf("%v becomes %v, %v", before, out, err)
		}
	}
	r := v1.CronTabResource
	r.Prune = nil
	set := &prunert.Set{}
	if err := set.Add(r); err != nil {
		t.Fatal(err)
	}
	u := object(t, strings.Replace(odd, `"name":"a"`, `"name":"a","managedFields":[]`, 1))
	if _, err := kube.Transform(set)(u); err == nil || u.Object["metadata"].(map[string]any)["managedFields"] == nil {
		t.Errorf("without a function: %v, %v", u, err)
	}
}
