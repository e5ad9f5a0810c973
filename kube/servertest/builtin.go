package servertest

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
)

// builtinResource is a built-in resource as the client for it has it.
type builtinResource struct {
	schema.GroupVersionResource
	kind          string
	object        reflect.Type // a struct
	namespaced    bool
	status, scale bool
}

// builtinResources returns the resources that client-go has clients for, in the newest version of each if that is a stable one: others are
// not served by default. Reviews, which can only be created, are left out.
func builtinResources(scheme *runtime.Scheme) ([]builtinResource, error) {
	newest := map[schema.GroupResource]builtinResource{}
	clients := reflect.TypeFor[kubernetes.Interface]()
	for i := range clients.NumMethod() {
		version := clients.Method(i).Type.Out(0)
		if version.Kind() != reflect.Interface {
			continue
		}
		for j := range version.NumMethod() {
			found, ok, err := builtinOf(version.Method(j), scheme)
			if err != nil {
				return nil, err
			}
			if old, exists := newest[found.GroupResource()]; ok && (!exists || isNewer(found.Version, old.Version)) {
				newest[found.GroupResource()] = found
			}
		}
	}
	var all []builtinResource
	for _, r := range newest {
		if isStable(r.Version) {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b builtinResource) int { return strings.Compare(a.String(), b.String()) })
	return all, nil
}

func isNewer(a, b string) bool { return version.CompareKubeAwareVersionStrings(a, b) > 0 }

func isStable(version string) bool {
	return !strings.Contains(version, "alpha") && !strings.Contains(version, "beta")
}

// builtinOf returns the resource of a method such as Pods(namespace string) PodInterface, whose client has methods for everything that
// the API server serves.
func builtinOf(m reflect.Method, scheme *runtime.Scheme) (builtinResource, bool, error) {
	client := m.Type.Out(0)
	if client.Kind() != reflect.Interface {
		return builtinResource{}, false, nil
	}
	create, creates := client.MethodByName("Create")
	if _, gets := client.MethodByName("Get"); !gets || !creates {
		return builtinResource{}, false, nil
	}
	pointer := create.Type.In(1) // after the context
	obj, ok := reflect.New(pointer.Elem()).Interface().(runtime.Object)
	if !ok {
		return builtinResource{}, false, fmt.Errorf("%s creates a %s", client, pointer)
	}
	kinds, _, err := scheme.ObjectKinds(obj)
	if err != nil {
		return builtinResource{}, false, err
	}
	_, status := client.MethodByName("UpdateStatus")
	_, scale := client.MethodByName("UpdateScale")
	return builtinResource{
		GroupVersionResource: kinds[0].GroupVersion().WithResource(strings.ToLower(m.Name)), kind: kinds[0].Kind, object: pointer.Elem(),
		namespaced: m.Type.NumIn() == 1, status: status, scale: scale,
	}, true, nil
}

// installBuiltin serves the built-in kinds.
func (i installer) installBuiltin(ctx context.Context) error {
	resources, err := builtinResources(clientscheme.Scheme)
	if err != nil {
		return err
	}
	t, err := builtinTypes(resources)
	if err != nil {
		return err
	}
	versions := map[schema.GroupVersion]map[string]rest.Storage{}
	for _, r := range resources {
		gv := r.GroupVersion()
		if versions[gv] == nil {
			versions[gv] = map[string]rest.Storage{}
		}
		if err := r.addStores(versions[gv], t, i.options(t, gv)); err != nil {
			return fmt.Errorf("store %s: %w", r.GroupResource(), err)
		}
	}
	for gv, stores := range versions {
		i.builtin[gv.Group] = true
		if err := i.install(t, gv, stores); err != nil {
			return err
		}
	}
	if err := createInitial(ctx, versions[corev1.SchemeGroupVersion]); err != nil {
		return err
	}
	i.log("Built-in kinds are stored as they are: their values are neither validated nor defaulted.")
	return nil
}

// createInitial creates the objects that every API server has: its namespaces and its own service.
func createInitial(ctx context.Context, stores map[string]rest.Storage) error {
	create := func(resource string, obj runtime.Object) error {
		ctx := request.WithNamespace(ctx, accessor(obj).GetNamespace())
		_, err := stores[resource].(rest.Creater).Create(ctx, obj, rest.ValidateAllObjectFunc, &metav1.CreateOptions{})
		return err
	}
	for _, name := range []string{metav1.NamespaceDefault, metav1.NamespaceSystem, metav1.NamespacePublic, corev1.NamespaceNodeLease} {
		if err := create("namespaces", &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}); err != nil {
			return err
		}
	}
	return create("services", &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: "kubernetes", Namespace: metav1.NamespaceDefault, Labels: map[string]string{"component": "apiserver", "provider": "kubernetes"}},
		Spec:       corev1.ServiceSpec{Type: corev1.ServiceTypeClusterIP, ClusterIP: "10.0.0.1", Ports: []corev1.ServicePort{{Name: "https", Port: 443, Protocol: corev1.ProtocolTCP}}},
	})
}

// builtinTypes returns the types of client-go. The newest version of a kind is also its internal one, which the handlers of k8s.io/apiserver
// work with: client-go has no other, and nothing to convert.
func builtinTypes(resources []builtinResource) (types, error) {
	scheme := runtime.NewScheme()
	if err := clientscheme.AddToScheme(scheme); err != nil {
		return types{}, err
	}
	for _, r := range resources {
		internal := schema.GroupVersion{Group: r.Group, Version: runtime.APIVersionInternal}
		for _, kind := range []string{r.kind, r.kind + "List"} {
			obj, err := scheme.New(r.GroupVersion().WithKind(kind))
			if err != nil {
				return types{}, err
			}
			scheme.AddKnownTypeWithName(internal.WithKind(kind), obj)
		}
		if err := scheme.AddFieldLabelConversionFunc(r.GroupVersion().WithKind(r.kind), r.selectable); err != nil {
			return types{}, err
		}
	}
	// Subresources are of other groups, or are not resources.
	for group, obj := range map[string]runtime.Object{autoscalingv1.GroupName: &autoscalingv1.Scale{}, policyv1.GroupName: &policyv1.Eviction{},
		corev1.GroupName: &corev1.Binding{}, authenticationv1.GroupName: &authenticationv1.TokenRequest{}} {
		scheme.AddKnownTypes(schema.GroupVersion{Group: group, Version: runtime.APIVersionInternal}, obj)
	}
	return types{scheme: scheme, codecs: serializer.NewCodecFactory(scheme), merge: withScale{applyconfigurations.NewTypeConverter(scheme)}}, nil
}
