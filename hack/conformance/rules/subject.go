package rules

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/prune-gen/prune-gen/hack/conformance/compare"
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/internal/answer/resources"
	ourrules "github.com/prune-gen/prune-gen/internal/cel/celrules"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
	"github.com/prune-gen/prune-gen/structural"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/warning"
)

// Subject is a schema with rules, as both sides see it.
type Subject struct {
	Name   string
	Schema *structural.Schema
	// Targets are its rules.
	Targets []*Target

	// generated is code that was generated from the schema, nil for none, and generatedTable the table with its compiled rules.
	generated      func(obj, old map[string]any) (prunert.ErrorList, []string)
	generatedTable *prunecel.Rules

	// alone are the subjects with one rule each.
	alone     func() []*Subject
	kube      *structuralschema.Structural
	validator *cel.Validator
	table     *prunecel.Rules
	shape     *pruneimpl.Shape
}

// Of returns the subject of a version of a CRD, nil if neither side finds rules in it.
func Of(v *compare.Subject) (*Subject, error) {
	if v.Schema == nil {
		return nil, nil
	}
	s, err := NewSubject(v.String(), v.Schema, v.Kube.Structural)
	if s != nil && v.Rules != nil {
		s.generated, s.generatedTable = v.Generated.ValidateRules, v.Rules
	}
	return s, err
}

// NewSubject returns the subject of a schema of custom resources, nil if neither side finds rules in it.
func NewSubject(name string, schema *structural.Schema, theirs *structuralschema.Structural) (*Subject, error) {
	s := &Subject{
		Name: name, Schema: schema, kube: theirs,
		validator: cel.NewValidator(theirs, true, celconfig.PerCallLimit),
		table:     tableOf(schema),
	}
	if (s.validator == nil) != (s.table == nil) {
		return nil, fmt.Errorf("%s: rules: ours %t, theirs %t", name, s.table != nil, s.validator != nil)
	}
	if s.table == nil {
		return nil, nil
	}
	s.alone = sync.OnceValue(s.aloneOf)
	s.shape = resources.Shape(schema)
	s.Targets = targets(schema, s.table)
	return s, nil
}

// tableOf returns the table of the rules of a schema, nil if it has none.
func tableOf(schema *structural.Schema) *prunecel.Rules {
	table := ourrules.Table(ourrules.Check(schema, ourrules.Stored(kube.Version())))
	if table != nil {
		table.Kubernetes = kube.Version()
	}
	return table
}

// Answer is what one side says about an object, as texts that can be compared.
type Answer struct {
	// Errors and Warnings are sorted, because Kubernetes has them in any order.
	Errors, Warnings []string
	// Remaining is what is left of the budget, -1 if the rules cost too much.
	Remaining int64
}

func (a Answer) equal(b Answer) bool {
	return slices.Equal(a.Errors, b.Errors) && slices.Equal(a.Warnings, b.Warnings) && a.Remaining == b.Remaining
}

// Theirs returns what Kubernetes says about an object that replaces old, nil for none.
func (s *Subject) Theirs(obj, old map[string]any) Answer {
	answer, _ := s.ask(obj, old)
	return answer
}

// ask is Theirs, with the errors as they are.
func (s *Subject) ask(obj, old map[string]any) (Answer, field.ErrorList) {
	recorder := &recorder{}
	ctx := warning.WithWarningRecorder(context.Background(), recorder)
	var was any
	var options []cel.Option
	if old != nil {
		was = old
		options = append(options, cel.WithRatcheting(common.NewCorrelatedObject(obj, was, &model.Structural{Structural: s.kube})))
	}
	errs, remaining := s.validator.Validate(ctx, nil, s.kube, obj, was, celconfig.RuntimeCELCostBudget, options...)
	slices.Sort(recorder.texts)
	return Answer{KubeTexts(errs), recorder.texts, remaining}, errs
}

// recorder keeps warnings.
type recorder struct {
	mu    sync.Mutex
	texts []string
}

func (r *recorder) AddWarning(_, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.texts = append(r.texts, text)
}

// Ours returns what the table says.
func (s *Subject) Ours(obj, old map[string]any) Answer {
	var was any
	if old != nil {
		was = old
	}
	return NewAnswer(s.table.ValidateValue(obj, was, s.shape, prunecel.RequestCosts()), prunecel.RequestCosts())
}

// NewAnswer returns the answer of a result.
func NewAnswer(r prunecel.Result, costs prunecel.Costs) Answer {
	a := Answer{Errors: ourTexts(r.Errors), Warnings: r.Warnings, Remaining: costs.All - r.Spent}
	if r.Stopped {
		a.Remaining = -1
	}
	slices.Sort(a.Warnings)
	return a
}

func ourTexts(errs prunert.ErrorList) []string {
	var all []string
	for _, e := range errs {
		all = append(all, kube.OurText(e))
	}
	slices.Sort(all)
	return all
}

// KubeTexts returns errors of Kubernetes as they are compared.
func KubeTexts(errs field.ErrorList) []string {
	return slices.Sorted(slices.Values(kube.ValueTexts(errs)))
}
