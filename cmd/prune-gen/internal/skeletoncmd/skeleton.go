// Package skeletoncmd is the command skeleton.
package skeletoncmd

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v2"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/config"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	kep24 "github.com/prune-gen/prune-gen/internal/crd/skeleton"
	"github.com/prune-gen/prune-gen/structural"
)

// Command returns the command.
func Command(env *cli.Environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "skeleton [flags] CRD...",
		Short: "print the skeleton of each schema",
		Long: `Print the skeleton of each schema as KEP-24 defines it: the fields that the schema specifies, and nothing else.
Schemas without a skeleton are reported on standard error, with file and line.
A CRD is a file, a directory, or - for standard input.`,
		Example: `  # the skeleton of one version
  prune-gen skeleton --crd-version v1 crd.yaml
  # all of them
  prune-gen skeleton config/crd/bases >skeletons.yaml`,
		Args: cli.NeedCRDs, Annotations: config.AsArguments,
	}
	versions := cmd.Flags().StringSlice("crd-version", nil, "only the versions with these `names`")
	how := cli.AddFindingFlags(cmd, cli.MuteWarnings, "print findings without a summary")
	cmd.RunE = func(_ *cobra.Command, args []string) error { return run(env, how, *versions, args) }
	return cmd
}

// run prints the skeletons of the CRDs that args name, for the given versions or for all.
func run(env *cli.Environment, how *cli.FindingFlags, versions, args []string) error {
	report := how.Report(env.Stderr, env.StderrTerminal)
	out := &printer{w: env.Stdout}
	err := cli.EachSource(env, "reading", how.Inputs(args), func(src *input.Source) {
		report.Count(src.Tally())
		report.Add(src.Snippets(skeletons(src, versions, out.print)))
	})
	if err == nil && out.n == 0 && report.Errors() == 0 {
		err = fmt.Errorf("no CRD has version %s", cli.OneOf(versions))
	}
	return how.FinishQuietly(report, err)
}

// skeleton is the skeleton of one version.
type skeleton struct {
	file, crd, version string
	object             map[string]any         // nil if the version has no schema
	schema             *structural.JSONSchema // what it is the skeleton of
}

// skeletons calls add for the skeletons of the CRDs in src, for the given versions or for all, and returns the findings. All of them
// can take a lot of memory: no more than one skeleton is held at a time, and src loses the CRDs.
func skeletons(src *input.Source, versions []string, add func(skeleton)) []structural.Finding {
	done := 0
	return src.Check(func(c *structural.CRD) (all []structural.Finding) {
		src.CRDs[done] = nil
		done++
		// A v1beta1 CRD can have one schema for all versions. Its errors are reported once.
		made := map[*structural.JSONSchema]map[string]any{}
		for _, v := range c.Versions {
			if len(versions) > 0 && !slices.Contains(versions, v.Name) {
				continue
			}
			object, known := made[v.Schema]
			if !known {
				s, errs := kep24.Of(v.Schema, v.SchemaPath)
				for _, e := range errs {
					all = append(all, c.Finding(v.Name, structural.SeverityError, e))
				}
				if s != nil && len(errs) == 0 {
					object = s.Object()
				}
				made[v.Schema] = object
			}
			if object != nil || v.Schema == nil {
				add(skeleton{src.Name, c.Name, v.Name, object, v.Schema})
			}
		}
		return all
	})
}

// printer prints skeletons, one by one: all of them can take a lot of memory. Each is a YAML document below a comment with its CRD and
// file. Standard output keeps its first error until it is flushed.
type printer struct {
	w io.Writer
	n int // how many

	// The text of the last skeleton, which many versions can have.
	schema *structural.JSONSchema
	text   []byte
}

func (p *printer) print(s skeleton) {
	if p.n == 0 || p.schema != s.schema {
		p.schema, p.text = s.schema, marshal(s.object)
	}
	p.n++
	fmt.Fprintf(p.w, "---\n# %s %s\n# %s\n", terminal.Escape(s.crd), terminal.Escape(s.version), terminal.Escape(s.file))
	p.w.Write(p.text)
}

// largestYAML is the number of keywords and names above which a skeleton is not written as YAML: the YAML package holds
// hundreds of bytes for each.
const largestYAML = 50_000

// marshal returns the text of a skeleton as YAML. It returns JSON, which is also YAML, if the skeleton is very large, or if it has names
// that YAML packages refuse or print raw.
func marshal(object map[string]any) []byte {
	if object == nil {
		return []byte("null # no schema\n")
	}
	if size(object) <= largestYAML {
		if text, err := yaml.Marshal(object); err == nil && printable(text) {
			return text
		}
	}
	var b bytes.Buffer
	terminal.WriteJSON(&b, object)
	return b.Bytes()
}

// size returns how many keywords, names and items a value of a skeleton has.
func size(value any) int {
	n := 0
	switch value := value.(type) {
	case map[string]any:
		n = len(value)
		for _, below := range value {
			n += size(below)
		}
	case []any:
		n = len(value)
		for _, below := range value {
			n += size(below)
		}
	}
	return n
}

// printable reports whether text is fit for a terminal, and has no workflow commands for GitHub Actions.
func printable(text []byte) bool {
	for line := range strings.Lines(string(text)) {
		if !terminal.IsPrintable(strings.TrimSuffix(line, "\n")) || strings.HasPrefix(strings.TrimSpace(line), "::") {
			return false
		}
	}
	return true
}
