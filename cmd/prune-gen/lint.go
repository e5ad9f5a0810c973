package main

import (
	"cmp"
	"os"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/structural"
)

const lintAbout = `Check each version of each CRD, and say with file and line why a schema is not structural.
A CRD is a file, a directory, or - for standard input.`

// linted is what lint has to say about one file.
type linted struct {
	findings   []snippet
	verdicts   []verdict
	conditions []condition
	tally      tally
}

// runLint checks the CRDs that args name.
func runLint(env *environment, args []string) error {
	fl := newFlags("lint", "CRD...", lintAbout)
	how := fl.findings()
	conditions := fl.Bool("condition", false, "add the NonStructuralSchema condition that Kubernetes gives such a CRD (text and json)")
	args, err := fl.parseCRDs(env, args)
	if err != nil {
		return err
	}
	if out := how.output.value; *conditions && out != "text" && out != "json" {
		return fl.errorf("--condition has no place in --output %s: use text or json", out)
	}
	report := how.reporter(env.stdout, env.stdoutTerminal)
	single := oneFile(args)
	err = eachSource(env, "linting", args, func(src *source) *linted {
		l := lint(src)
		if *conditions {
			l.conditions = newConditions(src.CRDs)
		}
		return l
	}, func(l *linted) {
		report.findings(l.findings)
		for _, v := range l.verdicts {
			if single {
				v.file = ""
			}
			report.printer.verdict(v)
		}
		for _, c := range l.conditions {
			report.printer.condition(c)
		}
		report.tally.add(l.tally)
	})
	return report.finish(err)
}

// oneFile tells whether args stand for a single file.
func oneFile(args []string) bool {
	if len(args) != 1 {
		return false
	}
	info, err := os.Stat(args[0])
	return err != nil || !info.IsDir()
}

// lint checks the CRDs of one file.
func lint(src *source) *linted {
	l := &linted{tally: src.tally()}
	all := slices.Clone(src.Findings)
	for _, c := range src.CRDs {
		found := structural.Lint(c)
		all = append(all, found...)
		if !hasErrors(found) {
			l.verdicts = append(l.verdicts, newVerdict(c))
		}
	}
	inFileOrder(all)
	l.findings = src.snippets(all)
	return l
}

// newConditions returns the conditions that Kubernetes gives to those of crds that are not structural.
func newConditions(crds []*structural.CRD) []condition {
	var all []condition
	for _, c := range crds {
		if cond := structural.NonStructuralCondition(c); cond != nil {
			all = append(all, condition{c.Name, cond.Type, cond.Status, cond.Reason, cond.Message})
		}
	}
	return all
}

// inFileOrder sorts findings as a reader meets them, who goes through a file from top to bottom.
func inFileOrder(findings []structural.Finding) {
	slices.SortStableFunc(findings, func(a, b structural.Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), strings.Compare(a.Message, b.Message))
	})
}

// tally counts what src holds.
func (src *source) tally() tally {
	t := tally{files: 1, crds: len(src.CRDs), passed: src.Passed}
	if src.skipped {
		t.skipped = 1
	}
	for _, c := range src.CRDs {
		t.versions += len(c.Versions)
	}
	return t
}

// add adds what o counts, apart from the findings, which the reporter counts itself.
func (t *tally) add(o tally) {
	t.files += o.files
	t.crds += o.crds
	t.versions += o.versions
	t.passed += o.passed
	t.skipped += o.skipped
}

func newVerdict(c *structural.CRD) verdict {
	v := verdict{file: c.File(), crd: c.Name, kind: c.Names.Kind}
	for _, version := range c.Versions {
		v.versions = append(v.versions, version.Name+" ("+strings.Join(traits(version), ", ")+")")
	}
	return v
}

// traits lists what is worth knowing about a version.
func traits(v *structural.Version) []string {
	all := []string{"no schema"}
	if v.Schema != nil {
		all[0] = count(countFields(v.Schema), "field")
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
	n := len(s.Properties)
	for _, p := range s.Properties {
		n += countFields(p)
	}
	if s.Items != nil {
		n += countFields(s.Items.Schema)
	}
	if s.AdditionalProperties != nil {
		n += countFields(s.AdditionalProperties.Schema)
	}
	return n
}
