// Package generatecmd is the command generate.
package generatecmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/config"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/generation"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/output"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/generator"
)

// about returns the manual, with the functions that can be generated.
func about() string {
	var functions strings.Builder
	for _, f := range generator.DescribeFeatures() {
		mark := " "
		if f.Default {
			mark = "*"
		}
		fmt.Fprintf(&functions, "    %s %-12s %-24s %s\n", mark, f.Name, f.Function, f.Summary)
	}
	return `Write Go functions for each kind, and the variable <Kind>Resource that holds them. By default these are the functions with a
star. --emit adds others: json for all functions on JSON, all for every function. --emit-only generates only the functions that it
names and those that they need.

` + functions.String() + `
Each kind has a file for the resource and pruning, zz_generated.prune.<kind>.go, and one for each other subject, such as
zz_generated.prune_validate.<kind>.go.

One version goes to the output directory, several go to subdirectories named after them. Group and version are those of the
Go package in the directory, by its marker +groupName and its name, unless flags select others. Files are written only if they
compile together with that package. Generated files in these directories that are no longer wanted are removed.

A CRD is a file, a directory, or - for standard input.`
}

// Call is what the arguments of generate ask for.
type Call struct {
	*generation.Request
	How  *cli.FindingFlags
	CRDs []string

	dumpPlan, dryRun *bool
}

// WritesNothing reports whether the call only prints what it would do.
func (c *Call) WritesNothing() bool { return *c.dumpPlan || *c.dryRun }

// Command returns the command.
func Command(env *cli.Environment) *cobra.Command {
	cmd, call := newCommand()
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		call.CRDs = args
		return call.run(env)
	}
	return cmd
}

// Parse parses the arguments of generate as if it ran in dir: paths are relative to it, and the configuration is that for it.
func Parse(dir string, args []string) (*Call, error) {
	cmd, call := newCommand()
	config.AddFlag(cmd)
	if err := cmd.ParseFlags(args); err != nil {
		return nil, cli.FlagError(cmd, err)
	}
	call.Below(dir)
	if _, err := config.Apply(cmd, dir); err != nil {
		return nil, err
	}
	for _, name := range cmd.Flags().Args() {
		call.CRDs = append(call.CRDs, input.Below(dir, name))
	}
	return call, cmd.ValidateArgs(call.CRDs)
}

// newCommand returns the command, and what its flags set.
func newCommand() (*cobra.Command, *Call) {
	cmd := &cobra.Command{
		Use:   "generate [flags] CRD...",
		Short: "write Go functions that prune, normalize and validate the objects of each kind",
		Long:  about(),
		Example: `  # the kinds of this package's group and version, from a go:generate directive in it
  prune-gen generate ../../config/crd/bases
  # all versions of somebody else's kind, below pkg, registered in every program that imports the package
  prune-gen generate --output-dir pkg --layout versions --kind Certificate --register crds.yaml
  # all groups of a directory, each with a directory of its own, and functions on JSON
  prune-gen generate --output-dir pkg --layout groups --emit json crds`,
		Args: cli.NeedCRDs,
	}
	return cmd, &Call{
		Request:  generation.AddFlags(cmd, "the `directory` to write to"),
		dumpPlan: cmd.Flags().Bool("dump-plan", false, "print the plan of what would be generated, and write nothing"),
		dryRun:   cmd.Flags().Bool("dry-run", false, "print what would be written, and write nothing"),
		How:      cli.AddFindingFlags(cmd, cli.MuteWarnings, "do not print what was generated"),
	}
}

// run writes the Go files for the CRDs.
func (c *Call) run(env *cli.Environment) error {
	how, purpose := c.How, generation.ToWrite
	report, notes := how.Streams(env)
	if *c.dumpPlan {
		// Standard output is for the plan.
		report, purpose = how.Report(env.Stderr, env.StderrTerminal), generation.ToPlan
	}
	s, err := c.Open(env, report, how.Inputs(c.CRDs), purpose)
	if err == nil {
		defer s.Close()
		if *c.dumpPlan {
			dumpPlans(env.Stdout, s.Packages)
			return how.FinishQuietly(report, nil)
		}
		s.FindLeftovers()
		s.CompareTypes()
		err = s.Compile()
	}
	if err == nil && !*c.dryRun {
		err = s.Write()
	}
	if err == nil {
		summarize(notes, s.Packages, *c.dryRun, *how.Quiet)
	}
	err = how.FinishQuietly(report, err)
	if errors.Is(err, cli.ErrFindings) && !c.WritesNothing() {
		fmt.Fprintln(env.Stderr, "nothing was written")
	}
	return err
}

// summarize prints to w what was done, or in a dry run what would be done.
func summarize(w io.Writer, packages []*generation.Package, dryRun, quiet bool) {
	for _, p := range packages {
		for _, f := range p.Files {
			change := f.Change()
			if !dryRun || change == output.Keep {
				continue
			}
			verb := change.String()
			if f.Empties() {
				verb = "empty"
			}
			fmt.Fprintf(w, "would %s %s\n", verb, terminal.Escape(f.Path()))
		}
		if !quiet {
			fmt.Fprintln(w, summary(p, dryRun))
		}
	}
}

// dumpPlans prints the plan of each version that has one.
func dumpPlans(w io.Writer, packages []*generation.Package) {
	before := ""
	for _, p := range packages {
		if p.Plan == nil {
			continue
		}
		fmt.Fprint(w, before)
		before = "\n"
		for line := range strings.Lines(p.Plan.String()) {
			fmt.Fprintln(w, terminal.EscapeLine(line))
		}
	}
}

// summary returns the line about a version: what was generated, and what happened to the files.
func summary(p *generation.Package, dryRun bool) string {
	var n [output.Remove + 1]int
	emptied, empty := 0, 0
	for _, f := range p.Files {
		switch {
		case !f.Empties():
			n[f.Change()]++
		case f.Change() == output.Keep:
			empty++
		default:
			emptied++
		}
	}
	functions, size := 0, 0
	for _, f := range p.Made {
		functions += bytes.Count(f.Content, []byte("\nfunc ")) // in formatted code, only functions begin so
		size += len(f.Content)
	}
	written, unchanged, removed := n[output.Create]+n[output.Update], n[output.Keep], n[output.Remove]
	parts := []string{findings.Count(p.Kinds, "kind"), findings.Count(functions, "function"), terminal.Size(int64(size)) + " in " + terminal.Escape(generation.ShownDir(p.Dir))}
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
		part(emptied, "%d emptied, for you to delete (go generate fails if a file disappears while it runs)")
	}
	part(empty, "%d empty, for you to delete")
	return terminal.Escape(p.Version) + ": " + strings.Join(parts, ", ")
}
