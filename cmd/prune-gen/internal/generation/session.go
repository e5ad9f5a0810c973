package generation

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/output"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/internal/base/gosource"
	"github.com/prune-gen/prune-gen/internal/generate/target"
	"github.com/prune-gen/prune-gen/structural"
)

// Package is the generated package for one version.
type Package struct {
	Version string
	Dir     string          // its path
	Plan    *generator.Plan // until the files are made
	Kinds   int             // how many it has
	Made    []generator.File
	Files   []*output.File // those that exist or should, sorted by name

	sub    string // the directory below the output directory
	inputs []generator.Input
	there  *target.Package // the Go package, without the files that are replaced
}

// Purpose is what files are generated for.
type Purpose uint8

const (
	ToWrite Purpose = iota
	ToCompare
	ToPlan // nothing is generated
)

// Session is a run of generate or verify, from the CRDs to the changes of each file.
type Session struct {
	*Request
	Packages []*Package

	env     *cli.Environment
	report  *findings.Report
	crds    *crds
	tree    *output.Tree
	modules map[string]*target.Module // by root
}

// Open reads the CRDs, generates the files and compares them with those in the output directory. The caller closes the
// session.
func (g *Request) Open(env *cli.Environment, report *findings.Report, args input.Args, purpose Purpose) (*Session, error) {
	s, err := g.begin(env, report, args)
	if err != nil {
		return nil, err
	}
	// All packages are lowered first: plans are small, and most limits are checked on them.
	lowering := generator.NewLowering(g.options)
	for _, p := range s.Packages {
		if p.Plan, err = s.lower(lowering, p.inputs); err != nil {
			break
		}
	}
	switch {
	case err == nil && purpose == ToPlan:
		return s, nil
	case err == nil && purpose == ToWrite:
		s.findRules()
	}
	stale := output.RemoveStale
	if s.keepStale {
		stale = output.KeepStale
	} else if purpose == ToWrite && underGoGenerate() {
		stale = output.EmptyStale
	}
	for i, p := range s.Packages {
		if err != nil || report.PartFailed() {
			break
		}
		env.Progress.Show("generating %s: %d of %d packages", ShownDir(p.Dir), i+1, len(s.Packages))
		err = s.prepare(p, stale)
	}
	if err == nil && report.PartFailed() {
		err = cli.ErrFindings
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// begin reads the CRDs and decides which of them go where. The caller closes the session.
func (g *Request) begin(env *cli.Environment, report *findings.Report, args input.Args) (*Session, error) {
	args.Kubernetes = g.kubernetes
	read, err := readCRDs(env, report, args)
	if err == nil && report.PartFailed() {
		return nil, cli.ErrFindings
	}
	s := &Session{Request: g, env: env, report: report, crds: read, modules: map[string]*target.Module{}}
	var openErr error
	if s.tree, openErr = output.Open(g.dir); openErr != nil {
		return nil, cmp.Or(err, openErr)
	}
	if err != nil { // there is no CRD at all
		defer s.Close()
		return nil, fmt.Errorf("%w%s", err, s.ifLastKindIsGone())
	}
	if err := s.distribute(); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Close ends the session.
func (s *Session) Close() { s.tree.Close() }

// prepare generates the files for a version and compares them with those in its directory.
func (s *Session) prepare(p *Package, stale output.Stale) error {
	plan := p.Plan
	p.Plan = nil // it is not needed again
	there, have, err := s.findPackage(p.sub)
	if err != nil {
		return err
	}
	options := s.options
	if options.Package, err = PackageName(s.pkg, p.Version, there, have); err != nil {
		return err
	}
	p.Kinds = len(plan.Kinds())
	p.Made, err = plan.Emit(options)
	var bad *generator.InputError
	switch {
	case errors.As(err, &bad):
		s.Find(bad.Findings)
		return nil
	case err != nil:
		return s.bug(err)
	}
	for _, f := range p.Made {
		if !output.IsSafeName(f.Name) || !generator.IsFileName(f.Name) {
			return &cli.InternalError{Err: fmt.Errorf("%q is not a name for a generated file", f.Name)}
		}
	}
	var found []structural.Finding
	p.Files, found = s.tree.Compare(p.sub, options.Package, have, p.Made, stale)
	s.Find(found)
	// Generated files that stay are part of the package.
	p.there, err = target.Find(p.Dir, target.FromEnvironment(), func(name string) bool {
		return slices.ContainsFunc(p.Files, func(f *output.File) bool { return f.Name == filepath.Join(p.sub, name) })
	})
	return err
}

// lower returns the plan for the inputs. It is nil after an error, and after findings.
func (s *Session) lower(lowering *generator.Lowering, inputs []generator.Input) (*generator.Plan, error) {
	plan, err := lowering.Lower(inputs)
	var bad *generator.InputError
	if errors.As(err, &bad) {
		s.Find(bad.Findings)
		return nil, nil
	}
	return plan, err
}

// Write writes the files of all packages.
func (s *Session) Write() error {
	var all []*output.File
	for _, p := range s.Packages {
		all = append(all, p.Files...)
	}
	return s.tree.Write(all)
}

// FindLeftovers reports generated files in directories that this run does not write to.
func (s *Session) FindLeftovers() {
	if s.keepStale {
		return
	}
	var subs []string
	for _, p := range s.Packages {
		subs = append(subs, p.sub)
	}
	s.Find(s.tree.Leftovers(subs))
}

// Find reports findings, file by file.
func (s *Session) Find(found []structural.Finding) {
	s.report.Add(findings.ByFile(found, func(file string, found []structural.Finding) []findings.Snippet {
		if src := s.crds.files[file]; src != nil {
			return src.Snippets(found)
		}
		return findings.Snippets(found, s.goLines(file))
	}))
}

// goLines returns the function that finds a line of a Go file, generated or in the package. It is nil for other files.
func (s *Session) goLines(file string) func(n int) []byte {
	if filepath.Ext(file) != ".go" {
		return nil
	}
	text := s.generated(file)
	if text == nil {
		text, _ = os.ReadFile(file) // without it, there are no lines
	}
	return input.Lines(text)
}

// generated returns the text of a generated file, nil for other files.
func (s *Session) generated(file string) []byte {
	for _, p := range s.Packages {
		for _, f := range p.Made {
			if filepath.Join(p.Dir, f.Name) == file {
				return f.Content
			}
		}
	}
	return nil
}

// bug reports generated code that does not compile, with the lines around the error.
func (s *Session) bug(err error) error {
	var bad *gosource.Error
	if !errors.As(err, &bad) {
		return &cli.InternalError{Err: err}
	}
	fmt.Fprintf(s.env.Stderr, "%s\n", terminal.Escape(bad.Error()))
	for line := range strings.Lines(bad.Listing()) {
		fmt.Fprintf(s.env.Stderr, "%s\n", terminal.EscapeLine(line))
	}
	return &cli.InternalError{Err: fmt.Errorf("generated code does not compile, and nothing was written; "+
		"this is a bug in prune-gen: please report it, with the CRD, at %s", cli.IssuesURL)}
}
