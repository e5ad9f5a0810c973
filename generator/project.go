package generator

import (
	"strings"

	"github.com/prune-gen/prune-gen/generator/internal/emit"
	"github.com/prune-gen/prune-gen/generator/internal/lower"
	"github.com/prune-gen/prune-gen/internal/crd/origin"
	"github.com/prune-gen/prune-gen/structural"
)

// projections has the function of a projection, whose name stands in the place of the kind.
var projections = []feature{
	{function: "%s", kinds: always, pass: lower.Project, walks: emit.Prune, emit: emit.ProjectAPI},
}

// ProjectionFile returns the name of the file of the projection with a name.
func ProjectionFile(name string) string {
	return "zz_generated.project." + strings.ToLower(name) + ".go"
}

// Project returns the file of a projection: a function that drops from the objects of a kind what a schema does not specify. Metadata is a part of this
// schema like any other.
func Project(in Input, schema *structural.Schema, name string, opts Options) (File, error) {
	if err := opts.validate(); err != nil {
		return File{}, err
	}
	if found := append(unusableKinds([]Input{in}), longNames(in, schema, in.Version.SchemaPath)...); len(found) > 0 {
		return File{}, &InputError{found}
	}
	r := lower.Resource{CRD: in.CRD, Version: in.Version, Variant: name, Behavior: structural.Behavior{Schema: schema, Pruned: true}}
	p := &Plan{plan: lower.Plan([]lower.Resource{r}, []lower.Pass{lower.Project}, ShareWithinKinds, nil), features: projections}
	m := origin.Limits(in.CRD)
	if !m.Spend(p.cost()) {
		return File{}, tooLarge(in, m.Err())
	}
	k := p.plan.Kinds[0]
	f := newFile(opts, emit.ProjectUnit.AboutKind(k))
	emit.Contract(f.Group)
	for _, unit := range p.units() {
		p.emitFunctions(f, k, unit)
	}
	return (&renderer{meter: m}).render(f, ProjectionFile(name))
}
