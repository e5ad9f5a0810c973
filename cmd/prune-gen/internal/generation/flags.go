// Package generation is what generate and verify share: from flags and CRDs to the files of each package.
package generation

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
)

// Request says what to generate, and where to. Flags set it.
type Request struct {
	dir, pkg   string // pkg is "" to find one
	layout     *cli.Choice
	selection  selection
	options    generator.Options
	keepStale  bool
	kubernetes kubeversion.Version

	flags          *pflag.FlagSet
	emit, emitOnly []string
	semantics      *cli.Choice
	headerFile     string
	share          bool
}

// AddFlags adds the flags that generate and verify share. The text dir says what --output-dir is.
func AddFlags(cmd *cobra.Command, dir string) *Request {
	f := cmd.Flags()
	names := fmt.Sprintf("%s, %s, %s", generator.AllFeatures(), generator.GroupJSON, generator.GroupAll)
	g := &Request{flags: f}
	f.StringVar(&g.dir, "output-dir", ".", dir)
	g.layout = cli.AddChoice(cmd, "layout", "flat: one version, in the directory; versions: a subdirectory for each; groups: GROUP/VERSION; auto: flat for one version", layoutAuto, layoutFlat, layoutVersions, layoutGroups)
	f.StringSliceVar(&g.selection.groups, "group", nil, "only these `groups` (default: that of the package's marker +groupName)")
	f.StringSliceVar(&g.selection.versions, "crd-version", nil, "only the versions with these `names` (default: the name of the package, if it is a version)")
	f.StringSliceVar(&g.selection.kinds, "kind", nil, "only these `kinds`, as KIND or GROUP/KIND")
	f.StringSliceVar(&g.emit, "emit", nil, fmt.Sprintf("more `functions` to generate for each kind: %s", names))
	f.StringSliceVar(&g.emitOnly, "emit-only", nil, "the only `functions` to generate for each kind, and those that they need")
	g.semantics = cli.AddChoice(cmd, "semantics", "how to read preserved subtrees", structural.APIServer.String(), structural.KEP2332.String())
	f.StringVar(&g.pkg, "package", "", "the `name` of the Go package (default: that of the existing package, $GOPACKAGE, or the version)")
	f.StringVar(&g.headerFile, "header-file", "", "a `file` whose text is put at the top as a comment, a licence for example")
	f.BoolVar(&g.options.Register, "register", false, "add a file that registers the kinds when the program starts")
	f.BoolVar(&g.share, "share-across-kinds", false, "let the kinds of a package share functions: less code, but a change to one kind can change the files of others")
	f.BoolVar(&g.keepStale, "keep-stale", false, "keep generated files that this run does not write")
	for _, name := range []string{"emit", "emit-only"} {
		cli.CompleteList(cmd, name, strings.Split(names, ", ")...)
	}
	cli.AddKubernetes(cmd, &g.kubernetes)
	cmd.PreRunE = func(*cobra.Command, []string) error { return g.Check() }
	return g
}

// Below makes the paths of the flags relative to dir, not to the current directory.
func (g *Request) Below(dir string) {
	for _, path := range []*string{&g.dir, &g.headerFile} {
		if *path != "" && !filepath.IsAbs(*path) {
			*path = filepath.Join(dir, *path)
		}
	}
}

// features returns the functions to generate: those that --emit-only names, or else the default and those that --emit names.
func (g *Request) features() (generator.Features, error) {
	emit, only := g.flags.Changed("emit"), g.flags.Changed("emit-only")
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
		return parse("emit-only", g.emitOnly)
	case emit:
		more, err := parse("emit", g.emit)
		return append(generator.DefaultFeatures(), more...).Complete(), err
	}
	return generator.DefaultFeatures(), nil
}

// Check completes the request when the flags are parsed. It returns what is wrong with them.
func (g *Request) Check() (err error) {
	switch {
	case g.dir == "":
		return cli.Usagef("--output-dir is empty")
	case g.pkg != "" && !generator.IsLibraryName(g.pkg):
		return cli.Usagef("invalid argument %q for --package: that cannot be the name of a Go package", g.pkg)
	case g.share && g.keepStale:
		return cli.Usagef("--share-across-kinds and --keep-stale cannot be combined: the files that kinds share are made for all kinds of a package")
	case g.options.Register && g.keepStale:
		return cli.Usagef("--register and --keep-stale cannot be combined: there is one file that registers, for all kinds of a package")
	}
	if g.options.Features, err = g.features(); err != nil {
		return err
	}
	if g.options.Semantics, err = structural.ParseSemantics(g.semantics.Value); err != nil {
		return err
	}
	if g.share {
		g.options.Sharing = generator.ShareAcrossKinds
	}
	if g.headerFile != "" {
		if g.options.Header, err = readHeader(g.headerFile); err != nil {
			return fmt.Errorf("header file: %w", err)
		}
	}
	return nil
}
