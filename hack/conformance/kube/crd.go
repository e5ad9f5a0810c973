package kube

import (
	"context"
	"fmt"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// CRD is a CustomResourceDefinition as Kubernetes reads it: decoded, defaulted and converted to the internal type.
type CRD struct {
	Internal *apiextensions.CustomResourceDefinition
	// Beta reports whether it was written for apiextensions.k8s.io/v1beta1.
	Beta bool
	// Unknown is the error of strict decoding, such as `unknown field "spec.foo"`; empty if there is none.
	Unknown []string

	refusals func() []string
}

// decoder decodes, defaults and converts as the API server does for a CRD that is posted to it.
var decoder, scheme = newDecoder()

func newDecoder() (runtime.Decoder, *runtime.Scheme) {
	s := runtime.NewScheme()
	install.Install(s)
	return serializer.NewCodecFactory(s, serializer.EnableStrict).UniversalDecoder(), s
}

// DecodeCRD reads a CRD of any API version from JSON.
func DecodeCRD(raw []byte) (*CRD, error) {
	obj, gvk, err := decoder.Decode(raw, nil, nil)
	crd := &CRD{}
	if err != nil {
		strict, ok := runtime.AsStrictDecodingError(err)
		if !ok || obj == nil {
			return nil, fmt.Errorf("decode CRD: %w", err)
		}
		for _, e := range strict.Errors() {
			crd.Unknown = append(crd.Unknown, e.Error())
		}
	}
	internal, ok := obj.(*apiextensions.CustomResourceDefinition)
	if !ok {
		return nil, fmt.Errorf("decode CRD: got %s", gvk)
	}
	crd.Internal, crd.Beta = internal, gvk.Version == "v1beta1"
	crd.refusals = sync.OnceValue(crd.validate)
	return crd, nil
}

// V1 returns the CRD as apiextensions.k8s.io/v1 has it, which is what the API server's controllers see.
func (c *CRD) V1() (*apiextensionsv1.CustomResourceDefinition, error) {
	out := &apiextensionsv1.CustomResourceDefinition{}
	if err := scheme.Convert(c.Internal, out, nil); err != nil {
		return nil, fmt.Errorf("convert CRD to v1: %w", err)
	}
	return out, nil
}

// PreserveUnknownFields is spec.preserveUnknownFields, defaulted.
func (c *CRD) PreserveUnknownFields() bool {
	p := c.Internal.Spec.PreserveUnknownFields
	return p != nil && *p
}

// Schema returns the schema of a version; nil if the CRD has none for it.
func (c *CRD) Schema(version string) (*apiextensions.JSONSchemaProps, error) {
	v, err := apiextensions.GetSchemaForVersion(c.Internal, version)
	if err != nil || v == nil {
		return nil, err
	}
	return v.OpenAPIV3Schema, nil
}

// NewStructural is Kubernetes' conversion to a structural schema.
func NewStructural(s *apiextensions.JSONSchemaProps) (*structuralschema.Structural, error) {
	return structuralschema.NewStructural(s)
}

// ValidateStructural returns the texts of every rule that s breaks, in Kubernetes' order.
func ValidateStructural(s *structuralschema.Structural, at *field.Path) []string {
	var texts []string
	for _, err := range structuralschema.ValidateStructural(at, s) {
		texts = append(texts, err.Error())
	}
	return texts
}

// DecodeSchema reads a bare schema from JSON, as it stands below openAPIV3Schema of a CRD.
func DecodeSchema(raw []byte) (*apiextensions.JSONSchemaProps, error) {
	v1 := &apiextensionsv1.JSONSchemaProps{}
	if err := utiljson.Unmarshal(raw, v1); err != nil {
		return nil, fmt.Errorf("decode schema: %w", err)
	}
	out := &apiextensions.JSONSchemaProps{}
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(v1, out, nil); err != nil {
		return nil, fmt.Errorf("convert schema: %w", err)
	}
	return out, nil
}

// Validate returns everything that keeps the API server from accepting the CRD. It compiles all CEL rules, which takes
// its time, and is therefore done when it is first asked for.
func (c *CRD) Validate() []string { return c.refusals() }

func (c *CRD) validate() []string {
	ctx := context.Background()
	errs := validation.ValidateCustomResourceDefinition(ctx, c.Internal)
	if c.Beta {
		// The API server does not serve v1beta1 any more. Its rules live on for CRDs that were stored in those days.
		old := c.Internal.DeepCopy()
		old.ResourceVersion = "1"
		errs = append(errs, validation.ValidateCustomResourceDefinitionUpdate(ctx, old, old.DeepCopy())...)
	}
	var texts []string
	for _, err := range errs {
		texts = append(texts, err.Error())
	}
	return texts
}
