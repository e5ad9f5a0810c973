package main

import (
	"fmt"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/output"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/structural"
)

const verifyAbout = `Compare the generated files with what generate would write, given the same flags. If they differ, print a unified diff
and exit with status 1. Nothing is written.
A CRD is a file, a directory, or - for standard input.`

// runVerify compares the Go files for the CRDs that args name with those in the output directory.
func runVerify(env *environment, args []string) error {
	fl := newFlags("verify", "CRD...", verifyAbout)
	flags := fl.generation()
	how := fl.findings()
	crds, err := fl.parseCRDs(env, args)
	if err != nil {
		return err
	}
	g, err := flags.generation()
	if err != nil {
		return err
	}
	report := how.report(env.stderr, env.stderrTerminal)
	verdict := ""
	s, err := g.open(env, report, crds, toCompare)
	if err == nil {
		defer s.close()
		s.findLeftovers()
		verdict, err = s.verify(how)
	}
	fmt.Fprint(env.stdout, verdict)
	return how.finishQuietly(report, err)
}

// verify reports the files that have to change: as diffs to people, as findings to machines. If there are none, it returns
// what to say about that.
func (s *session) verify(how *findingFlags) (verdict string, err error) {
	s.stopProgress()
	total, stale, emptied := 0, 0, 0
	paint := terminal.NewPalette(how.color.value, s.env.stdoutTerminal)
	for _, p := range s.outputs {
		for _, f := range p.files {
			if p.emptied[f.Name] {
				emptied++
				continue
			}
			total++
			if f.Change() == output.Keep {
				continue
			}
			stale++
			if !how.text() {
				s.find([]structural.Finding{f.Finding()})
			} else if err := f.WriteDiff(s.env.stdout, paint); err != nil {
				return "", err
			}
		}
	}
	files := findings.Count(total, "file")
	switch {
	case stale == 0 && *how.quiet:
	case stale == 0 && emptied > 0:
		verdict = fmt.Sprintf("%s up to date, %s for generate to remove\n", files, findings.Count(emptied, "empty file"))
	case stale == 0:
		verdict = files + " up to date\n"
	case stale > 0 && how.text():
		return "", fmt.Errorf("%d of %s not up to date: run prune-gen generate with the same flags", stale, files)
	}
	return verdict, nil
}
