// Package verifycmd is the command verify.
package verifycmd

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/directive"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/generation"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/output"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/structural"
)

// Command returns the command.
func Command(env *cli.Environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify [flags] CRD... | PACKAGES...",
		Short: "compare the generated files with what generate would write",
		Long: `Compare the generated files with what generate would write, given the same flags. If they differ, print a unified diff
and exit with status 1. Nothing is written.
A CRD is a file, a directory, or - for standard input. With a pattern for packages instead of CRDs, such as ./...,
every go:generate directive in them that calls prune-gen generate or prune-gen project is checked, with its own flags.`,
		Example: `  # in CI: what all go:generate directives of the module generate
  prune-gen verify ./...
  # one package
  prune-gen verify --output-dir api/v1 config/crd/bases
  # for GitHub's code scanning
  prune-gen verify --output sarif ./... >verify.sarif`,
		Args: cli.NeedCRDs,
	}
	flags := generation.AddFlags(cmd, "the `directory` with the files to compare")
	own := []string{"config"} // the flags that a directive has, too
	cmd.Flags().VisitAll(func(f *pflag.Flag) { own = append(own, f.Name) })
	how := cli.AddFindingFlags(cmd, cli.MuteWarnings, "print diffs and findings only, nothing if all files are up to date")
	cmd.RunE = func(cmd *cobra.Command, names []string) error {
		v := &verification{env: env, how: how}
		if !slices.ContainsFunc(names, directive.IsPattern) {
			return v.files(flags, names)
		}
		if err := checkPatterns(cmd.Flags(), names, own); err != nil {
			return err
		}
		if cmd.Flags().Changed("exclude") { // a directive has the configuration already, unless its flags replace it
			v.exclude = how.Inputs(nil).Exclude
		}
		return v.directives(cmd.Context(), names)
	}
	return cmd
}

// verification counts the files that were compared.
type verification struct {
	env                   *cli.Environment
	how                   *cli.FindingFlags
	exclude               []string // from what all directives read
	total, stale, emptied int
}

// files verifies what the flags and the CRDs generate.
func (v *verification) files(g *generation.Request, crds []string) error {
	report, notes := v.how.Streams(v.env)
	s, err := g.Open(v.env, report, v.how.Inputs(crds), generation.ToCompare)
	if err == nil {
		defer s.Close()
		err = v.compare(s)
	}
	if err == nil {
		err = v.conclude(notes, "run prune-gen generate with the same flags")
	}
	return v.how.FinishQuietly(report, err)
}

// compare reports the files that have to change: as diffs to people, as findings to machines.
func (v *verification) compare(s *generation.Session) error {
	s.FindLeftovers()
	s.CompareTypes()
	for _, p := range s.Packages {
		for _, f := range p.Files {
			if err := v.file(f, s.Find); err != nil {
				return err
			}
		}
	}
	return nil
}

// file reports a file that has to change.
func (v *verification) file(f *output.File, find func([]structural.Finding)) error {
	if f.Empties() {
		v.emptied++
		return nil
	}
	v.total++
	if f.Change() == output.Keep {
		return nil
	}
	v.stale++
	if v.how.Text() {
		return f.WriteDiff(v.env.Stdout, terminal.NewPalette(v.how.Color.Value, v.env.StdoutTerminal))
	}
	find([]structural.Finding{f.Finding()})
	return nil
}

// conclude prints to notes that all files are up to date. Otherwise it returns an error, for people, which says what to run.
func (v *verification) conclude(notes io.Writer, run string) error {
	files := findings.Count(v.total, "file")
	switch {
	case v.stale > 0 && v.how.Text():
		return fmt.Errorf("%d of %s not up to date: %s", v.stale, files, run)
	case v.stale > 0 || *v.how.Quiet:
	case v.emptied > 0:
		fmt.Fprintf(notes, "%s up to date, %s for you to delete\n", files, findings.Count(v.emptied, "empty file"))
	default:
		fmt.Fprintf(notes, "%s up to date\n", files)
	}
	return nil
}
