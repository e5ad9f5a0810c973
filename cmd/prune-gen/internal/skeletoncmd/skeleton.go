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
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	kep24 "github.com/prune-gen/prune-gen/internal/skeleton"
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
  # all of them, for a program
  prune-gen skeleton --format json config/crd/bases >skeletons.json`,
		Args: cli.NeedCRDs,
	}
	format := cli.AddChoice(cmd, "format", "the format of skeletons", "yaml", "json")
	versions := cmd.Flags().StringSlice("crd-version", nil, "only the versions with these `names`")
	how := cli.AddFindingFlags(cmd, cli.MuteWarnings, "print findings without a summary")
	cmd.RunE = func(_ *cobra.Command, args []string) error { return run(env, how, format.Value, *versions, args) }
	return cmd
}

// run prints the skeletons of the CRDs that args name, for the given versions or for all.
func run(env *cli.Environment, how *cli.FindingFlags, format string, versions, args []string) error {
	report := how.Report(env.Stderr, env.StderrTerminal)
	out := &printer{w: env.Stdout, json: format == "json"}
	err := cli.EachSource(env, "reading", how.Inputs(args), func(src *input.Source) {
		report.Count(src.Tally())
		report.Add(src.Snippets(skeletons(src, versions, out.print)))
	})
	out.finish()
	if err == nil && out.n == 0 && report.Errors() == 0 {
		err = fmt.Errorf("no CRD has version %s", cli.OneOf(versions))
	}
	// Without findings, people need no summary.
	if err == nil && how.Text() && report.Len() == 0 {
		return nil
	}
	return how.Finish(report, err)
}

// skeleton is the skeleton of one version.
type skeleton struct {
	File    string         `json:"file"`
	CRD     string         `json:"crd"`
	Version string         `json:"version"`
	Object  map[string]any `json:"skeleton"` // nil if the version has no schema
}

// skeletons calls add for the skeletons of the CRDs in src, for the given versions or for all, and returns the findings. All of them
// can take a lot of memory: no more than one CRD's are held at a time.
func skeletons(src *input.Source, versions []string, add func(skeleton)) []structural.Finding {
	return src.Check(func(c *structural.CRD) (all []structural.Finding) {
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
				add(skeleton{src.Name, c.Name, v.Name, object})
			}
		}
		return all
	})
}

// printer prints skeletons, one by one: all of them can take a lot of memory. As YAML, each is a document below a comment with its
// CRD and file; as JSON, they are {"version": 1, "skeletons": [...]}. Standard output keeps its first error until it is flushed.
type printer struct {
	w    io.Writer
	json bool
	n    int // how many
}

func (p *printer) print(s skeleton) {
	p.n++
	if !p.json {
		fmt.Fprintf(p.w, "---\n# %s %s\n# %s\n", terminal.Escape(s.CRD), terminal.Escape(s.Version), terminal.Escape(s.File))
		p.w.Write(document(s.Object))
		return
	}
	before := ","
	if p.n == 1 {
		before = fmt.Sprintf("{\n  \"version\": %d,\n  \"skeletons\": [", findings.JSONVersion)
	}
	var b bytes.Buffer
	terminal.WriteJSON(&b, s)
	fmt.Fprintf(p.w, "%s\n    %s", before, bytes.ReplaceAll(bytes.TrimSpace(b.Bytes()), []byte("\n"), []byte("\n    ")))
}

func (p *printer) finish() {
	switch {
	case !p.json:
	case p.n == 0:
		fmt.Fprintf(p.w, "{\n  \"version\": %d,\n  \"skeletons\": []\n}\n", findings.JSONVersion)
	default:
		fmt.Fprint(p.w, "\n  ]\n}\n")
	}
}

// largestYAML is the size of the JSON of a skeleton that is written as YAML: the package holds hundreds of bytes for each name.
const largestYAML = 1 << 20

// document returns a skeleton as YAML, or as JSON, which is also YAML, if it is very large or has names that YAML packages refuse or
// print raw.
func document(object map[string]any) []byte {
	if object == nil {
		return []byte("null # no schema\n")
	}
	var b bytes.Buffer
	terminal.WriteJSON(&b, object)
	if b.Len() <= largestYAML {
		if text, err := yaml.Marshal(object); err == nil && printable(text) {
			return text
		}
	}
	return b.Bytes()
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
