package kube_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/prune-gen/prune-gen/kube"
)

type thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		Size  int               `json:"size"`
		Names []string          `json:"names,omitempty"`
		Parts []part            `json:"parts,omitempty"`
		Whole []part            `json:"whole,omitempty"`
		Texts map[string]string `json:"texts,omitempty"`
		Tree  *node             `json:"tree,omitempty"`
		Trees []struct {
			Name string `json:"name"`
			Tree *node  `json:"tree,omitempty"`
		} `json:"trees,omitempty"`
		Odd    []odd             `json:"odd,omitempty"`
		Groups map[string]part   `json:"groups,omitempty"`
		Notes  map[string]string `json:"notes,omitempty"`
		Root   *root             `json:"root,omitempty"`
		Nest   nest              `json:"nest,omitempty"`
		Lists  lists             `json:"lists,omitempty"`
		Named  []part            `json:"named,omitempty"`
		Pair   [2]string         `json:"pair"`
		Extra  *struct {
			Names []string `json:"names"`
			Size  int      `json:"size"`
		} `json:"extra,omitempty"`
	} `json:"spec"`
}

// nest and lists contain themselves.
type (
	nest  map[string]nest
	lists []lists
)

type part struct {
	Name  string      `json:"name"`
	Time  metav1.Time `json:"time"`
	Names []string    `json:"names,omitempty"`
}

// odd has JSON of its own, and nobody knows which.
type odd struct{ Name string }

func (o *odd) UnmarshalJSON([]byte) error { return nil }

type root struct {
	Name     string `json:"name"`
	Children []root `json:"children"`
}

type node struct {
	Children []node   `json:"children,omitempty"`
	Names    []string `json:"names,omitempty"`
}

// project drops spec.names, spec.notes, spec.root, spec.extra, spec.parts[].time and spec.named[].name.
func project(t *thing) {
	t.ManagedFields, t.Spec.Names, t.Spec.Notes, t.Spec.Root, t.Spec.Extra = nil, nil, nil, nil, nil
	for i := range t.Spec.Parts {
		t.Spec.Parts[i].Time = metav1.Time{}
	}
	for i := range t.Spec.Named {
		t.Spec.Named[i].Name = ""
	}
}

func newThing() *thing {
	t := &thing{ObjectMeta: metav1.ObjectMeta{Name: "a", ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "m"}}}}
	t.Spec.Size, t.Spec.Names = 3, []string{"n"}
	return t
}

func TestProject(t *testing.T) {
	calls := 0
	transform := kube.Project(func(t *thing) { calls++; project(t) })
	for _, in := range []any{newThing(), struct{ Obj any }{newThing()}, &struct{ Obj any }{newThing()}} {
		calls = 0
		for range 2 { // the second one must not write to the object
			out, err := transform(in)
			if err != nil || calls != 1 {
				t.Errorf("%T: %v after %d calls", in, err, calls)
			}
			obj, ok := out.(*thing)
			if !ok {
				if s, isStruct := out.(struct{ Obj any }); isStruct {
					obj = s.Obj.(*thing)
				} else {
					obj = out.(*struct{ Obj any }).Obj.(*thing)
				}
			}
			if obj.Spec.Size != 3 || obj.Spec.Names != nil || len(obj.ManagedFields) > 0 {
				t.Errorf("%+v", obj)
			}
			in = out
		}
	}
	bare := &thing{}
	bare.Spec.Names = []string{"n"}
	if _, err := transform(bare); err != nil || bare.Spec.Names != nil {
		t.Errorf("without managedFields: %+v, %v", bare, err)
	}
	u := &unstructured.Unstructured{Object: map[string]any{"kind": "Thing", "spec": "x"}}
	for _, other := range []any{u, "text", nil, &part{}, struct{ Obj any }{}} {
		if _, err := transform(other); err != nil {
			t.Errorf("%T: %v", other, err)
		}
	}
	if _, err := kube.Project(func(obj map[string]any) { delete(obj, "spec") })(u); err != nil || len(u.Object) != 1 {
		t.Errorf("%v, %v", u, err)
	}
}

var things = schema.GroupResource{Group: "example.com", Resource: "things"}

// answer is a transport that answers everything.
type answer func(*http.Request) (*http.Response, error)

func (a answer) RoundTrip(req *http.Request) (*http.Response, error) { return a(req) }

func TestReadOnly(t *testing.T) {
	const path = "/apis/example.com/v1/namespaces/n/things/a"
	merge, strategic, json := "application/merge-patch+json", "application/strategic-merge-patch+json", "application/json-patch+json"
	for _, c := range []struct {
		method, path, kind, body string
		passes                   bool
	}{
		{"PUT", path, "application/json", `{}`, false},
		{"PUT", path + "/status", "application/json", `{}`, false},
		{"PUT", "/k8s/clusters/c/api/v1" + path, "application/json", `{}`, false},
		{"PUT", "/apis/example.com/v1/things/a", "application/json", `{}`, false},
		{"PUT", path + "/scale", "application/json", `{}`, true},
		{"PUT", path + "/proxy", "application/json", `{}`, true},
		{"PUT", "/api/v1/namespaces/n/things/a", "application/json", `{}`, true},
		{"PUT", "/apis/example.org/v1/namespaces/n/things/a", "application/json", `{}`, true},
		{"PUT", "/apis/example.com/v1/namespaces/things/others/a", "application/json", `{}`, true},
		{"POST", "/apis/example.com/v1/namespaces/n/things", "application/json", `{}`, true},
		{"DELETE", path, "application/json", `{}`, true},
		{"DELETE", "/apis/example.com/v1/namespaces/n/things", "application/json", `{}`, true},
		{"GET", path, "", "", true},
		{"PATCH", path, "application/apply-patch+yaml", `{}`, false},
		{"PATCH", path, "application/apply-patch+cbor", `{}`, false},
		{"PATCH", path, "application/unknown", `{}`, false},
		{"PATCH", path, merge, `{`, false},
		{"PATCH", path, merge, `[]`, false},
		{"PATCH", path, merge, `{"metadata":{"resourceVersion":"7","finalizers":["a"],"ownerReferences":[{"uid":"x"}],"labels":{"a":null}}}`, true},
		{"PATCH", path + "/status", merge + "; charset=utf-8", `{"spec":{"size":4}}`, true},
		{"PATCH", path, merge, `{"spec":{"size":0,"texts":{"$patch":"x"}}}`, true},
		{"PATCH", path, merge, `{"spec":{"names":["a"]}}`, false},
		{"PATCH", path, merge, `{"spec":{"names":null}}`, false},
		{"PATCH", path, merge, `{"spec":{"names":[]}}`, false},
		{"PATCH", path, merge, `{"spec":{"parts":[{"name":"b"}]}}`, false},
		{"PATCH", path, merge, `{"spec":{"parts":null}}`, true},
		{"PATCH", path, merge, `{"spec":{"whole":[{"name":"b"}]}}`, true},
		{"PATCH", path, merge, `{"spec":{"extra":{"size":3}}}`, true},
		{"PATCH", path, merge, `{"spec":{"extra":{"size":3,"names":null}}}`, false},
		{"PATCH", path, merge, `{"spec":{"extra":{"size":0}}}`, false},
		{"PATCH", path, merge, `{"spec":{"extra":{"size":0.0}}}`, false},
		{"PATCH", path, merge, `{"spec":{"named":[{"names":["a"]}]}}`, false},
		{"PATCH", path, merge, `{"spec":{"nest":{"a":{"b":{}}}}}`, true},
		{"PATCH", path, merge, `{"spec":{"lists":[[]]}}`, false},                             // nobody knows what is below
		{"PATCH", path, merge, `{"spec":{"notes":{"a":"","b":"0","c":"x","d":null}}}`, true}, // nobody encodes keys that are not set
		{"PATCH", path, merge, `{"spec":{"notes":null}}`, false},
		{"PATCH", path, strategic, `{"spec":{"notes":{"$patch":"replace"}}}`, false},
		{"PATCH", path, merge, `{"spec":{"root":{"name":"a"}}}`, true},
		{"PATCH", path, merge, `{"spec":{"root":{"name":"a","children":null}}}`, false}, // the type is recursive
		{"PATCH", path, merge, `{"spec":{"tree":{"names":["a"]}}}`, true},
		{"PATCH", path, merge, `{"spec":{"tree":{"children":[{}]}}}`, false}, // nobody knows what is below
		{"PATCH", path, merge, `{"spec":{"trees":[{"name":"a"}]}}`, false},
		{"PATCH", path, merge, `{"spec":{"odd":[{"name":"a"}]}}`, false},
		{"PATCH", path, merge, `{"spec":{"groups":{"g":{"names":["a"]}}}}`, true},
		{"PATCH", path, merge, `{"spec":{"unknown":["a"]}}`, false},
		{"PATCH", path, strategic, `{"spec":{"$patch":"replace"}}`, false},
		{"PATCH", path, strategic, `{"$patch":"replace"}`, false},
		{"PATCH", path, strategic, `{"spec":{"$retainKeys":["size"],"size":1}}`, false},
		{"PATCH", path, strategic, `{"spec":{"$setElementOrder/whole":[{"name":"a"}],"whole":[{"name":"a","$patch":"delete"}]}}`, true},
		{"PATCH", path, strategic, `{"spec":{"$setElementOrder/parts":[{"name":"a"}]}}`, false},
		{"PATCH", path, strategic, `{"metadata":{"$deleteFromPrimitiveList/finalizers":["a"]}}`, true},
		{"PATCH", path, strategic, `{"spec":{"$deleteFromPrimitiveList/names":["a"]}}`, false},
		{"PATCH", path, json, `[{"op":"replace","path":"/spec/size","value":3},{"op":"remove","path":"/spec/texts/a"},{"op":"test","path":"/spec/parts/0","value":{}}]`, true},
		{"PATCH", path, json, `[{"op":"add","path":"/metadata/labels","value":{"a":"b"}},{"op":"remove","path":"/metadata/labels/0"}]`, true},
		{"PATCH", path, json, `[{"op":"add","path":"/metadata/finalizers/-","value":"a"},{"op":"remove","path":"/metadata/finalizers/0"}]`, true},
		{"PATCH", path, json, `[{"op":"add","path":"/metadata/finalizers","value":["a"]},{"op":"replace","path":"/metadata/ownerReferences/1/uid","value":"x"}]`, true},
		{"PATCH", path, json, `[{"op":"replace","path":"/spec/whole/0/name","value":"x"},{"op":"add","path":"/spec/whole/-","value":{"name":"y"}}]`, true},
		{"PATCH", path, json, `[{"op":"add","path":"/spec/texts","value":{}},{"op":"add","path":"/spec/texts/~1","value":""}]`, true},
		{"PATCH", path, json, `[{"op":"add","path":"/spec/notes","value":{"a":"b"}}]`, false},
		{"PATCH", path, json, `[{"op":"replace","path":"/spec/parts","value":[]}]`, false},
		{"PATCH", path, json, `[{"op":"add","path":"/spec/tree","value":{"names":["a"]}}]`, false}, // nobody knows what is below
		{"PATCH", path, json, `[{"op":"remove","path":"/spec/tree/children/0"}]`, false},
		{"PATCH", path, json, `[{"op":"remove","path":"/spec/unknown/0"}]`, false},
		{"PATCH", path, json, `[{"op":"move","from":"/spec/parts/0","path":"/spec/whole/0"}]`, false},
		{"PATCH", path, json, `[{"op":"add","path":"/spec/names/-","value":"x"}]`, false},
		{"PATCH", path, json, `[{"op":"replace","path":"/spec/parts/0/name","value":"x"}]`, false},
		{"PATCH", path, json, `[{"op":"replace","path":"","value":{}}]`, false},
	} {
		sent := ""
		transport := kube.ReadOnly(things, project)(answer(func(req *http.Request) (*http.Response, error) {
			body, err := io.ReadAll(req.Body)
			sent = string(body)
			return &http.Response{}, err
		}))
		req, err := http.NewRequest(c.method, "https://server"+c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", c.kind)
		_, err = transport.RoundTrip(req)
		switch {
		case c.passes && (err != nil || sent != c.body):
			t.Errorf("%s %s %s: %v, sent %q", c.method, c.path, c.body, err, sent)
		case !c.passes && (err == nil || !strings.HasPrefix(err.Error(), "things.example.com are cached without some of their fields, which ") || strings.Contains(err.Error(), "spec.$setElementOrder") ||
			c.method == "PUT" && !strings.Contains(err.Error(), "an update would remove: ")):
			t.Errorf("%s %s %s: %v", c.method, c.path, c.body, err)
		}
	}
}

// The path of a namespace begins like that of what is in it.
func TestReadOnlyNamespaces(t *testing.T) {
	transport := kube.ReadOnly(schema.GroupResource{Resource: "namespaces"}, project)(answer(func(*http.Request) (*http.Response, error) { return &http.Response{}, nil }))
	for path, want := range map[string]bool{"/api/v1/namespaces/a": false, "/api/v1/namespaces/a/status": false, "/api/v1/namespaces/a/pods/b": true} {
		req, err := http.NewRequest("PUT", "https://server"+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := transport.RoundTrip(req); (err == nil) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// Functions on unstructured content, and those on other types, say nothing about lists outside of metadata.
func TestReadOnlyUnstructured(t *testing.T) {
	passes := func(wrap func(http.RoundTripper) http.RoundTripper, patch string) bool {
		req, err := http.NewRequest("PATCH", "https://server/apis/example.com/v1/things/a", strings.NewReader(patch))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/merge-patch+json")
		_, err = wrap(answer(func(*http.Request) (*http.Response, error) { return &http.Response{}, nil })).RoundTrip(req)
		return err == nil
	}
	drop := kube.ReadOnly(things, func(obj map[string]any) { delete(obj["metadata"].(map[string]any), "finalizers") })
	for patch, want := range map[string]bool{
		`{"spec":{"size":0,"a":null}}`:                     true,
		`{"spec":{"names":["a"]}}`:                         false,
		`{"metadata":{"ownerReferences":[{"name":"a"}]}}`:  true,
		`{"metadata":{"finalizers":["a"]}}`:                false,
		`{"metadata":{"annotations":{"a":"b","c":null} }}`: true,
	} {
		if passes(drop, patch) != want {
			t.Errorf("%s passes: %t", patch, !want)
		}
	}
	if other := kube.ReadOnly(things, func(*unstructured.Unstructured) {}); passes(other, `{"spec":{"names":["a"]}}`) || !passes(other, `{"spec":{"size":1}}`) {
		t.Error("a function on another type")
	}
	kube.ReadOnly(things, func(any) {})
}
