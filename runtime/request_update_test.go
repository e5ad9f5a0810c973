package prunert_test

import (
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"

	v1 "github.com/prune-gen/prune-gen/examples/operator/api/v1"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// stored returns the CronTab as it could lie in storage.
func stored(t testing.TB) map[string]any {
	t.Helper()
	obj := decoded(t, cronTab)
	answer := v1.CronTabResource.Create(obj, prunert.Request{Now: func() int64 { return 1577836800 }, NewUID: func() string { return "u" }})
	if answer.Err() != nil {
		t.Fatal(answer.Err())
	}
	answer.Object["metadata"].(map[string]any)["resourceVersion"] = "7"
	answer.Object["status"] = map[string]any{"replicas": int64(1)}
	return answer.Object
}

// clone copies an object as far as the tests change it.
func clone(obj map[string]any) map[string]any {
	out := maps.Clone(obj)
	for k, v := range out {
		if m, ok := v.(map[string]any); ok {
			out[k] = clone(m)
		}
	}
	return out
}

func TestUpdateKeepsTheStatusAndCountsGenerations(t *testing.T) {
	old := stored(t)
	before := clone(old)
	obj := clone(old)
	obj["status"] = map[string]any{"replicas": int64(5)}
	answer := v1.CronTabResource.Update(obj, old, prunert.Request{})
	if answer.Err() != nil || !reflect.DeepEqual(answer.Object, before) {
		t.Errorf("an update of the status alone: %v, want %v: %v", answer.Object, before, answer.Err())
	}

	obj = clone(old)
	obj["metadata"] = map[string]any{"name": "nightly", "resourceVersion": "7", "generation": int64(12)}
	obj["spec"].(map[string]any)["image"] = "backup:2"
	answer = v1.CronTabResource.Update(obj, old, prunert.Request{})
	want := clone(before)
	want["spec"].(map[string]any)["image"] = "backup:2"
	want["metadata"].(map[string]any)["generation"] = int64(2)
	if answer.Err() != nil || !reflect.DeepEqual(answer.Object, want) {
		t.Errorf("an update of the spec: %v, want %v: %v", answer.Object, want, answer.Err())
	}
	if !reflect.DeepEqual(old, before) {
		t.Error("the old object has changed")
	}
}

func TestUpdateOfTheStatusKeepsEverythingElse(t *testing.T) {
	old := stored(t)
	before := clone(old)
	obj := clone(old)
	obj["spec"] = map[string]any{"image": "other"}
	obj["metadata"].(map[string]any)["labels"] = map[string]any{"not": "kept"}
	obj["status"] = map[string]any{"replicas": int64(5)}
	answer := v1.CronTabResource.Update(obj, old, prunert.Request{Subresource: "status"})
	want := clone(before)
	want["status"] = map[string]any{"replicas": int64(5)}
	if answer.Err() != nil || !reflect.DeepEqual(answer.Object, want) {
		t.Errorf("%v, want %v: %v", answer.Object, want, answer.Err())
	}
	if !reflect.DeepEqual(old, before) {
		t.Error("the old object has changed")
	}

	obj = clone(old)
	obj["status"] = map[string]any{"replicas": "many", "conditions": []any{map[string]any{"type": "Ready"}}}
	checkAnswer(t, v1.CronTabResource.Update(obj, old, prunert.Request{Subresource: "status"}), 422,
		`CronTab.stable.example.com "nightly" is invalid: [status.conditions[0].status: Required value, `+
			`status.replicas: Invalid value: "string": replicas in body must be of type integer: "string", `+
			`.status.replicas: Invalid value: 0: .status.replicas accessor error: many is of the type string, expected int64]`, nil)

	obj = clone(old)
	delete(obj, "status")
	answer = v1.CronTabResource.Update(obj, old, prunert.Request{Subresource: "status"})
	if _, ok := answer.Object["status"]; ok || answer.Err() != nil {
		t.Errorf("there is a status still: %v, %v", answer.Object, answer.Err())
	}
}

func TestUpdateAnswersInTheWordsOfTheServer(t *testing.T) {
	metadata := func(obj map[string]any) map[string]any { return obj["metadata"].(map[string]any) }
	for name, c := range map[string]struct {
		change  func(obj map[string]any)
		request prunert.Request
		code    int
		message string
	}{
		"another name": {
			change: func(obj map[string]any) { metadata(obj)["name"] = "daily" }, code: 400,
			message: "the name of the object (daily) does not match the name on the URL (nightly)",
		},
		"no name": {
			change: func(obj map[string]any) { delete(metadata(obj), "name") }, code: 400,
			message: "the name of the object (nightly based on URL) was undeterminable: name must be provided",
		},
		"no version": {
			change: func(obj map[string]any) { delete(metadata(obj), "resourceVersion") }, code: 422,
			message: `crontabs.stable.example.com "nightly" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update`,
		},
		"an old version": {
			change: func(obj map[string]any) { metadata(obj)["resourceVersion"] = "6" }, code: 409,
			message: `Operation cannot be fulfilled on crontabs.stable.example.com "nightly": the object has been modified; please apply your changes to ` +
				`the latest version and try again`,
		},
		"a version that is no number": {
			change: func(obj map[string]any) { metadata(obj)["resourceVersion"] = "x" }, code: 500,
			message: `strconv.ParseUint: parsing "x": invalid syntax`,
		},
		"no version by another name": {
			change: func(obj map[string]any) { metadata(obj)["resourceVersion"] = "0" }, code: 422,
			message: `crontabs.stable.example.com "nightly" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update`,
		},
		"the version in other digits": {
			change: func(obj map[string]any) { metadata(obj)["resourceVersion"] = "007" },
		},
		"a field validation that is none": {
			request: prunert.Request{FieldValidation: "strict"}, code: 422,
			message: `UpdateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "strict": supported values: "", "Ignore", "Strict", "Warn"`,
		},
		"another kind": {
			change: func(obj map[string]any) { obj["kind"] = "WebApp" }, code: 422,
			message: `WebApp.stable.example.com "nightly" is invalid: kind: Invalid value: "WebApp": must be CronTab`,
		},
		"another name than on the path": {
			request: prunert.Request{Name: "weekly"}, code: 400,
			message: "the name of the object (nightly) does not match the name on the URL (weekly)",
		},
		"another object": {
			change: func(obj map[string]any) { metadata(obj)["uid"] = "other" }, code: 409,
			message: `Operation cannot be fulfilled on crontabs.stable.example.com "nightly": StorageError: invalid object, Code: 4, Key: ` +
				`/registry/stable.example.com/crontabs/default/nightly, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in ` +
				`precondition: other, UID in object meta: u`,
		},
		"a time of deletion": {
			change: func(obj map[string]any) { metadata(obj)["deletionTimestamp"] = "2020-01-01T00:00:00Z" }, code: 422,
			message: `CronTab.stable.example.com "nightly" is invalid: metadata.deletionTimestamp: Invalid value: "2020-01-01T00:00:00Z": field is immutable`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			old := stored(t)
			obj := clone(old)
			if c.change != nil {
				c.change(obj)
			}
			checkAnswer(t, v1.CronTabResource.Update(obj, old, c.request), c.code, c.message, nil)
		})
	}
	for name, messages := range map[string][]string{
		"..":   {`metadata.name: Invalid value: "..": may not be '..'`},
		".":    {`metadata.name: Invalid value: ".": may not be '.'`},
		"a/b":  {`metadata.name: Invalid value: "a/b": may not contain '/'`},
		"a%":   {`metadata.name: Invalid value: "a%": may not contain '%'`},
		"%a/":  {`metadata.name: Invalid value: "%a/": may not contain '/'`, `metadata.name: Invalid value: "%a/": may not contain '%'`},
		"...":  nil,
		"A_b ": nil, // a name that could not be created
	} {
		t.Run("the name "+name, func(t *testing.T) {
			old := stored(t)
			metadata(old)["name"] = name
			message, code := strings.Join(messages, ", "), 0
			if len(messages) > 1 {
				message = "[" + message + "]"
			}
			if message != "" {
				message, code = fmt.Sprintf("CronTab.stable.example.com %q is invalid: %s", name, message), 422
			}
			checkAnswer(t, v1.CronTabResource.Update(clone(old), old, prunert.Request{}), code, message, nil)
		})
	}
	old := stored(t)
	metadata(old)["generateName"] = ".."
	checkAnswer(t, v1.CronTabResource.Update(clone(old), old, prunert.Request{}), 0, "", nil)
	metadata(old)["generateName"] = "a/%-"
	checkAnswer(t, v1.CronTabResource.Update(clone(old), old, prunert.Request{}), 422, `CronTab.stable.example.com "nightly" is invalid: `+
		`[metadata.generateName: Invalid value: "a/%-": may not contain '/', metadata.generateName: Invalid value: "a/%-": may not contain '%']`, nil)
	obj := stored(t)
	checkAnswer(t, v1.CronTabResource.Update(obj, nil, prunert.Request{Name: "nightly"}), 404, `crontabs.stable.example.com "nightly" not found`, nil)
}

func TestUpdateOfMetadataIsNoGeneration(t *testing.T) {
	old := stored(t)
	old["metadata"].(map[string]any)["finalizers"] = []any{"old"}
	obj := clone(old)
	obj["metadata"].(map[string]any)["labels"] = map[string]any{"a": "b"}
	obj["metadata"].(map[string]any)["finalizers"] = []any{"old", "new"}
	obj["metadata"].(map[string]any)["generation"] = int64(12)
	answer := v1.CronTabResource.Update(obj, old, prunert.Request{})
	checkAnswer(t, answer, 0, "", []string{
		`metadata.finalizers: "new": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`,
	})
	if have := answer.Object["metadata"].(map[string]any)["generation"]; have != int64(1) {
		t.Errorf("generation %v, want 1", have)
	}
}

// An update validates metadata three times, and says so in its causes, but each text once in the message.
func TestUpdateRepeatsWhatIsWrongWithMetadata(t *testing.T) {
	old := stored(t)
	obj := clone(old)
	obj["metadata"].(map[string]any)["labels"] = map[string]any{"a": "b c"}
	refusal := v1.CronTabResource.Update(obj, old, prunert.Request{}).Refusal
	if refusal == nil || len(refusal.Causes) != 3 || strings.Count(refusal.Message, `"b c"`) != 1 {
		t.Errorf("%+v", refusal)
	}
}
