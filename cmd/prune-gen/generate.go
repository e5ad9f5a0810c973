package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/output"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/generator"
)

const generateAbout = `Write Go functions that prune, normalize and validate the objects of each kind, and the variable <Kind>Resource that
holds them. There is a file for each kind and subject: zz_generated.prune.<kind>.go holds the resource and prunes,
zz_generated.prune_normalize.<kind>.go normalizes, zz_generated.prune_validate.<kind>.go validates. One version goes to
the output directory, several go to subdirectories named after them. Group and version are those of the Go package
there, by its marker +groupName and its name, unless flags select others. Nothing is written unless all files compile,
by themselves and with the Go package in their directory, if that compiles without them. Generated files in these
directories that are no longer wanted are removed.
A CRD is a file, a directory, or - for standard input.`

// runGenerate writes the Go files for the CRDs that args name.
func runGenerate(env *environment, args []string) error {
	fl := newFlags("generate", "CRD...", generateAbout)
	flags := fl.generation()
	dumpPlan := fl.Bool("dump-plan", false, "print the plan of what would be generated, and write nothing")
	dryRun := fl.Bool("dry-run", false, "print what would be written, and write nothing")
	how := fl.findings()
	crds, err := fl.parseCRDs(env, args)
	if err != nil {
		return err
	}
	g, err := flags.generation()
	if err != nil {
		return err
	}
	var past *past
	if !*dumpPlan && !*dryRun {
		if past = g.recall(env, fl.name, args, crds); past.answers() {
			return nil
		}
		// It is said once that a run was undone.
		if err := g.recover(env); err != nil {
			return err
		}
		env = past.listen(env)
	}
	report := how.report(env.stderr, env.stderrTerminal)
	if *dumpPlan {
		return how.finishQuietly(report, g.dumpPlans(env, report, crds))
	}
	s, err := g.open(env, report, crds, toWrite)
	if err == nil {
		defer s.close()
		s.findLeftovers()
		err = s.generate(*dryRun)
	}
	if err == nil {
		s.stopProgress()
		s.summarize(env.stdout, *dryRun, *how.quiet)
		if !*how.quiet {
			s.warnOfRules()
		}
	}
	err = how.finishQuietly(report, err)
	if err == nil {
		past.keep(s, func() string {
			var unchanged strings.Builder
			s.summarize(&unchanged, false, *how.quiet)
			return unchanged.String()
		})
	}
	if errors.Is(err, errFindings) && how.text() && !*dryRun {
		fmt.Fprintln(env.stderr, "nothing was written")
	}
	return err
}

// recover undoes what a run began that was killed while it wrote to the output directory.
func (g *generation) recover(env *environment) error {
	tree, err := output.Open(g.dir)
	if err != nil {
		return err
	}
	defer tree.Close()
	undone, err := tree.Recover()
	if undone {
		fmt.Fprintf(env.stderr, "%s: undid what an interrupted run had begun to write\n", terminal.Escape(g.dir))
	}
	return err
}

// generate compiles the files, and writes them unless this is a dry run.
func (s *session) generate(dryRun bool) error {
	if err := s.compile(); err != nil || dryRun {
		return err
	}
	s.progress.Show("writing")
	var all []*output.File
	for _, p := range s.outputs {
		all = append(all, p.files...)
	}
	return s.tree.Write(all)
}

// summarize prints to w what was done, or in a dry run what would be.
func (s *session) summarize(w io.Writer, dryRun, quiet bool) {
	for _, p := range s.outputs {
		for _, f := range p.files {
			change := f.Change()
			if !dryRun || change == output.Keep {
				continue
			}
			verb := change.String()
			if p.emptied[f.Name] {
				verb = "empty"
			}
			fmt.Fprintf(w, "would %s %s\n", verb, terminal.Escape(f.Path()))
		}
		if !quiet {
			fmt.Fprintln(w, p.summary(dryRun))
		}
	}
}

// warnOfRules says, once a call, that generated validation leaves out CEL rules.
func (s *session) warnOfRules() {
	var kinds []string
	for _, p := range s.outputs {
		kinds = append(kinds, p.ruled...)
	}
	slices.Sort(kinds)
	kinds = slices.Compact(kinds)
	if len(kinds) == 0 {
		return
	}
	const most = 5
	names := terminal.Escape(strings.Join(kinds[:min(len(kinds), most)], ", "))
	if len(kinds) > most {
		names += fmt.Sprintf(" and %d more", len(kinds)-most)
	}
	fmt.Fprintf(s.env.stderr, "warning: Validate does not evaluate the CEL rules (x-kubernetes-validations) of %s\n", names)
}

// dumpPlans prints the plan of each version.
func (g *generation) dumpPlans(env *environment, report *findings.Report, args []string) error {
	s, err := g.begin(env, report, args)
	if err != nil {
		return err
	}
	defer s.close()
	lowering := generator.NewLowering(g.options)
	printed := 0
	for _, p := range s.outputs {
		plan, err := s.lower(lowering, p.inputs)
		if err != nil {
			return err
		}
		if plan == nil {
			continue
		}
		if printed++; printed > 1 {
			fmt.Fprintln(env.stdout)
		}
		for line := range strings.Lines(plan.String()) {
			fmt.Fprintln(env.stdout, terminal.EscapeLine(line))
		}
	}
	return nil
}

// summary returns the line about a version: what was generated, and what happened to the files.
func (p *packageFiles) summary(dryRun bool) string {
	var n [output.Remove + 1]int
	emptied := 0
	for _, f := range p.files {
		if p.emptied[f.Name] {
			emptied++
		} else {
			n[f.Change()]++
		}
	}
	functions, bytes := p.size()
	written, unchanged, removed := n[output.Create]+n[output.Update], n[output.Keep], n[output.Remove]
	parts := []string{findings.Count(p.kinds, "kind"), findings.Count(functions, "function"), size(bytes) + " in " + terminal.Escape(shownDir(p.dir))}
	part := func(n int, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf(what, n))
		}
	}
	if dryRun {
		part(written, "%d to write")
		part(unchanged, "%d unchanged")
		part(removed, "%d to remove")
		part(emptied, "%d to empty")
	} else {
		if written > 0 {
			parts = append(parts, findings.Count(written, "file")+" written")
		}
		part(unchanged, "%d unchanged")
		part(removed, "%d removed")
		part(emptied, "%d emptied (the next call removes what go generate has yet to read)")
	}
	return terminal.Escape(p.version) + ": " + strings.Join(parts, ", ")
}

// size returns the number of functions and of bytes in the generated files. They are formatted, so that nothing but a
// function begins like one.
func (p *packageFiles) size() (functions, size int) {
	for _, f := range p.made {
		functions += bytes.Count(f.Content, []byte("\nfunc "))
		size += len(f.Content)
	}
	return functions, size
}

// size returns a number of bytes for people.
func size(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1000)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1000_000)
}
