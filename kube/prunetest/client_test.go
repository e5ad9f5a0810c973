package prunetest

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	v1 "github.com/prune-gen/prune-gen/examples/operator/api/v1"
)

var groupVersion = schema.GroupVersion{Group: "stable.example.com", Version: "v1"}

// CronTab is a Go type for the CRD, with a field that the CRD does not have.
type CronTab struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              CronTabSpec   `json:"spec,omitempty"`
	Status            CronTabStatus `json:"status,omitempty"`
}

type CronTabSpec struct {
	CronSpec string `json:"cronSpec,omitempty"`
	Image    string `json:"image,omitempty"`
	Replicas *int64 `json:"replicas,omitempty"`
	// Forgotten is not in the CRD, which was not generated again.
	Forgotten string `json:"forgotten,omitempty"`
}

type CronTabStatus struct {
	Replicas int64 `json:"replicas,omitempty"`
}

func (c *CronTab) DeepCopyObject() runtime.Object {
	out := &CronTab{TypeMeta: c.TypeMeta, ObjectMeta: *c.ObjectMeta.DeepCopy(), Spec: c.Spec, Status: c.Status}
	if c.Spec.Replicas != nil {
		n := *c.Spec.Replicas
		out.Spec.Replicas = &n
	}
	return out
}

type CronTabList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []CronTab `json:"items"`
}

func (l *CronTabList) DeepCopyObject() runtime.Object {
	out := &CronTabList{TypeMeta: l.TypeMeta, ListMeta: *l.ListMeta.DeepCopy()}
	for i := range l.Items {
		out.Items = append(out.Items, *l.Items[i].DeepCopyObject().(*CronTab))
	}
	return out
}

func scheme() *runtime.Scheme {
	s := runtime.NewScheme()
	s.AddKnownTypes(groupVersion, &CronTab{}, &CronTabList{})
	metav1.AddToGroupVersion(s, groupVersion)
	return s
}

// clients returns the clients to test: with generated code and with an interpreted CRD.
func clients(t *testing.T, test func(t *testing.T, c *Client)) {
	generated, err := New(v1.CronTabResource)
	if err != nil {
		t.Fatal(err)
	}
	for name, crds := range map[string]*CRDs{"generated": generated, "files": fromFiles(t)} {
		t.Run(name, func(t *testing.T) { test(t, crds.NewClient(fake.NewClientBuilder().WithScheme(scheme()))) })
	}
}

func cronTab(name string) *CronTab {
	return &CronTab{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "n"}, Spec: CronTabSpec{CronSpec: "* * * * *", Image: "i"}}
}

func loose(name string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "stable.example.com/v1", "kind": "CronTab",
		"metadata": map[string]any{"name": name, "namespace": "n"},
		"spec":     map[string]any{"cronSpec": "* * * * *", "image": "i"},
	}}
}

func get(t *testing.T, c client.Client, name string) *CronTab {
	t.Helper()
	out := &CronTab{}
	if err := c.Get(t.Context(), client.ObjectKey{Namespace: "n", Name: name}, out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestCreateStoresWhatTheServerStores(t *testing.T) {
	clients(t, func(t *testing.T, c *Client) {
		obj := cronTab("a")
		obj.Spec.Forgotten, obj.Status.Replicas = "x", 7
		if err := c.Create(t.Context(), obj); err != nil {
			t.Fatal(err)
		}
		for _, got := range []*CronTab{obj, get(t, c, "a")} {
			if got.Spec.Forgotten != "" || got.Status.Replicas != 0 || got.Spec.Replicas == nil || *got.Spec.Replicas != 1 ||
				got.Generation != 1 || got.UID == "" || got.CreationTimestamp.IsZero() || got.ResourceVersion == "" || got.Kind != "" {
				t.Errorf("%+v", got)
			}
		}
		if got, want := c.Warnings(), []string{`unknown field "spec.forgotten"`}; !slices.Equal(got, want) {
			t.Errorf("warnings %q, want %q", got, want)
		}
		if got := c.Warnings(); len(got) > 0 {
			t.Errorf("the warnings come again: %q", got)
		}
	})
}

func TestCreateRefuses(t *testing.T) {
	clients(t, func(t *testing.T, c *Client) {
		bad := cronTab("a")
		bad.Spec.CronSpec = "never"
		before := bad.DeepCopyObject()
		err := c.Create(t.Context(), bad)
		if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), `spec.cronSpec: Invalid value: "never": spec.cronSpec in body should match`) {
			t.Errorf("an invalid object: %v", err)
		}
		if !reflect.DeepEqual(bad, before) {
			t.Errorf("a refused object was changed: %v", bad)
		}
		if err := c.Get(t.Context(), client.ObjectKeyFromObject(bad), bad); !apierrors.IsNotFound(err) || !strings.Contains(err.Error(), `crontabs.stable.example.com "a" not found`) {
			t.Errorf("it is stored: %v", err)
		}
		odd := cronTab("a")
		odd.Spec.Forgotten = "x"
		if err := c.Create(t.Context(), odd, client.FieldValidation("Strict")); !apierrors.IsBadRequest(err) {
			t.Errorf("strict: %v", err)
		}
		homeless := cronTab("a")
		homeless.Namespace = ""
		if err := c.Create(t.Context(), homeless); err != errCreateWithoutNamespace {
			t.Errorf("without a namespace: %v", err)
		}
		if err := c.Create(t.Context(), cronTab("a")); err != nil {
			t.Fatal(err)
		}
		if err := c.Create(t.Context(), cronTab("a")); !apierrors.IsAlreadyExists(err) || err.Error() != `crontabs.stable.example.com "a" already exists` {
			t.Errorf("twice: %v", err)
		}
		if err := c.Create(t.Context(), cronTab("dry"), client.DryRunAll); err != nil {
			t.Error(err)
		}
		if err := c.Get(t.Context(), client.ObjectKey{Namespace: "n", Name: "dry"}, &CronTab{}); !apierrors.IsNotFound(err) {
			t.Errorf("a dry run: %v", err)
		}
		other := loose("b")
		other.SetAPIVersion("stable.example.com/v7")
		if err := c.Create(t.Context(), other); !apierrors.IsNotFound(err) {
			t.Errorf("a version that is not served: %v", err)
		}
	})
}

func TestUpdateKeepsStatusAndCountsGenerations(t *testing.T) {
	clients(t, func(t *testing.T, c *Client) {
		obj := cronTab("a")
		if err := c.Create(t.Context(), obj); err != nil {
			t.Fatal(err)
		}
		stale := obj.DeepCopyObject().(*CronTab)
		obj.Spec.Image, obj.Status.Replicas = "j", 7
		if err := c.Update(t.Context(), obj); err != nil {
			t.Fatal(err)
		}
		if obj.Status.Replicas != 0 || obj.Generation != 2 || obj.Spec.Image != "j" {
			t.Errorf("updated: %+v", obj)
		}
		version := obj.ResourceVersion
		if err := c.Update(t.Context(), obj); err != nil || obj.ResourceVersion != version {
			t.Errorf("an update without a change: %v, version %s, was %s", err, obj.ResourceVersion, version)
		}
		stale.Spec.Image = "k"
		if err := c.Update(t.Context(), stale); !apierrors.IsConflict(err) {
			t.Errorf("an update of an old version: %v", err)
		}
		n := int64(50)
		bad := get(t, c, "a")
		bad.Spec.Replicas = &n
		if err := c.Update(t.Context(), bad); !apierrors.IsInvalid(err) {
			t.Errorf("an invalid update: %v", err)
		}
		if err := c.Update(t.Context(), cronTab("none")); !apierrors.IsNotFound(err) {
			t.Errorf("an update of nothing: %v", err)
		}
	})
}

func TestStatusIsWrittenByItsSubresource(t *testing.T) {
	clients(t, func(t *testing.T, c *Client) {
		obj := cronTab("a")
		if err := c.Create(t.Context(), obj); err != nil {
			t.Fatal(err)
		}
		obj.Spec.Image, obj.Status.Replicas = "j", 7
		if err := c.Status().Update(t.Context(), obj); err != nil {
			t.Fatal(err)
		}
		if obj.Spec.Image != "i" || obj.Status.Replicas != 7 || obj.Generation != 1 {
			t.Errorf("%+v", obj)
		}
		base := obj.DeepCopyObject().(*CronTab)
		obj.Status.Replicas = 8
		if err := c.SubResource("status").Patch(t.Context(), obj, client.MergeFrom(base)); err != nil {
			t.Fatal(err)
		}
		if got := get(t, c, "a"); got.Status.Replicas != 8 || got.Spec.Image != "i" {
			t.Errorf("patched: %+v", got)
		}
		bad := client.RawPatch(types.MergePatchType, []byte(`{"status":{"replicas":"many"}}`))
		if err := c.Status().Patch(t.Context(), obj, bad); !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "status.replicas") {
			t.Errorf("an invalid status: %v", err)
		}
		if err := c.SubResource("odd").Update(t.Context(), obj); !apierrors.IsNotFound(err) {
			t.Errorf("another subresource: %v", err)
		}
	})
}

func TestPatch(t *testing.T) {
	clients(t, func(t *testing.T, c *Client) {
		obj := cronTab("a")
		if err := c.Create(t.Context(), obj); err != nil {
			t.Fatal(err)
		}
		patch := func(kind types.PatchType, text string, opts ...client.PatchOption) error {
			return c.Patch(t.Context(), obj, client.RawPatch(kind, []byte(text)), opts...)
		}
		if err := patch(types.MergePatchType, `{"spec":{"image":"j","replica":2,"replicas":null}}`); err != nil {
			t.Fatal(err)
		}
		if *obj.Spec.Replicas != 1 || obj.Spec.Image != "j" || obj.Generation != 2 {
			t.Errorf("%+v", obj)
		}
		if got := c.Warnings(); !slices.Equal(got, []string{`unknown field "spec.replica"`}) {
			t.Errorf("warnings %q", got)
		}
		if err := patch(types.MergePatchType, `{"spec":{"replica":2}}`, client.FieldValidation("Strict")); !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "strict decoding error") {
			t.Errorf("strict: %v", err)
		}
		if err := patch(types.JSONPatchType, `[{"op":"replace","path":"/spec/image","value":1}]`); !apierrors.IsInvalid(err) {
			t.Errorf("an invalid patch: %v", err)
		}
		if err := patch(types.JSONPatchType, `[{"op":"test","path":"/spec/image","value":"k"}]`); !apierrors.IsInvalid(err) || err.Error() != "the server rejected our request due to an error in our request" {
			t.Errorf("a test that fails: %v", err)
		}
		if err := patch(types.StrategicMergePatchType, `{}`); !apierrors.IsUnsupportedMediaType(err) {
			t.Errorf("a strategic patch: %v", err)
		}
		if err := patch(types.MergePatchType, `{`); !apierrors.IsBadRequest(err) {
			t.Errorf("a patch that is not JSON: %v", err)
		}
		base := obj.DeepCopyObject().(*CronTab)
		if err := patch(types.MergePatchType, `{"spec":{"image":"l"}}`); err != nil {
			t.Fatal(err)
		}
		changed := base.DeepCopyObject().(*CronTab)
		changed.Spec.Image = "m"
		if err := c.Patch(t.Context(), changed, client.MergeFromWithOptions(base, client.MergeFromWithOptimisticLock{})); !apierrors.IsConflict(err) {
			t.Errorf("a patch of an old version: %v", err)
		}
		if err := c.Patch(t.Context(), cronTab("none"), client.RawPatch(types.MergePatchType, []byte(`{}`))); !apierrors.IsNotFound(err) {
			t.Errorf("a patch of nothing: %v", err)
		}
		partial := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "n"}}
		partial.SetGroupVersionKind(groupVersion.WithKind("CronTab"))
		if err := c.Patch(t.Context(), partial, client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"labels":{"a":"not a value"}}}`))); !apierrors.IsInvalid(err) {
			t.Errorf("a patch of metadata: %v", err)
		}
	})
}

func TestApply(t *testing.T) {
	clients(t, func(t *testing.T, c *Client) {
		apply := func(spec map[string]any, owner string) (*unstructured.Unstructured, error) {
			u := loose("a")
			u.Object["spec"] = spec
			err := c.Apply(t.Context(), client.ApplyConfigurationFromUnstructured(u), client.FieldOwner(owner))
			return u, err
		}
		u, err := apply(map[string]any{"cronSpec": "* * * * *", "image": "i", "suspend": true}, "me")
		if err != nil {
			t.Fatal(err)
		}
		if n, _, _ := unstructured.NestedInt64(u.Object, "spec", "replicas"); n != 1 || u.GetGeneration() != 1 || u.GetUID() == "" {
			t.Errorf("created: %v", u.Object)
		}
		if got := get(t, c, "a"); *got.Spec.Replicas != 1 || got.UID != u.GetUID() {
			t.Errorf("stored: %+v", got)
		}
		if _, err := apply(map[string]any{"cronSpec": "never", "image": "i"}, "me"); !apierrors.IsInvalid(err) {
			t.Errorf("an invalid configuration: %v", err)
		}
		if got := get(t, c, "a"); got.Spec.CronSpec != "* * * * *" {
			t.Errorf("it is stored: %+v", got)
		}
		if _, err := apply(map[string]any{"cronSpec": "* * * * *", "image": "i", "odd": true}, "me"); err == nil ||
			err.Error() != "failed to create typed patch object (n/a; stable.example.com/v1, Kind=CronTab): .spec.odd: field not declared in schema" {
			t.Errorf("an unknown field: %v", err)
		}
		if _, err := apply(map[string]any{"image": "j"}, "you"); !apierrors.IsConflict(err) {
			t.Errorf("a field of another: %v", err)
		}
		taken := loose("a")
		taken.Object["spec"] = map[string]any{"image": "taken"}
		//lint:ignore SA1019 controllers still use it
		if err := c.Patch(t.Context(), taken, client.Apply, client.FieldOwner("you")); !apierrors.IsConflict(err) {
			t.Errorf("a patch of a field of another: %v", err)
		}
		//lint:ignore SA1019 controllers still use it
		if err := c.Patch(t.Context(), taken, client.Apply, client.FieldOwner("you"), client.ForceOwnership, client.DryRunAll); err != nil {
			t.Errorf("a patch that forces: %v", err)
		}
		// A required field that its owner gives up is missing.
		if _, err := apply(map[string]any{"cronSpec": "* * * * *"}, "me"); !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "spec.image: Required value") {
			t.Errorf("a field that is given up: %v", err)
		}
		if u, err = apply(map[string]any{"cronSpec": "* * * * *", "image": "k"}, "me"); err != nil || u.GetGeneration() != 2 {
			t.Errorf("updated: %v, %v", u.Object, err)
		}
		status := loose("a")
		delete(status.Object, "spec")
		status.Object["status"] = map[string]any{"replicas": int64(3)}
		if err := c.Status().Apply(t.Context(), client.ApplyConfigurationFromUnstructured(status), client.FieldOwner("me")); err != nil {
			t.Fatal(err)
		}
		if got := get(t, c, "a"); got.Status.Replicas != 3 || got.Spec.Image != "k" {
			t.Errorf("status: %+v", got)
		}
	})
}

// A CRD says more than the types of a scheme: what is given to the builder is read as a server reads its storage.
func TestReadsFillInDefaults(t *testing.T) {
	c := fromFiles(t).NewClient(fake.NewClientBuilder().WithScheme(scheme()).WithObjects(cronTab("a")))
	if got := get(t, c, "a"); got.Spec.Replicas == nil || *got.Spec.Replicas != 1 {
		t.Errorf("get: %+v", got)
	}
	var list CronTabList
	if err := c.List(t.Context(), &list); err != nil || len(list.Items) != 1 || list.Items[0].Spec.Replicas == nil {
		t.Errorf("list: %+v, %v", list, err)
	}
	obj := get(t, c, "a")
	obj.Spec.Image = "j"
	if err := c.Update(t.Context(), obj); err != nil || obj.Generation != 2 {
		t.Errorf("update: %+v, %v", obj, err)
	}
}

// Without a Go type, objects are stored as the server stores them.
func TestUnstructuredObjectsKeepEverything(t *testing.T) {
	c := fromFiles(t).NewClient(fake.NewClientBuilder().WithScheme(runtime.NewScheme()))
	u := loose("a")
	unstructured.SetNestedField(u.Object, "x", "spec", "podTemplate", "anything")
	unstructured.SetNestedField(u.Object, "v1", "spec", "podTemplate", "apiVersion")
	unstructured.SetNestedField(u.Object, "Pod", "spec", "podTemplate", "kind")
	if err := c.Create(t.Context(), u); err != nil {
		t.Fatal(err)
	}
	got := loose("a")
	if err := c.Get(t.Context(), client.ObjectKeyFromObject(u), got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"cronSpec": "* * * * *", "image": "i", "replicas": int64(1),
		"podTemplate": map[string]any{"apiVersion": "v1", "kind": "Pod", "anything": "x"}}
	if !reflect.DeepEqual(got.Object["spec"], want) {
		t.Errorf("%v, want %v", got.Object["spec"], want)
	}
}

// An answer is what a server reads from its storage: no null where there is no status, whatever the fake client puts there.
func TestAnswersAreReadFromStorage(t *testing.T) {
	c := fromFiles(t).NewClient(fake.NewClientBuilder().WithScheme(runtime.NewScheme()))
	u := loose("a")
	if err := c.Create(t.Context(), u); err != nil {
		t.Fatal(err)
	}
	unstructured.SetNestedField(u.Object, "j", "spec", "image")
	if err := c.Update(t.Context(), u); err != nil {
		t.Fatal(err)
	}
	if status, ok := u.Object["status"]; ok {
		t.Errorf("after an update the status is %v", status)
	}
}

// A client does not find a kind that a group of the CRDs lacks, and sends no request. The group is known by its CRDs.
func TestKindsThatAGroupLacksAreRefused(t *testing.T) {
	clients(t, func(t *testing.T, c *Client) {
		u := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "stable.example.com/v1", "kind": "CronTabb", "metadata": map[string]any{"name": "a", "namespace": "n"}}}
		list := &unstructured.UnstructuredList{Object: map[string]any{"apiVersion": "stable.example.com/v1", "kind": "CronTabbList"}}
		for verb, err := range map[string]error{
			"create": c.Create(t.Context(), u.DeepCopy()),
			"get":    c.Get(t.Context(), client.ObjectKeyFromObject(u), u.DeepCopy()),
			"list":   c.List(t.Context(), list),
			"update": c.Update(t.Context(), u.DeepCopy()),
			"patch":  c.Patch(t.Context(), u.DeepCopy(), client.RawPatch(types.MergePatchType, []byte("{}"))),
			"status": c.Status().Update(t.Context(), u.DeepCopy()),
		} {
			const want = `no matches for kind "CronTabb" in version "stable.example.com/v1"`
			if !meta.IsNoMatchError(err) || err.Error() != want {
				t.Errorf("%s: %v, want %s", verb, err, want)
			}
		}
		list.SetKind("CronTabList")
		if err := c.List(t.Context(), list); err != nil {
			t.Error(err)
		}
	})
}

func TestOtherKindsAreThoseOfTheFakeClient(t *testing.T) {
	c := fromFiles(t).NewClient(fake.NewClientBuilder())
	pod := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "a", "namespace": "n"}, "data": map[string]any{"k": "v"}}}
	if err := c.Create(t.Context(), pod); err != nil {
		t.Fatal(err)
	}
	if err := c.Patch(t.Context(), pod, client.RawPatch(types.StrategicMergePatchType, []byte(`{"data":{"k":"w"}}`))); err != nil {
		t.Error(err)
	}
	if err := c.Delete(t.Context(), pod); err != nil {
		t.Error(err)
	}
}
