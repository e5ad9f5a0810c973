package generator

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/generator/internal/lower"
	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/structural"
)

// Lower decides what the package for the inputs does, as far as the features and the semantics in opts ask for it. An
// error about the inputs is an *InputError.
func Lower(inputs []Input, opts Options) (*Plan, error) { return NewLowering(opts).Lower(inputs) }

// Lowering lowers the packages of one call. What several of them have in common is worked out once, and the limits hold
// for all of them together.
type Lowering struct {
	opts     Options
	features []feature
	schemas  map[schemaKey]*schema
	plans    map[string]*plan.Plan
	total    size
	full     bool // all together are too large, which is known
}

// NewLowering returns a Lowering for packages with these options.
func NewLowering(opts Options) *Lowering {
	return &Lowering{opts: opts, features: opts.Features.chosen(), schemas: map[schemaKey]*schema{}, plans: map[string]*plan.Plan{}}
}

// schemaKey identifies a schema that is written once for many versions, as v1beta1 allows it.
type schemaKey struct {
	raw    *structural.JSONSchema
	pruned bool
}

// schema is what becomes of the schema of a version.
type schema struct {
	usable  *structural.Schema // nil where there is none
	hash    string
	refused []structural.Finding
	long    []longName
	told    bool // another version had the same schema, and what is wrong with it is known
}

// Lower decides what the package for the inputs does. An error about the inputs is an *InputError. It has no findings where
// they would be those of an earlier package.
func (l *Lowering) Lower(inputs []Input) (*Plan, error) {
	if l.full {
		return nil, &InputError{}
	}
	// What is too large without a look at the schemas is not worth one.
	if err := l.limit(size{functions: len(inputs) * len(l.features)}, inputs); err != nil {
		return nil, err
	}
	var resources []lower.Resource
	var findings []structural.Finding
	bad := false
	for _, in := range inputs {
		s := l.schema(in)
		findings = append(findings, s.findings(in)...)
		bad = bad || len(s.refused)+len(s.long) > 0
		resources = append(resources, lower.Resource{CRD: in.CRD, Version: in.Version, Schema: s.usable, Hash: s.hash, Semantics: l.opts.Semantics})
	}
	findings = append(findings, unusableKinds(inputs)...)
	findings = append(findings, clashes(inputs)...)
	if bad || len(findings) > 0 {
		return nil, &InputError{findings}
	}
	versions := map[string]string{}
	var parts []string
	for _, r := range resources {
		versions[r.CRD.Names.Kind] = r.Version.Name
		parts = append(parts, fmt.Sprintf("%p %p %t %s", r.CRD, r.Version.Schema, r.Version.Pruned, besidesSchema(r)))
	}
	slices.Sort(parts)
	key := strings.Join(parts, "\n")
	if l.plans[key] == nil {
		// What is too large after some passes need not go through the others: it is refused below.
		tooLarge := func(p *plan.Plan) bool { return (&Plan{p, l.features}).size().excess(packageLimit) != "" }
		l.plans[key] = lower.PlanUpTo(resources, passes(l.features), l.opts.Sharing, tooLarge)
	}
	p := &Plan{l.plans[key].ForVersions(versions), l.features}
	if err := l.limit(p.size(), inputs); err != nil {
		return nil, err
	}
	l.total = l.total.add(p.size())
	return p, nil
}

// besidesSchema names what a plan takes from a version besides its name and its schema.
func besidesSchema(r lower.Resource) string {
	var scale structural.ScalePaths
	if r.Version.Scale != nil {
		scale = *r.Version.Scale
	}
	return fmt.Sprintf("%t %t %q %q", r.Version.HasStatus, r.Version.HasScale, scale, structural.DeprecationWarning(r.CRD, r.Version))
}

// schema returns the structural schema of a version, or why there is none. What the API server does not prune need not be
// structural.
func (l *Lowering) schema(in Input) *schema {
	key := schemaKey{in.Version.Schema, in.Version.Pruned}
	if s := l.schemas[key]; s != nil {
		return s
	}
	s := &schema{}
	s.usable, s.refused = structural.UsableSchema(in.CRD, in.Version)
	s.long = longNames(s.usable, in.Version.SchemaPath)
	if len(s.refused)+len(s.long) == 0 {
		s.hash = structural.Hash(s.usable, in.Version.Pruned, l.opts.Semantics, aspects(l.features))
	}
	if isShared(in) {
		l.schemas[key] = s
	}
	return s
}

// isShared reports whether other versions have the very same schema.
func isShared(in Input) bool {
	n := 0
	for _, v := range in.CRD.Versions {
		if v.Schema == in.Version.Schema {
			n++
		}
	}
	return n > 1
}

// findings returns what is wrong with the schema, once.
func (s *schema) findings(in Input) []structural.Finding {
	if s.told {
		return nil
	}
	s.told = true
	findings := s.refused
	for _, n := range s.long {
		findings = append(findings, n.finding(in))
	}
	return findings
}
