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
	var out skeletonWriter = &skeletonYAML{w: env.Stdout}
	if format == "json" {
		out = &skeletonJSON{w: env.Stdout}
	}
	matched := 0
	err := cli.EachSource(env, "reading", how.Inputs(args), func(src *input.Source) *input.Source { return src }, func(src *input.Source) {
		report.Count(src.Tally())
		found := skeletons(src, versions, func(s skeleton) {
			out.add(s)
			matched++
		})
		report.Add(src.Snippets(found))
	})
	if err := out.finish(); err != nil {
		return fmt.Errorf("write the skeletons: %w", err)
	}
	if err == nil && matched == 0 && report.Errors() == 0 {
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
	File     string         `json:"file"`
	CRD      string         `json:"crd"`
	Version  string         `json:"version"`
	Skeleton map[string]any `json:"skeleton"` // nil if the version has no schema

	schema *structural.JSONSchema // what it is the skeleton of
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
				add(skeleton{File: src.Name, CRD: c.Name, Version: v.Name, Skeleton: object, schema: v.Schema})
			}
		}
		return all
	})
}

// skeletonWriter writes skeletons in one format.
type skeletonWriter interface {
	add(s skeleton)
	finish() error
}

// skeletonYAML writes a document for each skeleton, below a comment with its CRD and file.
type skeletonYAML struct {
	w    io.Writer
	last rendered
	err  error
}

// rendered is the text of a skeleton, which many versions can have.
type rendered struct {
	schema *structural.JSONSchema
	text   []byte
}

func (y *skeletonYAML) add(s skeleton) {
	if y.err != nil {
		return
	}
	_, y.err = fmt.Fprintf(y.w, "---\n# %s %s\n# %s\n", terminal.Escape(s.CRD), terminal.Escape(s.Version), terminal.Escape(s.File))
	if y.err != nil {
		return
	}
	if s.Skeleton == nil {
		_, y.err = fmt.Fprintln(y.w, "null # no schema")
		return
	}
	if y.last.schema != s.schema {
		y.last.schema = s.schema
		y.last.text, y.err = marshal(s.Skeleton)
	}
	if y.err == nil {
		_, y.err = y.w.Write(y.last.text)
	}
}

func (y *skeletonYAML) finish() error { return y.err }

// largestYAML is how many keywords and names a skeleton can have that is written as YAML: the package holds all of them, with
// hundreds of bytes for each.
const largestYAML = 50_000

// marshal returns the text of a skeleton: YAML, or JSON, which is also YAML, for one that is very large and for one with names that
// YAML packages refuse or print raw.
func marshal(skeleton map[string]any) ([]byte, error) {
	if size(skeleton) <= largestYAML {
		if text, err := yaml.Marshal(skeleton); err == nil && printable(text) {
			return text, nil
		}
	}
	var b bytes.Buffer
	err := terminal.WriteJSON(&b, skeleton)
	return b.Bytes(), err
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

// skeletonJSON writes {"version": 1, "skeletons": [...]}, one by one: all of them can take a lot of memory.
type skeletonJSON struct {
	w    io.Writer
	n    int
	last rendered
	err  error
}

func (j *skeletonJSON) add(s skeleton) {
	if j.err != nil {
		return
	}
	if j.n == 0 || j.last.schema != s.schema {
		var b bytes.Buffer
		j.err = terminal.WriteJSON(&b, s.Skeleton)
		j.last = rendered{s.schema, bytes.ReplaceAll(bytes.TrimSpace(b.Bytes()), []byte("\n"), []byte("\n      "))}
	}
	var head bytes.Buffer
	if err := terminal.WriteJSON(&head, struct {
		File    string `json:"file"`
		CRD     string `json:"crd"`
		Version string `json:"version"`
	}{s.File, s.CRD, s.Version}); err != nil && j.err == nil {
		j.err = err
	}
	if j.err != nil {
		return
	}
	before := ",\n    "
	if j.n == 0 {
		before = fmt.Sprintf("{\n  \"version\": %d,\n  \"skeletons\": [\n    ", findings.JSONVersion)
	}
	j.n++
	fields := bytes.ReplaceAll(bytes.TrimSuffix(head.Bytes(), []byte("\n}\n")), []byte("\n"), []byte("\n    "))
	for _, part := range [][]byte{[]byte(before), fields, []byte(",\n      \"skeleton\": "), j.last.text, []byte("\n    }")} {
		if j.err == nil {
			_, j.err = j.w.Write(part)
		}
	}
}

func (j *skeletonJSON) finish() error {
	if j.n == 0 && j.err == nil {
		return terminal.WriteJSON(j.w, struct {
			Version   int        `json:"version"`
			Skeletons []skeleton `json:"skeletons"`
		}{findings.JSONVersion, []skeleton{}})
	}
	if j.err == nil {
		_, j.err = fmt.Fprint(j.w, "\n  ]\n}\n")
	}
	return j.err
}
