package apiserver

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/client-go/rest"

	"github.com/prune-gen/prune-gen/kube/apiserver/memory"
	"github.com/prune-gen/prune-gen/kube/apiserver/memory/etcd"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// running is a server that keeps objects in memory and lets everybody do everything.
type running struct {
	*Server
	url string
}

// start runs a server until the test ends.
func start(t *testing.T, c Config) running {
	t.Helper()
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	c.Generic = NewGenericConfig()
	c.Generic.RESTOptionsGetter = memory.NewStorage(ctx, etcd.Options{})
	c.Generic.Authorization.Authorizer = authorizerfactory.NewAlwaysAllowAuthorizer()
	c.Generic.LoopbackClientConfig = &rest.Config{}
	c.Generic.ExternalAddress = "127.0.0.1:443"
	if c.Linked == nil {
		c.Linked = &prunert.Set{}
	}
	s, err := c.New()
	if err != nil {
		stop()
		t.Fatal(err)
	}
	prepared := s.PrepareRun()
	prepared.RunPostStartHooks(ctx)
	h := httptest.NewServer(prepared.Handler)
	t.Cleanup(func() {
		h.CloseClientConnections()
		h.Close()
		s.Destroy()
		stop()
	})
	return running{s, h.URL}
}

func (r running) do(t *testing.T, method, path, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, r.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(data)
}

func (r running) get(t *testing.T, path string) (int, string) {
	return r.do(t, http.MethodGet, path, "")
}

func (r running) put(t *testing.T, crds string) {
	t.Helper()
	definitions, err := Definitions([]byte(crds))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Put(definitions...); err != nil {
		t.Fatal(err)
	}
}

const (
	things = "/apis/example.com/v2/things"
	thing  = `{"apiVersion":"example.com/v2","kind":"Thing","metadata":{"name":"a"},"spec":{"size":1,"color":"red"}}`
)

// withSpec returns the CRD with a schema of v2's spec.
func withSpec(schema string) string {
	return strings.Replace(crd, "subresources: {status: {}}, schema: {openAPIV3Schema: {type: object}}",
		"schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: "+schema+"}}}}", 1)
}

// bothWays runs a test on a server that makes its kinds at once, and on one that makes them when they are asked for.
func bothWays(t *testing.T, test func(*testing.T, running)) {
	for name, lazy := range map[string]bool{"eager": false, "lazy": true} {
		t.Run(name, func(t *testing.T) { test(t, start(t, Config{Interpret: true, Lazy: lazy})) })
	}
}

// Clients see at once what Put and Remove change: objects, discovery, OpenAPI.
func TestKindsChangeWhileTheServerRuns(t *testing.T) { bothWays(t, kindsChangeWhileTheServerRuns) }

func kindsChangeWhileTheServerRuns(t *testing.T, s running) {
	if status, _ := s.get(t, things); status != http.StatusNotFound {
		t.Fatalf("before: status %d", status)
	}
	s.put(t, withSpec("{size: {type: integer}}"))
	if status, text := s.do(t, http.MethodPost, things, thing); status != http.StatusCreated || strings.Contains(text, "red") {
		t.Fatalf("status %d: %s", status, text)
	}
	discovered(t, s, true)

	s.put(t, withSpec("{size: {type: integer}, color: {type: string, default: blue}}"))
	if _, text := s.get(t, things+"/a"); !strings.Contains(text, `"size":1`) || !strings.Contains(text, `"color":"blue"`) {
		t.Errorf("with another schema: %s", text)
	}
	if _, text := s.get(t, "/openapi/v3/apis/example.com/v2"); !strings.Contains(text, "blue") {
		t.Error("the OpenAPI document is not that of the new schema")
	}
	discovered(t, s, true)

	if ok, err := s.Remove(schema.GroupResource{Group: "example.com", Resource: "things"}); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if status, _ := s.get(t, things+"/a"); status != http.StatusNotFound {
		t.Errorf("removed: status %d", status)
	}
	discovered(t, s, false)
	if ok, err := s.Remove(schema.GroupResource{Group: "example.com", Resource: "things"}); ok || err != nil {
		t.Error("removed twice", ok, err)
	}
	s.put(t, withSpec("{size: {type: integer}}"))
	if _, text := s.get(t, things+"/a"); !strings.Contains(text, `"size":1`) {
		t.Errorf("the object is lost: %s", text)
	}
}

// discovered checks that every document about what is served has the kind, or has it not.
func discovered(t *testing.T, s running, want bool) {
	t.Helper()
	for _, path := range []string{"/apis", "/openapi/v3"} {
		if status, text := s.get(t, path); status != http.StatusOK || strings.Contains(text, "example.com/v2") != want {
			t.Errorf("%s: status %d, %s", path, status, text)
		}
	}
	for _, path := range []string{"/apis/example.com", "/apis/example.com/v2"} {
		if status, text := s.get(t, path); (status == http.StatusOK) != want || want && !json.Valid([]byte(text)) {
			t.Errorf("%s: status %d, %s", path, status, text)
		}
	}
	if _, text := s.get(t, "/openapi/v2"); strings.Contains(text, "com.example.v2.Thing") != want {
		t.Errorf("/openapi/v2 has the kind: %v", !want)
	}
}

// A watch ends when its kind changes or goes, so that clients begin one that has the new schema.
func TestWatchesEndWithTheirKind(t *testing.T) { bothWays(t, watchesEndWithTheirKind) }

func watchesEndWithTheirKind(t *testing.T, s running) {
	for _, change := range []func(){
		func() { s.put(t, withSpec("{color: {type: string}}")) },
		func() { s.Remove(schema.GroupResource{Group: "example.com", Resource: "things"}) },
	} {
		s.put(t, withSpec("{size: {type: integer}}"))
		resp, err := http.Get(s.url + things + "?watch=true")
		if err != nil {
			t.Fatal(err)
		}
		// A request for a version that is not served must not keep the stores.
		s.get(t, "/apis/example.com/v9/things")
		change()
		if _, err := io.ReadAll(resp.Body); err != nil {
			t.Error(err)
		}
		resp.Body.Close()
	}
}

// If one of several kinds cannot be served, none is.
func TestPutIsAllOrNothing(t *testing.T) {
	s := start(t, Config{Interpret: true})
	other := strings.ReplaceAll(crd, "hing", "hang")
	for _, c := range []struct{ crds, want string }{
		{crd + "\n---\n" + crd, "things.example.com is defined twice"},
		{crd + "\n---\n" + strings.Replace(other, "{openAPIV3Schema: {type: object}}", "{openAPIV3Schema: {type: object, properties: {a: {}}}}", 1), "type: Required value"},
	} {
		definitions, err := Definitions([]byte(c.crds))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Put(definitions...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %s", err, c.want)
		}
		if status, _ := s.get(t, things); status != http.StatusNotFound {
			t.Errorf("%s: status %d", c.want, status)
		}
	}
}

// What is wrong with a definition is the answer to requests if kinds are made when they are asked for. Other kinds are served.
func TestLazyKindsThatCannotBeServed(t *testing.T) {
	s := start(t, Config{Interpret: true, Lazy: true})
	s.put(t, crd+"\n---\n"+strings.Replace(strings.ReplaceAll(crd, "hing", "hang"), "{openAPIV3Schema: {type: object}}", "{openAPIV3Schema: {type: object, properties: {a: {}}}}", 1))
	for range 2 {
		if status, text := s.get(t, "/apis/example.com/v2/thangs"); status != http.StatusInternalServerError || !strings.Contains(text, "type: Required value") {
			t.Errorf("status %d: %s", status, text)
		}
	}
	if status, text := s.get(t, things); status != http.StatusOK {
		t.Errorf("status %d: %s", status, text)
	}
}

// A kind whose code is of another schema is served by what its CRD says.
func TestLinkedCodeThatDoesNotFitIsNotUsed(t *testing.T) {
	set := &prunert.Set{}
	if err := set.Add(compile(t, withSpec("{size: {type: integer}}"))...); err != nil {
		t.Fatal(err)
	}
	s := start(t, Config{Interpret: true, Linked: set})
	s.put(t, withSpec("{size: {type: integer}, color: {type: string}}"))
	if status, text := s.do(t, http.MethodPost, things, thing); status != http.StatusCreated || !strings.Contains(text, "red") {
		t.Errorf("status %d: %s", status, text)
	}
}

// Requests in flight are answered while their kind changes.
func TestRequestsWhileKindsChange(t *testing.T) { bothWays(t, requestsWhileKindsChange) }

func requestsWhileKindsChange(t *testing.T, s running) {
	s.put(t, withSpec("{size: {type: integer}}"))
	stop := make(chan struct{})
	ended := make(chan bool)
	go func() {
		defer close(ended)
		for {
			select {
			case <-stop:
				return
			default:
			}
			if status, text := s.do(t, http.MethodPost, things, `{"apiVersion":"example.com/v2","kind":"Thing","metadata":{"generateName":"a"}}`); status != http.StatusCreated {
				t.Errorf("status %d: %s", status, text)
				return
			}
		}
	}()
	for range 20 {
		s.put(t, withSpec("{size: {type: integer}, color: {type: string}}"))
		s.put(t, withSpec("{size: {type: integer}}"))
	}
	close(stop)
	<-ended
}
