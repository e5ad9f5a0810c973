package caches

import (
	"context"
	"reflect"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/prune-gen/prune-gen/hack/apiserver/caches/projections"
	"github.com/prune-gen/prune-gen/kube"
)

// Caches have the same objects, before and after events, no matter whether they are projected before or after they are decoded.
func TestProjectJSONDoesWhatProjectDoes(t *testing.T) {
	config := start(t, jobSetCRD(t))
	c := newClient(t, config)
	fill(t, c, 5, &unstructured.Unstructured{Object: *parse[map[string]any](jobSetText)})
	dropped := 0
	projectJSON := func(dst, src []byte) ([]byte, error) {
		out, err := projections.ForStatusJSON(dst, src)
		dropped += len(dst) + len(src) - len(out)
		return out, err
	}
	// docs/memory.md refers to this function.
	newCache := func(config *rest.Config, opts cache.Options) (cache.Cache, error) {
		config = rest.CopyConfig(config)
		config.Wrap(kube.ProjectJSON(schema.GroupVersionResource{Group: "jobset.x-k8s.io", Version: "v1alpha2", Resource: "jobsets"}, projectJSON))
		opts.HTTPClient = nil // that of the manager is not wrapped
		return cache.New(config, opts)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(jobSets.WithKind("JobSet"))
	open := func(newCache cache.NewCacheFunc, f func(map[string]any)) cache.Cache {
		c, err := newCache(config, cache.Options{ByObject: map[client.Object]cache.ByObject{u: {Transform: kube.Project(f)}}})
		must(err)
		go c.Start(ctx)
		_, err = c.GetInformer(ctx, u)
		must(err)
		c.WaitForCacheSync(ctx)
		return c
	}
	decoded, bytes := open(cache.New, projections.ForStatus), open(newCache, func(map[string]any) {})
	list := func(c client.Reader) *unstructured.UnstructuredList {
		all := &unstructured.UnstructuredList{}
		all.SetGroupVersionKind(jobSets.WithKind("JobSetList"))
		must(c.List(ctx, all))
		return all
	}
	byName := func(all *unstructured.UnstructuredList) map[string]any {
		objects := map[string]any{}
		for _, o := range all.Items {
			objects[o.GetName()] = o.Object
		}
		return objects
	}
	same := func(n int, changed string) {
		t.Helper()
		err := wait.PollUntilContextTimeout(ctx, 10*time.Millisecond, time.Minute, true, func(context.Context) (bool, error) {
			a, b := byName(list(decoded)), byName(list(bytes))
			_, has := b[changed]
			return len(b) == n && has && b[changed].(map[string]any)["metadata"].(map[string]any)["labels"].(map[string]any)["changed"] != nil && reflect.DeepEqual(a, b), nil
		})
		if err != nil {
			t.Errorf("decoded first:\n%s\nprojected first:\n%s", text(list(decoded)), text(list(bytes)))
		}
	}
	objects := list(c).Items
	// An event that changes one, one that removes another and one that adds a third.
	objects[0].SetLabels(map[string]string{"changed": "yes"})
	must(c.Update(ctx, &objects[0]))
	must(c.Delete(ctx, &objects[1], client.GracePeriodSeconds(0)))
	objects[1].SetFinalizers(nil)
	must(c.Patch(ctx, &objects[1], client.RawPatch("application/merge-patch+json", []byte(`{"metadata":{"finalizers":null}}`))))
	added := objects[2].DeepCopy()
	added.SetName("added")
	added.SetResourceVersion("")
	must(c.Create(ctx, added))
	same(5, objects[0].GetName())
	if dropped < 20_000 {
		t.Errorf("only %d bytes were dropped before they were decoded", dropped)
	}
}
