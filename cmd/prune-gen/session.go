package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/output"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/generator/source"
	"github.com/prune-gen/prune-gen/generator/target"
	"github.com/prune-gen/prune-gen/structural"
)

// packageFiles are the files of the package for one version.
type packageFiles struct {
	version string
	sub     string // the directory below the output directory
	dir     string // the path of that
	inputs  []generator.Input
	plan    *generator.Plan // until the files are made
	ruled   []string        // the kinds with CEL rules, which validation leaves out
	kinds   int
	name    string // of the package
	made    []generator.File
	emptied map[string]bool // the names in files of those with nothing in them
	files   []*output.File
}

// changed reports whether a file has to change.
func (p *packageFiles) changed() bool {
	return slices.ContainsFunc(p.files, func(f *output.File) bool { return f.Change() != output.Keep })
}

// replaces reports whether a file in the directory will be written or removed.
func (p *packageFiles) replaces(name string) bool {
	name = filepath.Join(p.sub, name)
	_, found := slices.BinarySearchFunc(p.files, name, func(f *output.File, name string) int { return strings.Compare(f.Name, name) })
	return found
}

// purpose is what the files are generated for.
type purpose uint8

const (
	toWrite purpose = iota
	toCompare
)

// session is a run of generate or verify, from the CRDs to the changes of each file. It writes nothing.
type session struct {
	*generation
	purpose  purpose
	env      *environment
	report   *findings.Report
	crds     *crds
	tree     *output.Tree
	outputs  []*packageFiles
	progress *terminal.Progress
}

// open reads the CRDs, generates the files and compares them with those in the output directory. The caller closes the
// session.
func (g *generation) open(env *environment, report *findings.Report, args []string, purpose purpose) (*session, error) {
	s, err := g.begin(env, report, args)
	if err != nil {
		return nil, err
	}
	s.purpose = purpose
	s.progress = env.startProgress()
	// All are lowered first: plans are small, and most of what is too large is known from them.
	lowering := generator.NewLowering(g.options)
	for _, p := range s.outputs {
		if p.plan, err = s.lower(lowering, p.inputs); err != nil {
			break
		}
		if p.plan != nil {
			p.ruled = p.plan.KindsWithRules()
		}
	}
	for i, p := range s.outputs {
		if err != nil || report.Failed() {
			break
		}
		s.progress.Show("%s", step("generating", p, i, len(s.outputs)))
		err = s.prepare(p)
	}
	if err == nil && report.Failed() {
		err = errFindings
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// step says what is done with the i-th of n packages.
func step(doing string, p *packageFiles, i, n int) string {
	text := fmt.Sprintf("%s %s in %s", doing, findings.Count(len(p.inputs), "kind"), shownDir(p.dir))
	if n > 1 {
		text += fmt.Sprintf(": %d of %d", i+1, n)
	}
	return text
}

// begin reads the CRDs and decides which of them go where. The caller closes the session.
func (g *generation) begin(env *environment, report *findings.Report, args []string) (*session, error) {
	read, err := readCRDs(env, report, args)
	if err != nil {
		return nil, err
	}
	if report.Failed() {
		return nil, errFindings
	}
	s := &session{generation: g, env: env, report: report, crds: read}
	if s.tree, err = output.Open(g.dir); err != nil {
		return nil, err
	}
	if err := s.distribute(); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *session) close() {
	s.stopProgress()
	s.tree.Close()
}

// stopProgress removes the progress line, before the output.
func (s *session) stopProgress() {
	s.progress.Stop()
	s.progress = nil
}

// prepare generates the files for a version and compares them with those in its directory.
func (s *session) prepare(p *packageFiles) error {
	plan := p.plan
	p.plan = nil // it is not needed again
	there, have, err := s.findPackage(p.sub)
	if err != nil {
		return err
	}
	options := s.options
	if p.name, err = packageName(s.pkg, p.version, there, have); err != nil {
		return err
	}
	options.Package = p.name
	p.kinds = len(plan.Kinds())
	p.made, err = plan.Emit(options)
	var bad *generator.InputError
	switch {
	case errors.As(err, &bad):
		s.find(bad.Findings)
		return nil
	case err != nil:
		return s.bug(err)
	}
	for _, f := range p.made {
		if !output.IsSafeName(f.Name) || !generator.IsFileName(f.Name) {
			return &internalError{fmt.Errorf("%q is not a name for a generated file", f.Name)}
		}
	}
	empty := s.emptied(p.name, have, p.made)
	p.emptied = map[string]bool{}
	for _, f := range empty {
		p.emptied[filepath.Join(p.sub, f.Name)] = true
	}
	var found []structural.Finding
	p.files, found = s.tree.Compare(p.sub, have, slices.Concat(p.made, empty), s.keepStale)
	s.find(found)
	return nil
}

// lower returns the plan for the inputs. It is nil after an error, and after findings.
func (s *session) lower(lowering *generator.Lowering, inputs []generator.Input) (*generator.Plan, error) {
	plan, err := lowering.Lower(inputs)
	var bad *generator.InputError
	if errors.As(err, &bad) {
		s.find(bad.Findings)
		return nil, nil
	}
	return plan, err
}

// tags returns the build tags that are set for all Go packages.
func (g *generation) tags() []string {
	return slices.Concat(target.FromEnvironment(), g.constraint.Tags)
}

// findLeftovers reports generated files in directories that this run does not write to.
func (s *session) findLeftovers() {
	if s.keepStale {
		return
	}
	var subs []string
	for _, p := range s.outputs {
		subs = append(subs, p.sub)
	}
	s.find(s.tree.Leftovers(subs))
}

// find reports findings, file by file.
func (s *session) find(found []structural.Finding) {
	byFile := map[string][]structural.Finding{}
	for _, f := range found {
		byFile[f.File] = append(byFile[f.File], f)
	}
	for _, file := range slices.Sorted(maps.Keys(byFile)) {
		found := byFile[file]
		findings.Sort(found)
		var snippets []findings.Snippet
		if src := s.crds.files[file]; src != nil {
			snippets = src.Snippets(found)
		} else {
			snippets = findings.Snippets(found, s.goLines(file))
		}
		s.progress.Aside(func() { s.report.Add(snippets) })
	}
}

// goLines returns the function that finds a line of a Go file, generated or in the package. It is nil for other files.
func (s *session) goLines(file string) func(n int) []byte {
	if filepath.Ext(file) != ".go" {
		return nil
	}
	text := s.generated(file)
	if text == nil {
		text = input.ReadAgain(file)
	}
	lines := bytes.Split(text, []byte("\n"))
	return func(n int) []byte {
		if n > len(lines) {
			return nil
		}
		return bytes.TrimSuffix(lines[n-1], []byte("\r"))
	}
}

// generated returns the text of a generated file, nil for other files.
func (s *session) generated(file string) []byte {
	for _, p := range s.outputs {
		for _, f := range p.made {
			if filepath.Join(p.dir, f.Name) == file {
				return f.Content
			}
		}
	}
	return nil
}

// bug reports generated code that is wrong, with the lines that show it.
func (s *session) bug(err error) error {
	var bad *source.Error
	if !errors.As(err, &bad) {
		return &internalError{err}
	}
	s.progress.Aside(func() {
		fmt.Fprintf(s.env.stderr, "%s\n", terminal.Escape(bad.Error()))
		for line := range strings.Lines(bad.Listing()) {
			fmt.Fprintf(s.env.stderr, "%s\n", terminal.EscapeLine(line))
		}
	})
	return &internalError{fmt.Errorf("generated code does not compile, and nothing was written; "+
		"this is a bug in prune-gen: please report it, with the CRD, at %s", issuesURL)}
}
