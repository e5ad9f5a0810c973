package verifycmd

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/directive"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/projectcmd"
	"github.com/prune-gen/prune-gen/generator/target"
	"github.com/prune-gen/prune-gen/internal/keeplist"
	"github.com/prune-gen/prune-gen/internal/reads"
	"github.com/prune-gen/prune-gen/structural"
)

// check is a keep-list to compare with what a program reads.
type check struct {
	directive directive.Directive
	root      string   // of the module
	programs  []string // patterns for its packages
	typ       string
	list      *keeplist.List
}

// projection verifies what a directive of project generates. Its errors are findings about its line.
func (v *verification) projection(ctx context.Context, d directive.Directive, report *findings.Report) error {
	report.BeginPart(findings.Policy{})
	if d.Err != nil {
		return failed(report, d, d.Err)
	}
	call, err := projectcmd.Parse(filepath.Dir(d.File), d.Args)
	if err != nil {
		return failed(report, d, err)
	}
	report.BeginPart(call.How.Policy())
	p, err := call.Open(ctx, v.env, report)
	if err != nil {
		return failed(report, d, err)
	}
	defer p.Close()
	if len(call.Programs) > 0 {
		v.checks = append(v.checks, check{d, target.FindRoot(filepath.Dir(d.File)), call.Programs, p.Type, p.List})
	}
	return v.file(p.File, func(found []structural.Finding) { report.Add(findings.Snippets(found, nil)) })
}

// programs compares keep-lists with what programs read, each program once.
func (v *verification) programs(ctx context.Context, report *findings.Report) error {
	for len(v.checks) > 0 {
		first := v.checks[0]
		of := func(c check) bool { return c.root == first.root && slices.Equal(c.programs, first.programs) }
		config := reads.Config{Dir: first.root, Patterns: first.programs, Tags: target.FromEnvironment(), Progress: v.env.Progress.Show}
		for _, c := range v.checks {
			if of(c) {
				config.Types = append(config.Types, c.typ)
			}
		}
		result, err := reads.Find(ctx, config)
		v.env.Progress.Erase()
		report.BeginPart(findings.Policy{})
		if err != nil {
			if err := failed(report, first.directive, err); err != nil {
				return err
			}
		}
		for _, c := range v.checks {
			for i := 0; err == nil && of(c) && i < len(result.Types); i++ {
				if t := result.Types[i]; t.Name == c.typ {
					report.Add(input.GoSnippets(c.compare(t)))
				}
			}
		}
		v.checks = slices.DeleteFunc(v.checks, of)
	}
	return nil
}

// compare reports what the program reads or sends and the list does not keep.
func (c check) compare(t reads.Type) (found []structural.Finding) {
	add := func(rule structural.Rule, severity structural.Severity, r reads.Read, does, hint string) {
		list := cli.ShortPath(c.list.File)
		if line := c.list.Line(r.Path); line > 0 {
			list += ":" + strconv.Itoa(line)
		}
		keeps := "does not keep it"
		if c.list.Keep(r.Path) != keeplist.None {
			keeps = "does not keep all of it"
		}
		what := cmp.Or(r.Path, "the object")
		message := fmt.Sprintf("%s of %s is %s here, and %s %s", what, t.Name, does, list, keeps)
		if r.Why != "" {
			message += ": " + r.Why
		}
		if r.Via != "" {
			message += " at " + r.Place
		}
		f := structural.Finding{Rule: rule, Severity: severity, Column: 1, Message: message, Hint: hint}
		f.File, f.Line = c.place(cmp.Or(r.Via, r.Place))
		found = append(found, f)
	}
	for _, r := range t.Reads {
		if c.list.Keep(r.Path) != keeplist.All {
			list, path := cli.ShortPath(c.list.File), cmp.Or(r.Path, "*")
			hint := "add " + path + " to " + list
			if line := c.list.Line(r.Path); line > 0 {
				hint = fmt.Sprintf("remove line %d of %s, add %s unless another line keeps it,", line, list, path)
			}
			add(findings.RuleKeepRead, structural.SeverityError, r, "read", hint+" and run go generate, or do not read it")
		}
	}
	for _, r := range t.Writes {
		if !c.list.KeepsSent(r.Path) {
			does := "sent whole"
			if r.Patch {
				does = "patched"
			}
			add(findings.RuleKeepSent, structural.SeverityWarning, r, does, cmp.Or(r.Hint, "if the object comes from the cache, the server removes what is missing"))
		}
	}
	return found
}

// place returns the file and line of a place, or those of the directive for one outside of the module.
func (c check) place(at string) (file string, line int) {
	i := strings.LastIndex(at, ":")
	file = filepath.Join(c.root, filepath.FromSlash(at[:max(i, 0)]))
	if info, err := os.Stat(file); i < 0 || err != nil || info.IsDir() {
		return c.directive.File, c.directive.Line
	}
	line, _ = strconv.Atoi(at[i+1:])
	return cli.ShortPath(file), line
}
