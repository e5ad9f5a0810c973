package server_test

import (
	"context"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
)

const widgets = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.org
spec:
  group: example.org
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer}
`

const widget = `{"apiVersion": "example.org/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": {"size": 1, "u": 2}}`

// Several servers can run in one process, one after the other and at the same time, and know nothing of each other.
func TestServersStartServeAndStop(t *testing.T) {
	first, second := start(t), start(t)
	path := server.Path("example.org", "v1", "default", "widgets")
	install(t, first)
	if r := do(t, second, http.MethodGet, path, ""); r.Code != http.StatusNotFound {
		t.Errorf("a server without the CRD answered %d: %s", r.Code, r.Body)
	}

	// The server keeps creates waiting that come earlier.
	crd, err := first.GetCRD(t.Context(), "widgets.example.org")
	if err != nil {
		t.Fatal(err)
	}
	established := false
	for _, c := range crd.Status.Conditions {
		established = established || c.Type == apiextensionsv1.Established
		if c.Type == apiextensionsv1.Established && time.Since(c.LastTransitionTime.Time) < 2*time.Second {
			t.Errorf("InstallCRDs returned too early: the CRD is established since %v", c.LastTransitionTime)
		}
	}
	if !established {
		t.Error("InstallCRDs returned before the CRD was established")
	}
	r := do(t, first, http.MethodPost, path, widget)
	if r.Code != http.StatusCreated || !slices.Equal(r.Warnings, []string{`unknown field "spec.u"`}) {
		t.Errorf("create: the server answered %d with warnings %q: %s", r.Code, r.Warnings, r.Body)
	}
	raw, err := first.GetRaw(t.Context(), server.Key("example.org", "widgets", "default", "w"))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(raw); !strings.Contains(got, `"spec":{"size":1}`) {
		t.Errorf("etcd has %s", got)
	}

	for _, s := range []*server.Server{first, second} {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if _, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://")); err == nil {
			t.Errorf("%s still listens", s.URL)
		}
	}
}

// Measurements want a server as clusters have it.
func TestServerSpeaksTLSAndCaches(t *testing.T) {
	s, err := server.StartWith(context.WithoutCancel(t.Context()), t.TempDir(), server.Options{TLS: true, WatchCache: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if !strings.HasPrefix(s.URL, "https://") {
		t.Errorf("listens at %s", s.URL)
	}
	install(t, s)
	path := server.Path("example.org", "v1", "default", "widgets")
	if r := do(t, s, http.MethodPost, path, widget); r.Code != http.StatusCreated {
		t.Errorf("create: %d %s", r.Code, r.Body)
	}
	metrics := do(t, s, http.MethodGet, "/metrics", "")
	if want := `apiserver_watch_cache_initializations_total{group="example.org",resource="widgets"} 1`; !strings.Contains(string(metrics.Body), want) {
		t.Errorf("/metrics lacks %s", want)
	}
}

func TestInstallCRDsReturnsTheServersRefusal(t *testing.T) {
	s := start(t)
	t.Cleanup(func() { s.Close() })
	err := s.InstallCRDs(t.Context(), []byte(strings.Replace(widgets, "type: integer", "title: none", 1)))
	if err == nil || !strings.Contains(err.Error(), "must not be empty for specified object fields") {
		t.Errorf("error %v", err)
	}
}

// The type of v1beta1 is still in the code, for what lies in etcd, but no route leads to it.
func TestV1beta1IsNotServed(t *testing.T) {
	s := start(t)
	t.Cleanup(func() { s.Close() })
	r := do(t, s, http.MethodGet, "/apis/apiextensions.k8s.io/v1beta1/customresourcedefinitions", "")
	if r.Code != http.StatusNotFound {
		t.Errorf("the server answered %d: %s", r.Code, r.Body)
	}
}

func TestStartFailsWhereItCannotWrite(t *testing.T) {
	s, err := server.Start(t.Context(), "/dev/null")
	if err == nil {
		s.Close()
		t.Error("no error")
	}
}

func start(t *testing.T) *server.Server {
	t.Helper()
	// The context of the test ends before its cleanup, which would cut off the server's own requests.
	s, err := server.Start(context.WithoutCancel(t.Context()), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func install(t *testing.T, s *server.Server) {
	t.Helper()
	if err := s.InstallCRDs(t.Context(), []byte(widgets)); err != nil {
		t.Fatal(err)
	}
}

func do(t *testing.T, s *server.Server, method, path, body string) *server.Response {
	t.Helper()
	r, err := s.Do(t.Context(), method, path, server.JSON, []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return r
}
