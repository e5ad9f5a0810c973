package prunert_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	v1 "github.com/prune-gen/prune-gen/examples/operator/api/v1"
	"github.com/prune-gen/prune-gen/internal/testing/numbers"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// decoded returns an object as the decoder of the API server makes it.
func decoded(t testing.TB, text string) map[string]any {
	t.Helper()
	obj, err := numbers.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return obj
}

const cronTab = `{"apiVersion": "stable.example.com/v1", "kind": "CronTab", "metadata": {"name": "nightly"},
	"spec": {"cronSpec": "0 3 * * *", "image": "backup:1"}}`

// A manifest that was read from a cluster has a status, and it need not be whole: the API server drops it and takes the rest.
func TestCreateTakesAManifestWithHalfAStatus(t *testing.T) {
	obj := decoded(t, cronTab)
	obj["status"] = map[string]any{"conditions": []any{map[string]any{"message": "half"}}}
	if errs := v1.ValidateCronTab(obj); len(errs) == 0 {
		t.Fatal("the status is whole, and this is not the story")
	}
	answer := v1.CronTabResource.Create(obj, prunert.Request{Namespace: "jobs", FieldValidation: prunert.FieldValidationStrict})
	if answer.Err() != nil {
		t.Fatal(answer.Err())
	}
	if len(answer.Warnings) > 0 {
		t.Errorf("warnings %q", answer.Warnings)
	}
	want := map[string]any{"name": "nightly", "namespace": "jobs", "generation": int64(1)}
	if have := answer.Object["metadata"]; !reflect.DeepEqual(have, want) {
		t.Errorf("metadata %v, want %v", have, want)
	}
	if status, ok := answer.Object["status"]; ok {
		t.Errorf("there is a status: %v", status)
	}
}

func TestCreateAnswersInTheWordsOfTheServer(t *testing.T) {
	for name, c := range map[string]struct {
		change   func(obj map[string]any)
		request  prunert.Request
		code     int
		message  string
		warnings []string
	}{
		"another kind": {
			change: func(obj map[string]any) { obj["kind"] = "WebApp" }, code: 422,
			message: `WebApp.stable.example.com "nightly" is invalid: kind: Invalid value: "WebApp": must be CronTab`,
		},
		"another version": {
			change: func(obj map[string]any) { obj["apiVersion"] = "stable.example.com/v2" }, code: 400,
			message: "the API version in the data (stable.example.com/v2) does not match the expected API version (stable.example.com/v1)",
		},
		"another namespace": {
			change:  func(obj map[string]any) { obj["metadata"].(map[string]any)["namespace"] = "here" },
			request: prunert.Request{Namespace: "there"}, code: 400,
			message: "the namespace of the provided object does not match the namespace sent on the request",
		},
		"an unknown field": {
			change:   func(obj map[string]any) { obj["spec"].(map[string]any)["unknown"] = true },
			warnings: []string{`unknown field "spec.unknown"`},
		},
		"an unknown field, strictly": {
			change:  func(obj map[string]any) { obj["spec"].(map[string]any)["unknown"] = true },
			request: prunert.Request{FieldValidation: prunert.FieldValidationStrict}, code: 400,
			message: `CronTab in version "v1" cannot be handled as a CronTab: strict decoding error: unknown field "spec.unknown"`,
		},
		"an unknown field, ignored": {
			change:  func(obj map[string]any) { obj["spec"].(map[string]any)["unknown"] = true },
			request: prunert.Request{FieldValidation: prunert.FieldValidationIgnore},
		},
		"a wrong value and a bad name": {
			change: func(obj map[string]any) {
				obj["metadata"].(map[string]any)["name"] = "Nightly"
				obj["spec"].(map[string]any)["replicas"] = int64(-1)
			}, code: 422,
			message: `CronTab.stable.example.com "Nightly" is invalid: [metadata.name: Invalid value: "Nightly": a lowercase RFC 1123 subdomain ` +
				`must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character ` +
				`(e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'), ` +
				`spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0, ` +
				`.spec.replicas: Invalid value: -1: should be a non-negative integer]`,
		},
		"a finalizer of nobody": {
			change: func(obj map[string]any) {
				obj["metadata"].(map[string]any)["finalizers"] = []any{"mine", "example.com", "example.com/ours", "orphan", "kubernetes"}
			},
			warnings: []string{
				`metadata.finalizers: "example.com": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers`,
				`metadata.finalizers: "mine": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`,
			},
		},
		"no field validation of this name": {
			request: prunert.Request{FieldValidation: "Maybe"}, code: 422,
			message: `CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "Maybe": supported values: "", "Ignore", "Strict", "Warn"`,
		},
		"the status": {
			request: prunert.Request{Subresource: "status"}, code: 405,
			message: `create is not supported on resources of kind "crontabs.stable.example.com"`,
		},
		"the scale": {
			request: prunert.Request{Subresource: "scale"}, code: 405,
			message: `create is not supported on resources of kind "crontabs.stable.example.com"`,
		},
		"a subresource that is none": {
			request: prunert.Request{Subresource: "log", Name: "nightly"}, code: 404,
			message: `crontabs.stable.example.com "nightly" not found`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			obj := decoded(t, cronTab)
			if c.change != nil {
				c.change(obj)
			}
			answer := v1.CronTabResource.Create(obj, c.request)
			checkAnswer(t, answer, c.code, c.message, c.warnings)
		})
	}
}

func checkAnswer(t *testing.T, answer prunert.Answer, code int, message string, warnings []string) {
	t.Helper()
	if !slices.Equal(answer.Warnings, warnings) {
		t.Errorf("warnings %q, want %q", answer.Warnings, warnings)
	}
	switch refusal := answer.Refusal; {
	case code == 0 && refusal != nil:
		t.Errorf("refused: %s", refusal.Message)
	case code == 0:
		if answer.Object == nil {
			t.Error("there is no object")
		}
	case refusal == nil:
		t.Error("not refused")
	case refusal.Code != code || refusal.Message != message:
		t.Errorf("refusal\n  %d %s\nwant\n  %d %s", refusal.Code, refusal.Message, code, message)
	case answer.Object != nil:
		t.Error("refused, with an object")
	}
}

func TestCreateLeavesOutWhatOnlyAServerKnows(t *testing.T) {
	obj := decoded(t, cronTab)
	metadata := obj["metadata"].(map[string]any)
	metadata["uid"], metadata["creationTimestamp"] = "mine", "2020-01-01T00:00:00Z"
	metadata["managedFields"] = []any{map[string]any{"manager": "me"}}
	delete(metadata, "name")
	metadata["generateName"] = "nightly-"
	answer := v1.CronTabResource.Create(obj, prunert.Request{})
	name, _ := answer.Object["metadata"].(map[string]any)["name"].(string)
	if !strings.HasPrefix(name, "nightly-") || len(name) != len("nightly-")+5 {
		t.Errorf("the name is %q", name)
	}
	want := map[string]any{"name": name, "generateName": "nightly-", "namespace": "default", "generation": int64(1)}
	if have := answer.Object["metadata"]; !reflect.DeepEqual(have, want) {
		t.Errorf("metadata %v, want %v", have, want)
	}

	delete(answer.Object["metadata"].(map[string]any), "generateName")
	answer.Object["metadata"].(map[string]any)["uid"] = "mine"
	answer = v1.CronTabResource.Create(answer.Object, prunert.Request{})
	delete(want, "generateName")
	if have := answer.Object["metadata"]; !reflect.DeepEqual(have, want) {
		t.Errorf("metadata as it is stored, with a uid: %v, want %v", have, want)
	}

	obj = decoded(t, cronTab)
	obj["metadata"] = map[string]any{"generateName": "nightly-"}
	answer = v1.CronTabResource.Create(obj, prunert.Request{
		Now:          func() int64 { return 1577836800 },
		NewUID:       func() string { return "u" },
		GenerateName: func(base string) string { return base + "x" },
	})
	want = map[string]any{"name": "nightly-x", "generateName": "nightly-", "namespace": "default", "generation": int64(1), "uid": "u", "creationTimestamp": "2020-01-01T00:00:00Z"}
	if have := answer.Object["metadata"]; !reflect.DeepEqual(have, want) {
		t.Errorf("metadata %v, want %v", have, want)
	}
}

func TestJSONIsAnsweredLikeObjects(t *testing.T) {
	twice := strings.Replace(cronTab, `"image"`, `"cronSpec": "0 4 * * *", "list": [0, {"a": 1, "a": 2}], "image"`, 1)
	answer := v1.CronTabResource.CreateJSON([]byte(twice), prunert.Request{})
	checkAnswer(t, answer, 0, "", []string{`duplicate field "spec.cronSpec"`, `duplicate field "spec.list[1].a"`, `unknown field "spec.list"`})
	if have := answer.Object["spec"].(map[string]any)["cronSpec"]; have != "0 4 * * *" {
		t.Errorf("cronSpec is %q", have)
	}
	checkAnswer(t, v1.CronTabResource.CreateJSON([]byte(twice), prunert.Request{FieldValidation: prunert.FieldValidationIgnore}), 0, "", nil)
	checkAnswer(t, v1.CronTabResource.CreateJSON([]byte(`{"kind": "CronTab"`), prunert.Request{}), 400,
		`the object provided is unrecognized (must be of type CronTab): couldn't get version/kind; json parse error: unexpected end of JSON input ({"kind": "CronTab")`, nil)
	checkAnswer(t, v1.CronTabResource.CreateJSON([]byte(`[]`), prunert.Request{}), 400,
		"the object provided is unrecognized (must be of type CronTab): couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type "+
			`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" } (5b5d)`, nil)

	checkAnswer(t, v1.CronTabResource.CreateJSON([]byte(strings.Replace(cronTab, `"spec": {`, `"spec": {"replicas": 1e400, `, 1)), prunert.Request{}), 400,
		`CronTab in version "v1" cannot be handled as a CronTab: json: cannot unmarshal number 1e400 into Go value of type float64`, nil)

	old := stored(t)
	obj := clone(old)
	obj["spec"].(map[string]any)["image"] = "backup:2"
	data, err := json.Marshal(obj)
	if err != nil {
		t.Fatal(err)
	}
	have, want := v1.CronTabResource.UpdateJSON(data, old, prunert.Request{}), v1.CronTabResource.Update(obj, old, prunert.Request{})
	if !reflect.DeepEqual(have, want) {
		t.Errorf("%v, want %v", have, want)
	}
}

func TestSetAnswersForTheKindOfTheObject(t *testing.T) {
	var set prunert.Set
	if err := set.Add(v1.CronTabResource); err != nil {
		t.Fatal(err)
	}
	checkAnswer(t, set.Create(decoded(t, cronTab), prunert.Request{}), 0, "", nil)
	checkAnswer(t, set.CreateJSON([]byte(cronTab), prunert.Request{}), 0, "", nil)
	old := stored(t)
	checkAnswer(t, set.Update(clone(old), old, prunert.Request{}), 0, "", nil)
	const unknown = "the server could not find the requested resource"
	other := strings.Replace(cronTab, "CronTab", "WebApp", 1)
	checkAnswer(t, set.CreateJSON([]byte(other), prunert.Request{}), 404, unknown, nil)
	checkAnswer(t, set.UpdateJSON([]byte(other), old, prunert.Request{}), 404, unknown, nil)
}

func TestRefusalIsAStatusAndPrintsAsKubectlDoes(t *testing.T) {
	obj := decoded(t, cronTab)
	obj["spec"].(map[string]any)["replicas"] = int64(11)
	refusal := v1.CronTabResource.Create(obj, prunert.Request{}).Refusal
	data, err := json.Marshal(refusal)
	if err != nil {
		t.Fatal(err)
	}
	const body = `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"CronTab.stable.example.com \"nightly\" is invalid: spec.replicas: ` +
		`Invalid value: 11: spec.replicas in body should be less than or equal to 10","reason":"Invalid","details":{"name":"nightly","group":"stable.example.com",` +
		`"kind":"CronTab","causes":[{"reason":"FieldValueInvalid","message":"Invalid value: 11: spec.replicas in body should be less than or equal to 10",` +
		`"field":"spec.replicas"}]},"code":422}`
	if string(data) != body {
		t.Errorf("%s\nwant\n%s", data, body)
	}
	if have, want := refusal.Error(), `The CronTab "nightly" is invalid: spec.replicas: Invalid value: 11: spec.replicas in body should be less than or equal to 10`; have != want {
		t.Errorf("%s\nwant\n%s", have, want)
	}
	delete(obj["spec"].(map[string]any), "image")
	if have, want := v1.CronTabResource.Create(obj, prunert.Request{}).Err().Error(), "The CronTab \"nightly\" is invalid: \n* spec.image: Required value\n"+
		"* spec.replicas: Invalid value: 11: spec.replicas in body should be less than or equal to 10"; have != want {
		t.Errorf("%s\nwant\n%s", have, want)
	}
	obj["kind"] = 5
	if have, want := v1.CronTabResource.Create(obj, prunert.Request{}).Err().Error(), "Error from server (BadRequest): the object provided is unrecognized "; !strings.HasPrefix(have, want) {
		t.Errorf("%s\nwant\n%s", have, want)
	}
}

func TestRulesThatWereNotCheckedAreMentioned(t *testing.T) {
	r := v1.CronTabResource
	r.HasRules = true
	r.ValidateRules = func(obj, old map[string]any) (prunert.ErrorList, []string) {
		t.Error("rules are evaluated")
		return nil, nil
	}
	obj := decoded(t, cronTab)
	delete(obj["spec"].(map[string]any), "image")
	checkAnswer(t, r.Create(obj, prunert.Request{}), 422, `CronTab.stable.example.com "nightly" is invalid: [spec.image: Required value, `+
		`<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]`, nil)
}

// A resource that cannot answer requests is refused when it is added to a set, and otherwise by requests.
func TestRequestsNeedTheFunctions(t *testing.T) {
	for missing, without := range map[string]func(r *prunert.Resource){
		"Normalize":        func(r *prunert.Resource) { r.Normalize = nil },
		"Validate":         func(r *prunert.Resource) { r.Validate = nil },
		"ValidateUpdate":   func(r *prunert.Resource) { r.ValidateUpdate = nil },
		"ValidateStatus":   func(r *prunert.Resource) { r.ValidateStatus = nil },
		"ValidateMetadata": func(r *prunert.Resource) { r.ValidateMetadata = nil },
		"ValidateRules":    func(r *prunert.Resource) { r.HasRules = true },
		"Normalize, ValidateUpdate, ValidateStatus": func(r *prunert.Resource) {
			r.Normalize, r.ValidateUpdate, r.ValidateStatus = nil, nil, nil
		},
	} {
		r := v1.CronTabResource
		without(&r)
		want := "requests for stable.example.com/v1 CronTab need functions that were not generated: " + missing
		var set prunert.Set
		for what, err := range map[string]error{"Add": set.Add(v1.CronTabResource, r), "Put": set.Put(r)} {
			if err == nil || err.Error() != want {
				t.Errorf("%s: %v, want %s", what, err, want)
			}
		}
		if n := len(set.Resources()); n != 0 {
			t.Errorf("without %s: the set has %d resources", missing, n)
		}
		if err := set.AddPartial(r); err != nil {
			t.Error(err)
		}
		old := stored(t)
		for _, answer := range []prunert.Answer{
			set.Create(decoded(t, cronTab), prunert.Request{}), r.Create(decoded(t, cronTab), prunert.Request{}),
			r.Update(clone(old), old, prunert.Request{}), r.Update(clone(old), old, prunert.Request{Subresource: "status"}),
		} {
			checkAnswer(t, answer, 500, "prunert: "+want, nil)
		}
	}
	r := v1.CronTabResource
	r.Prune, r.PruneJSON = nil, nil
	var set prunert.Set
	if err := set.Add(r); err != nil {
		t.Errorf("without functions that requests do not need: %v", err)
	}
	r.Status, r.ValidateStatus = false, nil
	if err := set.Put(r); err != nil {
		t.Errorf("without a status: %v", err)
	}
}

// A kind has the subresources that its CRD names. Only an existing object has them, and they cannot be created by themselves.
func TestKindsHaveTheirSubresources(t *testing.T) {
	const (
		notFound = `crontabs.stable.example.com "nightly" not found`
		notMade  = `create is not supported on resources of kind "crontabs.stable.example.com"`
		another  = "prunert: the scale of a CronTab is an object of another kind, which Update does not take"
	)
	for name, c := range map[string]struct {
		status, scale bool
		sub           string
		create        string
		createCode    int
		update        string
		updateCode    int
	}{
		"the status of a kind with both":           {true, true, "status", notMade, 405, "", 0},
		"the status of a kind with a scale only":   {false, true, "status", notFound, 404, notFound, 404},
		"the scale of a kind with both":            {true, true, "scale", notMade, 405, another, 500},
		"the scale of a kind with a status only":   {true, false, "scale", notFound, 404, notFound, 404},
		"the scale of a kind with a scale only":    {false, true, "scale", notMade, 405, another, 500},
		"something else of a kind with everything": {true, true, "Status", notFound, 404, notFound, 404},
	} {
		t.Run(name, func(t *testing.T) {
			r := v1.CronTabResource
			r.Status = c.status
			if !c.scale {
				r.Scale = nil
			}
			old := stored(t)
			checkAnswer(t, r.Create(decoded(t, cronTab), prunert.Request{Subresource: c.sub, Name: "nightly"}), c.createCode, c.create, nil)
			checkAnswer(t, r.Update(clone(old), old, prunert.Request{Subresource: c.sub}), c.updateCode, c.update, nil)
			checkAnswer(t, r.Update(clone(old), old, prunert.Request{Subresource: c.sub, Name: "nightly"}), c.updateCode, c.update, nil)
		})
	}
}

// A document that does not say what it is gets the kind and the version of the resource, unless it names another group.
func TestDocumentsThatDoNotSayWhatTheyAre(t *testing.T) {
	const (
		unrecognized = "the object provided is unrecognized (must be of type CronTab): "
		handled      = `CronTab in version "v1" cannot be handled as a CronTab: `
	)
	for _, c := range []struct{ body, strict, ignore string }{
		{"", unrecognized + "couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)", ""},
		{"null", unrecognized + "Object 'Kind' is missing in 'null' (6e756c6c)", handled + "Object 'Kind' is missing in 'null'"},
		{"{}", unrecognized + "Object 'Kind' is missing in '{}' ({})", handled + "Object 'Kind' is missing in '{}'"},
		{
			`{"apiVersion":"stable.example.com/"}`, unrecognized + `Object 'Kind' is missing in '{"apiVersion":"stable.example.com/"}' ({"apiVersion":"stable.example. ...)`,
			handled + `Object 'Kind' is missing in '{"apiVersion":"stable.example.com/"}'`,
		},
		{
			`{"apiVersion":"other/"}`, unrecognized + `Object 'Kind' is missing in '{"apiVersion":"other/"}' ({"apiVersion":"other/"})`,
			`CronTab in version "" cannot be handled as a CronTab: Object 'Kind' is missing in '{"apiVersion":"other/"}'`,
		},
		{
			`{"apiVersion":"other/v2"}`, unrecognized + `Object 'Kind' is missing in '{"apiVersion":"other/v2"}' ({"apiVersion":"other/v2"})`,
			`CronTab in version "v2" cannot be handled as a CronTab: Object 'Kind' is missing in '{"apiVersion":"other/v2"}'`,
		},
		{
			`{"apiVersion":"a/b/c"}`, unrecognized + `unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c"})`, "",
		},
		{
			`{"Kind":"WebApp"}`, unrecognized + `Object 'Kind' is missing in '{"Kind":"WebApp"}' ({"Kind":"WebApp"})`,
			`WebApp in version "v1" cannot be handled as a CronTab: Object 'Kind' is missing in '{"Kind":"WebApp"}'`,
		},
	} {
		for validation, want := range map[prunert.FieldValidation]string{
			"": c.strict, prunert.FieldValidationWarn: c.strict, prunert.FieldValidationStrict: c.strict, prunert.FieldValidationIgnore: c.ignore,
		} {
			if want == "" {
				want = c.strict
			}
			t.Run(fmt.Sprintf("%s/%s", c.body, validation), func(t *testing.T) {
				checkAnswer(t, v1.CronTabResource.CreateJSON([]byte(c.body), prunert.Request{FieldValidation: validation}), 400, want, nil)
			})
		}
	}
	checkAnswer(t, v1.CronTabResource.CreateJSON(nil, prunert.Request{}), 400,
		unrecognized+"couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)", nil)
}

// Whatever metadata a client sends, a new object has only the fields that a client may set.
func TestCreateTakesTheMetadataOfTheClient(t *testing.T) {
	sent := map[string]any{
		"namespace": "default", "generation": int64(1), "labels": map[string]any{"a": "b"}, "annotations": map[string]any{"c": "d"},
		"finalizers": []any{"example.com/x"}, "uid": "mine", "creationTimestamp": "2020-01-01T00:00:00Z", "deletionTimestamp": "2020-01-01T00:00:00Z",
		"deletionGracePeriodSeconds": int64(3), "selfLink": "/x", "resourceVersion": "0", "managedFields": []any{},
	}
	theirs := []string{"labels", "annotations", "finalizers"}
	fields := slices.Sorted(maps.Keys(sent))
	for subset := range 1 << len(fields) {
		obj := decoded(t, cronTab)
		metadata := obj["metadata"].(map[string]any)
		want := map[string]any{"name": "nightly", "namespace": "default", "generation": int64(1)}
		for i, k := range fields {
			if subset>>i&1 == 0 {
				continue
			}
			metadata[k] = sent[k]
			if slices.Contains(theirs, k) {
				want[k] = sent[k]
			}
		}
		input := maps.Clone(metadata)
		answer := v1.CronTabResource.Create(obj, prunert.Request{})
		if have := answer.Object["metadata"]; answer.Err() != nil || !reflect.DeepEqual(have, want) {
			t.Fatalf("%v\nhave %v, %v\nwant %v", input, have, answer.Err(), want)
		}
	}
}

// Create does not allocate on an object with nothing to change.
func TestCreateOfACleanObjectDoesNotAllocate(t *testing.T) {
	obj := decoded(t, cronTab)
	req := prunert.Request{Namespace: "default", FieldValidation: prunert.FieldValidationStrict}
	if answer := v1.CronTabResource.Create(obj, req); answer.Err() != nil {
		t.Fatal(answer.Err())
	}
	n := testing.AllocsPerRun(100, func() {
		if v1.CronTabResource.Create(obj, req).Refusal != nil {
			t.Error("refused")
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestRepeatedOwnersAreDroppedWithAWarning(t *testing.T) {
	obj := decoded(t, cronTab)
	owner := map[string]any{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u"}
	other := map[string]any{"apiVersion": "v1", "kind": "Pod", "name": "q", "uid": "u"}
	obj["metadata"].(map[string]any)["ownerReferences"] = []any{owner, other, maps.Clone(owner)}
	answer := v1.CronTabResource.Create(obj, prunert.Request{})
	checkAnswer(t, answer, 0, "", []string{".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, " +
		"and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u"})
	if have, want := answer.Object["metadata"].(map[string]any)["ownerReferences"], []any{owner, other}; !reflect.DeepEqual(have, want) {
		t.Errorf("owners %v, want %v", have, want)
	}
}
