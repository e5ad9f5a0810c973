package generator

import (
	"fmt"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/internal/sorted"
	"github.com/prune-gen/prune-gen/structural"
)

// What generated code may have. The largest CRDs that people write need some hundreds of functions; a compiler chokes on
// what a CRD that was made to be large can ask for, and so does this program, which compiles what it generates.
//
// maxName is the limit for the bytes in the name of a property.
const maxName = 1000

// packageLimit is for one package, and callLimit for all packages of a call together.
var (
	packageLimit = size{functions: 20_000, fields: 100_000, bytes: 16 << 20}
	callLimit    = size{functions: 100_000, fields: 500_000, bytes: 64 << 20}
)

// size is how much code there is.
type size struct {
	functions int // exported or not
	fields    int // that they name
	bytes     int // of source
}

// add returns the sum of two sizes.
func (s size) add(t size) size {
	return size{s.functions + t.functions, s.fields + t.fields, s.bytes + t.bytes}
}

// excess returns what is above a limit, "" where nothing is.
func (s size) excess(limit size) string {
	switch {
	case s.functions > limit.functions:
		return fmt.Sprintf("%d functions, and %d is the limit", s.functions, limit.functions)
	case s.fields > limit.fields:
		return fmt.Sprintf("functions that name %d fields, and %d is the limit", s.fields, limit.fields)
	case s.bytes > limit.bytes:
		return fmt.Sprintf("about %d MiB of source, and %d MiB is the limit", s.bytes>>20, limit.bytes>>20)
	}
	return ""
}

// size returns how much code the plan becomes. The bytes are an estimate that does not fall short by much: each function
// and each field has its own text, in which a name occurs once where fields are ranged over, and twice where they are looked
// up.
func (p *Plan) size() size {
	s := size{functions: len(p.plan.Kinds) * len(p.features)}
	s.bytes = 1000 * len(p.plan.Kinds)
	for _, t := range p.plan.Trees {
		s.functions += len(t.Funcs)
		for _, n := range t.Funcs {
			s.fields += len(n.Fields)
			s.bytes += 300
			if rules, ok := n.Do.(interface{ SourceBytes() int }); ok {
				s.bytes += rules.SourceBytes()
			}
			if len(n.Branches) > 0 {
				s.functions++ // one that compares alternatives
				s.bytes += 300 + 200*len(n.Branches)
			}
			for _, g := range n.Walk.Groups {
				if !g.Listed && !n.Walk.Ranges {
					s.bytes += 80 * len(g.Fields) // a lookup of its own
				}
			}
			for _, f := range n.Fields {
				s.bytes += 20 + len(f.Name)
				if !n.Walk.Ranges {
					s.bytes += 10 + len(f.Name)
				}
			}
		}
	}
	return s
}

// limit returns an error for a package of size s that is too large, by itself or with those before it.
func (l *Lowering) limit(s size, inputs []Input) error {
	message, hint := "", ""
	if excess := s.excess(packageLimit); excess != "" {
		message, hint = "the package would have "+excess, "generate fewer kinds into one package"
	} else if excess := l.total.add(s).excess(callLimit); excess != "" {
		l.full = true
		message, hint = "with this package, all packages together would have "+excess,
			"generate fewer kinds or versions in one call: --kind and --crd-version select them"
	} else {
		return nil
	}
	return &InputError{[]structural.Finding{kindFinding(RuleTooLarge, inputs[0], message, hint)}}
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
		Message: fmt.Sprintf("%s: the name %q has %d bytes, and %d is the limit in generated code", path, plan.FirstBytes(n.name, 40)+"...", len(n.name), maxName),
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
