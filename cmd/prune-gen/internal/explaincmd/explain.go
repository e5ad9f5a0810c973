// Package explaincmd is the command explain.
package explaincmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/internal/explain/schematree"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
)

// options are the flags of the command.
type options struct {
	kubernetes   kubeversion.Version
	output       *cli.Choice
	color        *cli.Choice
	version      *string
	depth        *int
	recursive    *bool
	descriptions *bool
	treeOnly     *bool
	limit        *cli.Limit
	crds         []string
	typed        bool // crds are on the command line, and not in prune-gen.yaml
}

// Command returns the command.
func Command(env *cli.Environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "explain [flags] CRD [KIND] [PATH] | [--crd CRD] KIND [PATH]",
		Short: "print the schema of a CRD as a tree, or as a page to try manifests on",
		Long: `Print the schema of a CRD as a tree: types, defaults, enums, limits and CEL rules, where the API server drops unknown fields, where
it keeps them, where it drops them again below, and where it rewrites metadata. KIND chooses one of several CRDs: a kind, a plural, a
singular or a short name, or GROUP/KIND. PATH is a field such as spec.rules[].host, also of metadata, or a key of a map. An HTML page
also shows, line by line as you type, what the API server would do to a manifest; it needs the go command, unless this is a release.
If prune-gen.yaml has crds, they need not be named.`,
		Example: `  # the fields of a CRD
  prune-gen explain crd.yaml
  # a kind of several
  prune-gen explain config/crd/bases crontabs spec
  # one of those in prune-gen.yaml
  prune-gen explain NodePool spec.template
  # one field and everything below it
  prune-gen explain --recursive --descriptions crd.yaml spec.template
  # a page to try manifests on
  prune-gen explain --output html crd.yaml >crd.html`,
	}
	fl := cmd.Flags()
	o := &options{
		output:       cli.AddChoice(cmd, "output", "the format of the schema", "text", "json", "html"),
		color:        cli.AddChoice(cmd, "color", "colour the text", "auto", "always", "never"),
		version:      fl.String("crd-version", "", "the `version` to explain (default: the stored one)"),
		depth:        fl.Int("depth", 0, "print this many `levels` (default: as many as fit on a page or two)"),
		recursive:    fl.Bool("recursive", false, "print all levels"),
		descriptions: fl.Bool("descriptions", false, "print the descriptions of all fields"),
		treeOnly:     fl.Bool("tree-only", false, "write a page without the engine and the editor (html)"),
		limit:        cli.AddLimit(cmd),
	}
	fl.StringSliceVar(&o.crds, "crd", nil, "`files` and directories with the CRDs; then the arguments are KIND and PATH; can be repeated")
	cli.AddKubernetes(cmd, &o.kubernetes)
	cmd.Args = o.check
	cmd.RunE = func(_ *cobra.Command, args []string) error { return o.run(env, args) }
	return cmd
}

// check returns what is wrong with the command line.
func (o *options) check(cmd *cobra.Command, args []string) error {
	o.typed = cmd.Flags().Changed("crd")
	crds, rest := o.split(args)
	switch {
	case len(o.crds) == 0 && len(args) > 0 && !strings.Contains(args[0], "/") && !input.LooksLikeFile(args[0]):
		return cli.Usagef("there is no file %s: name the CRD of a kind with --crd; built-in kinds have none", args[0])
	case len(rest) > 2:
		return cli.Usagef("want one CRD, at most one kind and at most one path, got %d arguments", len(args))
	case *o.depth < 0:
		return cli.Usagef("--depth must not be negative")
	case *o.depth > 0 && *o.recursive:
		return cli.Usagef("--depth cannot be combined with --recursive")
	}
	return cli.NeedCRDs(cmd, crds)
}

// split returns the files with the CRDs, and the kind and the path. A file on the command line counts before those in prune-gen.yaml.
func (o *options) split(args []string) (crds, rest []string) {
	if o.typed || len(o.crds) > 0 && (len(args) == 0 || !input.LooksLikeFile(args[0])) {
		return o.crds, args
	}
	n := min(len(args), 1)
	return args[:n], args[n:]
}

// run prints the schema of the CRD that args name.
func (o *options) run(env *cli.Environment, args []string) error {
	crds, args := o.split(args)
	all, err := o.read(env, crds)
	if err != nil {
		return err
	}
	if o.output.Value == "html" && len(args) == 0 {
		return o.writePage(env, all)
	}
	crd, path, err := pick(all, args)
	if err != nil {
		return err
	}
	if path != "" && o.output.Value == "html" {
		return cli.Usagef("a page shows the whole schema: leave out the path %s", path)
	}
	if o.output.Value == "html" {
		return o.writePage(env, []*structural.CRD{crd})
	}
	v, err := o.choose(crd)
	if err != nil {
		return err
	}
	node, err := o.tree(env, crd, v)
	if err != nil {
		return err
	}
	if path != "" {
		var kinds []string // which a path without a kind may stand for
		if len(args) == 1 {
			kinds = namesOf([]*structural.CRD{crd})
		}
		if node, err = at(node, path, kinds); err != nil {
			return err
		}
	}
	if o.output.Value == "json" {
		return terminal.WriteJSON(env.Stdout, struct {
			Version    int              `json:"version"`
			CRD        string           `json:"crd"`
			Kind       string           `json:"kind"`
			CRDVersion string           `json:"crdVersion"`
			Pruned     bool             `json:"pruned"`
			Schema     *schematree.Node `json:"schema"`
		}{findings.JSONVersion, crd.Name, crd.Names.Kind, v.Name, v.Pruned, node})
	}
	p := &printer{w: env.Stdout, paint: terminal.NewPalette(o.color.Value, env.StdoutTerminal), open: o.open(node), descriptions: *o.descriptions}
	p.head(crd, v, node)
	p.fields(node, "")
	p.foot(node)
	return nil
}

// room is the number of fields to print if no depth is given.
const room = 120

// open returns the nodes whose fields are printed.
func (o *options) open(n *schematree.Node) map[*schematree.Node]bool {
	switch {
	case *o.recursive:
		return n.Open(n.Count())
	case *o.depth > 0:
		return n.OpenTo(*o.depth)
	}
	return n.Open(room)
}

// read returns the CRDs in files and directories.
func (o *options) read(env *cli.Environment, names []string) ([]*structural.CRD, error) {
	report := o.report(env)
	var all []*structural.CRD
	err := cli.EachSource(env, "reading", input.Args{Names: names, Meter: o.limit.Meter(), Kubernetes: o.kubernetes}, func(src *input.Source) {
		report.Add(src.Errors())
		all = append(all, src.CRDs...)
	})
	if err == nil && report.Errors() > 0 {
		err = cli.ErrFindings
	}
	return all, err
}

// report returns a report of why a CRD cannot be explained.
func (o *options) report(env *cli.Environment) *findings.Report {
	return findings.New(env.Stderr, findings.Options{Format: "text", Palette: terminal.NewPalette(o.color.Value, env.StderrTerminal), Quiet: true})
}

// tree returns the tree of a version. It prints why the API server would refuse the schema.
func (o *options) tree(env *cli.Environment, c *structural.CRD, v *structural.Version) (*schematree.Node, error) {
	if refused := lint.Refusals(c, v); len(refused) > 0 {
		o.report(env).Find(refused...)
		return nil, cli.ErrFindings
	}
	return schematree.Of(structural.NewBehavior(c, v, structural.APIServer)), nil
}

// choose returns the version to explain, by default the stored one.
func (o *options) choose(c *structural.CRD) (*structural.Version, error) {
	var names []string
	var chosen *structural.Version
	for _, v := range c.Versions {
		names = append(names, v.Name)
		if v.Name == *o.version || *o.version == "" && (chosen == nil || v.Storage) {
			chosen = v
		}
	}
	switch {
	case chosen != nil:
		return chosen, nil
	case *o.version == "":
		return nil, fmt.Errorf("%s has no versions", c.Name)
	}
	return nil, fmt.Errorf("%s has no version %s: it has %s", c.Name, *o.version, cli.OneOf(names))
}

// at returns the node at a path. The error suggests another path, or one of some kinds.
func at(root *schematree.Node, path string, kinds []string) (*schematree.Node, error) {
	n, rest := root.Find(path)
	if rest == "" {
		return n, nil
	}
	name, _, _ := strings.Cut(rest, ".")
	name, _, _ = strings.Cut(name, "[")
	if name == "" {
		name = rest // it begins with a bracket or a dot
	}
	where := n.Path
	if where == "" {
		where = "the object"
	}
	names := n.Names()
	message := fmt.Sprintf("%s has no field %s", where, name)
	switch kind, closest := cli.Closest(path, kinds), cli.Closest(name, names); {
	case closest != "":
		message += "; did you mean " + closest + "?"
	case kind != "":
		message += "; did you mean the kind " + kind + "?"
	case len(names) == 0:
		message += ": it is of type " + n.Type
	}
	return nil, fmt.Errorf("%s", message)
}
