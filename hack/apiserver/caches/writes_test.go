package caches

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/kube"
	"github.com/prune-gen/prune-gen/kube/servertest"
)

// start runs a server and returns its configuration.
func start(t *testing.T, crds ...string) *rest.Config {
	t.Helper()
	server.Quiet()
	return servertest.StartServer(t, crds)
}

func newClient(t *testing.T, config *rest.Config) client.Client {
	t.Helper()
	c, err := client.New(config, client.Options{Scheme: scheme.Scheme})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// guarded returns a client that does not write objects as f leaves them.
func guarded[T any](t *testing.T, config *rest.Config, f func(T)) client.Client {
	config = rest.CopyConfig(config)
	config.Wrap(kube.ReadOnly(corev1.Resource("pods"), f))
	return newClient(t, config)
}

// stored creates a Pod with its status and returns it as the server has it.
func stored(t *testing.T, c client.Client, p *corev1.Pod, name string) *corev1.Pod {
	t.Helper()
	p = p.DeepCopy()
	p.Name, p.Namespace = name, "default"
	status := p.Status
	if err := c.Create(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	p.Status = status
	if err := c.Status().Update(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	return p
}

// patches are the ways to make a patch of what was changed.
var patches = map[string]func(before, after client.Object) client.Patch{
	"merge":     func(before, _ client.Object) client.Patch { return client.MergeFrom(before) },
	"strategic": func(before, _ client.Object) client.Patch { return client.StrategicMergeFrom(before) },
	"merge, locked": func(before, _ client.Object) client.Patch {
		return client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
	},
	"strategic, locked": func(before, _ client.Object) client.Patch {
		return client.StrategicMergeFrom(before, client.MergeFromWithOptimisticLock{})
	},
	"JSON": jsonPatch,
}

// jsonPatch returns the patch that webhooks answer with.
func jsonPatch(before, after client.Object) client.Patch {
	a, err := json.Marshal(before)
	must(err)
	b, err := json.Marshal(after)
	must(err)
	ops, err := json.Marshal(admission.PatchResponseFromRaw(a, b).Patches)
	must(err)
	return client.RawPatch(types.JSONPatchType, ops)
}

// send changes an object from a cache or a server and sends a patch, of the status if the change is in it.
func send(ctx context.Context, c client.Client, from *corev1.Pod, change change, typed bool, kind string) error {
	after := from.DeepCopy()
	change.apply(after)
	var before, changed client.Object = from, after
	if !typed {
		before, changed = asUnstructured(from), asUnstructured(after)
	}
	patch := patches[kind](before, changed)
	if strings.HasPrefix(change.path, ".status") {
		return c.Status().Patch(ctx, changed, patch)
	}
	return c.Patch(ctx, changed, patch)
}

// asUnstructured returns the content that a program would build which has no Go type: without fields that are encoded although they are not set.
func asUnstructured(p *corev1.Pod) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: unstructuredOf(p)}
	dropZero(u.Object)
	u.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Pod"))
	return u
}

func dropZero(v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, below := range v {
			if dropZero(below); below == nil || reflect.ValueOf(below).IsZero() {
				delete(v, k)
			}
		}
	case []any:
		for _, e := range v {
			dropZero(e)
		}
	}
}

// withoutVersion returns what is compared of two objects that were made of the same.
func withoutVersion(t *testing.T, c client.Client, p *corev1.Pod) map[string]any {
	t.Helper()
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Pod"))
	if err := c.Get(t.Context(), client.ObjectKeyFromObject(p), u); err != nil {
		t.Fatal(err)
	}
	metadata := u.Object["metadata"].(map[string]any)
	for _, field := range []string{"name", "uid", "resourceVersion", "creationTimestamp", "managedFields", "generation"} {
		delete(metadata, field)
	}
	return u.Object
}

func isRefused(err error) bool {
	return err != nil && strings.Contains(err.Error(), "are cached without some of their fields")
}

// A patch that passes does to the stored object what the same change of a whole object does, whatever the projection drops.
func TestPatchesThatPassLoseNothing(t *testing.T) {
	n := 60
	switch {
	case testsize.Soaking():
		n = 3000
	case testsize.All():
		n = 300
	}
	config := start(t)
	c := newClient(t, config)
	type outcome struct{ passed, changed, refused, lossy, failed int }
	outcomes := map[string]*outcome{}
	for i := range n {
		r := rand.New(rand.NewPCG(uint64(i), 7))
		p := projection{r.Uint64(), []uint64{10, 30, 60}[i%3]}
		whole := randomPod(r)
		kind := []string{"merge", "merge, locked", "JSON", "strategic", "strategic, locked"}[r.IntN(5)]
		typed := r.IntN(3) > 0 || strings.HasPrefix(kind, "strategic") // these need a Go type
		a, b := stored(t, c, whole, fmt.Sprintf("a%d", i)), stored(t, c, whole, fmt.Sprintf("b%d", i))
		start := withoutVersion(t, c, b)
		cached := a.DeepCopy()
		p.pod(cached)
		change := randomChange(r, cached)
		name := fmt.Sprintf("%s, unstructured", kind)
		g := guarded(t, config, p.content)
		if typed {
			name, g = kind, guarded(t, config, p.pod)
		}
		if outcomes[name] == nil {
			outcomes[name] = &outcome{}
		}
		is := outcomes[name]

		err := send(t.Context(), g, cached, change, typed, kind)
		refused := isRefused(err)
		if refused {
			err = send(t.Context(), c, cached, change, typed, kind) // to see what it would have done
		}
		want := send(t.Context(), c, b, change, typed, kind)
		if err != nil || want != nil {
			is.failed++
			continue
		}
		before, after := withoutVersion(t, c, a), withoutVersion(t, c, b)
		same := reflect.DeepEqual(before, after)
		switch {
		case refused && same:
			is.refused++
		case refused:
			is.refused++
			is.lossy++
		case same:
			is.passed++
			if !reflect.DeepEqual(after, start) {
				is.changed++
			}
		default:
			t.Errorf("%d: %s of %s is not refused:\n%s\nwith the whole object:\n%s", i, name, change.path, text(before), text(after))
		}
		must(errors.Join(client.IgnoreNotFound(c.Delete(t.Context(), a)), client.IgnoreNotFound(c.Delete(t.Context(), b))))
	}
	var all outcome
	for name, o := range outcomes {
		all.changed, all.lossy = all.changed+o.changed, all.lossy+o.lossy
		t.Logf("%s: %d passed and did the same, of which %d changed something; %d refused, of which %d would have done something else; %d failed", name, o.passed, o.changed, o.refused, o.lossy, o.failed)
	}
	if all.changed < n/4 || all.lossy < n/20 {
		t.Errorf("of %d patches, only %d passed and changed something, and %d would have lost something", n, all.changed, all.lossy)
	}
}

func text(v any) string {
	data, err := json.Marshal(v)
	must(err)
	return string(data)
}
