// Package diffcmd is the command diff.
package diffcmd

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/crddiff"
	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/structural"
)

// Command returns the command.
func Command(env *cli.Environment) *cobra.Command {
	var crds []string
	cmd := &cobra.Command{
		Use:   "diff [flags] OLD NEW [MANIFEST...] | git:REF",
		Short: "report what changes for users of a CRD, and whether it breaks them",
		Long: `Report what changes for users of CRDs, and why it breaks them or not: fields, types, defaults, enums, bounds, CEL rules,
list types, subresources, columns, versions. With manifests, also report which
objects lose fields, cannot be updated any more, or would be rejected on create. CRDs with the same name are
compared. OLD and NEW are files, directories, paths in Go modules (MODULE@VERSION/PATH), git:REF:PATH for files
of a git repository at a revision, or - for standard input. For OLD, git:REF stands for the path of NEW at that revision; if it is not
there, all CRDs are new. Alone, git:REF stands for OLD, and NEW is the crds of prune-gen.yaml.

A change breaks at a level:
  stored    objects that are stored lose data, or an update anywhere in them is refused
  requests  manifests and clients that work today are refused, or answered otherwise
  readers   typed clients stop working: a value can have a type or format that it could not have
It is an error if it breaks at the level of --level or at one above it in this list, and a note otherwise.`,
		Example: `  # a gate for CI: fail if a pull request breaks users
  prune-gen diff --breaking --output github git:origin/main config/crd/bases
  # what changes with the next commit in the CRDs of prune-gen.yaml
  prune-gen diff git:HEAD
  # what an upgrade does to your own objects
  prune-gen diff old/crds new/crds manifests
  # and to those in a cluster
  kubectl get backups -A -o json | prune-gen diff --fail-on affected old/crds new/crds -`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 && input.IsRevision(args[0]) && len(crds) > 0 {
				return nil
			}
			if len(args) < 2 {
				return cli.Usagef("want two CRDs: the old one and the new one; with git:REF alone, --crd or prune-gen.yaml names the new ones")
			}
			if stdins := slices.DeleteFunc(slices.Clone(args), func(a string) bool { return a != "-" }); len(stdins) > 1 {
				return cli.Usagef("standard input can be read only once: - is given %d times", len(stdins))
			}
			return nil
		},
	}
	how := cli.AddFindingFlags(cmd, cli.MuteErrors, "print findings only, without a summary")
	cli.AddKubernetes(cmd, &how.Kubernetes)
	cmd.Flags().StringSliceVar(&crds, "crd", nil, "the `files` and directories with the new CRDs, if git:REF is the only argument; can be repeated")
	breaking := cmd.Flags().Bool("breaking", false, "print changes that are errors only")
	level := cli.AddChoice(cmd, "level", "what is an error: a change that breaks anybody, only requests and stored objects, or only stored objects", crddiff.Readers.String(), crddiff.Requests.String(), crddiff.Stored.String())
	failOn := cli.AddChoice(cmd, "fail-on", "fail for any error, or for affected objects only: then changes of CRDs are notes", failOnBreaking, failOnAffected)
	cmd.RunE = func(_ *cobra.Command, args []string) (err error) {
		if failOn.Value == failOnAffected && len(args) < 3 {
			return cli.Usagef("--fail-on %s is about objects: name manifests, or - for standard input", failOnAffected)
		}
		var at crddiff.Level
		if err := at.UnmarshalText([]byte(level.Value)); err != nil {
			return err
		}
		report := how.Report(env.Stdout, env.StdoutTerminal)
		d := &diff{report: report, breakingOnly: *breaking, level: at, objectsOnly: failOn.Value == failOnAffected,
			refused: map[groupKind]*structural.CRD{}, run: input.Run{}}
		now, mayBeNew := crds, true // CRDs of a list may be new, and so may a path that exists here
		if len(args) > 1 {
			here, _ := filepath.Glob(args[1])
			now, mayBeNew = args[1:2], input.IsRevision(args[0]) && len(here) > 0
		}
		var was []string
		for _, name := range now {
			was = append(was, input.WithPath(args[0], name))
		}
		if err := d.read(env, how, was, mayBeNew, &d.old); err != nil {
			return how.Finish(report, err)
		}
		if err := d.read(env, how, now, false, &d.new); err != nil {
			return how.Finish(report, err)
		}
		if report.Errors() > 0 {
			return how.Finish(report, nil) // what was not read cannot be compared
		}
		if err := d.pair(); err != nil {
			return how.Finish(report, err)
		}
		if len(args) > 1 && len(d.was) == 0 && !*how.Quiet {
			fmt.Fprintf(env.Stderr, "no CRD in %s: those in %s count as new; write git:REF:PATH if they were elsewhere\n", terminal.Escape(was[0]), terminal.Escape(now[0]))
		}
		d.compare()
		if report.Len() == 0 && input.IsRevision(args[0]) && input.IsCheckedOut(args[0]) && !*how.Quiet {
			fmt.Fprintf(env.Stderr, "%s is the commit that is checked out: only what is not committed was compared\n", terminal.Escape(args[0]))
		}
		if len(args) > 2 {
			err = d.manifests(env, how.Inputs(args[2:]))
		}
		return how.Finish(report, err)
	}
	return cmd
}

// The values of the flag --fail-on.
const (
	failOnBreaking = "breaking"
	failOnAffected = "affected"
)

// diff is a comparison of the CRDs in two places.
type diff struct {
	old, new     []*input.Source
	was, is      map[string]*structural.CRD    // by their names
	refused      map[groupKind]*structural.CRD // that the API server would refuse, of either side
	report       *findings.Report
	breakingOnly bool
	level        crddiff.Level // from which on a change is an error
	objectsOnly  bool          // changes of CRDs are not errors
	run          input.Run
}

type groupKind struct{ group, kind string }

// refuse records that the API server would refuse a CRD.
func (d *diff) refuse(c *structural.CRD) {
	if id := (groupKind{c.Group, c.Names.Kind}); d.refused[id] == nil {
		d.refused[id] = c
	}
}

// read reads the CRDs of one side. For earlier, see input.Args.
func (d *diff) read(env *cli.Environment, how *cli.FindingFlags, names []string, earlier bool, into *[]*input.Source) error {
	args := how.Inputs(names)
	args.Run, args.Earlier = d.run, earlier
	return cli.EachSource(env, "reading", args, func(src *input.Source) {
		*into = append(*into, src)
		d.report.Add(src.Errors())
		d.report.Count(src.Tally())
	})
}

// pair finds the CRDs of both sides by their names. It is an error if two of one side have the same name, unless they are equal.
func (d *diff) pair() (err error) {
	byName := func(sources []*input.Source) map[string]*structural.CRD {
		named := map[string]*structural.CRD{}
		for _, src := range sources {
			for _, c := range src.CRDs {
				if first := named[c.Name]; first == nil {
					named[c.Name] = c
				} else if changes, failed := crddiff.Compare(first, c); err == nil && (len(changes) > 0 || failed != nil) {
					err = cmp.Or(failed, manifest.DefinedTwice(first, c))
				}
			}
		}
		return named
	}
	d.was, d.is = byName(d.old), byName(d.new)
	all := maps.Clone(d.was)
	maps.Copy(all, d.is)
	d.report.Count(findings.Tally{Pairs: len(all)})
	return err
}

// compare reports the changes of all CRDs: those of a new file in the order of its lines.
func (d *diff) compare() {
	for _, src := range d.old {
		var found []structural.Finding
		for _, c := range src.CRDs {
			if d.was[c.Name] == c && d.is[c.Name] == nil {
				gone, _ := d.changes(c, nil)
				found = append(found, gone...)
			}
		}
		d.report.Add(src.Snippets(d.wanted(found)))
	}
	for _, src := range d.new {
		var found, last []structural.Finding
		for _, c := range src.CRDs {
			if d.is[c.Name] != c {
				continue
			}
			var all []structural.Finding
			all, last = d.changes(d.was[c.Name], c)
			found = append(found, all...)
			if last != nil {
				break
			}
			found = append(found, d.refusals(d.was[c.Name], c)...)
		}
		// Of several changes at a place, those that break come first already.
		slices.SortStableFunc(found, func(a, b structural.Finding) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
		})
		d.report.Add(src.Snippets(d.wanted(append(found, last...))))
		if last != nil {
			return // which says that there is more
		}
	}
}

// refusals returns why the API server would refuse a new CRD: as warnings if it would refuse the old one for the same reasons.
func (d *diff) refusals(old, new *structural.CRD) []structural.Finding {
	found := refusals(lint.Refusals(new, new.Versions...))
	if len(found) == 0 {
		return nil
	}
	d.refuse(new)
	if old == nil {
		return found
	}
	type reason struct {
		id                     structural.ID
		version, path, message string
	}
	known := map[reason]bool{}
	for _, f := range lint.Refusals(old, old.Versions...) {
		known[reason{f.ID, f.Version, f.Path, f.Message}] = true
	}
	for i, f := range found {
		if known[reason{f.ID, f.Version, f.Path, f.Message}] {
			found[i].Severity = structural.SeverityWarning
		}
	}
	return found
}

// refusals returns findings of lint with a hint to it.
func refusals(found []structural.Finding) []structural.Finding {
	for i := range found {
		found[i].Hint = strings.TrimPrefix(found[i].Hint+"; prune-gen lint reports all that the API server refuses", "; ")
	}
	return found
}

// wanted returns the findings that are to be printed.
func (d *diff) wanted(found []structural.Finding) []structural.Finding {
	if !d.breakingOnly {
		return found
	}
	errors := findings.Errors(found)
	d.report.Count(findings.Tally{Unprinted: len(found) - len(errors)})
	return errors
}

// changes returns the changes from one CRD to another as findings in the new one, or in the old one if it is gone. A nil CRD stands for
// none. The last finding says that the run exceeds a limit, if it does.
func (d *diff) changes(old, new *structural.CRD) (all, last []structural.Finding) {
	in := cmp.Or(new, old)
	found, err := crddiff.Compare(old, new)
	return d.findings(old, in, found), report.TooLarge(in, err)
}

// findings returns changes as findings in a CRD.
func (d *diff) findings(old, in *structural.CRD, changes []crddiff.Change) []structural.Finding {
	var all []structural.Finding
	for _, c := range changes {
		f := structural.Finding{ID: c.ID, Version: c.Version, Severity: structural.SeverityNote, Message: c.String()}
		if c.Level > crddiff.None {
			f.Level = c.Level.String()
		}
		if c.Level >= d.level && !d.objectsOnly {
			f.Severity = structural.SeverityError
		} else if c.Version != "" && len(in.Versions) > 1 && !c.IsAboutVersion() {
			f.Message = c.Version + ": " + f.Message // a note is printed in one line, without the version
		}
		if f = report.Place(in, f, c.At); c.Was != nil {
			was := old.Locate(c.Was.Steps())
			f.Hint = fmt.Sprintf("it was at %s:%d:%d", was.File, was.Line, was.Column)
		}
		all = append(all, f)
	}
	return all
}
