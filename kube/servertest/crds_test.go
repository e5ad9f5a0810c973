package servertest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsclient "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"

	"github.com/prune-gen/prune-gen/kube/servertest"
)

func TestDiscoveryAndCRDs(t *testing.T) {
	config := servertest.StartServer(t, nil)
	d := client(t, config, discovery.NewDiscoveryClientForConfig)
	served := func() map[string]bool {
		t.Helper()
		_, lists, err := d.ServerGroupsAndResources()
		check(t, err)
		all := map[string]bool{}
		for _, list := range lists {
			for _, r := range list.APIResources {
				all[list.GroupVersion+" "+r.Name] = r.Namespaced
			}
		}
		return all
	}
	all := served()
	for name, namespaced := range map[string]bool{
		"v1 pods": true, "v1 namespaces": false, "v1 endpoints": true, "apps/v1 deployments": true, "apps/v1 deployments/scale": true, "rbac.authorization.k8s.io/v1 clusterroles": false,
		"autoscaling/v2 horizontalpodautoscalers": true, "apiextensions.k8s.io/v1 customresourcedefinitions": false, "coordination.k8s.io/v1 leases": true, "networking.k8s.io/v1 ingresses": true,
	} {
		if got, ok := all[name]; !ok || got != namespaced {
			t.Errorf("%s: served %v, namespaced %v", name, ok, got)
		}
	}

	x := client(t, config, apiextensionsclient.NewForConfig).ApiextensionsV1().CustomResourceDefinitions()
	objects := client(t, config, dynamic.NewForConfig).Resource(cronTabs).Namespace("default")
	ctx := t.Context()
	for range 2 {
		crd, err := x.Create(ctx, parse(t, thing), metav1.CreateOptions{})
		check(t, err)
		if len(crd.Status.Conditions) != 2 {
			t.Errorf("status %+v", crd.Status)
		}
		if namespaced, ok := served()["stable.example.com/v1 crontabs"]; !ok || !namespaced {
			t.Error("a new kind is not discovered")
		}
		_, err = objects.Create(ctx, cronTab("a"), metav1.CreateOptions{})
		check(t, err)
		crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"].Properties["unknown"] = apiextensionsv1.JSONSchemaProps{Type: "boolean"}
		_, err = x.Update(ctx, crd, metav1.UpdateOptions{})
		check(t, err)
		obj, err := objects.Create(ctx, cronTab("b"), metav1.CreateOptions{})
		check(t, err)
		if _, found, _ := unstructured.NestedBool(obj.Object, "spec", "unknown"); !found {
			t.Error("the changed CRD has no effect")
		}
		check(t, x.Delete(ctx, crd.Name, metav1.DeleteOptions{}))
		if _, err := objects.Get(ctx, "a", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
			t.Errorf("a kind that is gone: %v", err)
		}
	}
	invalid := parse(t, thing)
	invalid.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"] = apiextensionsv1.JSONSchemaProps{}
	if _, err := x.Create(ctx, invalid, metav1.CreateOptions{}); !apierrors.IsInvalid(err) {
		t.Errorf("an invalid CRD: %v", err)
	}
}

const thing = `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "crontabs.stable.example.com"}, "spec": {"group": "stable.example.com", "scope": "Namespaced",
	"names": {"kind": "CronTab", "plural": "crontabs"}, "versions": [{"name": "v1", "served": true, "storage": true,
	"schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "object", "properties": {"image": {"type": "string"}}}}}}}]}}`

func parse(t *testing.T, text string) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	crd := &apiextensionsv1.CustomResourceDefinition{}
	check(t, json.Unmarshal([]byte(text), crd))
	return crd
}

func TestWritesOfCRDsAtTheSameTime(t *testing.T) {
	config := servertest.StartServer(t, nil)
	x := client(t, config, apiextensionsclient.NewForConfig).ApiextensionsV1().CustomResourceDefinitions()
	objects := client(t, config, dynamic.NewForConfig).Resource(cronTabs).Namespace("default")
	ctx, name := t.Context(), "crontabs.stable.example.com"
	for range 20 {
		_, err := x.Create(ctx, parse(t, thing), metav1.CreateOptions{})
		check(t, err)
		var writes sync.WaitGroup
		for i := range 4 {
			writes.Go(func() {
				patch := fmt.Sprintf(`{"spec":{"names":{"shortNames":["s%d"]}}}`, i)
				if _, err := x.Patch(ctx, name, types.MergePatchType, []byte(patch), metav1.PatchOptions{}); err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
					t.Error(err)
				}
			})
		}
		writes.Go(func() { check(t, x.Delete(ctx, name, metav1.DeleteOptions{})) })
		writes.Wait()
		if _, err := objects.List(ctx, metav1.ListOptions{}); !apierrors.IsNotFound(err) {
			t.Fatalf("a kind without CRD is served: %v", err)
		}
	}
}

func TestCRDsOfBuiltinGroupsAreRefused(t *testing.T) {
	x := client(t, servertest.StartServer(t, nil), apiextensionsclient.NewForConfig).ApiextensionsV1().CustomResourceDefinitions()
	crd := parse(t, strings.ReplaceAll(thing, "stable.example.com", "networking.k8s.io"))
	crd.Annotations = map[string]string{"api-approved.kubernetes.io": "https://example.com/"}
	if _, err := x.Create(t.Context(), crd, metav1.CreateOptions{}); !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "built-in group") {
		t.Errorf("%v", err)
	}
	crd = parse(t, thing)
	if _, err := x.Create(t.Context(), crd, metav1.CreateOptions{DryRun: []string{"All"}}); err != nil {
		t.Error(err)
	}
	if list, err := x.List(t.Context(), metav1.ListOptions{}); err != nil || len(list.Items) > 0 {
		t.Errorf("a dry run: %v, %v", list, err)
	}
}
