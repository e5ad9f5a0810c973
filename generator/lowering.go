package generator

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/generator/internal/lower"
	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/crd/origin"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/structural"
)

// Lower returns the plan of the package for the inputs, with the features and the semantics in opts. An error about the inputs
// is an *InputError.
func Lower(inputs []Input, opts Options) (*Plan, error) { return NewLowering(opts).Lower(inputs) }

// Lowering lowers the packages of one call. A schema that several of them share is lowered once, and all packages share a meter.
type Lowering struct {
	opts     Options
	features []feature
	schemas  map[schemaKey]*schema
	plans    map[string]*plan.Plan
	meter    *meter.Meter // of the first CRD
}

// NewLowering returns a Lowering for packages with these options.
func NewLowering(opts Options) *Lowering {
	return &Lowering{opts: opts, features: opts.Features.chosen(), schemas: map[schemaKey]*schema{}, plans: map[string]*plan.Plan{}}
}

// schemaKey identifies a schema. In v1beta1, many versions can have the same one.
type schemaKey struct {
	crd    *structural.CRD // what is not in the schema, the scope for example, is the same for its versions
	raw    *structural.JSONSchema
	pruned bool
}

// schema is the result of reading the schema of a version.
type schema struct {
	behavior structural.Behavior
	hash     string
	refused  bool
	findings []structural.Finding // none if they are reported, for another version with the same schema
}

// Lower returns the plan of the package for the inputs. An error about the inputs is an *InputError; its Findings are empty if
// an earlier package reported them.
func (l *Lowering) Lower(inputs []Input) (*Plan, error) {
	if l.meter.Spent() {
		return nil, &InputError{} // a finding about an earlier package says so
	}
	if l.meter == nil {
		l.meter = origin.Limits(inputs[0].CRD)
	}
	// Too many inputs are refused before their schemas are read.
	if err := l.hold(meter.UnitsOfFunction*len(inputs)*len(l.features), inputs[0]); err != nil {
		return nil, err
	}
	var resources []lower.Resource
	var findings []structural.Finding
	bad := false
	for _, in := range inputs {
		s := l.schema(in)
		findings = append(findings, s.findings...)
		s.findings = nil
		bad = bad || s.refused
		resources = append(resources, lower.Resource{CRD: in.CRD, Version: in.Version, Behavior: s.behavior, Hash: s.hash})
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
		parts = append(parts, fmt.Sprintf("%p %p %t %s", r.CRD, r.Written, r.Pruned, besidesSchema(r)))
	}
	slices.Sort(parts)
	key := strings.Join(parts, "\n")
	if l.plans[key] == nil {
		// A plan that is too large after some passes is refused below, without the other passes.
		tooLarge := func(p *plan.Plan) bool {
			return int64((&Plan{plan: p, features: l.features}).cost()) > l.meter.Left()
		}
		l.plans[key] = lower.Plan(resources, passes(l.features), l.opts.Sharing, tooLarge)
	}
	p := &Plan{plan: l.plans[key].ForVersions(versions), features: l.features, first: inputs[0], meter: l.meter}
	if err := l.hold(p.cost(), inputs[0]); err != nil {
		return nil, err
	}
	return p, nil
}

// hold charges the meter for making a package, and refunds most of it: packages are made one after the other.
func (l *Lowering) hold(units int, first Input) error {
	if !l.meter.Spend(units) {
		return tooLarge(first, l.meter.Err())
	}
	l.meter.Refund(units - units/meter.HeldUnits)
	return nil
}

// besidesSchema names what a plan takes from a version besides its name and its schema.
func besidesSchema(r lower.Resource) string {
	var scale structural.ScalePaths
	if r.Version.Scale != nil {
		scale = *r.Version.Scale
	}
	return fmt.Sprintf("%t %t %q %q", r.Version.HasStatus, r.Version.Scale != nil, scale, structural.DeprecationWarning(r.CRD, r.Version))
}

// schema returns the structural schema of a version, or the findings that explain why it has none. Only schemas that the API
// server prunes by need to be structural.
func (l *Lowering) schema(in Input) *schema {
	key := schemaKey{in.CRD, in.Version.Schema, in.Version.Pruned}
	if s := l.schemas[key]; s != nil {
		return s
	}
	s := &schema{behavior: structural.NewBehavior(in.CRD, in.Version, l.opts.Semantics), findings: lint.Refusals(in.CRD, in.Version)}
	s.findings = append(s.findings, longNames(in, s.behavior.Schema, in.Version.SchemaPath)...)
	if s.refused = len(s.findings) > 0; !s.refused {
		s.hash = s.behavior.Hash(aspects(l.features))
	}
	if isShared(in) {
		l.schemas[key] = s
	}
	return s
}

// isShared reports whether another version has the same schema.
func isShared(in Input) bool {
	n := 0
	for _, v := range in.CRD.Versions {
		if v.Schema == in.Version.Schema {
			n++
		}
	}
	return n > 1
}
