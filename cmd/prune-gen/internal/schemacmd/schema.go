// Package schemacmd is the command schema.
package schemacmd

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/config"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/output"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/crd/origin"
	"github.com/prune-gen/prune-gen/internal/explain/jsonschema"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/structural"
)

// Command returns the command.
func Command(env *cli.Environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "schema [flags] CRD...",
		Short: "print or write JSON Schemas, for editors and other validators",
		Long: `Print the JSON Schema for objects of a CRD, or write one for each version that the CRDs serve.
Objects are closed where the API server drops unknown fields, and metadata is specified as the
server knows it. CEL rules and the keys of list maps are left out. The schemas are of draft 7.
With --output-dir, the files are GROUP/KIND_VERSION.json below the directory, in lower case, as
kubeconform, flux-schema and the YAML language server can find them.
A CRD is a file, a directory, or - for standard input.`,
		Example: `  # one schema
  prune-gen schema --crd-version v1 crd.yaml
  # all of them, for kubeconform
  prune-gen schema --output-dir schemas config/crd/bases
  kubeconform -strict -schema-location 'schemas/{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json' manifests`,
		Args: cli.NeedCRDs, Annotations: config.AsArguments,
	}
	var c call
	cmd.Flags().StringVar(&c.dir, "output-dir", "", "the `directory` to write to")
	cmd.Flags().StringSliceVar(&c.versions, "crd-version", nil, "only the versions with these `names`")
	c.how = cli.AddFindingFlags(cmd, cli.MuteNothing, "do not print what was written")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c.toDir = cmd.Flags().Changed("output-dir")
		if c.toDir && c.dir == "" {
			return cli.Usagef("--output-dir is empty")
		}
		return c.run(env, args)
	}
	return cmd
}

// call is a call of the command.
type call struct {
	how      *cli.FindingFlags
	dir      string
	toDir    bool
	versions []string

	made []file
}

// file is the schema of a version.
type file struct {
	name string // below the directory
	crd  *structural.CRD
	of   string // the CRD and its version
	text []byte
}

// run prints or writes the schemas of the CRDs that args name.
func (c *call) run(env *cli.Environment, args []string) error {
	report := c.how.Report(env.Stderr, env.StderrTerminal)
	err := cli.EachSource(env, "reading", c.how.Inputs(args), func(src *input.Source) {
		report.Count(src.Tally())
		report.Add(src.Snippets(src.Check(c.convert)))
	})
	if err == nil && report.Errors() == 0 {
		err = c.put(env)
	}
	return c.how.FinishQuietly(report, err)
}

// convert adds the schemas of the versions that a CRD serves. The findings are what the API server refuses in them.
func (c *call) convert(crd *structural.CRD) (found []structural.Finding) {
	for _, v := range crd.Versions {
		if !v.Served || len(c.versions) > 0 && !slices.Contains(c.versions, v.Name) {
			continue
		}
		if refused := lint.Refusals(crd, v); len(refused) > 0 {
			found = append(found, refused...)
			continue
		}
		s, err := jsonschema.Of(crd, v)
		if err != nil {
			return append(found, report.TooLarge(crd, err)...)
		}
		var b bytes.Buffer
		terminal.WriteJSON(&b, s)
		origin.Limits(crd).SpendMemory(meter.CopiesOfJSON * b.Len())
		c.made = append(c.made, file{
			name: filepath.Join(crd.Group, strings.ToLower(crd.Names.Kind)+"_"+v.Name+".json"), crd: crd,
			of: terminal.Escape(crd.Name) + " " + terminal.Escape(v.Name), text: b.Bytes(),
		})
	}
	return found
}

// put prints the schema, or writes the files.
func (c *call) put(env *cli.Environment) error {
	if err := c.unique(); err != nil {
		return err
	}
	switch {
	case len(c.made) == 0 && len(c.versions) > 0:
		return fmt.Errorf("no CRD serves version %s", cli.OneOf(c.versions))
	case len(c.made) == 0:
		return fmt.Errorf("no CRD serves a version")
	case !c.toDir && len(c.made) > 1:
		return cli.Usagef("there are %d schemas, of %s and %s: choose one with --crd-version, or write all to a directory with --output-dir",
			len(c.made), c.made[0].of, c.made[1].of)
	case !c.toDir:
		_, err := env.Stdout.Write(c.made[0].text)
		return err
	}
	tree, err := output.Open(c.dir)
	if err != nil {
		return err
	}
	defer tree.Close()
	var files []*output.File
	for _, f := range c.made {
		files = append(files, tree.File(f.name, f.text))
	}
	if err := tree.Write(files); err != nil {
		return err
	}
	if !*c.how.Quiet {
		unchanged := 0
		for _, f := range files {
			if f.Change() == output.Keep {
				unchanged++
			}
		}
		fmt.Fprintf(env.Stderr, "%s in %s: %d written, %d unchanged\n", findings.Count(len(files), "schema"), terminal.Escape(c.dir), len(files)-unchanged, unchanged)
	}
	return nil
}

// unique removes schemas of CRDs that are defined twice. It is an error if two schemas have the same file and differ.
func (c *call) unique() (err error) {
	first := map[string]file{}
	c.made = slices.DeleteFunc(c.made, func(f file) bool {
		other, taken := first[f.name]
		switch {
		case !taken:
			first[f.name] = f
		case other.crd.Name != f.crd.Name:
			err = cmp.Or(err, fmt.Errorf("%s and %s have the same file, %s", other.of, f.of, f.name))
		case !bytes.Equal(other.text, f.text):
			err = cmp.Or(err, manifest.DefinedTwice(other.crd, f.crd))
		}
		return taken
	})
	return err
}
