// Package parity sends the same requests to this API server and to the one of CustomResourceDefinitions and says where their answers
// differ. It also has tests of what this server does besides, and a benchmark of both.
package parity

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/prune-gen/prune-gen/examples/apiserver/apis"
	"github.com/prune-gen/prune-gen/hack/apiserver/server"
	"github.com/prune-gen/prune-gen/kube/apiserver"

	_ "github.com/prune-gen/prune-gen/hack/apiserver/generated/v1"
	_ "github.com/prune-gen/prune-gen/hack/apiserver/generated/v2"
)

// testdata has the CRDs and objects with which the project is compared with a real server.
const testdata = "../../../../hack/apiserver/testdata"

// files are the CRDs of the example and of the project's tests, and those for scale.
func files(t *testing.T) []string {
	t.Helper()
	linkScales(t)
	if _, err := apis.Definitions(); err != nil {
		t.Fatal(err)
	}
	return slices.Concat(glob(t, "../../apis/crds/*.yaml"), glob(t, testdata+"/crds/*.yaml"), []string{scaleCRDs})
}

// servers starts the API server of CRDs and ours, for the CRDs in the files.
func servers(t *testing.T, files []string) (theirs *server.Server, ours *local, definitions map[string]*apiserver.Definition) {
	t.Helper()
	var crds [][]byte
	var all []*apiserver.Definition
	for _, file := range files {
		data, err := os.ReadFile(file)
		check(t, err)
		for doc := range strings.SplitSeq(string(data), "\n---\n") {
			crds = append(crds, []byte(doc))
			found, err := apiserver.Definitions([]byte(doc))
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			all = append(all, found...)
		}
	}
	ours = startLocal(t, all)
	// The context of the test ends before its cleanup.
	theirs, err := server.Start(context.WithoutCancel(t.Context()), t.TempDir())
	check(t, err)
	t.Cleanup(func() {
		if err := theirs.Close(); err != nil {
			t.Error(err)
		}
	})
	check(t, theirs.InstallCRDs(t.Context(), crds...))
	definitions = map[string]*apiserver.Definition{}
	for _, d := range all {
		definitions[d.Group+"/"+d.Names.Kind] = d
	}
	return theirs, ours, definitions
}

// compareAll sends a script to both servers and wants no difference that is not known.
func compareAll(t *testing.T, theirs *server.Server, ours *local, script []Request) {
	t.Helper()
	differences, err := compare(t.Context(), theirs.URL, ours.URL, script)
	check(t, err)
	for _, d := range differences {
		if reason := d.known(); reason != "" {
			t.Logf("%s: known: %s", d.request.Name, reason)
			continue
		}
		t.Errorf("%s\n%s %s %.2000q\n%s", d.request.Name, d.request.Method, d.request.Path, d.request.Body, d.text)
	}
}

func TestServersAnswerAlike(t *testing.T) {
	theirs, ours, definitions := servers(t, files(t))
	requests := 0
	compare := func(name string, script []Request) {
		t.Run(name, func(t *testing.T) {
			requests += len(script)
			compareAll(t, theirs, ours, script)
		})
	}
	compare("discovery", discovery(definitions))
	compare("crontabs", cronTabs())
	compare("hostile", hostile())
	compare("scale", scales())
	for _, file := range append(glob(t, testdata+"/objects/*/*.json"), glob(t, testdata+"/objects/*/*/*.json")...) {
		data, err := os.ReadFile(file)
		check(t, err)
		title := strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(file), testdata+"/objects/"), ".json")
		compare(title, derive(title, strings.ReplaceAll(title, "/", "."), sampleFrom(t, definitions, data)))
	}
	for _, text := range samples {
		s := sampleFrom(t, definitions, []byte(text))
		compare(s.Collection, derive(s.Collection, "sample", s))
	}
	t.Logf("%d requests", requests)
	if requests < 200 {
		t.Errorf("only %d requests", requests)
	}
}

// sampleFrom returns what requests for an object in JSON are derived from.
func sampleFrom(t *testing.T, definitions map[string]*apiserver.Definition, data []byte) Sample {
	t.Helper()
	var obj map[string]any
	check(t, json.Unmarshal(data, &obj))
	s, ok := sampleOf(definitions, obj)
	if !ok {
		t.Fatalf("no CRD for %v %v", obj["apiVersion"], obj["kind"])
	}
	return s
}

// sampleOf returns what requests for an object are derived from, and whether there is a CRD for it.
func sampleOf(definitions map[string]*apiserver.Definition, obj map[string]any) (Sample, bool) {
	group, version, _ := strings.Cut(obj["apiVersion"].(string), "/")
	d := definitions[group+"/"+obj["kind"].(string)]
	if d == nil {
		return Sample{}, false
	}
	namespace := "default"
	if !d.Namespaced() {
		namespace = ""
	}
	i := slices.IndexFunc(d.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return v.Name == version })
	return Sample{server.Path(group, version, namespace, d.Names.Plural), obj, i >= 0 && d.Versions[i].Subresources.Status != nil}, true
}

// samples are objects of the example's kinds.
var samples = []string{
	`{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"labels":{"a":"b"}},"spec":{"cronSpec":"* * * * *",
	"image":"registry.example.com/a:1","replicas":3,"suspend":true,"concurrencyPolicy":"Forbid","maxUnavailable":"10%","note":null,
	"env":[{"name":"A","value":"1"},{"name":"B","value":"2"}],"days":["Mon","Tue"],"nodeSelector":{"disk":"ssd"},
	"podTemplate":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","labels":{"x":"y"}},"spec":{"containers":[{"name":"c"}]}}},
	"status":{"replicas":2,"lastScheduleTime":"2026-01-02T03:04:05Z","conditions":[{"type":"Ready","status":"True"}]}}`,
	`{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","spec":{"cronSpec":"* * * * *","image":"a","replicas":12},"status":{"replicas":1}}`,
	`{"apiVersion":"fleet.example.com/v1alpha1","kind":"Machine","metadata":{"annotations":{"a":"b"}},"spec":{"serial":"A-1234","memory":4,"load":0.5,
	"addresses":["10.0.0.1"],"labels":{"a":"b"},"owner":{"person":"me"},"config":{"a":{"b":[1,2,{"c":null}]},"known":{"name":"n"}}},"status":{"ready":true}}`,
}

// discovery asks for the documents of every group and version.
func discovery(definitions map[string]*apiserver.Definition) []Request {
	seen := map[string]bool{}
	var script []Request
	for _, d := range definitions {
		for _, v := range d.Versions {
			for _, path := range []string{"/apis/" + d.Group, "/apis/" + d.Group + "/" + v.Name, "/apis/" + d.Group + "/v9", "/apis/" + d.Group + "/" + v.Name + "/nothings"} {
				if !seen[path] {
					seen[path] = true
					script = append(script, Request{Name: path, Method: "GET", Path: path})
				}
			}
		}
	}
	return script
}
