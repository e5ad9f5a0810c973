// Package lintcmd is the command lint.
package lintcmd

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/config"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	crdlint "github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
)

// Command returns the command.
func Command(env *cli.Environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lint [flags] CRD...",
		Short: "report, with file and line, why the API server would refuse a CRD, and where it loses data",
		Long: `Report, with file and line, why the API server would refuse CRDs, and where they lose data.
With --types, also report where the Go types of the kinds differ from their CRDs: fields that the
API server would drop, fields that programs would lose, fields of other types, and zero values that are refused or
cannot be set. With --kubernetes 1.31.., also warn of what
the API server of Kubernetes 1.31, or of a later version, would refuse or ignore. A CRD is a file, a directory, or - for standard input.`,
		Example: `  # all CRDs below a directory, without the templates of a chart in it
  prune-gen lint --exclude templates config
  # in CI: warnings fail, and GitHub shows findings beside the lines
  prune-gen lint --strict --output github config/crd/bases
  # for clusters from Kubernetes 1.31 on
  prune-gen lint --kubernetes 1.31.. config/crd/bases
  # what a chart installs, without one rule
  helm template chart --include-crds | prune-gen lint --disable loss/object -`,
		Args: cli.NeedCRDs, Annotations: config.AsArguments,
	}
	how := cli.AddFindingFlags(cmd, cli.MuteErrors, "print findings only, without lines for valid CRDs and without a summary")
	var versions versionRange
	cmd.Flags().Var(&versions, "kubernetes", "the version of Kubernetes, such as 1.34, or a range, such as 1.31..1.34 or 1.31.. (default: the newest)")
	dirs := cmd.Flags().StringSlice("types", nil, "compare the CRDs with the Go types in these `directories`")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		how.Kubernetes = versions.last
		return run(env, how, versions, *dirs, args)
	}
	return cmd
}

// versionRange is the value of a flag that names versions of Kubernetes.
type versionRange struct {
	text        string
	first, last kubeversion.Version
}

func (r *versionRange) String() string { return r.text }
func (r *versionRange) Type() string   { return "version" }

func (r *versionRange) Set(text string) (err error) {
	r.text = text
	r.first, r.last, err = kubeversion.ParseRange(text)
	return err
}

// run lints the CRDs that args name, and compares them with the Go types in directories.
func run(env *cli.Environment, how *cli.FindingFlags, versions versionRange, dirs, args []string) error {
	report := how.Report(env.Stdout, env.StdoutTerminal)
	var packages []*goTypes
	for _, dir := range dirs {
		g, found, err := loadTypes(dir)
		if err != nil {
			return how.Finish(report, fmt.Errorf("--types: %w", err))
		}
		report.Find(found...)
		packages = append(packages, g)
	}
	single := oneFile(args)
	err := cli.EachSource(env, "linting", how.Inputs(args), func(src *input.Source) {
		for _, v := range lint(report, src, versions, packages) {
			if single && how.Text() {
				v.File = ""
			}
			report.Verdict(v)
		}
		report.Count(src.Tally())
	})
	if err == nil {
		for _, g := range packages {
			report.Find(g.none()...)
		}
	}
	return how.Finish(report, err)
}

// oneFile reports whether args name a single file, or standard input.
func oneFile(args []string) bool {
	if len(args) != 1 {
		return false
	}
	info, err := os.Stat(args[0])
	return input.NamesStdin(args) || err == nil && !info.IsDir()
}

// lint reports what is wrong with the CRDs of a file, and where they differ from the types of Go packages. It returns verdicts
// about the others.
func lint(report *findings.Report, src *input.Source, versions versionRange, packages []*goTypes) (verdicts []findings.Verdict) {
	var inGo []structural.Finding
	all := src.Check(func(c *structural.CRD) []structural.Finding {
		found := crdlint.CRD(c)
		if versions.first < versions.last {
			found = append(found, crdlint.Older(c, versions.first)...)
		}
		var differences []structural.Finding
		for _, g := range packages {
			differences = append(differences, g.compare(c)...)
		}
		inGo = append(inGo, differences...)
		if !report.HasErrors(found) && !report.HasErrors(differences) {
			verdicts = append(verdicts, newVerdict(c))
		}
		return found
	})
	report.Add(src.Snippets(all))
	report.Add(input.GoSnippets(inGo))
	return verdicts
}

func newVerdict(c *structural.CRD) findings.Verdict {
	v := findings.Verdict{File: c.File, CRD: c.Name, Kind: c.Names.Kind}
	fields := map[*structural.JSONSchema]int{} // versions can share one schema
	for _, version := range c.Versions {
		if _, ok := fields[version.Schema]; !ok {
			fields[version.Schema] = countFields(version.Schema)
		}
		v.Versions = append(v.Versions, version.Name+" ("+strings.Join(traits(version, fields[version.Schema]), ", ")+")")
	}
	if n := celrules.Count(c); n > 0 {
		v.Versions = append(v.Versions, findings.Count(n, "CEL rule"))
	}
	return v
}

// traits lists the properties of a version. Fields is the number of fields in its schema.
func traits(v *structural.Version, fields int) []string {
	all := []string{"no schema"}
	if v.Schema != nil {
		all[0] = findings.Count(fields, "field")
	}
	for _, t := range []struct {
		holds bool
		name  string
	}{{v.Served, "served"}, {v.Storage, "storage"}, {v.Pruned, "pruned"}, {!v.Pruned, "not pruned"}, {v.Deprecated, "deprecated"}} {
		if t.holds {
			all = append(all, t.name)
		}
	}
	return all
}

// countFields counts the fields that a schema specifies, on all levels.
func countFields(s *structural.JSONSchema) int {
	if s == nil {
		return 0
	}
	n := len(s.Properties) + countFields(s.Elements()) + countFields(s.Values())
	for _, p := range s.Properties {
		n += countFields(p)
	}
	return n
}
