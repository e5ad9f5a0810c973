package parity

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/examples/apiserver/apis"
	"github.com/prune-gen/prune-gen/examples/apiserver/internal/local"
	"github.com/prune-gen/prune-gen/examples/apiserver/serve"
	"github.com/prune-gen/prune-gen/hack/apiserver/server"

	_ "github.com/prune-gen/prune-gen/hack/apiserver/generated/v1"
	_ "github.com/prune-gen/prune-gen/hack/apiserver/generated/v2"
)

// testdata is where the CRDs and objects are that the project is held against a real server with.
const testdata = "../../../../hack/apiserver/testdata"

// servers starts the API server of CRDs and ours, for the CRDs of the example and of the project's tests.
func servers(t *testing.T) (theirs *server.Server, ours *local.Server, definitions map[string]*serve.Definition) {
	t.Helper()
	var crds [][]byte
	var all []*serve.Definition
	files, err := filepath.Glob(testdata + "/crds/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	examples, err := filepath.Glob("../../apis/crds/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	linkScales(t)
	for _, file := range slices.Concat(examples, files, []string{scaleCRDs}) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for doc := range strings.SplitSeq(string(data), "\n---\n") {
			crds = append(crds, []byte(doc))
			found, err := serve.Definitions([]byte(doc))
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			all = append(all, found...)
		}
	}
	if _, err := apis.Definitions(); err != nil {
		t.Fatal(err)
	}
	// The context of the test ends before its cleanup.
	ctx := context.WithoutCancel(t.Context())
	s, err := local.Start(ctx, t.TempDir(), all, local.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	real, err := server.Start(ctx, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := real.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := real.InstallCRDs(t.Context(), crds...); err != nil {
		t.Fatal(err)
	}
	definitions = map[string]*serve.Definition{}
	for _, d := range all {
		definitions[d.Group+"/"+d.Names.Kind] = d
	}
	return real, s, definitions
}

func TestServersAnswerAlike(t *testing.T) {
	theirs, ours, definitions := servers(t)
	requests := 0
	compare := func(name string, script []Request) {
		t.Run(name, func(t *testing.T) {
			requests += len(script)
			differences, err := Compare(t.Context(), theirs.URL, ours.URL, script)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range differences {
				if reason := d.Known(); reason != "" {
					t.Logf("%s: known: %s", d.Request.Name, reason)
					continue
				}
				t.Errorf("%s\n%s %s %.2000q\n%s", d.Request.Name, d.Request.Method, d.Request.Path, d.Request.Body, d.Text)
			}
		})
	}
	compare("discovery", discovery(definitions))
	compare("crontabs", cronTabs())
	compare("hostile", hostile())
	compare("scale", scales())
	objects, err := filepath.Glob(testdata + "/objects/*/*.json")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob(testdata + "/objects/*/*/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(objects, more...) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var obj map[string]any
		if err := json.Unmarshal(data, &obj); err != nil {
			t.Fatal(err)
		}
		title := strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(file), testdata+"/objects/"), ".json")
		compare(title, Derive(title, strings.ReplaceAll(title, "/", "."), sample(t, definitions, obj)))
	}
	for _, text := range samples {
		var obj map[string]any
		if err := json.Unmarshal([]byte(text), &obj); err != nil {
			t.Fatal(err)
		}
		s := sample(t, definitions, obj)
		compare(s.Collection, Derive(s.Collection, "sample", s))
	}
	t.Logf("%d requests", requests)
	if requests < 200 {
		t.Errorf("only %d requests", requests)
	}
}

// sample returns what requests for an object are derived from.
func sample(t *testing.T, definitions map[string]*serve.Definition, obj map[string]any) Sample {
	t.Helper()
	group, version, _ := strings.Cut(obj["apiVersion"].(string), "/")
	d := definitions[group+"/"+obj["kind"].(string)]
	if d == nil {
		t.Fatalf("no CRD for %v %v", obj["apiVersion"], obj["kind"])
	}
	namespace := "default"
	if !d.Namespaced() {
		namespace = ""
	}
	s := Sample{Collection: server.Path(group, version, namespace, d.Names.Plural), Object: obj}
	for _, v := range d.Versions {
		if v.Name == version {
			s.Status = v.Subresources.Status != nil
		}
	}
	return s
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
func discovery(definitions map[string]*serve.Definition) []Request {
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
