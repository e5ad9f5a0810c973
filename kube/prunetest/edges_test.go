package prunetest

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	v1 "github.com/prune-gen/prune-gen/examples/operator/api/v1"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// A dry run answers like the request, and stores nothing.
func TestDryRunsStoreNothing(t *testing.T) {
	changed := client.RawPatch(types.MergePatchType, []byte(`{"spec":{"image":"j"},"status":{"replicas":3}}`))
	for name, c := range map[string]struct {
		request func(t *testing.T, c client.Client, u *unstructured.Unstructured) error
		status  bool
	}{
		"update": {func(t *testing.T, c client.Client, u *unstructured.Unstructured) error {
			return c.Update(t.Context(), u, client.DryRunAll)
		}, false},
		"patch": {func(t *testing.T, c client.Client, u *unstructured.Unstructured) error {
			return c.Patch(t.Context(), u, changed, client.DryRunAll)
		}, false},
		"apply": {func(t *testing.T, c client.Client, u *unstructured.Unstructured) error {
			u.SetManagedFields(nil)
			delete(u.Object, "status")
			return c.Apply(t.Context(), client.ApplyConfigurationFromUnstructured(u), client.DryRunAll, client.FieldOwner("me"), client.ForceOwnership)
		}, false},
		"update of the status": {func(t *testing.T, c client.Client, u *unstructured.Unstructured) error {
			return c.Status().Update(t.Context(), u, client.DryRunAll)
		}, true},
		"patch of the status": {func(t *testing.T, c client.Client, u *unstructured.Unstructured) error {
			return c.Status().Patch(t.Context(), u, changed, client.DryRunAll)
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			clients(t, func(t *testing.T, cl *Client) {
				stored := loose("a")
				if err := cl.Create(t.Context(), stored); err != nil {
					t.Fatal(err)
				}
				u := stored.DeepCopy()
				_ = unstructured.SetNestedField(u.Object, "j", "spec", "image")
				_ = unstructured.SetNestedField(u.Object, int64(3), "status", "replicas")
				if err := c.request(t, cl, u); err != nil {
					t.Fatal(err)
				}
				image, _, _ := unstructured.NestedString(u.Object, "spec", "image")
				replicas, _, _ := unstructured.NestedInt64(u.Object, "status", "replicas")
				if want := map[bool]string{true: "i", false: "j"}[c.status]; image != want || (replicas == 3) != c.status {
					t.Errorf("the answer has image %s and %d replicas", image, replicas)
				}
				if got := get(t, cl, "a"); got.Spec.Image != "i" || got.Status.Replicas != 0 || got.ResourceVersion != stored.GetResourceVersion() || got.Generation != 1 {
					t.Errorf("it is stored: %+v", got)
				}
			})
		})
	}
}

// clusterCRD is a kind without namespaces, status and scale.
const clusterCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: zones.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: Zone, plural: zones, singular: zone, listKind: ZoneList}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer, default: 3}}}}}}
`

// A kind without namespaces is in none, whatever a request says.
func TestKindsWithoutNamespacesAreInNone(t *testing.T) {
	crds, err := FromFiles(write(t, map[string]string{"crd.yaml": clusterCRD}))
	if err != nil {
		t.Fatal(err)
	}
	for name, verb := range verbs {
		c := crds.NewClient(fake.NewClientBuilder().WithScheme(runtime.NewScheme()))
		missing := in("example.com/v1", "Zone", "n")
		if strings.HasSuffix(name, "of the status") {
			if err := verb(t, c, missing); !apierrors.IsNotFound(err) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if !strings.HasPrefix(name, "apply") {
			if err := verb(t, c, missing); !apierrors.IsNotFound(err) || err.Error() != `zones.example.com "a" not found` {
				t.Errorf("%s of what does not exist: %v", name, err)
			}
		}
		zone := in("example.com/v1", "Zone", "")
		if err := c.Create(t.Context(), zone); err != nil {
			t.Fatal(err)
		}
		u := in("example.com/v1", "Zone", "n")
		if name == "update" {
			u.SetResourceVersion(zone.GetResourceVersion())
		}
		if err := verb(t, c, u); err != nil || u.GetNamespace() != "" {
			t.Errorf("%s: in %q, %v", name, u.GetNamespace(), err)
		}
	}
	c := crds.NewClient(fake.NewClientBuilder().WithScheme(runtime.NewScheme()))
	odd := in("example.com/v1", "Zone", "")
	_ = unstructured.SetNestedField(odd.Object, "x", "spec", "odd")
	want := "failed to create typed patch object (/a; example.com/v1, Kind=Zone): .spec.odd: field not declared in schema"
	if err := verbs["apply"](t, c, odd); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// Objects are decoded into the wanted type: typed objects do not name their kind, all others do.
func TestAnswersSayWhatTheyAre(t *testing.T) {
	clients(t, func(t *testing.T, c *Client) {
		if err := c.Create(t.Context(), cronTab("a")); err != nil {
			t.Fatal(err)
		}
		partial := &metav1.PartialObjectMetadata{}
		partial.SetGroupVersionKind(groupVersion.WithKind("CronTab"))
		partial.Labels = map[string]string{"left": "over"}
		key := client.ObjectKey{Namespace: "n", Name: "a"}
		if err := c.Get(t.Context(), key, partial); err != nil || partial.Kind != "CronTab" || partial.APIVersion != "stable.example.com/v1" || partial.Labels != nil || partial.Name != "a" {
			t.Errorf("%+v, %v", partial, err)
		}
		typed := &CronTab{Spec: CronTabSpec{Forgotten: "left over"}}
		if err := c.Get(t.Context(), key, typed); err != nil || typed.Kind != "" || typed.APIVersion != "" || typed.Spec.Forgotten != "" {
			t.Errorf("%+v, %v", typed, err)
		}
		u := in("stable.example.com/v1", "CronTab", "n")
		u.Object["left"] = "over"
		if err := c.Get(t.Context(), key, u); err != nil || u.GetKind() != "CronTab" || u.Object["left"] != nil {
			t.Errorf("%v, %v", u, err)
		}
	})
}

// A patch that changes nothing makes no version, and one that is refused says what it would have made.
func TestPatchesThatChangeNothing(t *testing.T) {
	clients(t, func(t *testing.T, c *Client) {
		obj := cronTab("a")
		if err := c.Create(t.Context(), obj); err != nil {
			t.Fatal(err)
		}
		version := obj.ResourceVersion
		for _, text := range []string{`{}`, `{"spec":{"image":"i"}}`, `{"spec":{"forgotten":"x"}}`, `{"status":{"replicas":5}}`} {
			if err := c.Patch(t.Context(), obj, client.RawPatch(types.MergePatchType, []byte(text))); err != nil || obj.ResourceVersion != version || obj.Generation != 1 {
				t.Errorf("%s: version %s, was %s, %v", text, obj.ResourceVersion, version, err)
			}
		}
		for text, want := range map[string]string{
			`{"metadata":{"name":1}}`: `must be of type string: "integer"`, `{"spec":{"b":1,"a":1}}`: `strict decoding error: unknown field "spec.a", unknown field "spec.b"`,
		} {
			err := c.Patch(t.Context(), obj, client.RawPatch(types.MergePatchType, []byte(text)), client.FieldValidation("Strict"))
			if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", text, err)
			}
		}
		err := c.Patch(t.Context(), obj, client.RawPatch(types.StrategicMergePatchType, []byte(`{}`)))
		if want := "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml"; err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
		for _, kind := range []types.PatchType{types.JSONPatchType, types.MergePatchType, types.ApplyPatchType} {
			err := c.Patch(t.Context(), obj, client.RawPatch(kind, []byte(`{`)), client.FieldOwner("me"))
			if !apierrors.IsBadRequest(err) || !strings.HasPrefix(err.Error(), "error decoding patch: ") {
				t.Errorf("%s: %v", kind, err)
			}
		}
	})
}

// Errors of several objects of a file have the lines of their own.
func TestFixturesOfOneFile(t *testing.T) {
	dir := write(t, map[string]string{
		"valid/deep/er/many.yaml": fine + "---\n" + fine + "  replicas: 50\n---\n" + fine,
		"valid/one.yml":           "# any comment\n" + fine,
		"valid/notes.txt":         "no manifest",
		"invalid/many.yaml":       "---\n\n   # should be less\n" + fine + "  replicas: 50\n---\n" + fine,
	})
	names, failures, err := fixtureResults(fromFiles(t), dir)
	if err != nil {
		t.Fatal(err)
	}
	const ok = ""
	wantNames := []string{
		"invalid/many.yaml/CronTab a", "invalid/many.yaml/CronTab a",
		"valid/deep/er/many.yaml/CronTab a", "valid/deep/er/many.yaml/CronTab a", "valid/deep/er/many.yaml/CronTab a", "valid/one.yml/CronTab a",
	}
	wantFailures := []string{
		ok, "invalid/many.yaml:13: accepted\nwant a refusal: should be less",
		ok, `valid/deep/er/many.yaml:16: refused: CronTab.stable.example.com "a" is invalid: spec.replicas: Invalid value: 50: spec.replicas in body should be less than or equal to 10`, ok, ok,
	}
	if !slices.Equal(names, wantNames) || !slices.Equal(failures, wantFailures) {
		t.Errorf("have %q, %q", names, failures)
	}
}

// A file that is passed by name is read whatever its extension is. In a directory only manifests are read, and they need not contain CRDs.
func TestFilesThatAreRead(t *testing.T) {
	dir := write(t, map[string]string{"crd.txt": clusterCRD, "sub/crd.yml": clusterCRD, "sub/other.yaml": fine, "sub/template.yaml": "{{ .Values }}"})
	for _, path := range []string{"crd.txt", "sub/crd.yml", "sub", "."} {
		crds, err := FromFiles(filepath.Join(dir, path))
		if err != nil || len(crds.set.Resources()) != 1 || crds.set.Resources()[0].Kind != "Zone" {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := FromFiles(filepath.Join(dir, "sub/template.yaml")); err == nil || !strings.Contains(err.Error(), "template.yaml") {
		t.Errorf("a template that is named: %v", err)
	}
	if _, err := FromFiles(); err == nil || err.Error() != "no CustomResourceDefinition in []" {
		t.Errorf("no files: %v", err)
	}
	if _, err := New(v1.CronTabResource, v1.CronTabResource); err == nil {
		t.Error("a resource is there twice")
	}
	set := &prunert.Set{}
	if err := set.Add(v1.CronTabResource); err != nil {
		t.Fatal(err)
	}
	if crds := FromSet(set); !reflect.DeepEqual(crds.set, set) {
		t.Error("another set")
	}
}
