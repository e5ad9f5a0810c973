package prunetest

import (
	"encoding/json"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/controller-runtime/pkg/conversion"

	"github.com/prune-gen/prune-gen/kube"
)

// HubConverter converts by the methods of the Go types in a scheme, as the conversion webhook of controller-runtime does: from a
// [conversion.Convertible] to the [conversion.Hub] of its kind, from the hub to others, and from one of the others to another by the hub. Of a kind without
// such types it changes apiVersion only, as the conversion strategy None does.
func HubConverter(scheme *runtime.Scheme) kube.Converter {
	typed := TypedConverter(scheme, func(src, dst runtime.Object) error {
		from, fromSpoke := src.(conversion.Convertible)
		to, toSpoke := dst.(conversion.Convertible)
		fromHub, isHub := src.(conversion.Hub)
		toHub, becomesHub := dst.(conversion.Hub)
		switch {
		case isHub && toSpoke:
			return to.ConvertFrom(fromHub)
		case becomesHub && fromSpoke:
			return from.ConvertTo(toHub)
		case !fromSpoke || !toSpoke:
			return fmt.Errorf("%T is not convertible to %T", src, dst)
		}
		for _, obj := range versionsIn(scheme, src.GetObjectKind().GroupVersionKind().GroupKind()) {
			if hub, ok := obj.(conversion.Hub); ok {
				if err := from.ConvertTo(hub); err != nil {
					return err
				}
				return to.ConvertFrom(hub)
			}
		}
		return fmt.Errorf("no version of %T is a hub", src)
	})
	return func(obj map[string]any, apiVersion string) (map[string]any, error) {
		versions := versionsIn(scheme, (&unstructured.Unstructured{Object: obj}).GroupVersionKind().GroupKind())
		if len(versions) > 1 && !slices.ContainsFunc(versions, hasConversion) {
			return convertNone(obj, apiVersion)
		}
		return typed(obj, apiVersion)
	}
}

// versionsIn returns an object of each version of a kind.
func versionsIn(scheme *runtime.Scheme, kind schema.GroupKind) []runtime.Object {
	var all []runtime.Object
	for _, gv := range scheme.VersionsForGroupKind(kind) {
		if obj, err := scheme.New(gv.WithKind(kind.Kind)); err == nil {
			all = append(all, obj)
		}
	}
	return all
}

func hasConversion(obj runtime.Object) bool {
	_, hub := obj.(conversion.Hub)
	_, spoke := obj.(conversion.Convertible)
	return hub || spoke
}

// convertNone converts as the conversion strategy None does.
func convertNone(obj map[string]any, apiVersion string) (map[string]any, error) {
	obj["apiVersion"] = apiVersion
	return obj, nil
}

// TypedConverter converts by a function on the Go types in a scheme. It is for types that [HubConverter] does not convert: those with a Converter of
// controller-runtime, or with the methods of knative.dev/pkg/apis. The function fills in dst, which has only its apiVersion and kind.
func TypedConverter(scheme *runtime.Scheme, convert func(src, dst runtime.Object) error) kube.Converter {
	types := goTypes(scheme)
	return func(obj map[string]any, apiVersion string) (map[string]any, error) {
		src, err := types.decode(obj)
		if err != nil {
			return nil, err
		}
		kind := schema.FromAPIVersionAndKind(apiVersion, src.GetObjectKind().GroupVersionKind().Kind)
		dst, err := scheme.New(kind)
		if err != nil {
			return nil, err
		}
		dst.GetObjectKind().SetGroupVersionKind(kind)
		if err := convert(src, dst); err != nil {
			return nil, err
		}
		return throughJSON(dst)
	}
}

// typeDecoder decodes objects into Go types.
type typeDecoder struct{ decoder runtime.Decoder }

func goTypes(scheme *runtime.Scheme) *typeDecoder {
	return &typeDecoder{serializer.NewCodecFactory(scheme).UniversalDeserializer()}
}

func (d *typeDecoder) decode(obj map[string]any) (runtime.Object, error) {
	data, err := json.Marshal(obj)
	if err != nil {
		return nil, err
	}
	typed, _, err := d.decoder.Decode(data, nil, nil)
	return typed, err
}

// throughJSON returns an object as those who decode its JSON see it.
func throughJSON(obj any) (map[string]any, error) {
	data, err := json.Marshal(obj)
	if err != nil {
		return nil, err
	}
	var out map[string]any
	err = utiljson.Unmarshal(data, &out)
	return out, err
}
