package custom

import (
	"fmt"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/prune-gen/prune-gen/internal/answer/resources"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Codec puts generated code where the objects of one kind enter a server.
type Codec struct {
	Kind      schema.GroupKind
	Resources Resources
	// Converter makes objects of one version of those of another. It may change them.
	Converter runtime.ObjectConvertor
}

// lookup returns the functions for an object that is one of the kind.
func (c *Codec) lookup(obj map[string]any) (prunert.Resource, bool) {
	kind, _ := obj["kind"].(string)
	apiVersion, _ := obj["apiVersion"].(string)
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil || gv.Group != c.Kind.Group || kind != c.Kind.Kind {
		return prunert.Resource{}, false
	}
	r, ok := c.Resources[gv.Version]
	return r, ok
}

// Decoder returns a decoder that normalizes what delegate decodes: unknown fields and superfluous nulls go, metadata is
// coerced, defaults are filled in. Malformed metadata is an error in what comes from a request, and dropped from what was stored.
//
// With report, unknown fields come back as an error for which runtime.IsStrictDecodingError holds, together with the object,
// after the errors of delegate. The handlers of k8s.io/apiserver turn it into warnings or a refusal, as the client's fieldValidation says.
func (c *Codec) Decoder(delegate runtime.Decoder, source prunert.Source, report bool) runtime.Decoder {
	return decoder{codec: c, delegate: delegate, source: source, report: report}
}

type decoder struct {
	codec    *Codec
	delegate runtime.Decoder
	source   prunert.Source
	report   bool
}

func (d decoder) Decode(data []byte, defaults *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	obj, gvk, err := d.delegate.Decode(data, defaults, into)
	var strict []error
	if err != nil {
		strictErr, ok := runtime.AsStrictDecodingError(err)
		if !ok || obj == nil {
			return nil, gvk, err
		}
		strict = strictErr.Errors()
	}
	u, ok := obj.(*unstructured.Unstructured)
	if !ok {
		return obj, gvk, err
	}
	unknown, err := d.codec.normalize(u.Object, d.source, d.report)
	if err != nil {
		return nil, gvk, d.explain(data, defaults, err)
	}
	if !d.report || len(strict)+len(unknown) == 0 {
		return obj, gvk, nil
	}
	for _, path := range unknown {
		strict = append(strict, fmt.Errorf(`unknown field "%s"`, path))
	}
	return obj, gvk, runtime.NewStrictDecodingError(strict)
}

// explain returns the error of the API server of CRDs about malformed metadata: for that of the object itself, the error of decoding it
// into the Go type.
func (d decoder) explain(data []byte, defaults *schema.GroupVersionKind, err error) error {
	obj, _, decodeErr := d.delegate.Decode(data, defaults, &unstructured.Unstructured{})
	u, ok := obj.(*unstructured.Unstructured)
	if !ok || decodeErr != nil && !runtime.IsStrictDecodingError(decodeErr) {
		return err
	}
	if _, ok := u.Object["metadata"].(map[string]any); d.source == prunert.FromStorage && !ok {
		return fmt.Errorf("invalid metadata: expected object, got %T", u.Object["metadata"])
	}
	meta, marshalErr := utiljson.Marshal(u.Object["metadata"])
	if marshalErr != nil {
		return err
	}
	if metaErr := utiljson.Unmarshal(meta, &metav1.ObjectMeta{}); metaErr != nil {
		return metaErr
	}
	return err
}

// normalize normalizes an object of the kind. Objects of other kinds and versions are refused later: of those it normalizes the
// metadata, as the API server of CRDs does, and reports what a version without a schema does not specify.
func (c *Codec) normalize(obj map[string]any, source prunert.Source, report bool) ([]string, error) {
	if r, ok := c.lookup(obj); ok {
		return r.Normalize(obj, prunert.NormalizeOptions{ReportUnknown: report, Source: source})
	}
	for _, field := range []string{"kind", "apiVersion"} {
		if _, _, err := unstructured.NestedString(obj, field); err != nil {
			return nil, err
		}
	}
	unknown, err := c.normalizeMetadata(obj, source, report)
	if err != nil {
		return nil, err
	}
	kind, _ := obj["kind"].(string)
	apiVersion, _ := obj["apiVersion"].(string)
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil || gv.WithKind(kind).GroupKind() != c.Kind {
		return unknown, err
	}
	for _, field := range slices.Sorted(maps.Keys(obj)) {
		if field != "apiVersion" && field != "kind" && field != "metadata" {
			delete(obj, field)
			unknown = append(unknown, field)
		}
	}
	if !report {
		unknown = nil
	}
	return unknown, nil
}

// normalizeMetadata normalizes the metadata of any object and nothing else of it.
func (c *Codec) normalizeMetadata(obj map[string]any, source prunert.Source, report bool) ([]string, error) {
	meta, ok := obj["metadata"]
	if !ok {
		return nil, nil
	}
	for _, r := range c.Resources { // all versions have the same metadata
		bare := map[string]any{"metadata": meta}
		_, stored, _ := unstructured.NestedFieldNoCopy(bare, "metadata", "generation")
		unknown, err := r.Normalize(bare, prunert.NormalizeOptions{ReportUnknown: report, Source: source})
		if err != nil {
			return nil, err
		}
		if !stored {
			// Only objects of the kind get the generation that they lack.
			unstructured.RemoveNestedField(bare, "metadata", "generation")
		}
		obj["metadata"] = bare["metadata"]
		return unknown, nil
	}
	return nil, nil
}

// Default fills in the defaults of an object of the kind, and reports whether it is one.
func (c *Codec) Default(obj map[string]any) bool {
	r, ok := c.lookup(obj)
	if ok && r.Default != nil {
		r.Default(obj)
	}
	return ok
}

// Prune drops what the version of an object of the kind does not specify.
func (c *Codec) Prune(obj map[string]any) {
	if r, ok := c.lookup(obj); ok {
		r.Prune(obj)
	}
}

// Convert returns an object as one of another version, as the API server of CRDs does: the converter makes it, and what the version does not
// specify goes, and so do nulls that it has no use for. Defaults are those of the version that was stored; the other version's are not
// filled in. The object itself may change.
//
// An object of a version that is not linked is refused: its schema is not known, so converting the object would lose its fields.
func (c *Codec) Convert(obj *unstructured.Unstructured, version string) (*unstructured.Unstructured, error) {
	from := obj.GroupVersionKind()
	if _, ok := c.Resources[from.Version]; !ok && from.Group == c.Kind.Group {
		return nil, fmt.Errorf("request to convert CR from an invalid group/version: %s", from.GroupVersion())
	}
	converted, err := c.Converter.ConvertToVersion(obj, schema.GroupVersion{Group: c.Kind.Group, Version: version})
	if err != nil {
		return nil, err
	}
	obj = converted.(*unstructured.Unstructured)
	switch {
	case from.Kind != c.Kind.Kind:
	case from.Version != version:
		c.Prune(obj.Object)
		err = resources.Coerce(c.Resources[version], obj.Object)
	case hasOddMetadata(obj.Object):
		_, err = c.Resources[version].Normalize(runtime.DeepCopyJSON(obj.Object), prunert.NormalizeOptions{})
	}
	return obj, err
}
