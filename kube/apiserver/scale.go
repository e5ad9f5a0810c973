package apiserver

import (
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource/tableconvertor"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/endpoints/handlers"
	"k8s.io/client-go/scale"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// scaleKind is what every scale subresource reads and writes.
var scaleKind = autoscalingv1.SchemeGroupVersion.WithKind("Scale")

// replicasPaths returns the path of the wanted replicas in every version.
func (d *Definition) replicasPaths() managedfields.ResourcePathMappings {
	paths := managedfields.ResourcePathMappings{}
	for _, v := range d.Versions {
		gv := schema.GroupVersion{Group: d.Group, Version: v.Name}.String()
		paths[gv] = nil
		if v.Subresources.Scale == nil {
			continue
		}
		for _, name := range strings.Split(strings.TrimPrefix(v.Subresources.Scale.SpecReplicasPath, "."), ".") {
			paths[gv] = append(paths[gv], fieldpath.PathElement{FieldName: &name})
		}
	}
	return paths
}

// asScale makes the scope of a resource that of its scale subresource.
func asScale(scope *handlers.RequestScope) (err error) {
	scope.Kind = scaleKind
	scope.Serializer = serializer.NewCodecFactory(scale.NewScaleConverter().Scheme(),
		serializer.WithStreamingCollectionEncodingToJSON(), serializer.WithStreamingCollectionEncodingToProtobuf())
	scope.TableConvertor, err = tableconvertor.New([]apiextensionsv1.CustomResourceColumnDefinition{
		{Name: "Desired", Type: "integer", Description: "Number of desired replicas", JSONPath: ".spec.replicas"},
		{Name: "Available", Type: "integer", Description: "Number of actual replicas", JSONPath: ".status.replicas"},
		{Name: "Age", Type: "date", Description: ageDescription, JSONPath: ".metadata.creationTimestamp"},
	})
	return err
}
