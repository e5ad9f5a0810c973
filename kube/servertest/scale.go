package servertest

import (
	"context"
	"fmt"
	"reflect"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// scaleStore is the scale subresource of objects that have spec.replicas and status.replicas.
type scaleStore struct {
	store *registry.Store
	gv    schema.GroupVersion
}

var (
	_ rest.Patcher                  = &scaleStore{}
	_ rest.GroupVersionKindProvider = &scaleStore{}
)

func (s *scaleStore) New() runtime.Object { return &autoscalingv1.Scale{} }
func (s *scaleStore) Destroy()            {} // with the resource's
func (s *scaleStore) GroupVersionKind(schema.GroupVersion) schema.GroupVersionKind {
	return autoscalingv1.SchemeGroupVersion.WithKind("Scale")
}

func (s *scaleStore) Get(ctx context.Context, name string, opts *metav1.GetOptions) (runtime.Object, error) {
	obj, err := s.store.Get(ctx, name, opts)
	if err != nil {
		return nil, err
	}
	return scaleOf(obj)
}

func (s *scaleStore) Update(ctx context.Context, name string, info rest.UpdatedObjectInfo, create rest.ValidateObjectFunc,
	update rest.ValidateObjectUpdateFunc, _ bool, opts *metav1.UpdateOptions) (runtime.Object, bool, error) {
	obj, _, err := s.store.Update(ctx, name, scaled{info, s.gv}, create, update, false, opts)
	if err != nil {
		return nil, false, err
	}
	scale, err := scaleOf(obj)
	return scale, false, err
}

func (s *scaleStore) ConvertToTable(ctx context.Context, obj, opts runtime.Object) (*metav1.Table, error) {
	return s.store.ConvertToTable(ctx, obj, opts)
}

// scaled changes an object as a scale is changed.
type scaled struct {
	rest.UpdatedObjectInfo
	gv schema.GroupVersion
}

func (s scaled) UpdatedObject(ctx context.Context, old runtime.Object) (runtime.Object, error) {
	before, err := scaleOf(old)
	if err != nil {
		return nil, err
	}
	fields := managedfields.NewScaleHandler(accessor(old).GetManagedFields(), s.gv, managedfields.ResourcePathMappings{s.gv.String(): fieldpath.MakePathOrDie("spec", "replicas")})
	if before.ManagedFields, err = fields.ToSubresource(); err != nil {
		return nil, err
	}
	after, err := s.UpdatedObjectInfo.UpdatedObject(ctx, before)
	if err != nil {
		return nil, err
	}
	scale, ok := after.(*autoscalingv1.Scale)
	if !ok {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("%T is not a Scale", after))
	}
	managed, err := fields.ToParent(scale.ManagedFields)
	if err != nil {
		return nil, err
	}
	obj := old.DeepCopyObject()
	accessor(obj).SetManagedFields(managed)
	replicas := scale.Spec.Replicas
	part(obj, "Spec").FieldByName("Replicas").Set(reflect.ValueOf(&replicas))
	if scale.ResourceVersion != "" {
		// The store compares it with the stored one.
		accessor(obj).SetResourceVersion(scale.ResourceVersion)
	}
	return obj, nil
}

// scaleOf returns the scale of an object.
func scaleOf(obj runtime.Object) (*autoscalingv1.Scale, error) {
	m := accessor(obj)
	scale := &autoscalingv1.Scale{ObjectMeta: metav1.ObjectMeta{
		Name: m.GetName(), Namespace: m.GetNamespace(), UID: m.GetUID(), ResourceVersion: m.GetResourceVersion(), CreationTimestamp: m.GetCreationTimestamp(),
	}}
	spec := part(obj, "Spec")
	if replicas, ok := spec.FieldByName("Replicas").Interface().(*int32); ok && replicas != nil {
		scale.Spec.Replicas = *replicas
	}
	scale.Status.Replicas = int32(part(obj, "Status").FieldByName("Replicas").Int())
	switch selector := spec.FieldByName("Selector").Interface().(type) {
	case map[string]string:
		scale.Status.Selector = labels.SelectorFromSet(selector).String()
	case *metav1.LabelSelector:
		parsed, err := metav1.LabelSelectorAsSelector(selector)
		if err != nil {
			return nil, err
		}
		scale.Status.Selector = parsed.String()
	}
	return scale, nil
}

// withScale is a converter that also knows scales, which client-go's does not. They have no lists: a schema says nothing more.
type withScale struct{ managedfields.TypeConverter }

func (w withScale) ObjectToTyped(obj runtime.Object, opts ...typed.ValidationOptions) (*typed.TypedValue, error) {
	if obj.GetObjectKind().GroupVersionKind() == autoscalingv1.SchemeGroupVersion.WithKind("Scale") {
		return managedfields.NewDeducedTypeConverter().ObjectToTyped(obj, opts...)
	}
	return w.TypeConverter.ObjectToTyped(obj, opts...)
}
