package speed

import (
	"context"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/api/operation"
	metavalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
)

// raceOnRules measures functions that evaluate CEL rules, on objects that they allow and on objects that they refuse.
func raceOnRules(b *testing.B, validate func(s *subject, obj map[string]any), by string, theirs func(v *server, s *subject, obj map[string]any)) {
	for _, st := range []*state{conforming, violating} {
		st.onObjects(b, onObject{ours, func(s *subject) func(map[string]any) {
			return func(obj map[string]any) { validate(s, obj) }
		}}, onObject{by, func(s *subject) func(map[string]any) {
			v := newServer(s)
			return func(obj map[string]any) { theirs(v, s, obj) }
		}})
	}
}

func BenchmarkValidateRules(b *testing.B) {
	raceOnRules(b, func(s *subject, obj map[string]any) { s.generated.ValidateRules(obj, nil) },
		"cel.Validator", func(v *server, s *subject, obj map[string]any) { v.rules(obj, nil, nil) })
}

func BenchmarkValidateRulesOnUpdate(b *testing.B) {
	raceOnRules(b, func(s *subject, obj map[string]any) { s.generated.ValidateRules(obj, s.old) },
		"cel.Validator with ratcheting", func(v *server, s *subject, obj map[string]any) { v.rules(obj, s.old, v.correlate(obj, s.old)) })
}

// All that the API server validates in a new object: metadata, values, embedded resources, list types, and CEL rules.
func BenchmarkValidateAll(b *testing.B) {
	raceOnRules(b, func(s *subject, obj map[string]any) { s.generated.ValidateAll(obj, nil) },
		"validation with rules", func(v *server, s *subject, obj map[string]any) { v.create(obj) })
}

func BenchmarkValidateAllOnUpdate(b *testing.B) {
	raceOnRules(b, func(s *subject, obj map[string]any) { s.generated.ValidateAll(obj, s.old) },
		"validation with rules and ratcheting", func(v *server, s *subject, obj map[string]any) { v.update(obj, s.old) })
}

// server validates as the API server's strategy of custom resources does.
type server struct {
	subject *subject
	schema  validation.SchemaValidator
	cel     *cel.Validator
}

func newServer(s *subject) *server {
	return &server{subject: s, schema: schemaValidator(s), cel: cel.NewValidator(s.kube.Structural, true, celconfig.PerCallLimit)}
}

func (v *server) correlate(obj, old map[string]any) *common.CorrelatedObject {
	return common.NewCorrelatedObject(obj, old, &model.Structural{Structural: v.subject.kube.Structural})
}

// rules evaluates CEL rules. An update has correlated.
func (v *server) rules(obj, old map[string]any, correlated *common.CorrelatedObject) field.ErrorList {
	var options []cel.Option
	var was any // not a nil map, which would be an old object
	if correlated != nil {
		was, options = old, append(options, cel.WithRatcheting(correlated))
	}
	errs, _ := v.cel.Validate(context.Background(), nil, v.subject.kube.Structural, obj, was, celconfig.RuntimeCELCostBudget, options...)
	return errs
}

func (v *server) create(obj map[string]any) field.ErrorList {
	ctx, structural := context.Background(), v.subject.kube.Structural
	errs := metavalidation.ValidateObjectMetaDeclaratively(ctx, operation.Create, objectMeta(obj), nil, v.subject.generated.Namespaced,
		metavalidation.NameIsDNSSubdomain, field.NewPath("metadata"), false)
	errs = append(errs, validation.ValidateCustomResource(nil, obj, v.schema)...)
	errs = append(errs, objectmeta.Validate(ctx, nil, obj, structural, false)...)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, structural, obj)...)
	return append(errs, v.rules(obj, nil, nil)...) // no other error of these objects keeps the API server from evaluating them
}

func (v *server) update(obj, old map[string]any) field.ErrorList {
	ctx, structural, correlated := context.Background(), v.subject.kube.Structural, v.correlate(obj, old)
	errs := metavalidation.ValidateObjectMetaDeclaratively(ctx, operation.Update, objectMeta(obj), objectMeta(old), v.subject.generated.Namespaced,
		nil, field.NewPath("metadata"), false)
	errs = append(errs, validation.ValidateCustomResourceUpdate(nil, obj, old, v.schema, validation.WithRatcheting(correlated))...)
	errs = append(errs, objectmeta.Validate(ctx, nil, obj, structural, false)...)
	if len(listtype.ValidateListSetsAndMaps(nil, structural, old)) == 0 {
		errs = append(errs, listtype.ValidateListSetsAndMaps(nil, structural, obj)...)
	}
	return append(errs, v.rules(obj, old, correlated)...)
}

// objectMeta decodes metadata as the API server does before it validates it.
func objectMeta(obj map[string]any) *metav1.ObjectMeta {
	meta := &metav1.ObjectMeta{}
	if m, ok := obj["metadata"].(map[string]any); ok {
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(m, meta); err != nil {
			panic(err) // the metadata of all objects is correct
		}
	}
	return meta
}
