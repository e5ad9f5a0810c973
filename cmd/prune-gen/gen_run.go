package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/generator/target"
	"github.com/prune-gen/prune-gen/structural"
)

// output is the package for one version.
type output struct {
	version string
	sub     string // the directory below that of the tree
	dir     string // the same as a path
	kinds   int
	made    []generator.File
	files   []*outputFile
}

// changed tells whether there is anything to do.
func (o *output) changed() bool {
	return slices.ContainsFunc(o.files, func(f *outputFile) bool { return f.change() != changeNone })
}

// session is one call of generate or verify, from the CRDs to what is to become of each file. Nothing is written by it.
type session struct {
	*generation
	env      *environment
	report   *reporter
	crds     *crds
	tree     *tree
	outputs  []*output
	progress *progress
}

// open reads the CRDs. The caller closes the session if there is one.
func (g *generation) open(env *environment, report *reporter, args []string) (*session, error) {
	read, err := readCRDs(env, report, args)
	if err != nil {
		return nil, err
	}
	if report.failed() {
		return nil, errFindings
	}
	selected, err := read.selectVersions(g.kinds, g.versions)
	if err != nil {
		return nil, err
	}
	s := &session{generation: g, env: env, report: report, crds: read}
	if s.tree, err = openTree(g.dir); err != nil {
		return nil, err
	}
	for _, version := range sortedKeys(selected) {
		if !isSafeName(version) {
			s.tree.close()
			return nil, fmt.Errorf("version %q cannot be the name of a directory", version)
		}
		o := &output{version: version, sub: "."}
		if len(selected) > 1 {
			o.sub = version
		}
		o.dir = filepath.Join(g.dir, o.sub)
		s.outputs = append(s.outputs, o)
	}
	s.progress = env.startProgress()
	// Plans are not kept, so that only one of them is in memory.
	for i, o := range s.outputs {
		s.progress.show("generating %s: %d of %d", o.version, i+1, len(s.outputs))
		if err := s.prepare(o, selected[o.version]); err != nil {
			s.close()
			return nil, err
		}
	}
	if report.failed() {
		s.close()
		return nil, errFindings
	}
	return s, nil
}

func (s *session) close() {
	s.stopProgress()
	s.tree.close()
}

// stopProgress takes the progress line away, before something is printed that is to stay.
func (s *session) stopProgress() {
	s.progress.stop()
	s.progress = nil
}

// prepare makes the files for one version and compares them with those that are there.
func (s *session) prepare(o *output, inputs []generator.Input) error {
	plan, err := s.lower(inputs)
	if plan == nil {
		return err
	}
	have, err := s.tree.list(o.sub)
	if err != nil {
		return err
	}
	there, err := target.Find(o.dir, s.tags(), func(name string) bool { return have[name] != nil && have[name].wrong == nil })
	if err != nil {
		return err
	}
	options := s.options
	if options.Package, err = s.packageName(o.version, o.dir, there, have); err != nil {
		return err
	}
	o.kinds = len(plan.Kinds())
	if o.made, err = plan.Emit(options); err != nil {
		return s.bug(err)
	}
	for _, f := range o.made {
		if !isSafeName(f.Name) || !isOurName(f.Name) {
			return &internalError{fmt.Errorf("%q is not a name for a generated file", f.Name)}
		}
	}
	var findings []structural.Finding
	o.files, findings = s.tree.compareFiles(o.sub, have, o.made, s.keepStale)
	s.find(findings)
	return nil
}

// lower returns the plan for the inputs, or nil when it was reported why there is none.
func (s *session) lower(inputs []generator.Input) (*generator.Plan, error) {
	plan, err := generator.Lower(inputs, s.options)
	var bad *generator.InputError
	if errors.As(err, &bad) {
		s.find(bad.Findings)
		return nil, nil
	}
	return plan, err
}

// tags are the build tags that are set wherever we look at Go packages.
func (g *generation) tags() []string {
	return slices.Concat(target.FromEnvironment(), g.constraint.Tags)
}

// find reports findings.
func (s *session) find(findings []structural.Finding) {
	if len(findings) == 0 {
		return // nearly always, and there can be thousands of outputs
	}
	made := map[string][]byte{}
	for _, o := range s.outputs {
		for _, f := range o.made {
			made[filepath.Join(o.dir, f.Name)] = f.Content
		}
	}
	s.progress.aside(func() { s.report.findings(s.crds.snippets(findings, made)) })
}

// bug reports code of ours that is wrong, with the lines that show it.
func (s *session) bug(err error) error {
	var source *generator.SourceError
	if !errors.As(err, &source) {
		return &internalError{err}
	}
	s.progress.aside(func() {
		fmt.Fprintf(s.env.stderr, "%s\n", escape(source.Error()))
		for line := range strings.Lines(source.Listing()) {
			fmt.Fprintf(s.env.stderr, "%s\n", escape(strings.TrimSuffix(line, "\n")))
		}
	})
	return &internalError{fmt.Errorf("generated code does not compile, and nothing was written; "+
		"this is a bug in prune-gen: please report it, with the CRD, at %s", issuesURL)}
}

// failed tells whether what was found so far keeps the command from going on.
func (r *reporter) failed() bool {
	return r.tally.errors > 0 || r.strict && r.tally.warnings > 0
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// functions counts the functions in generated files. They are formatted, so that nothing else looks like one.
func (o *output) functions() int {
	n := 0
	for _, f := range o.made {
		n += bytes.Count(f.Content, []byte("\nfunc "))
	}
	return n
}

// bytes returns the size of all generated files.
func (o *output) bytes() int {
	n := 0
	for _, f := range o.made {
		n += len(f.Content)
	}
	return n
}
