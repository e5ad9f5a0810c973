package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

const generateAbout = `Write Go functions for each kind: Prune<Kind>, Prune<Kind>Report and Check<Kind>, and the variable <Kind>Resource that
holds them. One version is written into the output directory, several are written into directories of their own in it,
named after them. Nothing is written unless all of it compiles, also together with the Go package that is there already,
if that compiles by itself.
Generated files in these directories that are no longer wanted are removed.
A CRD is a file, a directory, or - for standard input.`

// runGenerate writes the Go files for the CRDs that args name.
func runGenerate(env *environment, args []string) error {
	fl := newFlags("generate", "CRD...", generateAbout)
	flags := fl.generation()
	dumpPlan := fl.Bool("dump-plan", false, "print what would be generated, as a plan, and write nothing")
	dryRun := fl.Bool("dry-run", false, "say what would be written, and write nothing")
	how := fl.findings()
	args, err := fl.parseCRDs(env, args)
	if err != nil {
		return err
	}
	g, err := flags.generation()
	if err != nil {
		return err
	}
	report := how.reporter(env.stderr, env.stderrTerminal)
	if *dumpPlan {
		return finishFindings(how, report, g.dumpPlans(env, report, args))
	}
	s, err := g.open(env, report, args)
	if err == nil {
		defer s.close()
		s.find(s.leftovers())
		err = s.generate(*dryRun)
	}
	if err == nil {
		s.summarize(*dryRun, *how.quiet)
	}
	err = finishFindings(how, report, err)
	if errors.Is(err, errFindings) && how.output.value == "text" && !*dryRun {
		fmt.Fprintln(env.stderr, "nothing was written")
	}
	return err
}

// finishFindings ends a report on standard error. Where all went well, people need no more than the findings.
func finishFindings(how *findingFlags, report *reporter, err error) error {
	if err == nil && how.output.value == "text" && !report.failed() {
		return nil
	}
	return report.finish(err)
}

// generate checks the files that were made, and writes them unless this is a dry run.
func (s *session) generate(dryRun bool) error {
	if err := s.check(); err != nil || dryRun {
		return err
	}
	s.progress.show("writing")
	var all []*outputFile
	for _, o := range s.outputs {
		all = append(all, o.files...)
	}
	if err := s.tree.write(all); err != nil {
		return &internalError{err}
	}
	return nil
}

// summarize says what was done, or what would have been.
func (s *session) summarize(dryRun, quiet bool) {
	s.stopProgress()
	for _, o := range s.outputs {
		for _, f := range o.files {
			if verb := f.change().verb(); dryRun && verb != "" {
				fmt.Fprintf(s.env.stdout, "would %s %s\n", verb, escape(filepath.Join(s.dir, f.name)))
			}
		}
		if !quiet {
			fmt.Fprintln(s.env.stdout, o.summary(dryRun))
		}
	}
}

// dumpPlans prints the plan of each version.
func (g *generation) dumpPlans(env *environment, report *reporter, args []string) error {
	read, err := readCRDs(env, report, args)
	if err != nil {
		return err
	}
	selected, err := read.selectVersions(g.kinds, g.versions)
	if err != nil || report.failed() {
		return err
	}
	s := &session{generation: g, env: env, report: report, crds: read}
	for i, version := range sortedKeys(selected) {
		plan, err := s.lower(selected[version])
		if err != nil {
			return err
		}
		if plan == nil {
			continue
		}
		if i > 0 {
			fmt.Fprintln(env.stdout)
		}
		for line := range strings.Lines(plan.String()) {
			fmt.Fprintln(env.stdout, escape(strings.TrimSuffix(line, "\n")))
		}
	}
	return nil
}

func (c change) verb() string {
	switch c {
	case changeCreate:
		return "create"
	case changeUpdate:
		return "update"
	case changeRemove:
		return "remove"
	}
	return ""
}

// summary says what was generated for a version, and what became of the files.
func (o *output) summary(dryRun bool) string {
	var written, unchanged, removed int
	for _, f := range o.files {
		switch f.change() {
		case changeCreate, changeUpdate:
			written++
		case changeRemove:
			removed++
		default:
			unchanged++
		}
	}
	parts := []string{count(o.kinds, "kind"), count(o.functions(), "function"), size(o.bytes())}
	part := func(n int, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf(what, n))
		}
	}
	if dryRun {
		part(written, "%d to write")
		part(unchanged, "%d unchanged")
		part(removed, "%d to remove")
	} else {
		if written > 0 {
			parts = append(parts, count(written, "file")+" written")
		}
		part(unchanged, "%d unchanged")
		part(removed, "%d removed")
	}
	return escape(o.version) + ": " + strings.Join(parts, ", ")
}

// size writes a number of bytes for people.
func size(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1000)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1000_000)
}
