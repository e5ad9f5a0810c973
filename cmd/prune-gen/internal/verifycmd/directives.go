package verifycmd

import (
	"cmp"
	"context"
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
	"github.com/prune-gen/prune-gen/internal/generate/target"
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
func (v *verification) directives(ctx context.Context, patterns []string) error {
	report, notes := v.how.Streams(v.env)
	found, err := directive.Find(patterns, target.FromEnvironment())
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("no go:generate directive in %s calls prune-gen generate or prune-gen project", strings.Join(patterns, ", "))
	}
	run := input.Run{}
	for _, d := range found {
		if d.Projects {
			err = v.projection(ctx, d, report)
		} else {
			err = v.directive(d, report, run)
		}
		if err != nil {
			break
		}
	}
	if err == nil && !report.Failed() {
		err = v.conclude(notes, "run go generate "+strings.Join(patterns, " "))
	}
	return v.how.FinishQuietly(report, err)
}

// directive verifies what a directive generates. Its errors are findings about its line.
func (v *verification) directive(d directive.Directive, report *findings.Report, run input.Run) error {
	call, err := parse(d)
	report.BeginPart(findings.Policy{})
	if call != nil {
		report.BeginPart(call.How.Policy())
	}
	if err != nil || call.WritesNothing() {
		return failed(report, d, err)
	}
	args := call.How.Inputs(call.CRDs)
	args.Run, args.Meter = run, v.how.Meter()
	args.Exclude = slices.Concat(args.Exclude, v.exclude)
	s, err := call.Open(v.env, report, args, generation.ToCompare)
	if err != nil {
		return failed(report, d, err)
	}
	defer s.Close()
	return v.compare(s)
}

// parse returns the call of a directive, with paths relative to the current directory. The call is nil if its flags cannot be parsed.
func parse(d directive.Directive) (*generatecmd.Call, error) {
	if d.Err != nil {
		return nil, d.Err
	}
	call, err := generatecmd.Parse(filepath.Dir(d.File), d.Args)
	switch {
	case err != nil:
		return nil, err
	case call.WritesNothing():
		return call, nil
	case input.NamesStdin(call.CRDs):
		return call, errors.New("the CRDs come from standard input")
	}
	return call, call.Check()
}

// failed reports why a directive could not be checked, unless that is reported already. It returns bugs.
func failed(report *findings.Report, d directive.Directive, err error) error {
	var usage *cli.UsageError
	var internal *cli.InternalError
	switch {
	case err == nil || errors.Is(err, cli.ErrFindings):
		return nil
	case errors.As(err, &internal):
		return err
	}
	f := structural.Finding{
		ID: findings.IDDirective, File: d.File, Line: d.Line, Column: 1, Severity: structural.SeverityError,
		Message: "this directive cannot be checked: " + err.Error(),
	}
	if errors.As(err, &usage) {
		command := "prune-gen generate"
		if d.Projects {
			command = "prune-gen project"
		}
		f.Hint = cmp.Or(usage.Hint, cli.ManualHint(command))
	}
	report.Find(f)
	return nil
}
