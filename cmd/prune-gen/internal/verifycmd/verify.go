// Package verifycmd is the command verify.
package verifycmd

import (
	"fmt"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/generation"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/output"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/structural"
)

const verifyAbout = `Compare the generated files with what generate would write, given the same flags. If they differ, print a unified diff
and exit with status 1. Nothing is written.
A CRD is a file, a directory, or - for standard input.`

// Run compares the Go files for the CRDs that args name with those in the output directory.
func Run(env *cli.Environment, args []string) error {
	fl := cli.NewFlags("verify", "CRD...", verifyAbout)
	flags := generation.AddFlags(fl)
	how := fl.FindingFlags()
	crds, err := fl.ParseCRDs(env, args)
	if err != nil {
		return err
	}
	g, err := flags.Request()
	if err != nil {
		return err
	}
	report, notes := how.Streams(env)
	verdict := ""
	s, err := g.Open(env, report, how.Inputs(crds), generation.ToCompare)
	if err == nil {
		defer s.Close()
		s.FindLeftovers()
		verdict, err = compare(env, s, how)
	}
	fmt.Fprint(notes, verdict)
	return how.FinishQuietly(report, err)
}

// compare reports the files that have to change: as diffs to people, as findings to machines. If there are none, it returns
// the line that reports success.
func compare(env *cli.Environment, s *generation.Session, how *cli.FindingFlags) (verdict string, err error) {
	s.StopProgress()
	total, stale, emptied := 0, 0, 0
	paint := terminal.NewPalette(how.Color.Value, env.StdoutTerminal)
	for _, p := range s.Packages {
		for _, f := range p.Files {
			if p.Empties(f) {
				emptied++
				continue
			}
			total++
			if f.Change() == output.Keep {
				continue
			}
			stale++
			if !how.Text() {
				s.Find([]structural.Finding{f.Finding()})
			} else if err := f.WriteDiff(env.Stdout, paint); err != nil {
				return "", err
			}
		}
	}
	files := findings.Count(total, "file")
	switch {
	case stale == 0 && *how.Quiet:
	case stale == 0 && emptied > 0:
		verdict = fmt.Sprintf("%s up to date, %s for you to delete\n", files, findings.Count(emptied, "empty file"))
	case stale == 0:
		verdict = files + " up to date\n"
	case stale > 0 && how.Text():
		return "", fmt.Errorf("%d of %s not up to date: run prune-gen generate with the same flags", stale, files)
	}
	return verdict, nil
}
