package main

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/prune-gen/prune-gen/examples/apiserver/apis"
	"github.com/prune-gen/prune-gen/kube/apiserver/options"
)

// manifests returns the objects in the files that the kustomization lists.
func manifests(t *testing.T) []*unstructured.Unstructured {
	t.Helper()
	read := func(name string) []byte {
		t.Helper()
		data, err := os.ReadFile("deploy/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	var list struct{ Resources []string }
	if err := yaml.Unmarshal(read("kustomization.yaml"), &list); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir("deploy")
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(list.Resources)+1 {
		t.Errorf("%d files, and the kustomization lists %d others", len(entries), len(list.Resources))
	}
	var all []*unstructured.Unstructured
	for _, name := range list.Resources {
		for doc := range strings.SplitSeq(string(read(name)), "\n---\n") {
			u := &unstructured.Unstructured{}
			if err := yaml.Unmarshal([]byte(doc), &u.Object); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			all = append(all, u)
		}
	}
	return all
}

// typed returns the objects of a kind, and wants them to have no field that the kind does not.
func typed[T any](t *testing.T, all []*unstructured.Unstructured, kind string) (found []T) {
	t.Helper()
	for _, u := range all {
		if u.GetKind() != kind {
			continue
		}
		var obj T
		if err := runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(u.Object, &obj, true); err != nil {
			t.Errorf("%s %s: %v", kind, u.GetName(), err)
		}
		found = append(found, obj)
	}
	return found
}

// The cluster has to send every version of every group to the server, and no other.
func TestManifestsFitTheServer(t *testing.T) {
	all := manifests(t)
	definitions, err := apis.Definitions()
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	resources := map[string]bool{}
	for _, d := range definitions {
		resources[d.Group+"/"+d.Names.Plural] = true
		for _, v := range d.Versions {
			want = append(want, v.Name+"."+d.Group)
			if v.Subresources.Status != nil {
				resources[d.Group+"/"+d.Names.Plural+"/status"] = true
			}
			if v.Subresources.Scale != nil {
				resources[d.Group+"/"+d.Names.Plural+"/scale"] = true
			}
		}
	}
	for _, u := range all {
		if u.GetKind() != "APIService" {
			continue
		}
		spec := u.Object["spec"].(map[string]any)
		if name := spec["version"].(string) + "." + spec["group"].(string); name != u.GetName() {
			t.Errorf("%s is for %s", u.GetName(), name)
		}
		got = append(got, u.GetName())
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("services for %v, want %v", got, want)
	}
	for _, role := range typed[rbacv1.ClusterRole](t, all, "ClusterRole") {
		for _, rule := range role.Rules {
			for _, r := range rule.Resources {
				if g := rule.APIGroups[0]; strings.HasSuffix(g, ".example.com") && !resources[g+"/"+r] {
					t.Errorf("%s allows %s of %s, which the server does not have", role.Name, r, g)
				}
			}
		}
	}
	typed[rbacv1.ClusterRoleBinding](t, all, "ClusterRoleBinding")
	typed[rbacv1.RoleBinding](t, all, "RoleBinding")
	services := typed[corev1.Service](t, all, "Service")
	sets := typed[appsv1.StatefulSet](t, all, "StatefulSet")
	if len(services) != 1 || len(sets) != 1 {
		t.Fatalf("%d services, %d stateful sets", len(services), len(sets))
	}
	container := sets[0].Spec.Template.Spec.Containers[0]
	if services[0].Spec.Ports[0].TargetPort.StrVal != container.Ports[0].Name {
		t.Errorf("the service leads to %v", services[0].Spec.Ports[0].TargetPort)
	}
	opts, flags := options.New(), pflag.NewFlagSet("", pflag.ContinueOnError)
	opts.AddFlags(flags)
	if err := flags.Parse(container.Args); err != nil {
		t.Fatal(err)
	}
	if err := opts.Validate(); err != nil {
		t.Error(err)
	}
	longest := opts.Run.ShutdownDelayDuration + opts.Run.RequestTimeout + opts.Run.ShutdownWatchTerminationGracePeriod
	if grace := sets[0].Spec.Template.Spec.TerminationGracePeriodSeconds; grace == nil || time.Duration(*grace)*time.Second <= longest {
		t.Errorf("the server may take %v to end, and the kubelet gives it %v seconds", longest, grace)
	}
	if int32(opts.Recommended.SecureServing.BindPort) != container.Ports[0].ContainerPort {
		t.Errorf("the server listens at %d, the container at %d", opts.Recommended.SecureServing.BindPort, container.Ports[0].ContainerPort)
	}
}
