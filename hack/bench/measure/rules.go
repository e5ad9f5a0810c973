package measure

import (
	"context"
	"fmt"
	"slices"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/api/operation"
	metavalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
)

var (
	generatedRules = contestant("Rules", "prune-gen", "ValidateRules", func(s *Subject) func(map[string]any) {
		return func(obj map[string]any) { s.Generated.ValidateRules(obj, nil) }
	})
	kubeRules = contestant("Rules", "kubernetes", "cel.Validator", func(s *Subject) func(map[string]any) {
		v := newServerValidator(s)
		return func(obj map[string]any) { v.rules(obj, nil, nil) }
	})
	generatedRulesUpdate = contestant("RulesUpdate", "prune-gen", "ValidateRules on update", func(s *Subject) func(map[string]any) {
		return func(obj map[string]any) { s.Generated.ValidateRules(obj, s.Old) }
	})
	kubeRulesUpdate = contestant("RulesUpdate", "kubernetes", "cel.Validator with ratcheting", func(s *Subject) func(map[string]any) {
		v := newServerValidator(s)
		return func(obj map[string]any) { v.rules(obj, s.Old, v.correlate(obj, s.Old)) }
	})

	generatedInvalid = contestant("Invalid", "prune-gen", "Invalid", func(s *Subject) func(map[string]any) {
		return func(obj map[string]any) { s.Generated.Invalid(obj, nil) }
	})
	kubeInvalid = contestant("Invalid", "kubernetes", "validation with rules", func(s *Subject) func(map[string]any) {
		v := newServerValidator(s)
		return func(obj map[string]any) { v.create(obj) }
	})
	generatedInvalidUpdate = contestant("InvalidUpdate", "prune-gen", "Invalid on update", func(s *Subject) func(map[string]any) {
		return func(obj map[string]any) { s.Generated.Invalid(obj, s.Old) }
	})
	kubeInvalidUpdate = contestant("InvalidUpdate", "kubernetes", "validation with rules and ratcheting", func(s *Subject) func(map[string]any) {
		v := newServerValidator(s)
		return func(obj map[string]any) { v.update(obj, s.Old) }
	})
)

// ruleRows are the comparisons about CEL rules. They have a set of their own.
var ruleRows = []Row{
	{
		ID: "rules", State: Conforming, Ours: generatedRules, Theirs: kubeRules,
		Against: "cel.Validator.Validate of apiextensions-apiserver, as for a new object; all rules hold",
	},
	{
		ID: "rules-violating", State: Violating, Ours: generatedRules, Theirs: kubeRules,
		Against: "cel.Validator.Validate on new objects that rules refuse",
	},
	{
		ID: "rules-update", State: Conforming, Ours: generatedRulesUpdate, Theirs: kubeRulesUpdate,
		Against: "cel.Validator.Validate with ratcheting, from an object with another label; all rules hold", NoPlot: true,
	},
	{
		ID: "rules-update-violating", State: Violating, Ours: generatedRulesUpdate, Theirs: kubeRulesUpdate,
		Against: "cel.Validator.Validate with ratcheting, on objects that rules refuse, from objects that they do not", NoPlot: true,
	},
	{
		ID: "rules-whole", State: Conforming, Ours: generatedInvalid, Theirs: kubeInvalid,
		Against: "all that the API server validates in a new object: metadata, ValidateCustomResource, embedded resources, list types, and rules; " +
			"valid objects",
	},
	{
		ID: "rules-whole-violating", State: Violating, Ours: generatedInvalid, Theirs: kubeInvalid,
		Against: "the same on objects that rules refuse",
	},
	{
		ID: "rules-whole-update", State: Conforming, Ours: generatedInvalidUpdate, Theirs: kubeInvalidUpdate,
		Against: "all that the API server validates in an update, with ratcheting, from an object with another label; valid objects", NoPlot: true,
	},
	{
		ID: "rules-whole-update-violating", State: Violating, Ours: generatedInvalidUpdate, Theirs: kubeInvalidUpdate,
		Against: "the same on objects that rules refuse, from objects that they do not", NoPlot: true,
	},
}

// ForRules reports whether a row is about the set for CEL rules.
func (r Row) ForRules() bool { return r.State.forRules() }

// serverValidator validates as the strategy of custom resources does.
type serverValidator struct {
	subject *Subject
	schema  validation.SchemaValidator
	cel     *cel.Validator
	ctx     context.Context
}

func newServerValidator(s *Subject) *serverValidator {
	return &serverValidator{
		subject: s, schema: schemaValidator(s), ctx: context.Background(),
		cel: cel.NewValidator(s.Kube.Structural, true, celconfig.PerCallLimit),
	}
}

func (v *serverValidator) correlate(obj, old map[string]any) *common.CorrelatedObject {
	return common.NewCorrelatedObject(obj, old, &model.Structural{Structural: v.subject.Kube.Structural})
}

// rules evaluates CEL rules. An update has correlated.
func (v *serverValidator) rules(obj, old map[string]any, correlated *common.CorrelatedObject) field.ErrorList {
	var options []cel.Option
	var was any // not a nil map, which would be an old object
	if correlated != nil {
		was, options = old, append(options, cel.WithRatcheting(correlated))
	}
	errs, _ := v.cel.Validate(v.ctx, nil, v.subject.Kube.Structural, obj, was, celconfig.RuntimeCELCostBudget, options...)
	return errs
}

func (v *serverValidator) create(obj map[string]any) field.ErrorList {
	structural := v.subject.Kube.Structural
	errs := metavalidation.ValidateObjectMetaDeclaratively(v.ctx, operation.Create, objectMeta(obj), nil, v.subject.Generated.Namespaced,
		metavalidation.NameIsDNSSubdomain, field.NewPath("metadata"), false)
	errs = append(errs, validation.ValidateCustomResource(nil, obj, v.schema)...)
	errs = append(errs, objectmeta.Validate(v.ctx, nil, obj, structural, false)...)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, structural, obj)...)
	return append(errs, v.rules(obj, nil, nil)...) // no other error of these objects keeps the API server from evaluating them
}

func (v *serverValidator) update(obj, old map[string]any) field.ErrorList {
	structural := v.subject.Kube.Structural
	correlated := v.correlate(obj, old)
	errs := metavalidation.ValidateObjectMetaDeclaratively(v.ctx, operation.Update, objectMeta(obj), objectMeta(old), v.subject.Generated.Namespaced,
		nil, field.NewPath("metadata"), false)
	errs = append(errs, validation.ValidateCustomResourceUpdate(nil, obj, old, v.schema, validation.WithRatcheting(correlated))...)
	errs = append(errs, objectmeta.Validate(v.ctx, nil, obj, structural, false)...)
	if len(listtype.ValidateListSetsAndMaps(nil, structural, old)) == 0 {
		errs = append(errs, listtype.ValidateListSetsAndMaps(nil, structural, obj)...)
	}
	return append(errs, v.rules(obj, old, correlated)...)
}

// objectMeta decodes metadata as the API server does before it validates it.
func objectMeta(obj map[string]any) *metav1.ObjectMeta {
	meta := &metav1.ObjectMeta{}
	if m, ok := obj["metadata"].(map[string]any); ok {
		if err := apiruntime.DefaultUnstructuredConverter.FromUnstructured(m, meta); err != nil {
			panic(err) // there are objects with correct metadata only
		}
	}
	return meta
}

// agreeOnRules makes sure that both sides say the same about an object: nothing if it is conforming, and that rules refuse it if it
// is violating, with no other error.
func agreeOnRules(s *Subject, state State) error {
	v := newServerValidator(s)
	for _, c := range []struct {
		what   string
		ours   func() (prunert.ErrorList, []string)
		theirs field.ErrorList
	}{
		{"rules of a new object", func() (prunert.ErrorList, []string) { return s.Generated.ValidateRules(s.Object, nil) }, v.rules(s.Object, nil, nil)},
		{
			"rules of an update", func() (prunert.ErrorList, []string) { return s.Generated.ValidateRules(s.Object, s.Old) },
			v.rules(s.Object, s.Old, v.correlate(s.Object, s.Old)),
		},
		{"a new object", func() (prunert.ErrorList, []string) { return s.Generated.Invalid(s.Object, nil) }, v.create(s.Object)},
		{"an update", func() (prunert.ErrorList, []string) { return s.Generated.Invalid(s.Object, s.Old) }, v.update(s.Object, s.Old)},
	} {
		errs, _ := c.ours()
		ours, theirs := textsOf(errs), textsOf(c.theirs)
		if !slices.Equal(ours, theirs) {
			return fmt.Errorf("%s: generated code says %q, Kubernetes %q", c.what, ours, theirs)
		}
		if valid := len(ours) == 0; valid != (state == Conforming) {
			return fmt.Errorf("%s: it is valid: %t; %q", c.what, valid, ours)
		}
	}
	return nil
}

// textsOf returns the texts of errors, sorted.
func textsOf[E error](errs []E) []string {
	var all []string
	for _, e := range errs {
		all = append(all, e.Error())
	}
	slices.Sort(all)
	return all
}
