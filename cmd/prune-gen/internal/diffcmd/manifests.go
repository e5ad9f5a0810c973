package diffcmd

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/internal/marks"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

// manifests reports what the new CRDs do to the objects in manifests that the old ones do not.
func (d *diff) manifests(env *cli.Environment, args input.Args) error {
	answers := dynamic.NewBudget()
	old, err := compile(d.old, answers)
	if err != nil {
		return err
	}
	new, err := compile(d.new, answers)
	if err != nil {
		return err
	}
	others := 0
	texts := yamltext.NewBudget()
	held := map[*structural.CRD]bool{} // what is old and new is in memory once
	for _, src := range slices.Concat(d.old, d.new) {
		for _, c := range src.CRDs {
			if !held[c] {
				held[c] = true
				texts.Hold(c.Node)
			}
		}
	}
	unread := input.EachFile(args, env.Stdin, func(name string, data []byte) {
		if answers.Exceeded() != "" {
			return // what it would find is not reported
		}
		manifest := marks.Read(texts, data, old, new)
		before, after := old.Of(manifest), new.Of(manifest)
		if answers.Exceeded() != "" {
			return // one of the two can be incomplete
		}
		found := &structural.Report{File: name}
		for _, f := range d.wanted(worse(before, after)) {
			found.Add(f)
		}
		for _, o := range before.Objects {
			if !o.Known {
				others++
			}
		}
		d.report.Add(input.TextSnippets(found.Sorted(), data))
		d.report.Count(findings.Tally{File: name, Files: 1})
	})
	d.report.Add(findings.Snippets(unread, nil))
	if limit := answers.Exceeded(); limit != "" {
		return fmt.Errorf("some objects were not compared: %s", limit)
	}
	if others > 0 {
		fmt.Fprintf(env.Stderr, "prune-gen diff: skipped %s: no CRD has their kind\n", findings.Count(others, "object"))
	}
	return nil
}

// compile returns the kinds of the versions that are served.
func compile(sources []*input.Source, answers *dynamic.Budget) (*marks.Kinds, error) {
	var served []prunert.Resource
	for _, src := range sources {
		for _, c := range src.CRDs {
			all, err := dynamic.CompileWithin(c, answers)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", src.Name, err)
			}
			for i, v := range c.Versions {
				if v.Served {
					served = append(served, all[i])
				}
			}
		}
	}
	return marks.NewKinds(served), nil
}

// worse returns what happens after a change to the objects of a manifest, and did not happen before.
func worse(before, after marks.Result) []structural.Finding {
	if before.Full {
		return unreadable(before)
	}
	all := unreadable(after)
	if after.Full {
		return all
	}
	known := map[marks.Mark]bool{}
	for _, m := range before.Marks {
		known[m] = true
	}
	wasAccepted := acceptedAt(before.Objects)
	for _, m := range after.Marks {
		if known[m] {
			continue
		}
		find := func(rule structural.Rule, severity structural.Severity, message string) {
			all = append(all, structural.Finding{Rule: rule, Line: m.Line, Column: m.Column, Path: m.Path, Severity: severity, Message: message})
		}
		switch {
		case m.Kind == marks.Dropped:
			find(findings.RuleManifestLoses, structural.SeverityError, joined(m.Path, "dropped: "+m.Message))
		case m.Kind == marks.Refused:
			find(findings.RuleManifestRefused, structural.SeverityError, joined(m.Path, m.Message))
		case !wasAccepted(m.Line):
		case m.Kind == marks.Unknown:
			find(findings.RuleManifestRefused, structural.SeverityError, m.Message)
		case m.Kind == marks.Filled:
			find(findings.RuleManifestChanged, structural.SeverityNote, m.Path+" is filled in: "+m.Text)
		case m.Kind == marks.Changed:
			find(findings.RuleManifestChanged, structural.SeverityNote, m.Path+" "+m.Message)
		}
	}
	return all
}

// acceptedAt returns a function that reports whether the object that a line belongs to is accepted.
func acceptedAt(objects []marks.Object) func(line int) bool {
	byLine := slices.Clone(objects) // an alias is where its anchor is
	slices.SortStableFunc(byLine, func(a, b marks.Object) int { return cmp.Compare(a.Line, b.Line) })
	return func(line int) bool {
		next, _ := slices.BinarySearchFunc(byLine, line+1, func(o marks.Object, line int) int { return cmp.Compare(o.Line, line) })
		return next > 0 && byLine[next-1].Accepted
	}
}

// unreadable returns what is not a manifest at all.
func unreadable(r marks.Result) []structural.Finding {
	var all []structural.Finding
	for _, m := range r.Marks {
		if m.Kind == marks.Unreadable {
			all = append(all, structural.Finding{Rule: structural.RuleUnreadable, Severity: structural.SeverityError, Line: m.Line, Column: m.Column, Message: m.Message})
		}
	}
	return all
}

// joined returns a path and what is said about it.
func joined(path, message string) string {
	if path == "" {
		return message
	}
	return path + ": " + message
}
