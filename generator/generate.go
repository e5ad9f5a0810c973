// Package generator turns CRDs into Go source. Lower decides everything and leaves a Plan, Emit prints it.
package generator

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/generator/internal/emit"
	"github.com/prune-gen/prune-gen/generator/internal/lower"
	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/structural"
)

// Input is one version of a CRD.
type Input struct {
	CRD     *structural.CRD
	Version *structural.Version
}

// File is a generated file.
type File struct {
	Name    string
	Content []byte
}

// FilePrefix is how the names of all generated files begin.
const FilePrefix = "zz_generated.prune"

// GeneratedBy is the first line of every generated file, as Go tools expect it.
const GeneratedBy = emit.GeneratedBy

// InputError says why the input cannot be turned into code.
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
	// ShareWithinKinds shares functions within a kind, so that a change to one kind leaves the files of all others alone.
	ShareWithinKinds = lower.ShareWithinKinds
	// ShareAcrossKinds shares them across the kinds of a package. What several kinds have in common has files of its own.
	ShareAcrossKinds = lower.ShareAcrossKinds
)

// Plan is what a generated package does, with every decision made.
type Plan struct {
	plan     *plan.Plan
	features []feature
}

// String writes the plan for people.
func (p *Plan) String() string { return p.plan.String() }

// Kinds returns the kinds of the package, sorted.
func (p *Plan) Kinds() []string {
	kinds := make([]string, len(p.plan.Kinds))
	for i, k := range p.plan.Kinds {
		kinds[i] = k.Kind
	}
	return kinds
}

// KindsWithRules returns the kinds that are validated and whose schemas have CEL rules, which generated code does not evaluate.
func (p *Plan) KindsWithRules() []string {
	var kinds []string
	for _, k := range p.plan.Kinds {
		if len(k.Rules) > 0 {
			kinds = append(kinds, k.Kind)
		}
	}
	return kinds
}

// Function is a generated function that walks a part of an object.
type Function struct {
	Name   string
	Kind   string // whose file it is in; empty where kinds share it
	Path   string // of the part that it is named after
	Fields int    // that it names
}

// Functions returns the functions of the package but for the exported ones.
func (p *Plan) Functions() []Function {
	var all []Function
	for _, t := range p.plan.Trees {
		for _, n := range t.Funcs {
			all = append(all, Function{t.Pass + n.Name, n.Owner, n.Path, len(n.Fields)})
		}
	}
	return all
}

// ResourceName returns what the variable with the resource of a kind is called.
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

// Emit prints the plan as Go files, sorted by name: one for each kind and family of functions, the first of which also
// holds the resource.
func (p *Plan) Emit(opts Options) ([]File, error) {
	if err := opts.validate(); err != nil {
		return nil, err
	}
	var all []func() (File, error)
	for _, fn := range p.families() {
		for _, k := range p.plan.Kinds {
			all = append(all, func() (File, error) {
				f := newFile(opts, p.about(k, fn))
				p.emitKind(f, k, fn)
				return render(f, fileName(k.Kind, fn.File))
			})
		}
		if p.shares(fn) {
			all = append(all, func() (File, error) {
				f := newFile(opts, fn.AboutShared)
				p.emitNodes(f, "", fn)
				return render(f, sharedFileName(fn.File))
			})
		}
	}
	if opts.Register {
		all = append(all, func() (File, error) {
			f := newFile(opts, "")
			emit.Register(f.Group, p.plan.Kinds)
			return render(f, FilePrefix+"_register.go")
		})
	}
	files, err := atOnce(all)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	return files, nil
}

// shares reports whether kinds share functions of a family.
func (p *Plan) shares(fn emit.Functions) bool {
	tree := p.tree(fn)
	return tree != nil && slices.ContainsFunc(tree.Funcs, func(n *plan.Node) bool { return n.Owner == "" })
}

// tree returns the tree that a family walks, nil where no chosen feature has the family.
func (p *Plan) tree(fn emit.Functions) *plan.Tree {
	at := slices.IndexFunc(p.features, func(f feature) bool { return f.walks.File == fn.File })
	if at < 0 {
		return nil
	}
	return p.plan.Tree(p.features[at].pass.Name)
}

// families returns the families of functions of the chosen features, each once, and before them the one that has the
// file of the resource, whether or not it is among them.
func (p *Plan) families() []emit.Functions {
	all := []emit.Functions{features[0].walks}
	for _, f := range p.features {
		if !slices.ContainsFunc(all, func(fn emit.Functions) bool { return fn.File == f.walks.File }) {
			all = append(all, f.walks)
		}
	}
	return all
}

// about returns what the file of a family says about itself. The file of the resource may have nothing else in it.
func (p *Plan) about(k *plan.Kind, fn emit.Functions) string {
	if slices.ContainsFunc(p.features, func(f feature) bool { return f.walks.File == fn.File }) {
		return fn.About(k)
	}
	return emit.AboutResource(k)
}

// emitKind emits what the file of one family holds for a kind: the resource, in the first, then the exported functions,
// then those of the nodes that belong to the kind.
func (p *Plan) emitKind(f emit.File, k *plan.Kind, fn emit.Functions) {
	if fn.File == "" {
		emit.Resource(f.Group, k, p.links(k))
	}
	for _, feature := range p.features {
		if feature.walks.File == fn.File && feature.isFor(k.Status) {
			root := p.plan.Tree(feature.pass.Name).Roots[k.Kind]
			feature.emit(f.Group, k, feature.functionName(k.Ident), fn.Verb+root.Name)
		}
	}
	p.emitNodes(f, k.Kind, fn)
}

// emitNodes emits the functions of a family that belong to a kind, or with "" those that kinds share.
func (p *Plan) emitNodes(f emit.File, owner string, fn emit.Functions) {
	tree := p.tree(fn)
	if tree == nil {
		return
	}
	for _, n := range tree.Funcs {
		if n.Owner == owner {
			fn.Node(f.Group, n)
		}
	}
}

// links returns the functions of a kind that its resource holds.
func (p *Plan) links(k *plan.Kind) []emit.Link {
	var all []emit.Link
	for _, f := range p.features {
		if f.isFor(k.Status) {
			all = append(all, emit.Link{Field: f.field, Function: f.functionName(k.Ident)})
		}
	}
	return all
}

// fileName returns the name of the file that holds a family of functions of a kind.
func fileName(kind, family string) string {
	if family != "" {
		family = "_" + family
	}
	return FilePrefix + family + "." + strings.ToLower(kind) + ".go"
}

// sharedFileName returns the name of the file that holds what kinds share of a family. The name of a file of a kind has a
// point where this one does not.
func sharedFileName(family string) string {
	if family != "" {
		family = "_" + family
	}
	return FilePrefix + family + "_shared.go"
}

// newFile starts a file of the package.
func newFile(opts Options, about string) emit.File {
	return emit.NewFile("", opts.Package, emit.Preamble{Header: opts.Header, BuildTag: opts.BuildTag, About: about})
}

// render finishes a file. The error is a *SourceError.
func render(f emit.File, name string) (File, error) {
	content, err := f.Render()
	switch {
	case err != nil && content != nil:
		return File{}, newSourceError(name, content, err)
	case err != nil:
		return File{}, &SourceError{File: name, Message: err.Error()}
	}
	return File{name, content}, nil
}
