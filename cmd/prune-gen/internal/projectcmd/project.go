// Package projectcmd is the command project.
package projectcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/config"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/generation"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/output"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/internal/generate/keeplist"
	"github.com/prune-gen/prune-gen/internal/generate/projection"
	"github.com/prune-gen/prune-gen/internal/generate/target"
	"github.com/prune-gen/prune-gen/internal/generate/typecheck"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/structural"
)

// Call is what the arguments of project ask for.
type Call struct {
	How *cli.FindingFlags

	base                                string // where the call runs
	dir, typ, keep, name, kind, version string
	init                                bool
	crds                                []string
}

// Command returns the command.
func Command(env *cli.Environment) *cobra.Command {
	cmd, c := newCommand()
	cmd.RunE = func(cmd *cobra.Command, packages []string) error {
		if c.init {
			report, notes := c.How.Streams(env)
			err := c.printFirst(cmd.Context(), env, notes, packages)
			env.Progress.Erase()
			return c.How.FinishQuietly(report, err)
		}
		return c.run(cmd.Context(), env)
	}
	return cmd
}

// Parse parses the arguments of project as if it ran in dir.
func Parse(dir string, args []string) (*Call, error) {
	cmd, c := newCommand()
	config.AddFlag(cmd)
	if err := cmd.ParseFlags(args); err != nil {
		return nil, cli.FlagError(cmd, err)
	}
	if _, err := config.Apply(cmd, dir); err != nil {
		return nil, err
	}
	c.base = dir
	for _, path := range []*string{&c.dir, &c.keep} {
		if *path != "" && !filepath.IsAbs(*path) {
			*path = filepath.Join(dir, *path)
		}
	}
	for i, name := range c.crds {
		c.crds[i] = input.Below(dir, name)
	}
	if c.init {
		return nil, cli.Usagef("--init prints a list: it is not for directives")
	}
	return c, c.check(cmd.Flags().Args())
}

func newCommand() (*cobra.Command, *Call) {
	c := &Call{base: "."}
	cmd := &cobra.Command{
		Use:   "project [flags] | project --init --type TYPE PACKAGE...",
		Short: "write a function that drops from objects in a cache what a list does not keep",
		Long: `Write a function that sets to zero, in place and without allocating, the fields of objects that a list does not keep:
for the transform of a cache. With --type it is one on a Go type of objects, such as func(obj *corev1.Pod), with --crd one
on map[string]any.

The list has the path of a field on each line, such as spec.containers[].image. A path keeps everything below it, and *
everything. A path after a dash takes away what other lines keep. A comment begins with #. Names, times, finalizers,
owners and the like in metadata are always kept, labels unless a line says -metadata.labels.

With --init, the command prints a first list for a Go type. It has the fields that packages of the module select, each
with the first place, and as comments the places where whole objects go elsewhere, for you to decide what else to keep.`,
		Example: `  # the beginning of a list for Pods
  prune-gen project --init --type k8s.io/api/core/v1.Pod ./... > pod.keep
  # a function on Pods, with the list in pod.keep
  prune-gen project --type k8s.io/api/core/v1.Pod --keep pod.keep --name ForScheduling
  # unstructured objects
  prune-gen project --crd config/crd/bases/crontabs.yaml --keep crontab.keep`,
		Args: func(_ *cobra.Command, args []string) error { return c.check(args) },
	}
	f := cmd.Flags()
	f.StringVar(&c.typ, "type", "", "the Go `type` of the objects, such as k8s.io/api/core/v1.Pod, ./api/v1.CronTab, or CronTab in the output directory")
	f.StringSliceVar(&c.crds, "crd", nil, "the `CRD` of the objects, without --type: a file or directory; can be repeated")
	f.StringVar(&c.kind, "kind", "", "the `kind` of the objects, if there are CRDs of several")
	f.StringVar(&c.version, "crd-version", "", "the `version` of the CRD, if it has several")
	f.StringVar(&c.keep, "keep", "", "the `file` with the list")
	f.BoolVar(&c.init, "init", false, "print a first list, from the packages that use the objects")
	f.StringVar(&c.name, "name", "", "the `name` of the function (default: Project with the kind after it)")
	f.StringVar(&c.dir, "output-dir", ".", "the `directory` to write to")
	c.How = cli.AddFindingFlags(cmd, cli.MuteWarnings, "do not print what was generated")
	return cmd, c
}

var goodName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*$`)

// check returns what is wrong with the flags.
func (c *Call) check(args []string) error {
	switch {
	case c.init && (c.typ == "" || len(args) == 0):
		return cli.Usagef("--init needs --type and packages, such as ./...")
	case c.init && c.keep+c.name != "":
		return cli.Usagef("--init prints a list: it cannot be combined with --keep and --name")
	case len(args) > 0 && !c.init:
		return cli.Usagef("unexpected argument %s", args[0])
	case c.typ == "" && len(c.crds) == 0:
		return cli.Usagef("--type or --crd is needed")
	case c.keep == "" && !c.init:
		return cli.Usagef("--keep is needed: a file with the paths of the fields to keep")
	case c.typ != "" && len(c.crds)+len(c.kind)+len(c.version) > 0:
		return cli.Usagef("--type cannot be combined with --crd, --kind and --crd-version")
	case c.dir == "":
		return cli.Usagef("--output-dir is empty")
	case c.name != "" && (!goodName.MatchString(c.name) || token.IsKeyword(c.name) || types.Universe.Lookup(c.name) != nil || c.name == "init"):
		return cli.Usagef("invalid argument %q for --name: it has to be a Go name of letters and digits, and none that Go gives a meaning", c.name)
	case input.NamesStdin(c.crds):
		return cli.Usagef("the CRD cannot come from standard input")
	}
	return nil
}

// Projection is what a call generates.
type Projection struct {
	File *output.File

	list *keeplist.List
	tree *output.Tree
	made generator.File
}

// Close ends the work on the files.
func (p *Projection) Close() { p.tree.Close() }

// Open generates the file and compares it with the one in the output directory. The caller closes the result.
func (c *Call) Open(ctx context.Context, env *cli.Environment, report *findings.Report) (*Projection, error) {
	p := &Projection{}
	var err error
	if p.list, err = keeplist.Read(c.keep); err != nil {
		return nil, fmt.Errorf("--keep: %w", err)
	}
	report.Count(findings.Tally{File: c.keep, Files: 1})
	if p.tree, err = output.Open(c.dir); err != nil {
		return nil, err
	}
	err = c.compare(ctx, env, report, p)
	var errs keeplist.Errors
	var bad *generator.InputError
	var found []structural.Finding
	if errors.As(err, &bad) {
		found = bad.Findings
	} else if errors.As(err, &errs) {
		for _, e := range errs {
			found = append(found, structural.Finding{
				ID: findings.IDKeepList, File: e.File, Line: e.Line, Column: 1, Severity: structural.SeverityError, Message: e.Message,
			})
		}
	}
	report.Add(input.GoSnippets(found))
	if found != nil || err == nil && report.PartFailed() {
		err = cli.ErrFindings
	}
	if err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// compare makes the file.
func (c *Call) compare(ctx context.Context, env *cli.Environment, report *findings.Report, p *Projection) error {
	abs, err := filepath.Abs(c.dir)
	if err != nil {
		return err
	}
	there, err := target.Find(c.dir, target.FromEnvironment(), func(string) bool { return false })
	if err != nil {
		return err
	}
	pkg, err := generation.PackageName("", filepath.Base(abs), there, nil)
	if err != nil {
		return err
	}
	if c.typ != "" {
		t, name, own, err := c.goType(ctx, env, abs)
		if err != nil {
			return err
		}
		if p.made, err = projection.Function(ctx, t, p.list, cmp.Or(c.name, "Project"+name), pkg, own); err != nil {
			return err
		}
	} else {
		in, err := c.input(env, report)
		if err != nil {
			return err
		}
		cut, err := projection.Cut(in, p.list)
		if err != nil {
			return err
		}
		name := cmp.Or(c.name, "Project"+in.CRD.Names.Kind)
		if !goodName.MatchString(name) {
			return cli.Usagef("--name is needed: %s cannot be the name of a function", name)
		}
		if p.made, err = generator.Project(in, cut, name, generator.Options{Package: pkg}); err != nil {
			return err
		}
		if _, err := typecheck.Check([]generator.File{p.made}); err != nil {
			return &cli.InternalError{Err: err}
		}
	}
	have, err := p.tree.Named(".", func(name string) bool { return name == p.made.Name })
	if err != nil {
		return err
	}
	files, found := p.tree.Compare(".", pkg, have, []generator.File{p.made}, output.KeepStale)
	report.Add(input.GoSnippets(found))
	if len(files) > 0 {
		p.File = files[0]
	}
	return nil
}

// goType returns the type that --type names, its name, and the import path of the output directory if that declares it.
func (c *Call) goType(ctx context.Context, env *cli.Environment, abs string) (t types.Type, name, own string, err error) {
	env.Progress.Show("loading %s", c.typ)
	dot := strings.LastIndex(c.typ, ".")
	path, name := abs, c.typ[dot+1:]
	if dot >= 0 {
		path = below(c.base, c.typ[:dot])
	}
	if t, own, err = target.Type(ctx, c.dir, target.FromEnvironment(), path, name); err != nil {
		err = fmt.Errorf("--type: %w", err)
	}
	return t, name, own, err
}

// below returns a pattern for packages, as an absolute path if it is relative to a directory.
func below(base, pattern string) string {
	if first, _, _ := strings.Cut(pattern, "/"); first != "." && first != ".." {
		return pattern
	}
	abs, err := filepath.Abs(filepath.Join(base, pattern))
	if err != nil {
		return pattern
	}
	return abs
}

// input returns the version of the CRD.
func (c *Call) input(env *cli.Environment, report *findings.Report) (in generator.Input, err error) {
	n := 0
	err = cli.EachSource(env, "reading", c.How.Inputs(c.crds), func(src *input.Source) {
		report.Add(src.Doubts())
		for _, crd := range src.CRDs {
			for _, v := range crd.Versions {
				if (c.kind == "" || c.kind == crd.Names.Kind) && (c.version == "" || c.version == v.Name) {
					in, n = generator.Input{CRD: crd, Version: v}, n+1
					if refused := lint.Refusals(crd, v); len(refused) > 0 {
						report.Add(src.Snippets(refused))
					}
				}
			}
		}
	})
	switch {
	case err != nil:
		return in, err
	case report.PartFailed():
		return in, cli.ErrFindings
	case n == 0:
		return in, errors.New("no CRD has that kind and version")
	case n > 1:
		return in, errors.New("there are several kinds or versions: choose with --kind and --crd-version")
	}
	return in, nil
}

// run writes the file.
func (c *Call) run(ctx context.Context, env *cli.Environment) error {
	report, notes := c.How.Streams(env)
	p, err := c.Open(ctx, env, report)
	if err == nil {
		defer p.Close()
		verb := "unchanged"
		if p.File.Change() != output.Keep {
			verb = "written"
			env.Progress.Show("compiling %s", p.made.Name)
			err = c.compile(ctx, report, p)
		}
		if err == nil {
			err = p.tree.Write([]*output.File{p.File})
		}
		env.Progress.Erase()
		if err == nil && !*c.How.Quiet {
			fmt.Fprintf(notes, "%s %s\n", terminal.Escape(p.File.Path()), verb)
		}
	}
	env.Progress.Erase()
	return c.How.FinishQuietly(report, err)
}

// printFirst prints a first list, from what packages do with the objects.
func (c *Call) printFirst(ctx context.Context, env *cli.Environment, notes io.Writer, patterns []string) error {
	abs, err := filepath.Abs(c.dir)
	if err != nil {
		return err
	}
	t, _, _, err := c.goType(ctx, env, abs)
	if err != nil {
		return err
	}
	env.Progress.Show("reading packages")
	for i := range patterns {
		patterns[i] = below(".", patterns[i])
	}
	from, err := target.Sources(ctx, abs, target.FromEnvironment(), patterns)
	if err != nil {
		return fmt.Errorf("%s (--init needs packages that compile: mend this one, or name others)", cli.ShortPath(err.Error()))
	}
	text, err := projection.First(ctx, t, from, target.FindRoot(abs))
	fmt.Fprint(notes, text)
	return err
}

// compile compiles the file with the package that it will be in. As for generate, a module without the runtime is a warning.
func (c *Call) compile(ctx context.Context, report *findings.Report, p *Projection) error {
	tags := target.FromEnvironment()
	if c.typ == "" {
		if found := generation.ModuleFindings(target.LoadModule(ctx, c.dir, tags, nil), c.dir); len(found) > 0 {
			report.Find(found...)
			return nil
		}
	}
	return target.Fits(ctx, c.dir, tags, p.made)
}
