// Package crdserver has the flag --crd, and the server that the CRDs make which it names.
package crdserver

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	crdlint "github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/manifest"
	"github.com/prune-gen/prune-gen/structural"
)

// Flags are the flags of commands on manifests.
type Flags struct {
	how  *cli.FindingFlags
	crds *[]string
}

// AddFlags adds the flags of commands on manifests.
func AddFlags(cmd *cobra.Command, how *cli.FindingFlags) *Flags {
	return &Flags{how: how, crds: cmd.Flags().StringSlice("crd", nil, "`files` and directories with the CRDs of the objects; can be repeated")}
}

// Check returns what is wrong with a command line that names manifests. Others are names that flags give to files with manifests.
func (f *Flags) Check(names []string, others ...[]string) error {
	switch {
	case len(*f.crds) == 0:
		return cli.Usagef("no CRD given: name files or directories with --crd")
	case len(names) == 0:
		return cli.Usagef("no manifest given: name a file, a directory, or - for standard input")
	}
	stdin := 0
	for _, names := range append(others, *f.crds, names) {
		if input.NamesStdin(names) {
			stdin++
		}
	}
	if stdin > 1 {
		return cli.Usagef("standard input can be read only once")
	}
	return nil
}

// Server returns a server with the CRDs. What is wrong with them is added to the report; the error is then cli.ErrFindings.
func (f *Flags) Server(env *cli.Environment, report *findings.Report) (*manifest.Server, error) {
	var crds []*structural.CRD
	err := cli.EachSource(env, "reading CRDs", f.how.Inputs(*f.crds), func(src *input.Source) []findings.Snippet {
		found := src.Check(func(c *structural.CRD) []structural.Finding {
			return crdlint.Refusals(c, c.Versions...)
		})
		found = slices.DeleteFunc(found, func(f structural.Finding) bool { return f.Severity != structural.SeverityError })
		crds = append(crds, src.CRDs...)
		return src.Snippets(found)
	}, report.Add)
	switch {
	case err != nil:
		return nil, err
	case report.Errors() > 0:
		return nil, cli.ErrFindings
	}
	return manifest.FromCRDs(f.how.Meter(), crds...), nil
}
