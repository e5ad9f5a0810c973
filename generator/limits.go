package generator

import (
	"fmt"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/internal/sorted"
	"github.com/prune-gen/prune-gen/structural"
)

// The limits for generated code. The largest CRDs that people write need some hundreds of functions; hostile CRDs could
// exhaust the compiler, and this program, which type-checks what it generates.

// maxName is the limit for the bytes in the name of a property.
const maxName = 1000

// packageLimit is for one package, and callLimit for all packages of a call together.
var (
	packageLimit = size{functions: 20_000, fields: 100_000, values: 100_000}
	callLimit    = size{functions: 100_000, fields: 500_000, values: 500_000}
)

// size is how much code a plan becomes. It is known before anything is rendered.
type size struct {
	functions int // exported or not
	fields    int // that they name
	values    int // in enums and defaults, and names in other lists
}

// add returns the sum of two sizes.
func (s size) add(t size) size {
	return size{s.functions + t.functions, s.fields + t.fields, s.values + t.values}
}

// excess describes what exceeds a limit; it is "" if nothing does.
func (s size) excess(limit size) string {
	switch {
	case s.functions > limit.functions:
		return fmt.Sprintf("%d functions; the limit is %d", s.functions, limit.functions)
	case s.fields > limit.fields:
		return fmt.Sprintf("functions that name %d fields; the limit is %d", s.fields, limit.fields)
	case s.values > limit.values:
		return fmt.Sprintf("%d values in enums, defaults and lists of names; the limit is %d", s.values, limit.values)
	}
	return ""
}

// size returns how much code the plan becomes.
func (p *Plan) size() size {
	s := size{functions: len(p.plan.Kinds) * len(p.features)}
	for _, t := range p.plan.Trees {
		s.functions += len(t.Funcs)
		for _, n := range t.Funcs {
			s.fields += len(n.Fields)
			s.values += n.Values()
			if len(n.Branches) > 0 {
				s.functions++ // one that compares alternatives
			}
		}
	}
	return s
}

// The hints for packages that are too large, and for too many of them.
const (
	fewerKinds    = "generate fewer kinds into one package: --kind selects them, and --output-dir is where they go"
	fewerPasses   = "generate less for it, with --emit-only prune for example; dynamic.Compile interprets what is too large for code"
	fewerPackages = "generate fewer kinds or versions in one call: --kind and --crd-version select them"
)

// fewer returns the hint for a package of that many kinds that is too large.
func fewer(kinds int) string {
	if kinds == 1 {
		return fewerPasses
	}
	return fewerKinds
}

// limit returns an error for a package of size s that is too large, by itself or with those before it.
func (l *Lowering) limit(s size, inputs []Input) error {
	if excess := s.excess(packageLimit); excess != "" {
		return tooLarge(inputs[0], "the package would have "+excess, fewer(len(inputs)))
	}
	if excess := l.total.add(s).excess(callLimit); excess != "" {
		l.full = true
		return tooLarge(inputs[0], "with this package, all packages together would have "+excess, fewerPackages)
	}
	return nil
}

// tooLarge returns the error for a package that exceeds a limit. The finding is about the kind of its first input.
func tooLarge(first Input, message, hint string) error {
	return &InputError{[]structural.Finding{kindFinding(RuleTooLarge, first, message, hint)}}
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
		Message: fmt.Sprintf("%s: the name %q has %d bytes; the limit in generated code is %d", path, plan.FirstBytes(n.name, 40)+"...", len(n.name), maxName),
	}
}

// longNames returns the names of properties that are too long, and none from below them.
func longNames(s *structural.Schema, at *structural.Path) []longName {
	if s == nil {
		return nil
	}
	var found []longName
	for _, name := range sorted.Keys(s.Properties) {
		if len(name) > maxName {
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
