package verifycmd

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/directive"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/generatecmd"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/generation"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/generator/target"
	"github.com/prune-gen/prune-gen/structural"
)

// checkPatterns returns an error if names are not all patterns, or if the call has flags that the directives have themselves.
func checkPatterns(fl *pflag.FlagSet, names, own []string) error {
	for _, name := range names {
		if !directive.IsPattern(name) {
			return cli.Usagef("CRDs and packages cannot be combined: %s is not a pattern for packages, such as ./...", name)
		}
	}
	var err error
	fl.Visit(func(f *pflag.Flag) {
		if slices.Contains(own, f.Name) {
			err = cli.Usagef("--%s cannot be combined with %s: the directives have flags of their own", f.Name, names[0])
		}
	})
	return err
}

// directives verifies what the directives in packages generate.
func (v *verification) directives(patterns []string) error {
	report, notes := v.how.Streams(v.env)
	found, err := directive.Find(patterns, target.FromEnvironment())
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("no go:generate directive in %s calls prune-gen generate", strings.Join(patterns, ", "))
	}
	part := report.Parts()
	run := input.Run{}
	for _, d := range found {
		if err = v.directive(d, part, run); err != nil {
			break
		}
	}
	if err == nil && !report.Failed() {
		err = v.conclude(notes, "run go generate "+strings.Join(patterns, " "))
	}
	return v.how.FinishQuietly(report, err)
}

// directive verifies what a directive generates. Its errors are findings about its line.
func (v *verification) directive(d directive.Directive, part func(disabled []structural.Rule) *findings.Report, run input.Run) error {
	if d.Err != nil {
		failed(part(nil), d, d.Err)
		return nil
	}
	call, err := generatecmd.Parse(d.Args)
	if err != nil {
		failed(part(nil), d, err)
		return nil
	}
	if call.WritesNothing() {
		return nil
	}
	report := part(call.How.Disabled())
	if input.NamesStdin(call.CRDs) {
		failed(report, d, errors.New("the CRDs come from standard input"))
		return nil
	}
	dir := filepath.Dir(d.File)
	call.Flags.Below(dir)
	g, err := call.Flags.Request()
	if err != nil {
		failed(report, d, err)
		return nil
	}
	args := call.How.Inputs(call.CRDs)
	args.Run, args.Meter = run, v.how.Meter()
	args.Exclude = slices.Concat(args.Exclude, v.how.Inputs(nil).Exclude)
	for i, name := range args.Names {
		args.Names[i] = generation.Below(dir, name)
	}
	s, err := g.Open(v.env, report, args, generation.ToCompare)
	switch internal := (*cli.InternalError)(nil); {
	case errors.Is(err, cli.ErrFindings):
		return nil
	case errors.As(err, &internal):
		return err
	case err != nil:
		failed(report, d, err)
		return nil
	}
	defer s.Close()
	return v.compare(s)
}

// failed reports that a directive could not be checked.
func failed(report *findings.Report, d directive.Directive, err error) {
	f := structural.Finding{
		Rule: findings.RuleDirective, File: d.File, Line: d.Line, Column: 1, Severity: structural.SeverityError,
		Message: "this directive cannot be checked: " + err.Error(),
	}
	var usage *cli.UsageError
	if errors.As(err, &usage) {
		f.Hint = cmp.Or(usage.Hint, cli.ManualHint("prune-gen generate"))
	}
	report.Add(findings.Snippets([]structural.Finding{f}, nil))
}
