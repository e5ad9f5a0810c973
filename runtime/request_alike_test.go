package prunert_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	v1 "github.com/prune-gen/prune-gen/examples/operator/api/v1"
	"github.com/prune-gen/prune-gen/internal/testing/recorded"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

var update = flag.Bool("update", false, "write the files that record what is said")

// The answer to an object equals that to the document that a client would write for it, whatever kind it names.
func TestObjectsAreAnsweredLikeTheirDocuments(t *testing.T) {
	absent := "absent"
	heads := []any{absent, nil, "", "/", int64(5), true, []any{}, "CronTab", "WebApp", "stable.example.com/v1", "stable.example.com/v2", "stable.example.com/", "v1", "a/b/c"}
	old := stored(t)
	tried := 0
	for _, apiVersion := range heads {
		for _, kind := range heads {
			for _, validation := range []prunert.FieldValidation{"", prunert.FieldValidationIgnore, prunert.FieldValidationStrict} {
				obj := clone(old)
				obj["spec"].(map[string]any)["unknown"] = []any{1.5, nil}
				for k, v := range map[string]any{"apiVersion": apiVersion, "kind": kind} {
					if obj[k] = v; v == absent {
						delete(obj, k)
					}
				}
				body, err := json.Marshal(obj)
				if err != nil {
					t.Fatal(err)
				}
				req := prunert.Request{FieldValidation: validation}
				for what, answers := range map[string][2]prunert.Answer{
					"create": {v1.CronTabResource.Create(clone(obj), req), v1.CronTabResource.CreateJSON(body, req)},
					"update": {v1.CronTabResource.Update(clone(obj), old, req), v1.CronTabResource.UpdateJSON(body, old, req)},
				} {
					if have, want := answers[0], answers[1]; !reflect.DeepEqual(have, want) {
						t.Errorf("%s of %s, %s: have %+v, %v\nwant %+v, %v", what, body, validation, have, have.Err(), want, want.Err())
					}
				}
				tried++
			}
		}
	}
	if tried != 3*len(heads)*len(heads) {
		t.Errorf("%d were tried", tried)
	}
}

// The answers to objects with odd apiVersions and kinds are recorded, with BODY in place of the document.
func TestOddKindsAndVersionsAreAnsweredAsRecorded(t *testing.T) {
	const absent = "absent"
	var text strings.Builder
	for _, apiVersion := range []string{absent, `null`, `5`, `""`, `"/"`, `"v1"`, `"other/v1"`, `"stable.example.com/v2"`, `"stable.example.com/v1"`, `"stable.example.com/"`, `"a/b/c"`} {
		for _, kind := range []string{absent, `null`, `5`, `""`, `"WebApp"`, `"CronTab"`} {
			body := `{"metadata":{"name":"a","u":1},"spec":{"cronSpec":"* * * * *","image":"b","u":1}`
			if apiVersion != absent {
				body += `,"apiVersion":` + apiVersion
			}
			if kind != absent {
				body += `,"kind":` + kind
			}
			body += "}"
			fmt.Fprintf(&text, "apiVersion %s, kind %s:\n", apiVersion, kind)
			said := ""
			for _, validation := range []prunert.FieldValidation{prunert.FieldValidationWarn, prunert.FieldValidationStrict, prunert.FieldValidationIgnore} {
				answer := v1.CronTabResource.CreateJSON([]byte(body), prunert.Request{FieldValidation: validation})
				says := fmt.Sprintf("%q, accepted", answer.Warnings)
				if r := answer.Refusal; r != nil {
					says = strings.ReplaceAll(fmt.Sprintf("%q, %d %s: %s", answer.Warnings, r.Code, r.Reason, r.Message), body, "BODY")
				}
				if says != said {
					fmt.Fprintf(&text, "\t%s: %s\n", validation, says)
				}
				said = says
			}
		}
	}
	recorded.Compare(t, *update, "testdata/odd.txt", text.String())
}

// What an update does to each field of metadata is recorded: the field is in the old object, in the new one or in both.
func TestUpdatesOfEachFieldOfMetadataAreAsRecorded(t *testing.T) {
	values := map[string][2]any{
		"name": {"nightly", "other"}, "generateName": {"night-", "other-"}, "namespace": {"default", "other"}, "uid": {"u", "other"}, "resourceVersion": {"7", "8"},
		"generation": {int64(3), int64(5)}, "creationTimestamp": {"2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z"},
		"deletionTimestamp": {"2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z"}, "deletionGracePeriodSeconds": {int64(0), int64(7)},
		"labels": {map[string]any{"a": "b"}, map[string]any{"c": "d"}}, "annotations": {map[string]any{"a": "b"}, map[string]any{"c": "d"}},
		"finalizers": {[]any{"a"}, []any{"b"}}, "selfLink": {"/a", "/b"}, "managedFields": {[]any{map[string]any{"operation": "Update"}}, []any{map[string]any{"operation": "Apply"}}},
		"ownerReferences": {
			[]any{map[string]any{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "1"}}, []any{map[string]any{"apiVersion": "v1", "kind": "Pod", "name": "q", "uid": "2"}},
		},
	}
	var text strings.Builder
	for _, k := range slices.Sorted(maps.Keys(values)) {
		for _, c := range []struct{ was, is int }{{-1, 0}, {0, -1}, {0, 0}, {0, 1}} {
			if c.was < 0 && (k == "name" || k == "namespace") {
				continue // every stored object has them
			}
			old := stored(t)
			set := func(obj map[string]any, i int) {
				metadata := obj["metadata"].(map[string]any)
				if delete(metadata, k); i >= 0 {
					metadata[k] = values[k][i]
				}
			}
			set(old, c.was)
			obj := clone(old)
			set(obj, c.is)
			for _, sub := range []string{"", "status"} {
				before := clone(old)
				answer := v1.CronTabResource.Update(clone(obj), old, prunert.Request{Subresource: sub})
				if !reflect.DeepEqual(old, before) {
					t.Errorf("%s: the old object has changed", k)
				}
				name := func(i int) string {
					if i < 0 {
						return "nothing"
					}
					b, _ := json.Marshal(values[k][i])
					return string(b)
				}
				fmt.Fprintf(&text, "%s, %s after %s", k, name(c.is), name(c.was))
				if sub != "" {
					text.WriteString(", of the status")
				}
				text.WriteString(":\n")
				if metadata, ok := answer.Object["metadata"].(map[string]any); ok {
					is := "nothing"
					if v, ok := metadata[k]; ok {
						b, _ := json.Marshal(v)
						is = string(b)
					}
					fmt.Fprintf(&text, "\tstored %s\n", is)
					want := clone(old["metadata"].(map[string]any))
					delete(metadata, k)
					delete(want, k)
					if !reflect.DeepEqual(metadata, want) {
						t.Errorf("%s: the other fields are %v, want %v", k, metadata, want)
					}
				}
				for _, w := range answer.Warnings {
					fmt.Fprintf(&text, "\twarning: %s\n", w)
				}
				if answer.Refusal != nil {
					fmt.Fprintf(&text, "\t%d %s: %s\n", answer.Refusal.Code, answer.Refusal.Reason, answer.Refusal.Message)
				}
			}
		}
	}
	recorded.Compare(t, *update, "testdata/updates.txt", text.String())
}

// Even if metadata is already as it would be stored, the request's options apply.
func TestCreateMakesWhatTheRequestAsksFor(t *testing.T) {
	requests := map[string]prunert.Request{
		"creationTimestamp": {Now: func() int64 { return 0 }},
		"uid":               {NewUID: func() string { return "new" }},
	}
	for field, want := range map[string]any{"creationTimestamp": "1970-01-01T00:00:00Z", "uid": "new"} {
		obj := decoded(t, cronTab)
		maps.Copy(obj["metadata"].(map[string]any), map[string]any{"namespace": "default", "generation": int64(1)})
		answer := v1.CronTabResource.Create(obj, requests[field])
		if metadata, _ := answer.Object["metadata"].(map[string]any); answer.Err() != nil || metadata[field] != want || len(metadata) != 4 {
			t.Errorf("%s: %v, %v", field, metadata, answer.Err())
		}
	}
	for name, want := range map[string]string{"": "nightly-x", "mine": "mine"} {
		obj := decoded(t, cronTab)
		metadata := map[string]any{"namespace": "default", "generation": int64(1), "generateName": "nightly-"}
		if obj["metadata"] = metadata; name != "" {
			metadata["name"] = name
		}
		answer := v1.CronTabResource.Create(obj, prunert.Request{GenerateName: func(base string) string { return base + "x" }})
		if metadata, _ := answer.Object["metadata"].(map[string]any); answer.Err() != nil || metadata["name"] != want {
			t.Errorf("%q: %v, %v", name, metadata, answer.Err())
		}
	}
}

// Whether metadata is as it would be stored or not, an object is in the namespace of the request, and one without namespaces in none.
func TestCreateKnowsTheNamespace(t *testing.T) {
	for _, c := range []struct {
		namespaced    bool
		has, requests string
		want          any // where it is stored; false where it is refused
	}{
		{true, "", "", "default"}, {true, "", "a", "a"}, {true, "a", "", "a"}, {true, "a", "a", "a"}, {true, "a", "b", false},
		{false, "", "", nil}, {false, "", "a", nil}, {false, "a", "", nil}, {false, "a", "a", nil}, {false, "a", "b", nil},
	} {
		for _, generation := range []any{nil, int64(1), int64(2)} {
			r := v1.CronTabResource
			if !c.namespaced {
				r = ruledResource(t, "CronTab", "")
			}
			metadata := map[string]any{"name": "nightly", "labels": map[string]any{"a": "b"}, "annotations": map[string]any{"c": "d"}}
			if generation != nil {
				metadata["generation"] = generation
			}
			if c.has != "" {
				metadata["namespace"] = c.has
			}
			obj := map[string]any{"apiVersion": r.APIVersion(), "kind": r.Kind, "metadata": metadata, "spec": map[string]any{"cronSpec": "* * * * *", "image": "i"}}
			answer := r.Create(obj, prunert.Request{Namespace: c.requests})
			if c.want == false {
				checkAnswer(t, answer, 400, "the namespace of the provided object does not match the namespace sent on the request", nil)
				continue
			}
			have, _ := answer.Object["metadata"].(map[string]any)
			want := map[string]any{"name": "nightly", "labels": metadata["labels"], "annotations": metadata["annotations"], "generation": int64(1)}
			if c.want != nil {
				want["namespace"] = c.want
			}
			if answer.Err() != nil || !reflect.DeepEqual(have, want) {
				t.Errorf("%+v, generation %v: %v, %v, want %v", c, generation, have, answer.Err(), want)
			}
		}
	}
}

// Storage assigns versions. It treats an invalid version as none.
func TestCreateTakesNoVersion(t *testing.T) {
	for version, refused := range map[string]bool{"0": false, "00": false, "x": false, "-1": false, "99999999999999999999": false, "1": true, "18446744073709551615": true} {
		obj := decoded(t, cronTab)
		obj["metadata"].(map[string]any)["resourceVersion"] = version
		answer := v1.CronTabResource.Create(obj, prunert.Request{})
		if refused {
			checkAnswer(t, answer, 500, "resourceVersion should not be set on objects to be created", nil)
		} else if metadata, _ := answer.Object["metadata"].(map[string]any); answer.Err() != nil || len(metadata) != 3 {
			t.Errorf("%s: %v, %v", version, metadata, answer.Err())
		}
	}
}

// The finalizers of Kubernetes have no domain, and need none.
func TestFinalizersOfKubernetesNeedNoDomain(t *testing.T) {
	for name, warned := range map[string]bool{"orphan": false, "foregroundDeletion": false, "kubernetes": false, "a/b": false, "orphans": true, "Kubernetes": true} {
		obj := decoded(t, cronTab)
		obj["metadata"].(map[string]any)["finalizers"] = []any{name}
		if answer := v1.CronTabResource.Create(obj, prunert.Request{}); answer.Err() != nil || (len(answer.Warnings) > 0) != warned {
			t.Errorf("%s: %q, %v", name, answer.Warnings, answer.Err())
		}
	}
}

// Invalid calls the function for what the object is: new, or a replacement.
func TestInvalidNeedsOneFunctionOfTwo(t *testing.T) {
	r := v1.CronTabResource
	r.ValidateUpdate = nil
	if errs, _ := r.ValidateAll(stored(t), nil); len(errs) > 0 {
		t.Errorf("a new object: %v", errs)
	}
	r.Validate, r.ValidateUpdate = nil, v1.CronTabResource.ValidateUpdate
	if errs, _ := r.ValidateAll(stored(t), stored(t)); len(errs) > 0 {
		t.Errorf("a replacement: %v", errs)
	}
}

// An object that nobody stored has no version, and needs none to be updated.
func TestObjectsThatNobodyStoredHaveNoVersion(t *testing.T) {
	old := stored(t)
	delete(old["metadata"].(map[string]any), "resourceVersion")
	for _, version := range []string{"", "0", "5", "x"} {
		obj := clone(old)
		if version != "" {
			obj["metadata"].(map[string]any)["resourceVersion"] = version
		}
		checkAnswer(t, v1.CronTabResource.Update(obj, old, prunert.Request{}), 0, "", nil)
		if version == "" {
			checkAnswer(t, v1.CronTabResource.Update(clone(old), old, prunert.Request{Subresource: "status"}), 0, "", nil)
		}
	}
	obj := clone(old)
	obj["metadata"].(map[string]any)["labels"] = map[string]any{"a": "b c"}
	if refusal := v1.CronTabResource.Update(obj, old, prunert.Request{}).Refusal; refusal == nil || len(refusal.Causes) != 3 { // as for others
		t.Errorf("%+v", refusal)
	}
}

// Changing the metadata of an answer does not change the old object.
func TestUpdatesOfTheStatusHaveMetadataOfTheirOwn(t *testing.T) {
	old := stored(t)
	delete(old, "spec")
	obj := stored(t)
	answer := v1.CronTabResource.Update(obj, old, prunert.Request{Subresource: "status"})
	if _, ok := answer.Object["spec"]; ok || answer.Err() != nil {
		t.Errorf("there is a spec: %v, %v", answer.Object, answer.Err())
	}
	answer.Object["metadata"].(map[string]any)["resourceVersion"] = "8"
	if version := old["metadata"].(map[string]any)["resourceVersion"]; version != "7" {
		t.Errorf("the old object has version %v", version)
	}
}

func TestTwoOwnersThatAreOneAreOne(t *testing.T) {
	owner := map[string]any{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u"}
	const words = ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; " +
		"please fix your requests; duplicate UID(s) observed: "
	for n, warnings := range map[int][]string{1: nil, 2: {words + "u"}, 3: {words + "u, u"}} {
		old := stored(t)
		for what, do := range map[string]func(obj map[string]any) prunert.Answer{
			"create": func(obj map[string]any) prunert.Answer { return v1.CronTabResource.Create(obj, prunert.Request{}) },
			"update": func(obj map[string]any) prunert.Answer { return v1.CronTabResource.Update(obj, old, prunert.Request{}) },
		} {
			obj := clone(old)
			if what == "create" {
				obj = decoded(t, cronTab)
			}
			var owners []any
			for range n {
				owners = append(owners, maps.Clone(owner))
			}
			obj["metadata"].(map[string]any)["ownerReferences"] = owners
			answer := do(obj)
			checkAnswer(t, answer, 0, "", warnings)
			if answer.Object != nil && !reflect.DeepEqual(answer.Object["metadata"].(map[string]any)["ownerReferences"], []any{owner}) {
				t.Errorf("%s with %d: %v", what, n, answer.Object["metadata"])
			}
		}
	}
}

// A Status has details where there is something to say in them.
func TestRefusalsHaveDetailsWhereThereAreSome(t *testing.T) {
	for _, c := range []struct {
		refusal    prunert.Refusal
		text, body string
	}{
		{prunert.Refusal{}, "Error from server: ", ``},
		{prunert.Refusal{Message: "m", Code: 500}, "Error from server: m", `"message":"m","code":500`},
		{prunert.Refusal{Message: "m", Reason: "Invalid", Code: 422}, "Error from server (Invalid): m", `"message":"m","reason":"Invalid","code":422`},
		{prunert.Refusal{Reason: "Conflict", Group: "g"}, "Error from server (Conflict): ", `"reason":"Conflict","details":{"group":"g"}`},
		{prunert.Refusal{Reason: "NotFound", Kind: "k"}, "Error from server (NotFound): ", `"reason":"NotFound","details":{"kind":"k"}`},
		{prunert.Refusal{Reason: "NotFound", Name: "n"}, "Error from server (NotFound): ", `"reason":"NotFound","details":{"name":"n"}`},
		{
			prunert.Refusal{Reason: "NotFound", Message: "m", Causes: []prunert.Cause{{Field: "f"}, {Message: "g"}, {Reason: "r"}}},
			"Error from server (NotFound): m", `"message":"m","reason":"NotFound","details":{"causes":[{"field":"f"},{"message":"g"},{"reason":"r"}]}`,
		},
		{
			prunert.Refusal{Reason: "Invalid", Message: "m", Kind: "k", Causes: []prunert.Cause{{Field: "f", Message: "g"}, {Field: "f", Message: "h"}}},
			"The k \"\" is invalid: \n* f: g\n* f: h", `"message":"m","reason":"Invalid","details":{"kind":"k","causes":[{"message":"g","field":"f"},{"message":"h","field":"f"}]}`,
		},
	} {
		body, err := json.Marshal(&c.refusal)
		want := `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure"`
		if c.body != "" {
			want += "," + c.body
		}
		if want += "}"; err != nil || string(body) != want {
			t.Errorf("have %s, %v\nwant %s", body, err, want)
		}
		if have := c.refusal.Error(); have != c.text {
			t.Errorf("have %q, want %q", have, c.text)
		}
	}
}

// A kind without a group has no dot after its name.
func TestKindsWithoutAGroupAreNamedWithoutOne(t *testing.T) {
	r := v1.CronTabResource
	r.Group, r.Namespaced = "", false
	old := stored(t)
	old["apiVersion"] = "v1"
	delete(old["metadata"].(map[string]any), "namespace")
	change := func(k, v string) map[string]any {
		obj := clone(old)
		obj["metadata"].(map[string]any)[k] = v
		return obj
	}
	checkAnswer(t, r.Update(clone(old), nil, prunert.Request{}), 404, `crontabs "nightly" not found`, nil)
	checkAnswer(t, r.Update(change("resourceVersion", "6"), old, prunert.Request{}), 409,
		`Operation cannot be fulfilled on crontabs "nightly": the object has been modified; please apply your changes to the latest version and try again`, nil)
	checkAnswer(t, r.Update(change("uid", "other"), old, prunert.Request{}), 409, `Operation cannot be fulfilled on crontabs "nightly": StorageError: invalid object, Code: 4, `+
		`Key: /registry//crontabs/nightly, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: u`, nil)
	checkAnswer(t, r.Create(clone(old), prunert.Request{Subresource: "status"}), 405, `create is not supported on resources of kind "crontabs"`, nil)
	obj := decoded(t, strings.Replace(cronTab, "stable.example.com/", "", 1))
	obj["metadata"].(map[string]any)["name"] = ""
	r.Namespaced = true
	checkAnswer(t, r.Create(obj, prunert.Request{}), 422, `CronTab "" is invalid: metadata.name: Required value: name or generateName is required`, nil)
}

func TestSetsAnswerForNoOtherKinds(t *testing.T) {
	var set prunert.Set
	if err := set.Add(v1.CronTabResource); err != nil {
		t.Fatal(err)
	}
	old := stored(t)
	data, err := json.Marshal(old)
	if err != nil {
		t.Fatal(err)
	}
	checkAnswer(t, set.UpdateJSON(data, old, prunert.Request{}), 0, "", nil)
	for _, head := range []map[string]any{
		{"kind": "WebApp"}, {"apiVersion": "stable.example.com/v2"}, {"apiVersion": "v1"}, {"kind": ""}, {"kind": nil}, {"apiVersion": int64(1)}, {"apiVersion": "stable.example.com/v1/x"},
	} {
		obj := clone(old)
		maps.Copy(obj, head)
		body, err := json.Marshal(obj)
		if err != nil {
			t.Fatal(err)
		}
		for what, answer := range map[string]prunert.Answer{
			"Create": set.Create(clone(obj), prunert.Request{}), "CreateJSON": set.CreateJSON(body, prunert.Request{}),
			"Update": set.Update(clone(obj), old, prunert.Request{}), "UpdateJSON": set.UpdateJSON(body, old, prunert.Request{}),
		} {
			want := &prunert.Refusal{Code: 404, Reason: "NotFound", Message: "the server could not find the requested resource"}
			var refusal *prunert.Refusal
			if !errors.As(answer.Err(), &refusal) || !reflect.DeepEqual(refusal, want) || answer.Object != nil {
				t.Errorf("%s of %v: %+v", what, head, answer)
			}
		}
	}
	// What is not JSON is that for every path.
	for body, want := range map[string]string{
		"": "unexpected end of JSON input", "{": "unexpected end of JSON input", string(data) + "}": "invalid character '}' after top-level value",
		"a": "invalid character 'a' looking for beginning of value", `{"kind": "WebApp"`: "unexpected end of JSON input",
	} {
		want = "couldn't get version/kind; json parse error: " + want
		checkAnswer(t, set.CreateJSON([]byte(body), prunert.Request{}), 400, want, nil)
		checkAnswer(t, set.UpdateJSON([]byte(body), old, prunert.Request{}), 400, want, nil)
	}
}
