package parity

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/prune-gen/prune-gen/examples/apiserver/apis"
)

// start runs a server with the example's kinds.
func start(t *testing.T) *local {
	t.Helper()
	definitions, err := apis.Definitions()
	check(t, err)
	return startLocal(t, definitions)
}

// send sends a request and returns the code and the body of the answer.
func send(t *testing.T, s *local, method, path, mediaType, body string) (int, string) {
	t.Helper()
	code, answer, _ := sendForWarnings(t, s, method, path, mediaType, body)
	return code, answer
}

// sendForWarnings also returns the warnings.
func sendForWarnings(t *testing.T, s *local, method, path, mediaType, body string) (code int, answer, warnings string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", mediaType)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(data), strings.Join(resp.Header.Values("Warning"), "\n")
}

const tabs = "/apis/stable.example.com/v1/namespaces/default/crontabs"

// Rules refuse objects, in their own words. What a rule says about a value that has not changed is a warning.
func TestRulesAreEvaluated(t *testing.T) {
	s := start(t)
	const beta = "/apis/stable.example.com/v1beta1/namespaces/default/crontabs"
	const merge = "application/merge-patch+json"
	tab := func(version, spec string) string {
		return `{"apiVersion":"stable.example.com/` + version + `","kind":"CronTab","metadata":{"name":"a"},"spec":{"cronSpec":"* * * * *",` + spec + `}}`
	}
	for _, c := range []struct {
		name, method, path, mediaType, body string
		code                                int
		message, warning                    string // parts of them
	}{
		{"a rule with a message", "POST", tabs, "application/json", tab("v1", `"image":"i:latest"`), http.StatusUnprocessableEntity,
			`spec.image: Invalid value: \"i:latest\": must name a version: latest is another image tomorrow`, ""},
		{"a rule with an expression for its message", "POST", tabs, "application/json", tab("v1", `"image":"i","concurrencyPolicy":"Replace","replicas":6`),
			http.StatusUnprocessableEntity, `spec: Invalid value: Replace is for 5 replicas at most`, ""},
		{"another error that hides rules", "POST", tabs, "application/json", tab("v1", `"image":"i:latest","suspend":"yes"`), http.StatusUnprocessableEntity,
			`some validation rules were not checked because the object was invalid`, ""},
		{"a rule about updates does not hold", "POST", tabs, "application/json", tab("v1", `"image":"i","queue":"q"`), http.StatusCreated, "", ""},
		{"a rule about updates", "PATCH", tabs + "/a", merge, `{"spec":{"queue":"r"}}`, http.StatusUnprocessableEntity,
			`spec.queue: Invalid value: \"r\": failed rule: self == oldSelf`, ""},
		{"a status", "PATCH", tabs + "/a/status", merge, `{"status":{"lastScheduleTime":"2026-01-02T03:04:05Z"}}`, http.StatusOK, "", ""},
		{"a status before it", "PATCH", tabs + "/a/status", merge, `{"status":{"lastScheduleTime":"2026-01-02T03:04:04Z"}}`, http.StatusUnprocessableEntity,
			`status.lastScheduleTime: Invalid value: \"2026-01-02T03:04:04Z\": must not go back`, ""},
		{"remove it", "DELETE", tabs + "/a", "", "", http.StatusOK, "", ""},
		{"a version without the rule", "POST", beta, "application/json", tab("v1beta1", `"image":"i:latest"`), http.StatusCreated, "", "deprecated"},
		{"a change of something else", "PATCH", tabs + "/a", merge, `{"spec":{"suspend":true}}`, http.StatusOK, "",
			`spec.image: Invalid value: \"i:latest\": must name a version: latest is another image tomorrow`},
		{"a change of the status", "PATCH", tabs + "/a/status", merge, `{"status":{"replicas":1}}`, http.StatusOK, "", "must name a version"},
		{"a change of it", "PATCH", tabs + "/a", merge, `{"spec":{"image":"j:latest"}}`, http.StatusUnprocessableEntity, "must name a version", ""},
	} {
		code, body, warnings := sendForWarnings(t, s, c.method, c.path, c.mediaType, c.body)
		if code != c.code || !strings.Contains(body, strings.ReplaceAll(c.message, `\\`, `\`)) {
			t.Errorf("%s: %d %s", c.name, code, body)
		}
		if (c.warning == "") != (warnings == "") || !strings.Contains(warnings, strings.ReplaceAll(c.warning, `\\`, `\`)) {
			t.Errorf("%s: warnings %s", c.name, warnings)
		}
	}
}

// Objects have no form in protobuf. The API server of CRDs panics here, and closes the connection.
func TestProtobufBodiesAreRefused(t *testing.T) {
	s := start(t)
	for _, c := range []struct{ method, path string }{{"POST", tabs}, {"PUT", tabs + "/a"}, {"PUT", tabs + "/a/status"}} {
		for _, mode := range []string{"Warn", "Strict", "Ignore"} {
			code, body := send(t, s, c.method, c.path+"?fieldValidation="+mode, "application/vnd.kubernetes.protobuf", "k8s\x00nonsense")
			if code != http.StatusUnsupportedMediaType || !strings.Contains(body, "accepted media types include: application/json, application/yaml") {
				t.Errorf("%s %s, %s: %d %s", c.method, c.path, mode, code, body)
			}
		}
	}
	// The options of a request do have such a form, and media types have parameters.
	if code, body := send(t, s, "POST", tabs, "application/json; charset=utf-8",
		`{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"a"},"spec":{"cronSpec":"* * * * *","image":"i"}}`); code != http.StatusCreated {
		t.Errorf("%d %s", code, body)
	}
	if code, body := send(t, s, "DELETE", tabs+"/a", "application/vnd.kubernetes.protobuf", "k8s\x00\n\x13\n\x02v1\x12\rDeleteOptions\x12\x00\x1a\x00\"\x00"); code != http.StatusOK {
		t.Errorf("options as protobuf: %d %s", code, body)
	}
}

// An empty patch rewrites an object that is stored in another version, and nothing else.
func TestEmptyPatchMigratesStorage(t *testing.T) {
	s := start(t)
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{s.etcd.URL}})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	const key = "/registry/stable.example.com/crontabs/default/old"
	const old = `{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","metadata":{"name":"old","namespace":"default","uid":"u"},"spec":{"cronSpec":"* * * * *","image":"i"}}`
	if _, err := client.Put(t.Context(), key, old); err != nil {
		t.Fatal(err)
	}
	var revisions []int64
	for range 2 {
		if code, body := send(t, s, "PATCH", tabs+"/old", "application/merge-patch+json", `{}`); code != http.StatusOK {
			t.Fatalf("%d %s", code, body)
		}
		r, err := client.Get(t.Context(), key)
		if err != nil || r.Count != 1 || !strings.HasPrefix(string(r.Kvs[0].Value), `{"apiVersion":"stable.example.com/v1",`) {
			t.Fatalf("%v, %v", r, err)
		}
		revisions = append(revisions, r.Kvs[0].ModRevision)
	}
	if revisions[0] != revisions[1] {
		t.Errorf("written twice: %v", revisions)
	}
}

// Clients that know OpenAPI v2 only find the kinds there.
func TestOpenAPIV2HasTheKinds(t *testing.T) {
	s := start(t)
	code, body := send(t, s, "GET", "/openapi/v2", "", "")
	var doc struct {
		Swagger     string
		Paths       map[string]map[string]any
		Definitions map[string]struct {
			Properties map[string]any
			GVK        []map[string]string `json:"x-kubernetes-group-version-kind"`
		}
	}
	if err := json.Unmarshal([]byte(body), &doc); err != nil || code != http.StatusOK || doc.Swagger != "2.0" {
		t.Fatalf("%d %v %.500s", code, err, body)
	}
	for path, method := range map[string]string{
		tabs: "post", tabs + "/{name}/status": "patch", tabs + "/{name}/scale": "put", "/apis/fleet.example.com/v1alpha1/machines/{name}": "get",
	} {
		path = strings.Replace(path, "/default/", "/{namespace}/", 1)
		if doc.Paths[path][method] == nil {
			t.Errorf("%s %s is missing", method, path)
		}
	}
	for name, kind := range map[string]string{"com.example.stable.v1.CronTab": "CronTab", "com.example.stable.v1beta1.CronTab": "CronTab", "com.example.fleet.v1alpha1.Machine": "Machine"} {
		if d := doc.Definitions[name]; len(d.GVK) != 1 || d.GVK[0]["kind"] != kind || d.Properties["spec"] == nil {
			t.Errorf("%s: %+v", name, d)
		}
	}
}
