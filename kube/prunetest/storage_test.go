package prunetest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
)

// The scheme has a Go type, but other clients of the object keep the fields that it lacks.
func TestFieldsThatTheGoTypeLacksAreStored(t *testing.T) {
	c := fromFiles(t).NewClient(fake.NewClientBuilder().WithScheme(scheme()))
	u := loose("a")
	unstructured.SetNestedField(u.Object, true, "spec", "suspend")
	if err := c.Create(t.Context(), u); err != nil {
		t.Fatal(err)
	}
	suspended := func() bool {
		t.Helper()
		u := loose("a")
		if err := c.Get(t.Context(), client.ObjectKeyFromObject(u), u); err != nil {
			t.Fatal(err)
		}
		is, _, _ := unstructured.NestedBool(u.Object, "spec", "suspend")
		list := &unstructured.UnstructuredList{}
		list.SetGroupVersionKind(u.GroupVersionKind())
		if err := c.List(t.Context(), list); err != nil || len(list.Items) != 1 || !reflect.DeepEqual(list.Items[0].Object, u.Object) {
			t.Errorf("listed: %v, %v", list.Items, err)
		}
		return is
	}
	if !suspended() {
		t.Error("after the create, the field is lost")
	}
	status := get(t, c, "a")
	status.Status.Replicas = 2
	if err := c.Status().Update(t.Context(), status); err != nil || !suspended() {
		t.Errorf("after an update of the status, the field is lost: %v", err)
	}
	if err := c.Update(t.Context(), get(t, c, "a")); err != nil || suspended() {
		t.Errorf("an update by the Go type keeps the field: %v", err)
	}
	// What is written to the fake client is what is read.
	below := get(t, c, "a")
	below.Spec.Image = "below"
	if err := c.Unwrap().Update(t.Context(), below); err != nil {
		t.Fatal(err)
	}
	if got := get(t, c, "a"); got.Spec.Image != "below" {
		t.Errorf("%+v", got)
	}
}

// Interceptors stand for webhooks: what they change is stored.
func TestInterceptorsChangeWhatIsStored(t *testing.T) {
	label := func(obj client.Object, value string) { obj.SetLabels(map[string]string{"by": value}) }
	c := fromFiles(t).NewClient(fake.NewClientBuilder().WithScheme(scheme()).WithInterceptorFuncs(interceptor.Funcs{
		Create: func(ctx context.Context, c client.WithWatch, obj client.Object, opts ...client.CreateOption) error {
			label(obj, "create")
			return c.Create(ctx, obj, opts...)
		},
		Update: func(ctx context.Context, c client.WithWatch, obj client.Object, opts ...client.UpdateOption) error {
			label(obj, "update")
			return c.Update(ctx, obj, opts...)
		},
	}))
	obj := cronTab("a")
	if err := c.Create(t.Context(), obj); err != nil || obj.Labels["by"] != "create" || get(t, c, "a").Labels["by"] != "create" {
		t.Errorf("created: %+v, %v", obj, err)
	}
	obj.Spec.Image = "j"
	if err := c.Update(t.Context(), obj); err != nil || obj.Labels["by"] != "update" || get(t, c, "a").Labels["by"] != "update" {
		t.Errorf("updated: %+v, %v", obj, err)
	}
}

const portCRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ports.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Port, plural: ports, singular: harbour, listKind: PortList}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}}
    selectableFields: [{jsonPath: .spec.size}]
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer, maximum: 9, default: 1}
              piers:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items: {type: object, required: [name], properties: {name: {type: string}, length: {type: integer}}}
          status: {type: object, properties: {size: {type: integer}}}
`

func ports(t *testing.T) *Client {
	t.Helper()
	file := filepath.Join(t.TempDir(), "crd.yaml")
	if err := os.WriteFile(file, []byte(portCRD), 0o600); err != nil {
		t.Fatal(err)
	}
	crds, err := FromFiles(file)
	if err != nil {
		t.Fatal(err)
	}
	return crds.NewClient(fake.NewClientBuilder().WithScheme(runtime.NewScheme()))
}

func port(name string, spec map[string]any) *unstructured.Unstructured {
	u := in("example.com/v1", "Port", "n")
	u.SetName(name)
	u.Object["spec"] = spec
	return u
}

// What is applied merges as the CRD says, defaults belong to nobody, and an apply without effect is not a write.
func TestApplyMergesByTheCRD(t *testing.T) {
	c := ports(t)
	apply := func(owner string, spec map[string]any, opts ...client.ApplyOption) (*unstructured.Unstructured, error) {
		u := port("a", spec)
		err := c.Apply(t.Context(), client.ApplyConfigurationFromUnstructured(u), append(opts, client.FieldOwner(owner))...)
		return u, err
	}
	pier := func(name string, length int64) map[string]any { return map[string]any{"name": name, "length": length} }
	first, err := apply("me", map[string]any{"piers": []any{pier("x", 1)}})
	if err != nil {
		t.Fatal(err)
	}
	again, err := apply("me", map[string]any{"piers": []any{pier("x", 1)}})
	if err != nil || again.GetResourceVersion() != first.GetResourceVersion() {
		t.Errorf("the same again: %v, %v", again, err)
	}
	u, err := apply("you", map[string]any{"size": int64(2), "piers": []any{pier("y", 2)}})
	if err != nil || !reflect.DeepEqual(u.Object["spec"], map[string]any{"size": int64(2), "piers": []any{pier("x", 1), pier("y", 2)}}) {
		t.Errorf("%v, %v", u.Object["spec"], err)
	}
	if _, err := apply("you", map[string]any{"piers": []any{pier("x", 3)}}); !apierrors.IsConflict(err) {
		t.Errorf("a field of another: %v", err)
	}
}

// An object that waits for its finalizers is marked as a server marks it. The others go.
func TestDeletions(t *testing.T) {
	c := ports(t)
	for _, name := range []string{"a", "b", "c"} {
		u := port(name, map[string]any{})
		u.SetLabels(map[string]string{"name": name})
		if name == "a" {
			u.SetFinalizers([]string{"example.com/one"})
		}
		if err := c.Create(t.Context(), u); err != nil {
			t.Fatal(err)
		}
	}
	other := types.UID("other")
	if err := c.Delete(t.Context(), port("a", nil), client.Preconditions{UID: &other}); !apierrors.IsConflict(err) {
		t.Errorf("another UID: %v", err)
	}
	u := port("a", nil)
	for range 2 {
		if err := c.Delete(t.Context(), port("a", nil)); err != nil {
			t.Fatal(err)
		}
		if err := c.Get(t.Context(), client.ObjectKeyFromObject(u), u); err != nil {
			t.Fatal(err)
		}
		if grace := u.GetDeletionGracePeriodSeconds(); u.GetGeneration() != 2 || grace == nil || *grace != 0 || u.GetDeletionTimestamp() == nil ||
			!slices.Equal(u.GetFinalizers(), []string{"example.com/one"}) {
			t.Errorf("marked: %v", u.Object)
		}
	}
	if err := c.DeleteAllOf(t.Context(), port("", nil), client.InNamespace("n"), client.MatchingLabels{"name": "b"}); err != nil {
		t.Fatal(err)
	}
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(u.GroupVersionKind())
	if err := c.List(t.Context(), list); err != nil || len(list.Items) != 2 {
		t.Errorf("left: %v, %v", list.Items, err)
	}
	u.SetFinalizers(nil)
	if err := c.Update(t.Context(), u); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := c.Get(t.Context(), client.ObjectKeyFromObject(u), u); !apierrors.IsNotFound(err) {
			t.Errorf("finalized: %v", err)
		}
		if err := c.Delete(t.Context(), port("a", nil)); !apierrors.IsNotFound(err) {
			t.Errorf("deleted again: %v", err)
		}
	}
}

func TestMapperAndScales(t *testing.T) {
	c := ports(t)
	if err := c.Create(t.Context(), port("a", map[string]any{})); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		c.SubResource("scale").Update(t.Context(), port("a", nil), client.WithSubResourceBody(&autoscalingv1.Scale{})),
		c.SubResource("scale").Patch(t.Context(), port("a", nil), client.RawPatch(types.MergePatchType, []byte(`{"spec":{"replicas":3}}`))),
	} {
		if err == nil || !strings.Contains(err.Error(), "kube/servertest") {
			t.Errorf("a scale: %v", err)
		}
	}
	kind := port("", nil).GroupVersionKind()
	m, err := c.RESTMapper().RESTMapping(kind.GroupKind())
	if err != nil || m.Resource.Resource != "ports" || m.Scope.Name() != meta.RESTScopeNameNamespace {
		t.Errorf("%+v, %v", m, err)
	}
	if singular, err := c.RESTMapper().ResourceSingularizer("ports"); err != nil || singular != "harbour" {
		t.Errorf("%s, %v", singular, err)
	}
	if namespaced, err := c.IsObjectNamespaced(port("", nil)); err != nil || !namespaced {
		t.Errorf("%t, %v", namespaced, err)
	}
}

// A test can let requests fail. What it does not request does not fail, and is not half done.
func TestInterceptorsSeeTheRequestsOfTheTest(t *testing.T) {
	var seen []string
	refuse := errors.New("refused by the test")
	c := fromFiles(t).NewClient(fake.NewClientBuilder().WithScheme(scheme()).WithInterceptorFuncs(interceptor.Funcs{
		Get: func(_ context.Context, _ client.WithWatch, _ client.ObjectKey, obj client.Object, _ ...client.GetOption) error {
			seen = append(seen, "get")
			return refuse
		},
		Update: func(ctx context.Context, c client.WithWatch, obj client.Object, opts ...client.UpdateOption) error {
			seen = append(seen, "update")
			return c.Update(ctx, obj, opts...)
		},
		Delete: func(_ context.Context, _ client.WithWatch, obj client.Object, _ ...client.DeleteOption) error {
			if _, ok := obj.(*CronTab); ok {
				seen = append(seen, "delete a CronTab")
			}
			return refuse
		},
	}))
	obj := cronTab("a")
	obj.Finalizers = []string{"example.com/one"}
	if err := c.Create(t.Context(), obj); err != nil {
		t.Fatal(err)
	}
	obj.Spec.Image = "j"
	if err := c.Update(t.Context(), obj); err != nil {
		t.Fatal(err)
	}
	if err := c.Delete(t.Context(), obj); err != refuse {
		t.Errorf("delete: %v", err)
	}
	var list CronTabList
	if err := c.List(t.Context(), &list); err != nil || len(list.Items) != 1 || list.Items[0].Generation != 2 {
		t.Errorf("a refused deletion leaves %+v, %v", list.Items, err)
	}
	if want := []string{"update", "delete a CronTab"}; !slices.Equal(seen, want) {
		t.Errorf("seen %q, want %q", seen, want)
	}
}

// A manager that sets the same value later changes nothing.
func TestTimesOfManagersAreNotChanges(t *testing.T) {
	of := func(manager, time string) map[string]any {
		return map[string]any{"metadata": map[string]any{"managedFields": []any{map[string]any{"manager": manager, "time": time}}}}
	}
	if !unchanged(of("a", "2026-01-01T00:00:00Z"), of("a", "2026-01-01T00:00:01Z")) {
		t.Error("another time is a change")
	}
	if unchanged(of("a", "2026-01-01T00:00:00Z"), of("b", "2026-01-01T00:00:00Z")) {
		t.Error("another manager is not a change")
	}
}
