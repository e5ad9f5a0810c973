package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/prune-gen/prune-gen/structural"
)

const verifyAbout = `Compare the Go files for each kind with what generate would write, given the same flags. Where they differ, print a
unified diff and exit with status 1. Nothing is written.
A CRD is a file, a directory, or - for standard input.`

// runVerify compares the Go files for the CRDs that args name with those that are there.
func runVerify(env *environment, args []string) error {
	fl := newFlags("verify", "CRD...", verifyAbout)
	flags := fl.generation()
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
	s, err := g.open(env, report, args)
	if err == nil {
		defer s.close()
		s.find(s.leftovers())
		err = s.verify(how)
	}
	return finishFindings(how, report, err)
}

// verify reports the files that are not as they should be: with their differences to people, with a line to machines.
func (s *session) verify(how *findingFlags) error {
	s.stopProgress()
	total, stale := 0, 0
	paint := newPalette(how.color.value, s.env.stdoutTerminal)
	for _, o := range s.outputs {
		for _, f := range o.files {
			total++
			if f.change() == changeNone {
				continue
			}
			stale++
			if how.output.value == "text" {
				writeDiff(s.env.stdout, paint, s.dir, f)
			} else {
				s.find([]structural.Finding{staleFinding(s.dir, f)})
			}
		}
	}
	switch {
	case stale == 0 && !*how.quiet:
		fmt.Fprintf(s.env.stdout, "%s up to date\n", count(total, "file"))
	case stale > 0 && how.output.value == "text":
		return fmt.Errorf("%d of %s not up to date: run prune-gen generate with the same flags", stale, count(total, "file"))
	}
	return nil
}

// staleFinding says in one line what is wrong with a file.
func staleFinding(dir string, f *outputFile) structural.Finding {
	message := "the generated file is not up to date"
	switch f.change() {
	case changeCreate:
		message = "the generated file is missing"
	case changeRemove:
		message = "the generated file is no longer wanted"
	}
	return structural.Finding{
		File: filepath.Join(dir, f.name), Severity: structural.SeverityError, Message: message,
		Hint: "run prune-gen generate with the same flags",
	}
}

// writeDiff prints how a file differs from what it should be.
func writeDiff(w io.StringWriter, paint palette, dir string, f *outputFile) {
	name := filepath.ToSlash(filepath.Join(dir, f.name))
	oldName, newName := name, name
	switch f.change() {
	case changeCreate:
		oldName = "/dev/null"
	case changeRemove:
		newName = "/dev/null"
	}
	for line := range strings.Lines(unifiedDiff(oldName, newName, string(withoutCR(f.old)), string(f.new))) {
		line = visibleLine(strings.TrimSuffix(line, "\n"))
		switch {
		case strings.HasPrefix(line, "---"), strings.HasPrefix(line, "+++"):
			line = paint.bold(line)
		case strings.HasPrefix(line, "-"):
			line = paint.red(line)
		case strings.HasPrefix(line, "+"):
			line = paint.green(line)
		case strings.HasPrefix(line, "@@"):
			line = paint.blue(line)
		}
		w.WriteString(line + "\n")
	}
}

// visibleLine is escape for a line of source: tabs stay as they are.
func visibleLine(line string) string {
	parts := strings.Split(line, "\t")
	for i, p := range parts {
		parts[i] = escape(p)
	}
	return strings.Join(parts, "\t")
}
