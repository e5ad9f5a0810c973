// Package validatecmd is the command validate.
package validatecmd

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/crdserver"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/internal/answer/builtin"
	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/base/listed"
	"github.com/prune-gen/prune-gen/internal/crd/kubenames"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
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
  prune-gen validate --crd crds --old old.yaml --output github new.yaml`,
	}
	shared := cli.AddFindingFlags(cmd, cli.MuteErrors, "print findings only, without lines for valid objects and without a summary")
	cli.AddKubernetes(cmd, &shared.Kubernetes)
	flags := crdserver.AddFlags(cmd, shared)
	flags.Mixed = true
	cmd.Flags().Lookup("crd").Usage += " (default: those among the manifests)"
	v := newValidator(AddFlags(cmd, shared))
	cmd.Flags().BoolVarP(&shared.Verbose, "verbose", "v", false, "name the files, documents and objects that are skipped")
	old := cmd.Flags().StringSlice("old", nil, "validate as updates of the objects in these `files` and directories; git:REF stands for the manifests at that revision; can be repeated")
	cmd.Args = func(_ *cobra.Command, args []string) error { return flags.Check(args, *old) }
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		v.report = shared.Report(env.Stdout, env.StdoutTerminal)
		return shared.Finish(v.report, flags.Serve(env, v.report, args, func(s *crdserver.Server) error {
			v.server = s
			return v.validate(env, args, *old)
		}))
	}
	return cmd
}

// Flags say how objects are judged.
type Flags struct {
	how         *cli.FindingFlags
	level       *cli.Choice
	strictKinds bool
	skip        kinds
	reject      kinds
}

// AddFlags adds the flags that say how objects are judged.
func AddFlags(cmd *cobra.Command, how *cli.FindingFlags) *Flags {
	f := &Flags{how: how}
	f.level = cli.AddChoice(cmd, "field-validation", "report unknown and duplicate fields as errors, as warnings, or not", string(manifest.Strict), string(manifest.Warn), string(manifest.Ignore))
	cmd.Flags().BoolVar(&f.strictKinds, "strict-kinds", false, "report kinds that nothing answers for as errors: custom ones without a CRD, and built-in ones without prune-gen-builtin")
	cmd.Flags().StringSliceVar((*[]string)(&f.skip), "skip", nil, "skip objects of these `kinds`, such as Secret, apps/Deployment or apps/v1/Deployment; can be repeated")
	cmd.Flags().StringSliceVar((*[]string)(&f.reject), "reject", nil, "report objects of these `kinds` as errors; can be repeated")
	return f
}

// Text reports what the command would about a file that it finds in a directory. Answers has what was found in the text before it changed.
// It returns what was found now, for as long as the server has the same kinds.
func (f *Flags) Text(t *objects.Text, server *crdserver.Server, report *findings.Report, before Answers) Answers {
	v := newValidator(f)
	v.server, v.report, v.before, v.now, v.lines = server, report, before, Answers{}, yamltext.NewLines(t.Data)
	t.Listed = true
	v.file(&input.Text{Text: t})
	v.queue.Finish()
	return v.now
}

// Answers are the findings about objects, by their text and the line in which it begins.
type Answers map[Asked][]structural.Finding

// Asked is an object that is a document of its own.
type Asked struct {
	line int
	text string
}

// asked returns what an answer depends on. It is false for an object that is a part of a document, which can refer to other parts.
func (f *file) asked(o manifest.Object) (a Asked, ok bool) {
	if f.now == nil || o.Node != o.Document.Root {
		return a, false
	}
	start := f.lines.Offset(f.Data, yamltext.Pos{Line: o.Node.Pos.Line, Column: 1})
	end := f.lines.Offset(f.Data, yamltext.Pos{Line: o.Last, Column: math.MaxInt})
	return Asked{o.Node.Pos.Line, string(f.Data[start:max(start, end)])}, true
}

// validator is the work of the command.
type validator struct {
	*Flags
	server  *crdserver.Server
	report  *findings.Report
	updates bool            // there are old objects
	seen    map[string]bool // the unknown kinds that were reported
	queue   manifest.Queue
	before  Answers
	now     Answers         // nil if nothing is kept
	lines   *yamltext.Lines // of the text whose answers are kept
	// earlier has what was stored of files of a revision, by their identities. Overlays have objects of one name in several files.
	earlier map[string][]manifest.Object
}

func newValidator(f *Flags) *validator {
	return &validator{Flags: f, seen: map[string]bool{}, earlier: map[string][]manifest.Object{}}
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
	v.updates = len(old) > 0
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
	err := cli.EachText(env, "validating", v.how.Inputs(names), v.file)
	v.queue.Finish()
	return cmp.Or(err, v.server.Finish())
}

// store makes the objects of a file known to the server.
func (v *validator) store(t *input.Text) {
	path, isEarlier := input.PathInRevision(t.Name)
	key := input.Identity(path)
	if t.Wrong != nil {
		v.report.Find(*t.Wrong)
		return
	}
	v.add(t, manifest.ReadToKeep(t.Text, func(o manifest.Object) []structural.Finding {
		if v.server.Store(o) && isEarlier {
			v.earlier[key] = append(v.earlier[key], o)
		}
		return nil
	}, v.server.Server))
}

// add reports what was found in a file. It says why the file, or a part of it, is skipped.
func (v *validator) add(t *input.Text, f manifest.File) report.Foreign {
	if !t.Listed {
		f.Foreign = report.NotForeign
	}
	if !f.Foreign.Whole() {
		kept, _ := f.Foreign.Keep(f.Findings)
		v.report.Add(t.Snippets(kept, f.Lines))
	}
	return f.Foreign
}

// file is the work on a file.
type file struct {
	*validator
	*input.Text
	tally    findings.Tally
	skipped  []findings.Skipped
	unlisted int            // how many more are skipped
	kinds    map[string]int // the indices of the unknown kinds
}

// file validates the objects of a file.
func (v *validator) file(t *input.Text) {
	f := &file{validator: v, Text: t, tally: findings.Tally{File: t.Name, Files: 1}, kinds: map[string]int{}}
	if t.Wrong != nil {
		v.queue.Add(t.Name, 0, func() {
			v.report.Find(*t.Wrong)
			v.report.Count(f.tally)
		})
		return
	}
	for _, o := range v.earlier[input.Identity(t.Name)] {
		v.server.StoreAgain(o)
	}
	manifest.ReadAhead(&v.queue, t.Text, f.object, f.finish, v.server.Server)
}

// object asks about an object.
func (f *file) object(o manifest.Object, reasons manifest.Reasons) (size int, found func() []structural.Finding) {
	switch {
	case f.skip.has(o):
		f.tally.LeftOut++
		f.pass(o, "--skip names its kind")
		return 0, func() []structural.Finding { return nil }
	case f.reject.has(o):
		f.tally.Objects++
		f.tally.Refused++
		return 0, func() []structural.Finding {
			return finding(manifest.IDRejected, o, fmt.Sprintf("kind %s is rejected", o.Kind))
		}
	}
	asked, keep := f.asked(o)
	if found, ok := f.before[asked]; ok && keep {
		f.now[asked] = found
		return 0, func() []structural.Finding { return found }
	}
	keep = keep && reasons == manifest.WithReasons
	size, answer := f.server.Ask(o, manifest.Validation(f.level.Value), reasons)
	return size, func() []structural.Finding {
		a := answer()
		if keep && a.Resource != nil {
			f.now[asked] = a.Findings
		}
		if a.Resource == nil && !a.Refused {
			return f.unknown(a)
		}
		if f.updates && !a.IsUpdate() {
			f.tally.New++
		}
		if f.tally.Objects++; a.Refused {
			f.tally.Refused++
		}
		return a.Findings
	}
}

// finish reports what was found in the file.
func (f *file) finish(read manifest.File) {
	foreign := f.add(f.Text, read)
	if foreign.Whole() {
		f.tally = findings.Foreign(f.Name, foreign)
		f.skipped = []findings.Skipped{{File: f.Name, Reason: f.tally.Reason()}}
	} else {
		f.tally.Passed, f.tally.Templates = read.Passed, findings.Foreign(f.Name, foreign).Templates
		if _, line := foreign.Keep(read.Findings); line > 0 {
			f.skipped = append(f.skipped, findings.Skipped{File: f.Name, Line: line, Reason: findings.Template})
		}
		for _, line := range read.PassedAt {
			f.skipped = append(f.skipped, findings.Skipped{File: f.Name, Line: line, Reason: findings.NotObject})
		}
		slices.SortStableFunc(f.skipped, func(a, b findings.Skipped) int { return cmp.Compare(a.Line, b.Line) })
		if more := f.unlisted + read.Passed - len(read.PassedAt); more > 0 {
			f.skipped = append(f.skipped, findings.Skipped{File: f.Name, Reason: fmt.Sprintf("%s, which are not listed", findings.Count(more, "more object"))})
		}
	}
	for _, s := range f.skipped {
		f.report.Skip(s)
	}
	f.report.Count(f.tally)
}

// unknown counts an object of a kind for which no CRD was given. It is an error if its group is known. The first of each other kind is a
// warning if CRDs of other groups have the kind, and an error with --strict-kinds, or if a program answers for built-in kinds.
func (f *file) unknown(a *manifest.Judged) []structural.Finding {
	group, _ := a.Group()
	switch {
	case a.IsKnown():
		return nil // the CRD has errors, which are reported
	case kubenames.IsBuiltIn(group, a.Kind):
		if f.tally.BuiltIn++; f.server.LacksBuiltIn() {
			f.tally.NoBuiltIn = ": " + builtin.NameFor(f.how.Kubernetes) + " validates them, see " + builtin.Manual
		}
		f.pass(a.Object, "a built-in kind")
		if !f.strictKinds || !f.server.LacksBuiltIn() || !builtin.Answers(group, a.Kind) {
			return nil
		}
		lacks := finding(manifest.IDUnknownKind, a.Object, fmt.Sprintf("kind %q is built-in, and there is no %s to ask", a.Kind, builtin.NameFor(f.how.Kubernetes)))
		lacks[0].Hint = "see " + builtin.Manual + " to get it; --skip " + a.Kind + " skips the kind"
		return f.once(a, lacks)
	}
	missing := f.server.MissingKind(a.Object)
	if missing != nil && missing.Severity == structural.SeverityError {
		f.tally.Objects++
		f.tally.Refused++
		return []structural.Finding{*missing}
	}
	f.pass(a.Object, "no CRD was given for its kind")
	id := a.APIVersion + " " + a.Kind
	i, known := f.kinds[id]
	if !known {
		i = len(f.tally.UnknownKinds)
		f.kinds[id] = i
		f.tally.UnknownKinds = append(f.tally.UnknownKinds, findings.KindCount{APIVersion: a.APIVersion, Kind: a.Kind})
		f.how.Meter().SpendMemory(len(id))
	}
	f.tally.UnknownKinds[i].Objects++
	strict := f.strictKinds || f.server.HasBuiltIn() && !kubenames.IsLocal(group, a.Kind) // then all kinds of a server are known
	switch {
	case missing == nil && !strict:
		return nil
	case missing == nil:
		return f.once(a, finding(manifest.IDUnknownKind, a.Object, manifest.NoCRD(a.Object)))
	case strict:
		missing.Severity = structural.SeverityError
	}
	return f.once(a, []structural.Finding{*missing})
}

// once returns findings about the first object of a kind.
func (v *validator) once(a *manifest.Judged, found []structural.Finding) []structural.Finding {
	id := a.APIVersion + " " + a.Kind
	if v.seen[id] {
		return nil
	}
	v.seen[id] = true
	return found
}

// pass records an object that is not validated, unless there are too many.
func (f *file) pass(o manifest.Object, reason string) {
	if len(f.skipped) == listed.Findings {
		f.unlisted++
		return
	}
	f.skipped = append(f.skipped, findings.Skipped{File: f.Name, Line: o.Node.Pos.Line, Object: o.String(), Reason: reason})
}

// finding returns an error about an object.
func finding(id structural.ID, o manifest.Object, message string) []structural.Finding {
	return []structural.Finding{{ID: id, Line: o.Node.Pos.Line, Column: o.Node.Pos.Column, Object: o.String(), Severity: structural.SeverityError, Message: message}}
}
