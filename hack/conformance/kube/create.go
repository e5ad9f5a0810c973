package kube

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Refusals is why the API server does not take a CRD that is posted to it.
type Refusals struct {
	Errors field.ErrorList
	// OnDefaults reports whether there are errors because CEL rules refuse defaults, or could not be evaluated on them.
	OnDefaults bool
}

// Refused tells whether there is a reason.
func (r Refusals) Refused() bool { return len(r.Errors) > 0 }

// Create returns why the API server refuses the CRD when it is created.
//
// A v1beta1 CRD is judged by the rules that v1beta1 had, as far as they live on: those for a change of a CRD that was stored
// without schemas and without pruning.
func (c *CRD) Create() Refusals {
	r := Refusals{Errors: create(c.Internal.DeepCopy(), c.Beta)}
	aboutDefaults := func(errs field.ErrorList) map[string]bool {
		texts := map[string]bool{}
		for _, e := range errs {
			if strings.Contains(e.Field, "default") {
				texts[e.Error()] = true
			}
		}
		return texts
	}
	if said := aboutDefaults(r.Errors); len(said) > 0 {
		if tamed := c.Internal.DeepCopy(); tameRules(tamed) {
			without := aboutDefaults(create(tamed, c.Beta))
			for text := range said {
				r.OnDefaults = r.OnDefaults || !without[text]
			}
		}
	}
	return r
}

func create(crd *apiextensions.CustomResourceDefinition, beta bool) field.ErrorList {
	ctx := context.Background()
	prepare(crd)
	errs := validation.ValidateCustomResourceDefinition(ctx, crd)
	if !beta {
		return errs
	}
	var all field.ErrorList
	for _, e := range errs {
		if strings.HasPrefix(e.Field, "metadata") && !strings.HasPrefix(e.Field, "metadata.annotations[") {
			all = append(all, e)
		}
	}
	crd.ResourceVersion = "1"
	for _, e := range validation.ValidateCustomResourceDefinitionUpdate(ctx, crd, stored(crd)) {
		if !strings.HasPrefix(e.Field, "metadata") {
			all = append(all, e)
		}
	}
	return all
}

// prepare does what the API server does before it validates a CRD that is posted to it. The package that does it there would
// bring a database with it.
func prepare(crd *apiextensions.CustomResourceDefinition) {
	crd.Namespace, crd.Generation = "", 1
	crd.Status = apiextensions.CustomResourceDefinitionStatus{}
	for _, v := range crd.Spec.Versions {
		if v.Storage {
			crd.Status.StoredVersions = []string{v.Name}
			break
		}
	}
}

// stored returns a CRD that crd can be a change of, which has nothing that later rules want: no schema for one version, one
// that is not structural for another, unknown fields preserved.
func stored(crd *apiextensions.CustomResourceDefinition) *apiextensions.CustomResourceDefinition {
	old := crd.DeepCopy()
	preserve := true
	old.Spec.PreserveUnknownFields = &preserve
	old.Spec.Validation, old.Spec.Conversion, old.Spec.Subresources = nil, nil, nil
	old.Spec.AdditionalPrinterColumns, old.Spec.SelectableFields = nil, nil
	old.Spec.Versions = []apiextensions.CustomResourceDefinitionVersion{
		{Name: "without"},
		{Name: "loose", Schema: &apiextensions.CustomResourceValidation{OpenAPIV3Schema: &apiextensions.JSONSchemaProps{}}},
	}
	return old
}

// tameRules replaces every CEL rule in crd by one that is always true and has the same form, and reports whether there are any.
func tameRules(crd *apiextensions.CustomResourceDefinition) bool {
	found := false
	tame := func(v *apiextensions.CustomResourceValidation) {
		if v == nil {
			return
		}
		validation.SchemaHas(v.OpenAPIV3Schema, func(s *apiextensions.JSONSchemaProps) bool {
			for i := range s.XValidations {
				found = true
				tameRule(&s.XValidations[i])
			}
			return false
		})
	}
	tame(crd.Spec.Validation)
	for i := range crd.Spec.Versions {
		tame(crd.Spec.Versions[i].Schema)
	}
	return found
}

// tameRule makes equal rules equal, and different ones different: versions are compared.
func tameRule(r *apiextensions.ValidationRule) {
	comment := fmt.Sprintf(" // %x", sha256.Sum256(fmt.Appendf(nil, "%q %q %v", r.Rule, r.MessageExpression, r.OptionalOldSelf != nil)))
	switch rule := strings.TrimSpace(r.Rule); {
	case rule == "":
	case strings.ContainsAny(rule, "\n\r"):
		r.Rule = "true ||\nfalse" + comment
	default:
		r.Rule = "true" + comment
	}
	if strings.TrimSpace(r.MessageExpression) != "" {
		r.MessageExpression = ""
	}
	r.OptionalOldSelf = nil
}
