package generator

import (
	"fmt"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/internal/base/listed"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/structural"
)

// cost returns what the code that the plan becomes costs. It is known before anything is rendered.
func (p *Plan) cost() int {
	n := meter.UnitsOfFunction * len(p.plan.Kinds) * len(p.features)
	for _, t := range p.plan.Trees {
		for _, f := range t.Funcs {
			n += meter.UnitsOfFunction + meter.UnitsOfField*len(f.Fields) + meter.UnitsOfLiteral*f.Values()
			if len(f.Branches) > 0 {
				n += meter.UnitsOfFunction // one that compares alternatives
			}
		}
	}
	return n
}

// tooLarge returns the error for a package with which the run exceeds a limit. The finding is about the kind of its first input.
func tooLarge(first Input, err error) error {
	return &InputError{[]structural.Finding{kindFinding(IDTooLarge, first, err.Error(), "")}}
}

// longNames returns the findings for names of properties in s that are too long. A finding shows only the beginning of the name, and
// nothing below such a property is reported.
func longNames(in Input, s *structural.Schema, at *structural.Path) []structural.Finding {
	if s == nil {
		return nil
	}
	var found []structural.Finding
	for _, name := range sorted.Keys(s.Properties) {
		below := at.Child("properties")
		if len(name) <= meter.Name {
			found = append(found, longNames(in, s.Properties[name], below.Key(name))...)
			continue
		}
		message := fmt.Sprintf("the name %q has %d bytes; the limit in generated code is %d", plan.FirstBytes(name, 40)+"...", len(name), meter.Name)
		f := inputFinding(IDTooLarge, in, below.Key(name), message, "").WithPath(below.String(), below.Steps())
		found = append(found, f.Saying(f.Path, message))
	}
	found = append(found, longNames(in, s.Items, at.Child("items"))...)
	found = append(found, longNames(in, s.Values(), at.Child("additionalProperties"))...)
	return found[:min(len(found), listed.Findings)]
}
