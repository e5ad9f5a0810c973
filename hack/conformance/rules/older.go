package rules

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/prune-gen/prune-gen/hack/conformance/known"
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/structural"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// known names the difference on a case if each rule that differs alone has a name; "" for the newest version.
func (c Case) known() (name known.Name) {
	if kube.Version() == 0 {
		return ""
	}
	for _, alone := range c.Subject.alone() {
		one := Case{alone, c.Object, c.Old}
		ours, theirs := one.ours(), alone.Theirs(c.Object, c.Old)
		if ours.equal(theirs) {
			continue
		}
		schema, err := json.Marshal(alone.kube.ToKubeOpenAPI())
		if err != nil {
			panic(err) // it was made from JSON
		}
		e := known.Evidence{Schema: string(schema), Cost: slices.Equal(ours.Errors, theirs.Errors) && slices.Equal(ours.Warnings, theirs.Warnings)}
		for _, t := range alone.Targets {
			e.Expression += t.Rule.Program + " " + t.Rule.MessageProgram + " "
		}
		if name = known.Older(kube.Version(), e); name == "" {
			return ""
		}
	}
	return name
}

// aloneOf returns the subjects of the schema with one of its rules, each named by the expressions of the rule.
func (s *Subject) aloneOf() (all []*Subject) {
	for number := 0; ; number++ {
		theirs, left := s.kube.DeepCopy(), number
		text := keepRule(theirs, &left)
		if text == "" {
			return all
		}
		one, err := NewSubject(text, kube.Convert[*structural.Schema](theirs), theirs)
		if err != nil {
			panic(err) // all rules together are a subject
		}
		all = append(all, one)
	}
}

// keepRule removes all rules from a schema except the one with the given number, and returns its expressions; "" if there are fewer.
func keepRule(s *structuralschema.Structural, number *int) (text string) {
	rules := s.XValidations
	s.XValidations = nil
	for _, r := range rules {
		if *number == 0 {
			s.XValidations, text = append(s.XValidations, r), r.Rule+" "+r.MessageExpression
		}
		*number--
	}
	below := func(s *structuralschema.Structural) { text += keepRule(s, number) }
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property := s.Properties[name]
		below(&property)
		s.Properties[name] = property
	}
	if s.Items != nil {
		below(s.Items)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Structural != nil {
		below(s.AdditionalProperties.Structural)
	}
	return text
}
