// Package validatecmd is the command validate.
package validatecmd

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/crdserver"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/internal/builtin"
	"github.com/prune-gen/prune-gen/internal/kubenames"
	"github.com/prune-gen/prune-gen/internal/manifest"
	"github.com/prune-gen/prune-gen/internal/meter"
	"github.com/prune-gen/prune-gen/internal/objects"
	"github.com/prune-gen/prune-gen/internal/report"
	"github.com/prune-gen/prune-gen/structural"
)

// Command returns the command.
func Command(env *cli.Environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "validate [flags] [--crd CRD] FILE...",
		Short: "report, with file and line, what the API server would drop and refuse in manifests",
		Long: `Report, with file and line, what the API server would drop, warn of and refuse if each object were created. Refusals are errors
with the server's own text. So are unknown and duplicate fields, as for kubectl; --field-validation Warn makes warnings of them.
A manifest is a file with YAML documents, JSON or lists, a directory, or - for standard input. Without --crd, the CRDs are those
among the manifests, before or after the objects. Fields that only the server sets are dropped, as the server does. An object to be
created must not have a resourceVersion: the first one in a file is a warning, and the objects are validated without it. With
--old, an object with the same group, kind, namespace and name as an old one is validated as an update of it; without a
resourceVersion of its own it gets that of the old object. --old git:REF stands for the manifests at a revision, and shows changes of
immutable fields. CRDs are read on demand; lint checks the others. Objects of built-in kinds are validated if prune-gen-builtin, which is
the API server's own code, is beside prune-gen or on the PATH; with --old they are changed as kubectl apply does. Then it is an
error if nothing knows the kind of an object. No cluster is asked, so admission and other objects are not taken into account.`,
		Example: `  # the manifests of a repository, against its own CRDs
  prune-gen validate --crd config/crd/bases config/samples
  # what a chart installs, against its own CRDs; every custom kind must have one
  helm template --include-crds chart | prune-gen validate --strict-kinds -
  # objects that exist, against CRDs that are to be installed
  kubectl get crontabs -A -o yaml | prune-gen validate --crd new.yaml -
  # before a commit: fields that are immutable have not changed
  prune-gen validate --crd config/crd/bases --old git:HEAD config/samples
  # in CI: the change of a manifest, as an update
  prune-gen validate --crd crds --old old.yaml --output junit new.yaml >report.xml`,
	}
	shared := cli.AddFindingFlags(cmd, cli.MuteErrors, "print findings only, without lines for valid objects and without a summary")
	cli.AddKubernetes(cmd, &shared.Kubernetes)
	flags := crdserver.AddFlags(cmd, shared)
	flags.Mixed = true
	cmd.Flags().Lookup("crd").Usage += " (default: those among the manifests)"
	v := &validator{how: shared, seen: map[string]bool{}, earlier: map[string][]manifest.Object{}}
	v.level = cli.AddChoice(cmd, "field-validation", "report unknown and duplicate fields as errors, as warnings, or not", string(manifest.Strict), string(manifest.Warn), string(manifest.Ignore))
	cmd.Flags().BoolVar(&v.strictKinds, "strict-kinds", false, "report kinds that nothing answers for as errors: custom ones without a CRD, and built-in ones without prune-gen-builtin")
	cmd.Flags().StringSliceVar((*[]string)(&v.skip), "skip", nil, "skip objects of these `kinds`, such as Secret, apps/Deployment or apps/v1/Deployment; can be repeated")
	cmd.Flags().StringSliceVar((*[]string)(&v.reject), "reject", nil, "report objects of these `kinds` as errors; can be repeated")
	cmd.Flags().BoolVarP(&shared.Verbose, "verbose", "v", false, "name the files, documents and objects that are skipped")
	old := cmd.Flags().StringSlice("old", nil, "validate as updates of the objects in these `files`; git:REF stands for the manifests at that revision; can be repeated")
	oldDir := cmd.Flags().StringSlice("old-dir", nil, "the same for all manifests below these `directories`")
	cmd.Args = func(_ *cobra.Command, args []string) error { return flags.Check(args, *old, *oldDir) }
	cmd.RunE = func(_ *cobra.Command, args []string) (err error) {
		v.report = shared.Report(env.Stdout, env.StdoutTerminal)
		v.report.Count(findings.Tally{Manifests: true})
		if v.server, err = flags.Server(env, v.report, args); err == nil {
			err = v.validate(env, args, append(*old, *oldDir...))
		}
		if errors.Is(err, cli.ErrFindings) {
			err = nil // the report says so
		}
		return shared.Finish(v.report, err)
	}
	return cmd
}

// validator is the work of the command.
type validator struct {
	how         *cli.FindingFlags
	server      *crdserver.Server
	report      *findings.Report
	level       *cli.Choice
	strictKinds bool
	skip        kinds
	reject      kinds
	seen        map[string]bool    // the unknown kinds that were reported
	skipped     []findings.Skipped // in the current file
	unlisted    int                // how many more are skipped
	kinds       map[string]int     // the indices of the unknown kinds of the current file
	// earlier has what was stored of files of a revision, by their identities. Overlays have objects of one name in several files.
	earlier map[string][]manifest.Object
}

// kinds are kinds that a flag names, in any case: KIND, GROUP/KIND or, as for other validators, GROUP/VERSION/KIND.
type kinds []string

// has reports whether an object is of one of the kinds.
func (k kinds) has(o manifest.Object) bool {
	group, _ := o.Group()
	return slices.ContainsFunc(k, func(name string) bool {
		return strings.EqualFold(name, o.Kind) || strings.EqualFold(name, o.APIVersion+"/"+o.Kind) || strings.EqualFold(name, group+"/"+o.Kind)
	})
}

func (v *validator) validate(env *cli.Environment, names, old []string) error {
	given := v.how.Inputs(nil)
	earlier := given // the manifests at a revision
	earlier.Earlier = true
	for _, arg := range old {
		at := len(earlier.Names)
		for _, name := range names {
			if path := input.WithPath(arg, name); path != arg {
				earlier.Names = append(earlier.Names, path)
			}
		}
		if len(earlier.Names) == at {
			given.Names = append(given.Names, arg)
		}
	}
	for _, args := range []input.Args{earlier, given} {
		if len(args.Names) == 0 {
			continue
		}
		if err := cli.EachText(env, "reading old objects", args, v.store); err != nil || v.report.Errors() > 0 {
			return err
		}
	}
	return cmp.Or(cli.EachText(env, "validating", v.how.Inputs(names), v.file), v.server.Finish())
}

// store makes the objects of a file known to the server.
func (v *validator) store(t *input.Text) {
	path, isEarlier := input.PathInRevision(t.Name)
	key := input.Identity(path)
	v.read(t, manifest.ReadToKeep, func(o manifest.Object) []structural.Finding {
		if v.server.Store(o) && isEarlier {
			v.earlier[key] = append(v.earlier[key], o)
		}
		return nil
	})
}

// read calls each with the objects of a file, and reports what that returns and the errors of the text. It says why the file, or a part
// of it, is skipped. It returns nil for a file that cannot be opened.
func (v *validator) read(t *input.Text, read reading, each func(manifest.Object) []structural.Finding) (*manifest.File, report.Foreign) {
	if t.Wrong != nil {
		v.report.Add(findings.Snippets([]structural.Finding{*t.Wrong}, nil))
		return nil, report.NotForeign
	}
	f := read(t.Text, each, v.server.Server)
	if !t.Listed {
		f.Foreign = report.NotForeign
	}
	if !f.Foreign.Whole() {
		kept, _ := f.Foreign.Keep(f.Findings)
		v.report.Add(t.Snippets(kept, f.Lines))
	}
	return &f, f.Foreign
}

// reading is manifest.Read, or manifest.ReadToKeep.
type reading = func(*objects.Text, func(manifest.Object) []structural.Finding, ...*manifest.Server) manifest.File

// file validates the objects of a file.
func (v *validator) file(t *input.Text) {
	tally := findings.Tally{File: t.Name, Files: 1}
	v.skipped, v.unlisted, v.kinds = nil, 0, map[string]int{}
	for _, o := range v.earlier[input.Identity(t.Name)] {
		v.server.StoreAgain(o)
	}
	var verdicts []findings.Verdict
	f, foreign := v.read(t, manifest.Read, func(o manifest.Object) []structural.Finding {
		switch {
		case v.skip.has(o):
			tally.LeftOut++
			v.pass(t.Name, o, "--skip names its kind")
			return nil
		case v.reject.has(o):
			tally.Objects++
			tally.Refused++
			return finding(manifest.RuleRejected, o, fmt.Sprintf("kind %s is rejected", o.Kind))
		}
		a := v.server.Answer(o, manifest.Validation(v.level.Value))
		if a.Resource == nil && !a.Refused {
			return v.unknown(t.Name, a, &tally)
		}
		if tally.Objects++; a.Refused {
			tally.Refused++
		} else if len(a.Findings) == 0 && v.report.ListsVerdicts() {
			verdicts = append(verdicts, findings.Verdict{File: t.Name, CRD: a.CRD(), Kind: o.Kind, Object: o.String(), Line: o.Node.Pos.Line})
		}
		return a.Findings
	})
	switch {
	case foreign.Whole():
		tally, verdicts = findings.Foreign(t.Name, foreign), nil
		v.skipped = []findings.Skipped{{File: t.Name, Reason: tally.Reason()}}
	case f != nil:
		tally.Passed, tally.Templates = f.Passed, findings.Foreign(t.Name, foreign).Templates
		if _, line := foreign.Keep(f.Findings); line > 0 {
			v.skipped = append(v.skipped, findings.Skipped{File: t.Name, Line: line, Reason: findings.Template})
		}
		for _, line := range f.PassedAt {
			v.skipped = append(v.skipped, findings.Skipped{File: t.Name, Line: line, Reason: findings.NotObject})
		}
		slices.SortStableFunc(v.skipped, func(a, b findings.Skipped) int { return cmp.Compare(a.Line, b.Line) })
		if more := v.unlisted + f.Passed - len(f.PassedAt); more > 0 {
			v.skipped = append(v.skipped, findings.Skipped{File: t.Name, Reason: fmt.Sprintf("%s, which are not listed", findings.Count(more, "more object"))})
		}
	}
	for _, s := range v.skipped {
		v.report.Skip(s)
	}
	for _, verdict := range verdicts {
		v.report.Verdict(verdict)
	}
	v.report.Count(tally)
}

// unknown counts an object of a kind for which no CRD was given. It is an error if its group is known. The first of each other kind is a
// warning if CRDs of other groups have the kind, and an error with --strict-kinds, or if a program answers for built-in kinds.
func (v *validator) unknown(file string, a *manifest.Answer, tally *findings.Tally) []structural.Finding {
	group, _ := a.Group()
	switch {
	case a.IsKnown():
		return nil // the CRD has errors, which are reported
	case kubenames.IsBuiltIn(group, a.Kind):
		if tally.BuiltIn++; !v.server.HasBuiltIn() {
			tally.NoBuiltIn = ": " + builtin.Name + ", which is a program of its own, validates them"
		}
		v.pass(file, a.Object, "a built-in kind")
		if !v.strictKinds || v.server.HasBuiltIn() || !builtin.Answers(group, a.Kind) {
			return nil
		}
		return v.once(a, finding(manifest.RuleUnknownKind, a.Object, fmt.Sprintf("kind %q is built-in, and there is no %s to ask", a.Kind, builtin.Name)))
	}
	f := v.server.MissingKind(a.Object)
	if f != nil && f.Severity == structural.SeverityError {
		tally.Objects++
		tally.Refused++
		return []structural.Finding{*f}
	}
	v.pass(file, a.Object, "no CRD was given for its kind")
	id := a.APIVersion + " " + a.Kind
	i, known := v.kinds[id]
	if !known {
		i = len(tally.UnknownKinds)
		v.kinds[id] = i
		tally.UnknownKinds = append(tally.UnknownKinds, findings.KindCount{APIVersion: a.APIVersion, Kind: a.Kind})
		v.how.Meter().SpendMemory(len(id))
	}
	tally.UnknownKinds[i].Objects++
	strict := v.strictKinds || v.server.HasBuiltIn() && !kubenames.IsLocal(group, a.Kind) // then all kinds of a server are known
	switch {
	case f == nil && !strict:
		return nil
	case f == nil:
		return v.once(a, finding(manifest.RuleUnknownKind, a.Object, manifest.NoCRD(a.Object)))
	case strict:
		f.Severity = structural.SeverityError
	}
	return v.once(a, []structural.Finding{*f})
}

// once returns findings about the first object of a kind.
func (v *validator) once(a *manifest.Answer, found []structural.Finding) []structural.Finding {
	id := a.APIVersion + " " + a.Kind
	if v.seen[id] {
		return nil
	}
	v.seen[id] = true
	return found
}

// pass records an object of a file that is not validated, unless there are too many.
func (v *validator) pass(file string, o manifest.Object, reason string) {
	if len(v.skipped) == meter.Findings {
		v.unlisted++
		return
	}
	v.skipped = append(v.skipped, findings.Skipped{File: file, Line: o.Node.Pos.Line, Object: o.String(), Reason: reason})
}

// finding returns an error about an object.
func finding(rule structural.Rule, o manifest.Object, message string) []structural.Finding {
	return []structural.Finding{{Rule: rule, Line: o.Node.Pos.Line, Column: o.Node.Pos.Column, Object: o.String(), Severity: structural.SeverityError, Message: message}}
}
