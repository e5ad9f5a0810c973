package serve

import (
	"context"
	"fmt"
	"math"
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource/tableconvertor"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/endpoints/handlers"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/client-go/scale"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/prune-gen/prune-gen/examples/apiserver/kube"
)

// scaleKind is what every scale subresource reads and writes.
var scaleKind = autoscalingv1.SchemeGroupVersion.WithKind("Scale")

// noReplicas stands for the wanted replicas of an object that wants none in particular.
const noReplicas = math.MinInt32

// scaleREST is the scale subresource of a resource.
type scaleREST struct {
	store   *registry.Store
	paths   kube.Scale
	version schema.GroupVersion
	// replicas is the path of the wanted replicas in every version of the resource.
	replicas managedfields.ResourcePathMappings
}

var (
	_ rest.Patcher                  = &scaleREST{}
	_ rest.GroupVersionKindProvider = &scaleREST{}
)

func (r *scaleREST) GroupVersionKind(schema.GroupVersion) schema.GroupVersionKind { return scaleKind }

func (r *scaleREST) New() runtime.Object { return &autoscalingv1.Scale{} }

// Destroy does nothing: the resource owns what the store holds.
func (r *scaleREST) Destroy() {}

func (r *scaleREST) Get(ctx context.Context, name string, opts *metav1.GetOptions) (runtime.Object, error) {
	obj, err := r.store.Get(ctx, name, opts)
	if err != nil {
		return nil, err
	}
	s, found, err := r.scaleOf(obj)
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, apierrors.NewInternalError(fmt.Errorf("the spec replicas field %q does not exist", r.paths.SpecReplicas))
	}
	return s, nil
}

// Update changes the wanted replicas of an object that exists, and nothing else.
func (r *scaleREST) Update(ctx context.Context, name string, info rest.UpdatedObjectInfo, create rest.ValidateObjectFunc,
	update rest.ValidateObjectUpdateFunc, _ bool, opts *metav1.UpdateOptions) (runtime.Object, bool, error) {
	validateCreate := func(ctx context.Context, obj runtime.Object) error {
		s, _, err := r.scaleOf(obj)
		if err != nil {
			return err
		}
		return create(ctx, s)
	}
	validateUpdate := func(ctx context.Context, obj, old runtime.Object) error {
		s, _, err := r.scaleOf(obj)
		if err != nil {
			return err
		}
		before, _, err := r.scaleOf(old)
		if err != nil {
			return err
		}
		return update(ctx, s, before)
	}
	obj, _, err := r.store.Update(ctx, name, scaleUpdate{info, r}, validateCreate, validateUpdate, false, opts)
	if err != nil {
		return nil, false, err
	}
	s, _, err := r.scaleOf(obj)
	if err != nil {
		return nil, false, apierrors.NewBadRequest(err.Error())
	}
	return s, false, nil
}

// scaleOf returns the scale of an object, and whether the object says how many replicas it wants.
func (r *scaleREST) scaleOf(obj runtime.Object) (s *autoscalingv1.Scale, found bool, err error) {
	u, ok := obj.(*unstructured.Unstructured)
	if !ok {
		return nil, false, fmt.Errorf("%T is not an unstructured object", obj)
	}
	want, found, err := r.paths.SpecReplicasOf(u.Object)
	if err != nil {
		return nil, false, err
	}
	have, err := r.paths.StatusReplicasOf(u.Object)
	if err != nil {
		return nil, false, err
	}
	selector, err := r.paths.SelectorOf(u.Object)
	if err != nil {
		return nil, false, err
	}
	return &autoscalingv1.Scale{
		TypeMeta: metav1.TypeMeta{APIVersion: scaleKind.GroupVersion().String(), Kind: scaleKind.Kind},
		ObjectMeta: metav1.ObjectMeta{
			Name:              u.GetName(),
			Namespace:         u.GetNamespace(),
			UID:               u.GetUID(),
			ResourceVersion:   u.GetResourceVersion(),
			CreationTimestamp: u.GetCreationTimestamp(),
		},
		Spec:   autoscalingv1.ScaleSpec{Replicas: int32(want)},
		Status: autoscalingv1.ScaleStatus{Replicas: int32(have), Selector: selector},
	}, found, nil
}

// scaleUpdate makes an update of an object from one of its scale.
type scaleUpdate struct {
	info rest.UpdatedObjectInfo
	rest *scaleREST
}

func (s scaleUpdate) Preconditions() *metav1.Preconditions { return s.info.Preconditions() }

func (s scaleUpdate) UpdatedObject(ctx context.Context, old runtime.Object) (runtime.Object, error) {
	u := old.DeepCopyObject().(*unstructured.Unstructured)
	fields := managedfields.NewScaleHandler(u.GetManagedFields(), s.rest.version, s.rest.replicas)
	before, found, err := s.rest.scaleOf(u)
	if err != nil {
		return nil, err
	}
	if !found {
		before.Spec.Replicas = noReplicas
	}
	if before.ManagedFields, err = fields.ToSubresource(); err != nil {
		return nil, err
	}
	obj, err := s.info.UpdatedObject(ctx, before)
	if err != nil {
		return nil, err
	}
	after, ok := obj.(*autoscalingv1.Scale)
	switch {
	case obj == nil:
		return nil, apierrors.NewBadRequest("nil update passed to Scale")
	case !ok:
		return nil, apierrors.NewBadRequest(fmt.Sprintf("wrong object passed to Scale update: %v", obj))
	case after.Spec.Replicas == noReplicas:
		return nil, apierrors.NewBadRequest(fmt.Sprintf("the spec replicas field %q cannot be empty", s.rest.paths.SpecReplicas))
	}
	if err := s.rest.paths.SetSpecReplicas(u.Object, int64(after.Spec.Replicas)); err != nil {
		return nil, err
	}
	if after.ResourceVersion != "" {
		u.SetResourceVersion(after.ResourceVersion)
	}
	managed, err := fields.ToParent(after.ManagedFields)
	if err != nil {
		return nil, err
	}
	u.SetManagedFields(managed)
	return u, nil
}

// scalePaths returns where the scale of a version is, nil where it has no scale subresource.
func (v Version) scalePaths() *kube.Scale {
	if v.Scale == nil {
		return nil
	}
	paths := &kube.Scale{SpecReplicas: v.Scale.SpecReplicasPath, StatusReplicas: v.Scale.StatusReplicasPath}
	if v.Scale.LabelSelectorPath != nil {
		paths.Selector = *v.Scale.LabelSelectorPath
	}
	return paths
}

// replicasPaths returns the path of the wanted replicas in every version.
func (d *Definition) replicasPaths() managedfields.ResourcePathMappings {
	paths := managedfields.ResourcePathMappings{}
	for _, v := range d.Versions {
		gv := schema.GroupVersion{Group: d.Group, Version: v.Name}.String()
		paths[gv] = nil
		if v.Scale == nil {
			continue
		}
		for _, name := range strings.Split(strings.TrimPrefix(v.Scale.SpecReplicasPath, "."), ".") {
			paths[gv] = append(paths[gv], fieldpath.PathElement{FieldName: &name})
		}
	}
	return paths
}

// newScale returns the scale subresource of a version, nil where it has none.
func newScale(d *Definition, v Version, resource *resourceREST) *scaleREST {
	paths := v.scalePaths()
	if paths == nil {
		return nil
	}
	return &scaleREST{resource.Store, *paths, schema.GroupVersion{Group: d.Group, Version: v.Name}, d.replicasPaths()}
}

// newScaleScope returns the scope of the scale subresource, made from that of the resource.
func newScaleScope(resource *handlers.RequestScope, types managedfields.TypeConverter) (*handlers.RequestScope, error) {
	table, err := tableconvertor.New(scaleColumns)
	if err != nil {
		return nil, err
	}
	scope := *resource
	scope.Subresource = "scale"
	scope.Kind = scaleKind
	scope.TableConvertor = table
	scope.Serializer = serializer.NewCodecFactory(scale.NewScaleConverter().Scheme(),
		serializer.WithStreamingCollectionEncodingToJSON(), serializer.WithStreamingCollectionEncodingToProtobuf())
	return &scope, manageFields(&scope, types, nil)
}

// scaleColumns are what a table of scales shows besides their names.
var scaleColumns = []apiextensionsv1.CustomResourceColumnDefinition{
	{Name: "Desired", Type: "integer", Description: "Number of desired replicas", JSONPath: ".spec.replicas"},
	{Name: "Available", Type: "integer", Description: "Number of actual replicas", JSONPath: ".status.replicas"},
	{Name: "Age", Type: "date", Description: ageDescription, JSONPath: ".metadata.creationTimestamp"},
}
