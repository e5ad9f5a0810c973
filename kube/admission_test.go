package kube_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	v1 "github.com/prune-gen/prune-gen/examples/operator/api/v1"
	"github.com/prune-gen/prune-gen/kube"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

// response is the response of an AdmissionReview.
type response struct {
	UID       string
	Allowed   bool
	Status    *metav1.Status
	Patch     []byte
	PatchType *string
	Warnings  []string
}

// review sends objects, as JSON or "", through the webhook.
func review(t *testing.T, a kube.Admission, obj, old, subresource string) response {
	t.Helper()
	if a.Resources == nil {
		a.Resources = generated()
	}
	request := map[string]any{"uid": "u", "name": "a", "subResource": subresource, "object": nil, "oldObject": nil,
		"resource": map[string]any{"group": "stable.example.com", "version": "v1", "resource": "crontabs"}}
	if obj != "" {
		request["object"] = json.RawMessage(obj)
	}
	if old != "" {
		request["oldObject"] = json.RawMessage(old)
	}
	body, err := json.Marshal(map[string]any{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	a.ServeHTTP(w, httptest.NewRequest("POST", "/", strings.NewReader(string(body))))
	var out struct {
		APIVersion, Kind string
		Response         *response
	}
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil || w.Code != http.StatusOK || out.Response == nil || out.Response.UID != "u" ||
		out.APIVersion != "admission.k8s.io/v1" || out.Kind != "AdmissionReview" {
		t.Fatalf("%d %s: %v", w.Code, w.Body, err)
	}
	return *out.Response
}

func TestAdmissionNormalizes(t *testing.T) {
	sent := strings.Replace(good, `"image":"i"`, `"image":"i","odd":{"a":1},"nodeSelector":{"a/b":null,"~":"x"},"suspend":null,"env":[{"name":"A","odd":1}]`, 1)
	r := review(t, kube.Admission{Mutate: true}, sent, "", "")
	if !r.Allowed || !slices.Equal(r.Warnings, []string{`unknown field "spec.env[0].odd"`, `unknown field "spec.odd"`}) || *r.PatchType != "JSONPatch" {
		t.Fatalf("%+v", r)
	}
	want := object(t, sent)
	if _, err := generated().Normalize(want.Object, prunert.NormalizeOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := patched(t, sent, r.Patch); !reflect.DeepEqual(got, want.Object) {
		t.Errorf("patched %v, want %v", got, want.Object)
	}
	if r := review(t, kube.Admission{}, sent, "", ""); r.Patch != nil || r.PatchType != nil || !r.Allowed {
		t.Errorf("a validating webhook answers %+v", r)
	}
}

// patched applies a JSON patch with the operations that Admission uses, on maps and lists.
func patched(t *testing.T, doc string, patch []byte) map[string]any {
	t.Helper()
	obj := object(t, doc).Object
	var ops []struct {
		Op, Path string
		Value    json.RawMessage
	}
	if err := json.Unmarshal(patch, &ops); err != nil {
		t.Fatal(err)
	}
	for _, op := range ops {
		var at any = obj
		keys := strings.Split(op.Path, "/")[1:]
		for i, k := range keys {
			k = strings.ReplaceAll(strings.ReplaceAll(k, "~1", "/"), "~0", "~")
			if list, ok := at.([]any); ok {
				at = list[int(k[0]-'0')]
				continue
			}
			m := at.(map[string]any)
			if i < len(keys)-1 {
				at = m[k]
				continue
			}
			if _, ok := m[k]; ok == (op.Op == "add") {
				t.Fatalf("%s %s: there are %v", op.Op, op.Path, slices.Sorted(maps.Keys(m)))
			}
			if op.Op == "remove" {
				delete(m, k)
			} else {
				m[k] = object(t, `{"v":`+string(op.Value)+`}`).Object["v"]
			}
		}
	}
	return obj
}

func TestAdmissionRefuses(t *testing.T) {
	bad := strings.Replace(good, `"image":"i"`, `"image":"i","replicas":50`, 1)
	r := review(t, kube.Admission{}, bad, "", "")
	if r.Allowed || r.Status.Code != 422 || len(r.Status.Details.Causes) != 1 || r.Status.Details.Causes[0].Field != "spec.replicas" {
		t.Errorf("create: %+v", r.Status)
	}
	if r := review(t, kube.Admission{}, bad, bad, ""); !r.Allowed {
		t.Errorf("update: %+v", r.Status)
	}
	if r := review(t, kube.Admission{}, "", bad, ""); !r.Allowed {
		t.Errorf("delete: %+v", r.Status)
	}
	if r := review(t, kube.Admission{}, `{"apiVersion":"v1","kind":"Pod"}`, "", ""); !r.Allowed || len(r.Warnings) != 1 {
		t.Errorf("another kind: %+v", r)
	}
	if r := review(t, kube.Admission{Mutate: true}, strings.Replace(good, `"name":"a"`, `"name":1`, 1), "", ""); r.Allowed || r.Status.Code != 400 || r.Patch != nil {
		t.Errorf("malformed metadata: %+v", r.Status)
	}
}

// A body that is not a review is answered with what is wrong with it, and where.
func TestAdmissionSaysWhyABodyIsNotAReview(t *testing.T) {
	const head = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"`
	deep := strings.Repeat("[", 20000)
	for _, tt := range []struct {
		body, want string
		code       int
	}{
		{"", "the body is empty: want the kind AdmissionReview of admission.k8s.io/v1", 400},
		{strings.Repeat(" ", 8<<20), "the body is empty: want the kind AdmissionReview of admission.k8s.io/v1", 400},
		{`nonsense`, "the body cannot be read as JSON: invalid character 'o' in literal null (expecting 'u') after 2 bytes", 400},
		{head + `,"request":{"uid":`, "the body cannot be read as JSON: unexpected end of JSON input after 78 bytes", 400},
		{head + `,"request":{"object":` + deep, "the body cannot be read as JSON: invalid character '[' exceeded max depth after 10080 bytes", 400},
		{head + `,"request":{"uid":1}}`, "the body has a JSON number in request.uid after 79 bytes", 400},
		{`[1]`, "the body is a JSON array, want an object", 400},
		{`{}`, `the body has apiVersion "" and kind "", want admission.k8s.io/v1 and AdmissionReview`, 400},
		{`{"apiVersion":"admission.k8s.io/v1beta1","kind":"AdmissionReview","request":{"uid":"u"}}`,
			`the body has apiVersion "admission.k8s.io/v1beta1" and kind "AdmissionReview", want admission.k8s.io/v1 and AdmissionReview`, 400},
		{`{"apiVersion":"admission.k8s.io/v1","kind":"Review","request":{"uid":"u"}}`,
			`the body has apiVersion "admission.k8s.io/v1" and kind "Review", want admission.k8s.io/v1 and AdmissionReview`, 400},
		{head + `}`, "the AdmissionReview has no request", 400},
		{head + `,"request":null}`, "the AdmissionReview has no request", 400},
		{strings.Repeat(" ", 8<<20+1), "the review has more than 8388608 bytes: an API server takes requests of up to 3145728", 413},
	} {
		w := httptest.NewRecorder()
		kube.Admission{}.ServeHTTP(w, httptest.NewRequest("POST", "/", strings.NewReader(tt.body)))
		if w.Code != tt.code || w.Body.String() != tt.want+"\n" {
			t.Errorf("%.80s: %d %s, want %s", tt.body, w.Code, w.Body, tt.want)
		}
	}
}

// The largest objects that an API server takes are reviewed.
func TestAdmissionReviewsTheLargestObjects(t *testing.T) {
	large := strings.Replace(good, `"image":"i"`, `"image":"`+strings.Repeat("i", 3<<20-len(good))+`"`, 1)
	if r := review(t, kube.Admission{Mutate: true}, large, large, ""); !r.Allowed {
		t.Errorf("%+v", r.Status)
	}
}

// The API server sends a Scale when an object is scaled, before and after. What it would answer about the replicas is answered here too.
func TestAdmissionOfAScaleLooksAtTheReplicas(t *testing.T) {
	scaled := func(replicas string) string {
		return `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"a"},"spec":{` + replicas + `},"status":{"replicas":1}}`
	}
	one, fifty := scaled(`"replicas":1`), scaled(`"replicas":50`)
	stored := object(t, good).Object
	object := runtime.DeepCopyJSON(stored)
	unstructured.SetNestedField(object, int64(50), "spec", "replicas")
	server := kube.Err(v1.CronTabResource.Update(object, stored, prunert.Request{Name: "a"}))
	r := review(t, kube.Admission{Mutate: true}, fifty, one, "scale")
	if r.Allowed || r.Status.Code != 422 || r.Status.Message != server.Error() || r.Patch != nil || len(r.Warnings) > 0 {
		t.Errorf("%+v, want %v", r, server)
	}
	for name, tt := range map[string]struct{ scale, old string }{
		"valid":                        {scaled(`"replicas":10`), one},
		"none, which is 0":             {scaled(``), one},
		"an old error":                 {fifty, fifty},
		"without the old one, valid":   {one, ""},
		"the end of an invalid object": {one, fifty},
	} {
		if r := review(t, kube.Admission{Mutate: true}, tt.scale, tt.old, "scale"); !r.Allowed || r.Patch != nil || len(r.Warnings) > 0 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if r := review(t, kube.Admission{}, `[1]`, one, "scale"); r.Allowed || r.Status.Message != "the object is a JSON array, want an object" {
		t.Errorf("%+v", r)
	}
	if r := review(t, kube.Admission{}, one, scaled(`"replicas":"x"`), "scale"); r.Allowed || r.Status.Message != "the old object has a JSON string in spec.replicas after 92 bytes" {
		t.Errorf("%+v", r.Status)
	}
	if r := review(t, kube.Admission{Resources: &prunert.Set{}}, fifty, one, "scale"); !r.Allowed ||
		!slices.Equal(r.Warnings, []string{"no code for the scale of crontabs of stable.example.com/v1"}) {
		t.Errorf("%+v", r)
	}
}

// A schema around the replicas may allow more of them together with fields that a Scale does not show.
func TestAdmissionOfAScaleLeavesTheRestOfTheObjectToTheServer(t *testing.T) {
	data, err := os.ReadFile("../examples/operator/config/crd/bases/stable.example.com_crontabs.yaml")
	if err != nil {
		t.Fatal(err)
	}
	fifty := `{"apiVersion":"autoscaling/v1","kind":"Scale","spec":{"replicas":50}}`
	for around, allowed := range map[string]bool{
		"anyOf: [{properties: {replicas: {maximum: 10}}}, {required: [suspend]}]": true,
		"minProperties: 2": true,
		"maxProperties: 9": true,
		"properties: {replicas: {type: integer, maximum: 10}, image: {type: string, default: x}}, required: [image]": false,
	} {
		text := regexp.MustCompile(`(?s)\n          spec:.*?\n          status:`).ReplaceAllString(string(data),
			"\n          spec: {type: object, "+around+"}\n          status:")
		if !strings.Contains(around, "{replicas: {type") {
			text = strings.Replace(text, "spec: {", "spec: {properties: {replicas: {type: integer}, suspend: {type: boolean}}, ", 1)
		}
		crd, err := load.CRD([]byte(text), load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		resources, err := dynamic.Compile(crd)
		if err != nil {
			t.Fatal(err)
		}
		set := &prunert.Set{}
		if err := set.Add(resources...); err != nil {
			t.Fatal(err)
		}
		if r := review(t, kube.Admission{Resources: set}, fifty, "", "scale"); r.Allowed != allowed {
			t.Errorf("%s: %+v", around, r)
		}
	}
}

// An update of the status validates only the status: whoever writes it cannot fix the rest.
func TestAdmissionOfStatusLooksAtTheStatusAlone(t *testing.T) {
	bad := strings.Replace(good, `"image":"i"`, `"image":"i","replicas":50`, 1)
	if r := review(t, kube.Admission{}, bad, good, ""); r.Allowed {
		t.Error("an update that breaks the spec is allowed")
	}
	if r := review(t, kube.Admission{}, bad, good, "status"); !r.Allowed {
		t.Errorf("an update of the status: %+v", r.Status)
	}
	worse := strings.Replace(good, `"replicas":1`, `"replicas":"x"`, 1)
	if r := review(t, kube.Admission{}, worse, good, "status"); r.Allowed || r.Status.Details.Causes[0].Field != "status.replicas" {
		t.Errorf("a bad status: %+v", r.Status)
	}
}

// CEL rules are evaluated when the API server evaluates them, which only some errors prevent.
func TestAdmissionEvaluatesRulesWhenTheServerDoes(t *testing.T) {
	r := v1.CronTabResource
	r.HasRules = true
	r.ValidateRules = func(obj, old map[string]any) (prunert.ErrorList, []string) {
		if old == nil {
			return prunert.ErrorList{{Type: prunert.ErrorTypeInvalid, Field: "spec", Detail: "a rule"}}, nil
		}
		return nil, []string{"an old fault"}
	}
	set := &prunert.Set{}
	if err := set.Add(r); err != nil {
		t.Fatal(err)
	}
	a := kube.Admission{Resources: set}
	if r := review(t, a, good, "", ""); r.Allowed || len(r.Status.Details.Causes) != 1 || !strings.Contains(r.Status.Message, "a rule") {
		t.Errorf("create: %+v", r)
	}
	if r := review(t, a, good, good, ""); !r.Allowed || !slices.Equal(r.Warnings, []string{"an old fault"}) {
		t.Errorf("update: %+v", r)
	}
	for spec, evaluated := range map[string]bool{
		`"image":"i","replicas":50`:  true, // a value that is not allowed can still be read by rules
		`"image":"i","replicas":"x"`: false,
		`"replicas":1`:               false,
	} {
		bad := strings.Replace(good, `"image":"i"`, spec, 1)
		status := review(t, a, bad, "", "").Status
		var direct []string
		errs, _ := r.ValidateAll(object(t, bad).Object, nil)
		for _, e := range errs {
			direct = append(direct, e.Detail)
		}
		if said := strings.Contains(status.Message, "a rule"); said != evaluated || said != slices.Contains(direct, "a rule") {
			t.Errorf("%s: %s, and without the webhook %q", spec, status.Message, direct)
		}
		const notChecked = "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"
		if said := strings.Contains(status.Message, notChecked); said == evaluated || said != slices.Contains(direct, notChecked) {
			t.Errorf("%s: %s, and without the webhook %q", spec, status.Message, direct)
		}
	}
}

// A review that the webhook cannot read is refused with the reason.
func TestAdmissionRefusesWhatItCannotRead(t *testing.T) {
	malformed := strings.Replace(good, `"name":"a"`, `"name":1`, 1)
	for name, c := range map[string]struct {
		set      *prunert.Set
		obj, old string
		want     string
	}{
		"an object that is none":     {nil, `[1]`, "", "the object is a JSON array, want an object"},
		"an old object that is none": {nil, good, `"x"`, "the old object is a JSON string, want an object"},
	} {
		r := review(t, kube.Admission{Resources: c.set, Mutate: true}, c.obj, c.old, "")
		if r.Allowed || r.Status == nil || r.Status.Code != 400 || r.Status.Reason != metav1.StatusReasonBadRequest || r.Status.Message != c.want || r.Patch != nil {
			t.Errorf("%s: %+v, want %s", name, r.Status, c.want)
		}
	}
	// The old object is read as a server reads it from storage: malformed metadata is dropped.
	if r := review(t, kube.Admission{}, good, malformed, ""); !r.Allowed {
		t.Errorf("an old object with malformed metadata: %+v", r.Status)
	}
}

// A webhook refuses objects that it cannot validate.
func TestAdmissionRefusesWhatItHasNoFunctionFor(t *testing.T) {
	for missing, without := range map[string]func(r *prunert.Resource){
		"Normalize":      func(r *prunert.Resource) { r.Normalize = nil },
		"Validate":       func(r *prunert.Resource) { r.Validate = nil },
		"ValidateUpdate": func(r *prunert.Resource) { r.ValidateUpdate = nil },
		"ValidateStatus": func(r *prunert.Resource) { r.ValidateStatus = nil },
		"ValidateRules":  func(r *prunert.Resource) { r.HasRules = true },
	} {
		r := v1.CronTabResource
		without(&r)
		set := &prunert.Set{}
		if err := set.Add(r); err == nil {
			t.Errorf("without %s: a set takes it", missing)
		}
		if err := set.AddPartial(r); err != nil {
			t.Fatal(err)
		}
		a := kube.Admission{Resources: set, Mutate: true}
		want := "Internal error occurred: requests for stable.example.com/v1 CronTab need functions that were not generated: " + missing
		for _, r := range []response{review(t, a, good, "", ""), review(t, a, good, good, ""), review(t, a, good, good, "status")} {
			if r.Allowed || r.Status == nil || r.Status.Code != 500 || r.Status.Message != want || r.Patch != nil {
				t.Errorf("without %s: %+v, want %s", missing, r.Status, want)
			}
		}
	}
}

// The patch has an operation for each value that differs, and no others.
func TestAdmissionPatchesWhatDiffers(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{`{}`, `{}`, ``},
		{`{"a":1,"b":[1,{"c":null}],"d":{"e":"x"}}`, `{"a":1,"b":[1,{"c":null}],"d":{"e":"x"}}`, ``},
		{`{"a":1}`, `{"a":1.5}`, `[{"op":"replace","path":"/spec/a","value":1.5}]`},
		{`{"a":null}`, `{}`, `[{"op":"remove","path":"/spec/a"}]`},
		{`{}`, `{"a":null}`, `[{"op":"add","path":"/spec/a","value":null}]`},
		{`{"b":1,"a":1}`, `{"d":1,"c":1}`, `[{"op":"remove","path":"/spec/a"},{"op":"remove","path":"/spec/b"},{"op":"add","path":"/spec/c","value":1},{"op":"add","path":"/spec/d","value":1}]`},
		{`{"a":{"b":1}}`, `{"a":[1]}`, `[{"op":"replace","path":"/spec/a","value":[1]}]`},
		{`{"a":[1]}`, `{"a":{"b":1}}`, `[{"op":"replace","path":"/spec/a","value":{"b":1}}]`},
		{`{"a":[1]}`, `{"a":null}`, `[{"op":"replace","path":"/spec/a","value":null}]`},
		{`{"a":[1,2]}`, `{"a":[1]}`, `[{"op":"replace","path":"/spec/a","value":[1]}]`},
		{`{"a":[1,2,3]}`, `{"a":[1,9,{}]}`, `[{"op":"replace","path":"/spec/a/1","value":9},{"op":"replace","path":"/spec/a/2","value":{}}]`},
		{`{"a":[[{"b":1}]]}`, `{"a":[[{"b":2,"~/":3}]]}`, `[{"op":"replace","path":"/spec/a/0/0/b","value":2},{"op":"add","path":"/spec/a/0/0/~0~1","value":3}]`},
	} {
		r := v1.CronTabResource
		r.Validate = func(map[string]any) prunert.ErrorList { return nil }
		r.Normalize = func(obj map[string]any, _ prunert.NormalizeOptions) ([]string, error) {
			obj["spec"] = object(t, c.to).Object
			return nil, nil
		}
		set := &prunert.Set{}
		if err := set.Add(r); err != nil {
			t.Fatal(err)
		}
		got := review(t, kube.Admission{Resources: set, Mutate: true}, `{"apiVersion":"stable.example.com/v1","kind":"CronTab","spec":`+c.from+`}`, "", "")
		if string(got.Patch) != c.want || (got.PatchType != nil) != (c.want != "") {
			t.Errorf("%s to %s: %s, want %s", c.from, c.to, got.Patch, c.want)
		}
	}
}
