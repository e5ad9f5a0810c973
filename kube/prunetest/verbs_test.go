package prunetest

import (
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
)

// merging is a patch that changes a label.
var merging = client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"labels":{"a":"b"}}}`))

// verbs are the requests that are about one object.
var verbs = map[string]func(t *testing.T, c client.Client, u *unstructured.Unstructured) error{
	"get": func(t *testing.T, c client.Client, u *unstructured.Unstructured) error {
		return c.Get(t.Context(), client.ObjectKeyFromObject(u), u)
	},
	"update": func(t *testing.T, c client.Client, u *unstructured.Unstructured) error {
		return c.Update(t.Context(), u)
	},
	"patch": func(t *testing.T, c client.Client, u *unstructured.Unstructured) error {
		return c.Patch(t.Context(), u, merging)
	},
	"apply": func(t *testing.T, c client.Client, u *unstructured.Unstructured) error {
		return c.Apply(t.Context(), client.ApplyConfigurationFromUnstructured(u), client.FieldOwner("me"), client.ForceOwnership)
	},
	"apply as a patch": func(t *testing.T, c client.Client, u *unstructured.Unstructured) error {
		//lint:ignore SA1019 controllers still use it
		return c.Patch(t.Context(), u, client.Apply, client.FieldOwner("me"), client.ForceOwnership)
	},
	"update of the status": func(t *testing.T, c client.Client, u *unstructured.Unstructured) error {
		return c.Status().Update(t.Context(), u)
	},
	"patch of the status": func(t *testing.T, c client.Client, u *unstructured.Unstructured) error {
		return c.Status().Patch(t.Context(), u, merging)
	},
	"apply of the status": func(t *testing.T, c client.Client, u *unstructured.Unstructured) error {
		return c.Status().Apply(t.Context(), client.ApplyConfigurationFromUnstructured(u), client.FieldOwner("me"), client.ForceOwnership)
	},
}

// in returns an object of a kind in a namespace.
func in(apiVersion, kind, namespace string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{}}
	u.SetAPIVersion(apiVersion)
	u.SetKind(kind)
	u.SetNamespace(namespace)
	u.SetName("a")
	return u
}

// A server with these CRDs does not serve other versions of their kinds, and a client sends nothing without a namespace.
func TestRequestsThatNobodyServes(t *testing.T) {
	clients(t, func(t *testing.T, c *Client) {
		for name, verb := range verbs {
			err := verb(t, c, in("stable.example.com/v9", "CronTab", "n"))
			if !apierrors.IsNotFound(err) || err.Error() != "the server could not find the requested resource" {
				t.Errorf("%s of another version: %v", name, err)
			}
			err = verb(t, c, in("stable.example.com/v1", "CronTab", ""))
			if err == nil || err.Error() != "an empty namespace may not be set when a resource name is provided" {
				t.Errorf("%s without a namespace: %v", name, err)
			}
			if name == "apply" || name == "apply as a patch" {
				continue // it creates the object
			}
			err = verb(t, c, in("stable.example.com/v1", "CronTab", "n"))
			if !apierrors.IsNotFound(err) || err.Error() != `crontabs.stable.example.com "a" not found` {
				t.Errorf("%s of what does not exist: %v", name, err)
			}
		}
		if err := c.Create(t.Context(), in("stable.example.com/v9", "CronTab", "n")); !apierrors.IsNotFound(err) {
			t.Errorf("create of another version: %v", err)
		}
		if err := c.Create(t.Context(), in("stable.example.com/v1", "CronTab", "")); err == nil || err.Error() != "an empty namespace may not be set during creation" {
			t.Errorf("create without a namespace: %v", err)
		}
	})
}

// Kinds without a CRD are those of the fake client, with whatever is in them.
func TestRequestsForOtherKindsGoToTheFakeClient(t *testing.T) {
	clients(t, func(t *testing.T, c *Client) {
		other := func() *unstructured.Unstructured {
			u := in("example.com/v1", "Other", "n")
			u.Object["odd"] = "kept"
			return u
		}
		if err := c.Create(t.Context(), other()); err != nil {
			t.Fatal(err)
		}
		plain := fake.NewClientBuilder().WithScheme(scheme()).WithObjects(other()).Build()
		for name, verb := range verbs {
			u := other()
			err := verb(t, c, u)
			want := verb(t, plain, other())
			if (err == nil) != (want == nil) || err != nil && err.Error() != want.Error() {
				t.Errorf("%s: %v, want %v", name, err, want)
			}
			if err == nil && u.Object["odd"] != "kept" {
				t.Errorf("%s: %v", name, u.Object)
			}
		}
		list := &unstructured.UnstructuredList{}
		list.SetAPIVersion("example.com/v1")
		list.SetKind("OtherList")
		if err := c.List(t.Context(), list); err != nil || len(list.Items) != 1 || list.Items[0].Object["odd"] != "kept" {
			t.Errorf("list: %v, %v", list.Items, err)
		}
		if w := c.Warnings(); w != nil {
			t.Errorf("warnings %q", w)
		}
	})
}

// Fields that an apply configuration must not have are named: with generated code all of them, in their order, else the one that Kubernetes'
// merging, which goes through a map, comes to first.
func TestApplyNamesFieldsThatAreNotDeclared(t *testing.T) {
	const (
		start = "failed to create typed patch object (n/a; stable.example.com/v1, Kind=CronTab): "
		b     = ".spec.b: field not declared in schema"
		c     = ".spec.c: field not declared in schema"
	)
	clients(t, func(t *testing.T, client *Client) {
		ofBoth := []string{start + b, start + c}
		if strings.HasSuffix(t.Name(), "/generated") {
			ofBoth = []string{start + "errors:\n  " + b + "\n  " + c}
		}
		for fields, want := range map[string][]string{"b": {start + b}, "c b": ofBoth} {
			u := in("stable.example.com/v1", "CronTab", "n")
			for _, k := range strings.Fields(fields) {
				_ = unstructured.SetNestedField(u.Object, "x", "spec", k)
			}
			if err := verbs["apply"](t, client, u); err == nil || !slices.Contains(want, err.Error()) {
				t.Errorf("%s: %v, want one of %q", fields, err, want)
			}
		}
	})
}

// What exists cannot be created again, and the error has the name of the resource.
func TestCreateOfWhatExists(t *testing.T) {
	clients(t, func(t *testing.T, c *Client) {
		if err := c.Create(t.Context(), cronTab("a")); err != nil {
			t.Fatal(err)
		}
		if err := c.Create(t.Context(), cronTab("a")); !apierrors.IsAlreadyExists(err) || err.Error() != `crontabs.stable.example.com "a" already exists` {
			t.Errorf("%v", err)
		}
		// The body of a request for a subresource can be another object.
		body := cronTab("a")
		body.Status.Replicas = 4
		body.ResourceVersion = get(t, c, "a").ResourceVersion
		if err := c.Status().Update(t.Context(), cronTab("a"), client.WithSubResourceBody(body)); err != nil {
			t.Fatal(err)
		}
		if n := get(t, c, "a").Status.Replicas; n != 4 {
			t.Errorf("%d replicas", n)
		}
	})
}
