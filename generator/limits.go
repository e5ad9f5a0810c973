package generator

import (
	"fmt"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/internal/meter"
	"github.com/prune-gen/prune-gen/internal/sorted"
	"github.com/prune-gen/prune-gen/structural"
)

// What a function of a plan costs, a field that it names, and a value in an enum, a default or a list of names. All of them are in memory
// while a package is made.
const (
	unitsOfFunction = 600
	unitsOfField    = 100
	unitsOfValue    = 100
)

// cost returns what the code that the plan becomes costs. It is known before anything is rendered.
func (p *Plan) cost() int {
	n := unitsOfFunction * len(p.plan.Kinds) * len(p.features)
	for _, t := range p.plan.Trees {
		for _, f := range t.Funcs {
			n += unitsOfFunction + unitsOfField*len(f.Fields) + unitsOfValue*f.Values()
			if len(f.Branches) > 0 {
				n += unitsOfFunction // one that compares alternatives
			}
		}
	}
	return n
}

// tooLarge returns the error for a package with which the run exceeds a limit. The finding is about the kind of its first input.
func tooLarge(first Input, err error) error {
	return &InputError{[]structural.Finding{kindFinding(RuleTooLarge, first, err.Error(), "")}}
}

// longName is the name of a property that is too long.
type longName struct {
	at   *structural.Path // of the properties
	name string
}

// finding reports the name, without repeating all of it.
func (n longName) finding(in Input) structural.Finding {
	pos := in.CRD.Locate(n.at.Key(n.name))
	path := n.at.String()
	return structural.Finding{
		Rule: RuleTooLarge, File: pos.File, Line: pos.Line, Column: pos.Column,
		CRD: in.CRD.Name, Version: in.Version.Name, Severity: structural.SeverityError, Path: path,
		Message: fmt.Sprintf("%s: the name %q has %d bytes; the limit in generated code is %d", path, plan.FirstBytes(n.name, 40)+"...", len(n.name), meter.Name),
	}
}

// longNames returns the names of properties that are too long, and none from below them.
func longNames(s *structural.Schema, at *structural.Path) []longName {
	if s == nil {
		return nil
	}
	var found []longName
	for _, name := range sorted.Keys(s.Properties) {
		if len(name) > meter.Name {
			found = append(found, longName{at.Child("properties"), name})
		} else {
			found = append(found, longNames(s.Properties[name], at.Child("properties").Key(name))...)
		}
	}
	found = append(found, longNames(s.Items, at.Child("items"))...)
	if s.AdditionalProperties != nil {
		found = append(found, longNames(s.AdditionalProperties.Schema, at.Child("additionalProperties"))...)
	}
	const most = 100
	return found[:min(len(found), most)]
}
