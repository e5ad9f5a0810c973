package generator

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/generator/internal/emit"
	"github.com/prune-gen/prune-gen/generator/internal/lower"
	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/internal/base/gosource"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/structural"
)

// Input is one version of a CRD.
type Input struct {
	CRD     *structural.CRD
	Version *structural.Version
}

// File is a generated file.
type File = gosource.File

// FilePrefix is the prefix of the names of all generated files.
const FilePrefix = "zz_generated.prune"

// GeneratedBy is the first line of every generated file, as Go tools expect it.
const GeneratedBy = emit.GeneratedBy

// InputError reports why no code can be generated for the input.
type InputError struct {
	Findings []structural.Finding
}

func (e *InputError) Error() string {
	lines := make([]string, len(e.Findings))
	for i, f := range e.Findings {
		lines[i] = fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Message)
	}
	return strings.Join(lines, "\n")
}

// Sharing says which equal parts of schemas share a function.
type Sharing = lower.Sharing

const (
	// ShareWithinKinds shares functions within a kind, so that a change to one kind does not change the files of others.
	ShareWithinKinds = lower.ShareWithinKinds
	// ShareAcrossKinds shares functions across the kinds of a package. Shared functions have files of their own.
	ShareAcrossKinds = lower.ShareAcrossKinds
)

// Plan is what a generated package does, with every decision made.
type Plan struct {
	plan     *plan.Plan
	features []feature
	first    Input // findings about the whole package name its kind
	meter    *meter.Meter
}

// String returns the plan as text for people.
func (p *Plan) String() string { return p.plan.String() }

// Kinds returns the kinds of the package, sorted.
func (p *Plan) Kinds() []string {
	kinds := make([]string, len(p.plan.Kinds))
	for i, k := range p.plan.Kinds {
		kinds[i] = k.Kind
	}
	return kinds
}

// KindsWithoutRules returns the kinds that are validated and whose schemas have CEL rules that generated code does not evaluate.
func (p *Plan) KindsWithoutRules() []string {
	if slices.ContainsFunc(p.features, func(f feature) bool { return f.name == FeatureRules }) {
		return nil
	}
	var kinds []string
	for _, k := range p.plan.Kinds {
		if k.HasRules {
			kinds = append(kinds, k.Kind)
		}
	}
	return kinds
}

// Function is a generated function that walks a part of an object.
type Function struct {
	Name string
	Kind string // whose file it is in; empty if kinds share it
	Path string // the shortest one to the part
	// Shared says that other fields have equal values, and that the function is named for what is in them.
	Shared bool
}

// Functions returns the functions of the package, except the exported ones.
func (p *Plan) Functions() []Function {
	var all []Function
	for _, t := range p.plan.Trees {
		for _, n := range t.Funcs {
			all = append(all, Function{t.Pass + n.Name, n.Owner, n.Path, n.Elsewhere})
		}
	}
	return all
}

// ResourceName returns the name of the variable that holds the resource of a kind.
func ResourceName(kind string) string { return emit.ResourceName(lower.Exported(kind)) }

// Generate returns the files of the package for the inputs, sorted by name. The same inputs give the same bytes,
// whatever their order.
func Generate(inputs []Input, opts Options) ([]File, error) {
	p, err := Lower(inputs, opts)
	if err != nil {
		return nil, err
	}
	return p.Emit(opts)
}

// Emit prints the plan as Go files, sorted by name: one for each kind and unit, and one for each unit of which kinds share
// something. The error is an *InputError if the files, or those of all packages of the call, are too large.
func (p *Plan) Emit(opts Options) ([]File, error) {
	if err := opts.validate(); err != nil {
		return nil, err
	}
	r := &renderer{meter: p.meter}
	defer r.done()
	var all []func() (File, error)
	for _, unit := range p.units() {
		for _, k := range p.plan.Kinds {
			if !p.has(k, unit) {
				continue
			}
			all = append(all, func() (File, error) {
				f := newFile(opts, p.about(k, unit))
				p.emitKind(f, k, unit)
				return r.render(f, fileName(k.Kind, unit))
			})
		}
		if p.shares(unit) {
			all = append(all, func() (File, error) {
				f := newFile(opts, emit.AboutShared)
				for _, fn := range p.families(unit) {
					p.emitNodes(f, "", fn, unit)
				}
				return r.render(f, sharedFileName(unit))
			})
		}
	}
	if opts.Register {
		all = append(all, func() (File, error) {
			f := newFile(opts, "")
			emit.Register(f.Group, p.plan.Kinds)
			return r.render(f, FilePrefix+"_register.go")
		})
	}
	files, err := atOnce(all)
	var limit *meter.Error
	switch {
	case errors.As(err, &limit):
		return nil, tooLarge(p.first, limit)
	case err != nil:
		return nil, err
	}
	slices.SortStableFunc(files, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	return files, nil
}

// units returns the units of the package, each once: the one with the resource, whether or not a chosen feature is in it, and those
// of the chosen features.
func (p *Plan) units() []*emit.Unit {
	all := []*emit.Unit{emit.ResourceUnit}
	for _, f := range p.features {
		if !slices.Contains(all, f.walks.In) {
			all = append(all, f.walks.In)
			if data := f.walks.In.Data; data != nil {
				all = append(all, data)
			}
		}
	}
	return all
}

// has reports whether a kind has a file of the unit: it has one with the resource, and others for features that the kind gets.
func (p *Plan) has(k *plan.Kind, unit *emit.Unit) bool {
	return unit == emit.ResourceUnit || slices.ContainsFunc(p.features, func(f feature) bool { return f.isIn(unit) && f.kinds(k.Resource) })
}

// isIn reports whether a unit has functions of the feature, or their data.
func (f feature) isIn(unit *emit.Unit) bool { return f.walks.In == unit || f.walks.In.Data == unit }

// family is a family of functions and the features that use it.
type family struct {
	emit.Functions
	tree     *plan.Tree
	features []feature
}

// families returns the families of functions in a unit.
func (p *Plan) families(unit *emit.Unit) []*family {
	var all []*family
	for _, f := range p.features {
		if !f.isIn(unit) {
			continue
		}
		i := slices.IndexFunc(all, func(fn *family) bool { return fn.Verb == f.walks.Verb })
		if i < 0 {
			i = len(all)
			all = append(all, &family{Functions: f.walks, tree: p.plan.Tree(f.pass.Name)})
		}
		all[i].features = append(all[i].features, f)
	}
	return all
}

// shares reports whether kinds share functions of a unit.
func (p *Plan) shares(unit *emit.Unit) bool {
	return slices.ContainsFunc(p.families(unit), func(fn *family) bool { return len(fn.nodes("")) > 0 })
}

// about returns the comment at the top of a file. The file of the resource need not prune.
func (p *Plan) about(k *plan.Kind, unit *emit.Unit) string {
	prunes := func(fn *family) bool { return fn.Verb == emit.Prune.Verb }
	if unit == emit.ResourceUnit && !slices.ContainsFunc(p.families(unit), prunes) {
		return emit.AboutResource(k)
	}
	return unit.AboutKind(k)
}

// emitKind emits the file of a unit for a kind: the resource, if it is in this unit, and the functions.
func (p *Plan) emitKind(f emit.File, k *plan.Kind, unit *emit.Unit) {
	if unit == emit.ResourceUnit {
		emit.Resource(f.Group, k, p.links(k))
	}
	p.emitFunctions(f, k, unit)
}

// emitFunctions emits the functions of a unit for a kind: what they share, then for each family the exported functions and the functions of
// the nodes that belong to the kind.
func (p *Plan) emitFunctions(f emit.File, k *plan.Kind, unit *emit.Unit) {
	if unit.Kind != nil {
		roots := map[string]string{}
		for _, fn := range p.families(unit) {
			roots[fn.Verb] = p.root(fn.features[0], k)
		}
		unit.Kind(f.Group, k, roots)
	}
	for _, fn := range p.families(unit) {
		for _, feature := range fn.features {
			if feature.kinds(k.Resource) && fn.In == unit {
				feature.emit(f.Group, k, p.names(feature, k))
			}
		}
		p.emitNodes(f, k.Kind, fn, unit)
	}
}

// names returns the names that the function of a feature uses.
func (p *Plan) names(f feature, k *plan.Kind) emit.Names {
	names := emit.Names{Function: f.functionName(k.Ident), Root: p.root(f, k), Node: p.plan.Tree(f.pass.Name).Roots[k.Kind]}
	for _, need := range f.needs {
		i := slices.IndexFunc(p.features, func(f feature) bool { return f.name == need })
		names.Needs = append(names.Needs, p.root(p.features[i], k))
	}
	return names
}

// root returns the name of the function of a feature for the root of a kind.
func (p *Plan) root(f feature, k *plan.Kind) string {
	return f.walks.Verb + p.plan.Tree(f.pass.Name).Roots[k.Kind].Name
}

// emitNodes emits the functions of a family, or their data, that belong to a kind or, with "", those that kinds share.
func (p *Plan) emitNodes(f emit.File, owner string, fn *family, unit *emit.Unit) {
	node := fn.Node
	if fn.In != unit {
		node = fn.Data
	}
	for _, n := range fn.nodes(owner) {
		node(f.Group, n)
	}
}

// nodes returns the nodes whose functions belong to a kind or, with "", those that kinds share.
func (fn *family) nodes(owner string) []*plan.Node {
	return slices.DeleteFunc(slices.Clone(fn.tree.Funcs), func(n *plan.Node) bool { return n.Owner != owner || !fn.Declares(n) })
}

// links returns the functions of a kind that its resource holds.
func (p *Plan) links(k *plan.Kind) []emit.Link {
	var all []emit.Link
	for _, f := range p.features {
		if f.kinds(k.Resource) {
			all = append(all, emit.Link{Field: f.field, Function: f.functionName(k.Ident)})
		}
	}
	return all
}

// fileName returns the name of the file of a unit for a kind.
func fileName(kind string, unit *emit.Unit) string {
	return FilePrefix + unit.Infix + "." + strings.ToLower(kind) + ".go"
}

// sharedFileName returns the name of the file with what kinds share of a unit. It cannot be that of a kind, which has a dot before
// the kind.
func sharedFileName(unit *emit.Unit) string {
	return FilePrefix + unit.Infix + "_shared.go"
}

// newFile starts a file of the package.
func newFile(opts Options, about string) emit.File {
	return emit.NewFile("", opts.Package, emit.Preamble{Header: opts.Header, About: about})
}
