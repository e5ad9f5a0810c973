// Package generation is what generate and verify share: from flags and CRDs to the files of each package.
package generation

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/generator/target"
	"github.com/prune-gen/prune-gen/structural"
)

// Flags are the flags that generate and verify share.
type Flags struct {
	flags      *pflag.FlagSet
	outputDir  *string
	layout     *cli.Choice
	groups     *[]string
	versions   *[]string
	kinds      *[]string
	emit       *[]string
	emitOnly   *[]string
	semantics  *cli.Choice
	pkg        *string
	headerFile *string
	buildTag   *string
	register   *bool
	share      *bool
	keepStale  *bool
}

// AddFlags adds the flags that generate and verify share. The text dir says what --output-dir is.
func AddFlags(cmd *cobra.Command, dir string) *Flags {
	f := cmd.Flags()
	names := fmt.Sprintf("%s, %s, %s", generator.AllFeatures(), generator.GroupJSON, generator.GroupAll)
	gf := &Flags{
		flags:      f,
		outputDir:  f.String("output-dir", ".", dir),
		layout:     cli.AddChoice(cmd, "layout", "flat: one version, in the directory; versions: a subdirectory for each; groups: GROUP/VERSION; auto: flat for one version", layoutAuto, layoutFlat, layoutVersions, layoutGroups),
		groups:     f.StringSlice("group", nil, "only these `groups` (default: that of the package's marker +groupName)"),
		versions:   f.StringSlice("crd-version", nil, "only the versions with these `names` (default: the name of the package, if it is a version)"),
		kinds:      f.StringSlice("kind", nil, "only these `kinds`, as KIND or GROUP/KIND"),
		emit:       f.StringSlice("emit", nil, fmt.Sprintf("more `functions` to generate for each kind: %s", names)),
		emitOnly:   f.StringSlice("emit-only", nil, "the only `functions` to generate for each kind, and those that they need"),
		semantics:  cli.AddChoice(cmd, "semantics", "how to read preserved subtrees", structural.APIServer.String(), structural.KEP2332.String()),
		pkg:        f.String("package", "", "the `name` of the Go package (default: that of the existing package, $GOPACKAGE, or the version)"),
		headerFile: f.String("header-file", "", "a `file` whose text is put at the top as a comment, a licence for example"),
		buildTag:   f.String("build-tag", "", "a build `constraint` for the files, as in a //go:build line"),
		register:   f.Bool("register", false, "add a file that registers the kinds when the program starts"),
		share:      f.Bool("share-across-kinds", false, "let the kinds of a package share functions: less code, but a change to one kind can change the files of others"),
		keepStale:  f.Bool("keep-stale", false, "keep generated files that this run does not write"),
	}
	for _, name := range []string{"emit", "emit-only"} {
		cli.CompleteList(cmd, name, strings.Split(names, ", ")...)
	}
	return gf
}

// Below makes the paths of the flags relative to dir, not to the current directory.
func (gf *Flags) Below(dir string) {
	*gf.outputDir = Below(dir, *gf.outputDir)
	if *gf.headerFile != "" {
		*gf.headerFile = Below(dir, *gf.headerFile)
	}
}

// Below returns the path of a name that is relative to dir.
func Below(dir, name string) string {
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

// features returns the functions to generate: those that --emit-only names, or else the default and those that --emit names.
func (gf *Flags) features() (generator.Features, error) {
	emit, only := gf.flags.Changed("emit"), gf.flags.Changed("emit-only")
	parse := func(flag string, names []string) (generator.Features, error) {
		features, err := generator.ParseFeatures(names)
		if err != nil {
			return nil, cli.Usagef("--%s: %v", flag, err)
		}
		return features, nil
	}
	switch {
	case emit && only:
		return nil, cli.Usagef("--emit and --emit-only cannot be combined: --emit adds to the default, --emit-only replaces it")
	case only:
		return parse("emit-only", *gf.emitOnly)
	case emit:
		more, err := parse("emit", *gf.emit)
		return append(generator.DefaultFeatures(), more...).Complete(), err
	}
	return generator.DefaultFeatures(), nil
}

// Request says what to generate, and where to.
type Request struct {
	dir        string
	layout     string
	selection  selection
	pkg        string // "" to find one
	options    generator.Options
	constraint target.Constraint
	keepStale  bool
}

// Request returns what the flags ask for.
func (gf *Flags) Request() (*Request, error) {
	g := &Request{
		dir:       *gf.outputDir,
		layout:    gf.layout.Value,
		selection: selection{groups: *gf.groups, kinds: *gf.kinds, versions: *gf.versions},
		pkg:       *gf.pkg,
		keepStale: *gf.keepStale,
	}
	wrong := func(flag, value string, err error) error {
		return cli.Usagef("invalid argument %q for --%s: %v", value, flag, err)
	}
	if g.dir == "" {
		return nil, cli.Usagef("--output-dir is empty")
	}
	if g.pkg != "" && !generator.IsLibraryName(g.pkg) {
		return nil, wrong("package", g.pkg, errors.New("that cannot be the name of a Go package"))
	}
	if *gf.share && g.keepStale {
		return nil, cli.Usagef("--share-across-kinds and --keep-stale cannot be combined: the files that kinds share are made for all kinds of a package")
	}
	if *gf.register && g.keepStale {
		return nil, cli.Usagef("--register and --keep-stale cannot be combined: there is one file that registers, for all kinds of a package")
	}
	var err error
	if g.options.Features, err = gf.features(); err != nil {
		return nil, err
	}
	if g.options.Semantics, err = structural.ParseSemantics(gf.semantics.Value); err != nil {
		return nil, wrong("semantics", gf.semantics.Value, err)
	}
	if g.constraint, err = target.ParseConstraint(*gf.buildTag); err != nil {
		return nil, wrong("build-tag", *gf.buildTag, err)
	}
	g.options.BuildTag = g.constraint.Expr
	g.options.Register = *gf.register
	if *gf.share {
		g.options.Sharing = generator.ShareAcrossKinds
	}
	if *gf.headerFile != "" {
		if g.options.Header, err = readHeader(*gf.headerFile); err != nil {
			return nil, fmt.Errorf("header file: %w", err)
		}
	}
	return g, nil
}
