package servertest

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/names"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// addStores adds the stores of a resource and of its subresources.
func (r builtinResource) addStores(stores map[string]rest.Storage, t types, options generic.RESTOptionsGetter) error {
	strategy := builtinStrategy{t.scheme, names.SimpleNameGenerator, r}
	singular := r.GroupResource()
	singular.Resource = strings.ToLower(r.kind)
	store := &registry.Store{
		NewFunc:                   r.newObject,
		NewListFunc:               func() runtime.Object { return r.newList(t.scheme) },
		DefaultQualifiedResource:  r.GroupResource(),
		SingularQualifiedResource: singular,
		PredicateFunc:             r.matches,
		CreateStrategy:            strategy,
		UpdateStrategy:            strategy,
		DeleteStrategy:            strategy,
		ResetFieldsStrategy:       strategy,
		TableConvertor:            rest.NewDefaultTableConvertor(r.GroupResource()),
	}
	if err := store.CompleteWithOptions(&generic.StoreOptions{RESTOptions: options, AttrFunc: r.attributes}); err != nil {
		return err
	}
	stores[r.Resource] = &builtinStore{store}
	if r.status {
		status := *store
		status.UpdateStrategy = statusStrategy{strategy}
		status.ResetFieldsStrategy = statusStrategy{strategy}
		stores[r.Resource+"/status"] = &statusStore{&status}
	}
	if r.scale {
		stores[r.Resource+"/scale"] = &scaleStore{store, r.GroupVersion()}
	}
	switch store.DefaultQualifiedResource {
	case certificatesv1.Resource("certificatesigningrequests"):
		stores[r.Resource+"/approval"] = stores[r.Resource+"/status"] // conditions, too
	case corev1.Resource("pods"):
		store.DeleteStrategy = podStrategy{strategy}
	}
	addActions(stores, store, strategy)
	return nil
}

// builtinStore has the names by which people ask for a resource.
type builtinStore struct{ *registry.Store }

func (s *builtinStore) ShortNames() []string { return shortNames[s.DefaultQualifiedResource.Resource] }

func (s *builtinStore) Categories() []string {
	if slices.Contains(workloads, s.DefaultQualifiedResource.Resource) {
		return []string{"all"}
	}
	return nil
}

var (
	shortNames = map[string][]string{
		"certificatesigningrequests": {"csr"}, "componentstatuses": {"cs"}, "configmaps": {"cm"}, "cronjobs": {"cj"}, "daemonsets": {"ds"}, "deployments": {"deploy"},
		"endpoints": {"ep"}, "events": {"ev"}, "horizontalpodautoscalers": {"hpa"}, "ingresses": {"ing"}, "limitranges": {"limits"}, "namespaces": {"ns"},
		"networkpolicies": {"netpol"}, "nodes": {"no"}, "persistentvolumeclaims": {"pvc"}, "persistentvolumes": {"pv"}, "poddisruptionbudgets": {"pdb"}, "pods": {"po"},
		"priorityclasses": {"pc"}, "replicasets": {"rs"}, "replicationcontrollers": {"rc"}, "resourcequotas": {"quota"}, "serviceaccounts": {"sa"}, "services": {"svc"},
		"statefulsets": {"sts"}, "storageclasses": {"sc"},
	}
	// workloads are what kubectl get all shows.
	workloads = []string{"cronjobs", "daemonsets", "deployments", "horizontalpodautoscalers", "jobs", "pods", "replicasets", "replicationcontrollers", "services", "statefulsets"}
)

func (r builtinResource) newObject() runtime.Object {
	return reflect.New(r.object).Interface().(runtime.Object)
}

func (r builtinResource) newList(scheme *runtime.Scheme) runtime.Object {
	list, err := scheme.New(r.GroupVersion().WithKind(r.kind + "List"))
	if err != nil {
		panic(err) // builtinTypes has made one
	}
	return list
}

// builtinStrategy lets everything be written whose metadata is valid.
type builtinStrategy struct {
	runtime.ObjectTyper
	names.NameGenerator
	builtinResource
}

func (s builtinStrategy) NamespaceScoped() bool                                   { return s.namespaced }
func (builtinStrategy) AllowCreateOnUpdate(context.Context) bool                  { return false }
func (builtinStrategy) AllowUnconditionalUpdate(context.Context) bool             { return true }
func (builtinStrategy) WarningsOnCreate(context.Context, runtime.Object) []string { return nil }
func (builtinStrategy) WarningsOnUpdate(context.Context, runtime.Object, runtime.Object) []string {
	return nil
}

// Canonicalize gives namespaces the label by which they are selected.
func (builtinStrategy) Canonicalize(obj runtime.Object) {
	if n, ok := obj.(*corev1.Namespace); ok {
		metav1.SetMetaDataLabel(&n.ObjectMeta, corev1.LabelMetadataName, n.Name)
	}
}

// PrepareForCreate drops the status, which has a subresource, except the phase that some objects begin with.
func (s builtinStrategy) PrepareForCreate(_ context.Context, obj runtime.Object) {
	if s.status && s.Resource != "nodes" { // which register themselves with one
		part(obj, "Status").SetZero()
	}
	accessor(obj).SetGeneration(0)
	if slices.Contains(countGenerations, s.Resource) {
		accessor(obj).SetGeneration(1)
	}
	switch obj := obj.(type) {
	case *corev1.Namespace:
		obj.Status.Phase = corev1.NamespaceActive
	case *corev1.Pod:
		obj.Status.Phase = corev1.PodPending
	case *corev1.PersistentVolume:
		obj.Status.Phase = corev1.VolumePending
	case *corev1.PersistentVolumeClaim:
		obj.Status.Phase = corev1.ClaimPending
	}
	writeStringData(obj)
}

// PrepareForUpdate keeps the status.
func (s builtinStrategy) PrepareForUpdate(_ context.Context, obj, old runtime.Object) {
	if s.status {
		part(obj, "Status").Set(part(old, "Status"))
	}
	generation := accessor(old).GetGeneration()
	if slices.Contains(countGenerations, s.Resource) && !equality.Semantic.DeepEqual(contentOf(obj), contentOf(old)) {
		generation++
	}
	accessor(obj).SetGeneration(generation)
	writeStringData(obj)
}

// countGenerations are the resources of which the API server counts generations.
var countGenerations = []string{
	"cronjobs", "daemonsets", "deployments", "deviceclasses", "devicetaintrules", "endpointslices", "flowschemas", "horizontalpodautoscalers", "ingressclasses", "ingresses", "jobs",
	"mutatingadmissionpolicies", "mutatingadmissionpolicybindings", "mutatingwebhookconfigurations", "networkpolicies", "poddisruptionbudgets", "pods", "podtemplates",
	"priorityclasses", "prioritylevelconfigurations", "replicasets", "replicationcontrollers", "resourceslices", "statefulsets", "validatingadmissionpolicies",
	"validatingadmissionpolicybindings", "validatingwebhookconfigurations",
}

// contentOf returns an object without its metadata and status.
func contentOf(obj runtime.Object) runtime.Object {
	obj = obj.DeepCopyObject()
	for _, name := range []string{"TypeMeta", "ObjectMeta", "Status"} {
		if p := part(obj, name); p.IsValid() {
			p.SetZero()
		}
	}
	return obj
}

func (s builtinStrategy) Validate(_ context.Context, obj runtime.Object) field.ErrorList {
	name := validation.NameIsDNSSubdomain
	switch obj.(type) {
	case *corev1.Namespace:
		name = validation.ValidateNamespaceName
	case *corev1.Service:
		name = validation.NameIsDNS1035Label
	case *rbacv1.Role, *rbacv1.ClusterRole, *rbacv1.RoleBinding, *rbacv1.ClusterRoleBinding:
		return nil // the store has looked for what a path cannot have
	}
	return validation.ValidateObjectMetaAccessor(accessor(obj), s.namespaced, name, field.NewPath("metadata"))
}

func (s builtinStrategy) ValidateUpdate(_ context.Context, obj, old runtime.Object) field.ErrorList {
	return validation.ValidateObjectMetaAccessorUpdate(accessor(obj), accessor(old), field.NewPath("metadata"))
}

// GetResetFields returns the fields that an update of the object does not change.
func (s builtinStrategy) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	if !s.status {
		return nil
	}
	return map[fieldpath.APIVersion]*fieldpath.Set{fieldpath.APIVersion(s.GroupVersion().String()): fieldpath.NewSet(fieldpath.MakePathOrDie("status"))}
}

// statusStrategy lets the status be written, and metadata as far as the API server does.
type statusStrategy struct{ builtinStrategy }

// onlyStatus are the resources whose metadata the subresource status does not change.
var onlyStatus = []string{"flowschemas", "prioritylevelconfigurations", "resourceclaims", "servicecidrs", "validatingadmissionpolicies", "volumeattachments"}

func (s statusStrategy) PrepareForUpdate(_ context.Context, obj, old runtime.Object) {
	m, before := accessor(obj), accessor(old)
	switch {
	case slices.Contains(onlyStatus, s.Resource):
		metav1.ResetObjectMetaForStatus(m, before)
	case s.Resource == "deployments":
		m.SetLabels(before.GetLabels())
	case s.Resource == "pods":
		m.SetOwnerReferences(before.GetOwnerReferences())
	}
	changed := old.DeepCopyObject()
	for _, name := range []string{"ObjectMeta", "Status"} {
		part(changed, name).Set(part(obj, name))
	}
	reflect.ValueOf(obj).Elem().Set(reflect.ValueOf(changed).Elem())
}

func (s statusStrategy) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	set := fieldpath.NewSet(fieldpath.MakePathOrDie("spec"))
	switch {
	case slices.Contains(onlyStatus, s.Resource):
		set.Insert(fieldpath.MakePathOrDie("metadata"))
	case s.Resource == "deployments":
		set.Insert(fieldpath.MakePathOrDie("metadata", "labels"))
	case s.Resource == "pods":
		set.Insert(fieldpath.MakePathOrDie("metadata", "ownerReferences"))
	}
	return map[fieldpath.APIVersion]*fieldpath.Set{fieldpath.APIVersion(s.GroupVersion().String()): set}
}

// podStrategy keeps deleted Pods that run on a Node until the kubelet, or a request without a grace period, has ended them.
type podStrategy struct{ builtinStrategy }

func (podStrategy) CheckGracefulDelete(_ context.Context, obj runtime.Object, options *metav1.DeleteOptions) bool {
	pod, period := obj.(*corev1.Pod), int64(corev1.DefaultTerminationGracePeriodSeconds)
	switch {
	case pod.Spec.NodeName == "" || pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded:
		period = 0
	case options.GracePeriodSeconds != nil:
		period = *options.GracePeriodSeconds
	case pod.Spec.TerminationGracePeriodSeconds != nil:
		period = *pod.Spec.TerminationGracePeriodSeconds
	}
	if period < 0 {
		period = 1
	}
	options.GracePeriodSeconds = &period
	return true
}

// statusStore is the status subresource: it can be read and changed.
type statusStore struct{ store *registry.Store }

var _ rest.Patcher = &statusStore{}

func (s *statusStore) New() runtime.Object { return s.store.New() }
func (s *statusStore) Destroy()            {} // with the resource's
func (s *statusStore) Get(ctx context.Context, name string, opts *metav1.GetOptions) (runtime.Object, error) {
	return s.store.Get(ctx, name, opts)
}
func (s *statusStore) Update(ctx context.Context, name string, info rest.UpdatedObjectInfo, create rest.ValidateObjectFunc,
	update rest.ValidateObjectUpdateFunc, _ bool, opts *metav1.UpdateOptions) (runtime.Object, bool, error) {
	return s.store.Update(ctx, name, info, create, update, false, opts)
}
func (s *statusStore) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return s.store.GetResetFields()
}
func (s *statusStore) ConvertToTable(ctx context.Context, obj, opts runtime.Object) (*metav1.Table, error) {
	return s.store.ConvertToTable(ctx, obj, opts)
}

// part returns a field of an object; it is not valid if there is none.
func part(obj runtime.Object, name string) reflect.Value {
	return reflect.ValueOf(obj).Elem().FieldByName(name)
}

func accessor(obj runtime.Object) metav1.Object {
	m, err := meta.Accessor(obj)
	if err != nil {
		panic(err) // all built-in kinds have metadata
	}
	return m
}

// writeStringData moves the texts of a secret to where they are read.
func writeStringData(obj runtime.Object) {
	secret, ok := obj.(*corev1.Secret)
	if !ok || len(secret.StringData) == 0 {
		return
	}
	if secret.Data == nil {
		secret.Data = map[string][]byte{}
	}
	for key, text := range secret.StringData {
		secret.Data[key] = []byte(text)
	}
	secret.StringData = nil
}

// selector is a field by which objects can be selected.
type selector struct{ label, path, absent string }

// selectors are those of resources, besides names and namespaces.
var selectors = map[schema.GroupResource][]selector{
	{Resource: "pods"}: append(same("spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName", "status.phase", "status.podIP", "status.nominatedNodeName"),
		selector{"spec.hostNetwork", "spec.hostNetwork", "false"}),
	{Resource: "nodes"}:                  {{"spec.unschedulable", "spec.unschedulable", "false"}},
	{Resource: "namespaces"}:             same("status.phase"),
	{Resource: "secrets"}:                same("type"),
	{Resource: "replicationcontrollers"}: {{"status.replicas", "status.replicas", "0"}},
	{Resource: "events"}: append(same("involvedObject.kind", "involvedObject.namespace", "involvedObject.name", "involvedObject.uid", "involvedObject.apiVersion",
		"involvedObject.resourceVersion", "involvedObject.fieldPath", "reason", "reportingComponent", "type"), selector{"source", "source.component", ""}),
	{Group: "events.k8s.io", Resource: "events"}: same("regarding.kind", "regarding.namespace", "regarding.name", "regarding.uid", "regarding.apiVersion",
		"regarding.resourceVersion", "regarding.fieldPath", "reason", "reportingController", "type"),
	{Group: "apps", Resource: "replicasets"}:                               {{"status.replicas", "status.replicas", "0"}},
	{Group: "batch", Resource: "jobs"}:                                     {{"status.successful", "status.succeeded", "0"}},
	{Group: "certificates.k8s.io", Resource: "certificatesigningrequests"}: same("spec.signerName"),
}

// same returns selectors that are called as the fields are.
func same(paths ...string) []selector {
	var all []selector
	for _, path := range paths {
		all = append(all, selector{path, path, ""})
	}
	return all
}

// selectable accepts the fields by which objects can be selected.
func (r builtinResource) selectable(label, value string) (string, string, error) {
	known := func(s selector) bool { return s.label == label }
	if label == "metadata.name" || label == "metadata.namespace" || slices.ContainsFunc(selectors[r.GroupResource()], known) {
		return label, value, nil
	}
	return "", "", fmt.Errorf("field label not supported: %s", label)
}

// attributes returns what an object can be selected by.
func (r builtinResource) attributes(obj runtime.Object) (labels.Set, fields.Set, error) {
	m := accessor(obj)
	set := fields.Set{"metadata.name": m.GetName()}
	if r.namespaced {
		set["metadata.namespace"] = m.GetNamespace()
	}
	all := selectors[r.GroupResource()]
	if len(all) == 0 {
		return m.GetLabels(), set, nil
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range all {
		set[s.label] = s.absent
		if v, found, err := unstructured.NestedFieldNoCopy(content, strings.Split(s.path, ".")...); found && err == nil {
			set[s.label] = fmt.Sprint(v)
		}
	}
	return m.GetLabels(), set, nil
}

func (r builtinResource) matches(label labels.Selector, field fields.Selector) storage.SelectionPredicate {
	return storage.SelectionPredicate{Label: label, Field: field, GetAttrs: r.attributes}
}
