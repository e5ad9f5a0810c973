package servertest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/kube"
	prunert "github.com/prune-gen/prune-gen/runtime"
	prunedynamic "github.com/prune-gen/prune-gen/structural/dynamic"
)

const (
	full = `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"a","namespace":"n"},"spec":{"image":"i","later":{"x":[1]}}}`
	list = `{"apiVersion":"stable.example.com/v1","kind":"CronTabList","metadata":{"resourceVersion":"7"},"items":[` + full + `]}`
)

// compiled returns the resources of the CRDs in crds.
func compiled(t *testing.T) *prunert.Set {
	t.Helper()
	all, err := crdread.Files(crds)
	check(t, err)
	set := &prunert.Set{}
	for _, crd := range all {
		resources, err := prunedynamic.Compile(crd)
		check(t, err)
		check(t, set.Add(resources...))
	}
	return set
}

// A dynamic client with kube.Serializer gets, lists, watches and creates, and never sees what the code does not know. The module
// kube cannot test this: it does not depend on client-go.
func TestDynamicClientDecodesWithTheSerializer(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case req.URL.Query().Get("watch") != "":
			fmt.Fprintf(w, `{"type":"ADDED","object":%s}`+"\n", full)
		case req.Method == http.MethodPost:
			w.WriteHeader(http.StatusUnprocessableEntity)
			fmt.Fprint(w, `{"apiVersion":"v1","kind":"Status","status":"Failure","reason":"Invalid","code":422,"message":"no"}`)
		case req.URL.Path == "/apis/stable.example.com/v1/namespaces/n/crontabs":
			fmt.Fprint(w, list)
		default:
			fmt.Fprint(w, full)
		}
	}))
	defer server.Close()

	config := &rest.Config{Host: server.URL}
	config.NegotiatedSerializer = kube.Serializer(compiled(t))
	restClient, err := rest.UnversionedRESTClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	crontabs := dynamic.New(restClient).Resource(cronTabs).Namespace("n")

	check := func(how string, u *unstructured.Unstructured, err error) {
		t.Helper()
		want := map[string]any{"apiVersion": "stable.example.com/v1", "kind": "CronTab",
			"metadata": map[string]any{"name": "a", "namespace": "n"}, "spec": map[string]any{"image": "i"}}
		if err != nil || !reflect.DeepEqual(u.Object, want) {
			t.Errorf("%s: %v, %v", how, u, err)
		}
	}
	u, err := crontabs.Get(t.Context(), "a", metav1.GetOptions{})
	check("get", u, err)
	items, err := crontabs.List(t.Context(), metav1.ListOptions{})
	if err != nil || len(items.Items) != 1 || items.GetResourceVersion() != "7" {
		t.Fatalf("list: %v, %v", items, err)
	}
	check("list", &items.Items[0], nil)
	watched, err := crontabs.Watch(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer watched.Stop()
	event := <-watched.ResultChan()
	u, _ = event.Object.(*unstructured.Unstructured)
	if u == nil {
		t.Fatalf("watch: %v", event)
	}
	check("watch", u, nil)
	if _, err := crontabs.Create(t.Context(), cronTab("a"), metav1.CreateOptions{}); err == nil || err.Error() != "no" {
		t.Errorf("create: %v", err)
	}
}

// The wrapper that kube.Transform looks into by the name of its field is that of client-go.
func TestTransformKnowsTombstones(t *testing.T) {
	u := &unstructured.Unstructured{}
	if err := u.UnmarshalJSON([]byte(full)); err != nil {
		t.Fatal(err)
	}
	if _, err := kube.Transform(compiled(t))(cache.DeletedFinalStateUnknown{Key: "n/a", Obj: u}); err != nil {
		t.Fatal(err)
	}
	if spec := u.Object["spec"]; !reflect.DeepEqual(spec, map[string]any{"image": "i"}) {
		t.Errorf("%v", spec)
	}
}
