package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/prune-gen/prune-gen/structural"
)

const skeletonAbout = `Print the skeleton of each schema as KEP-24 defines it: what is left when only the fields that it
specifies matter. What has no skeleton is refused on standard error, with file and line.
A CRD is a file, a directory, or - for standard input.`

// skeleton is the skeleton of one version.
type skeleton struct {
	File     string         `json:"file"`
	CRD      string         `json:"crd"`
	Version  string         `json:"version"`
	Skeleton map[string]any `json:"skeleton"` // nil where the version has no schema
}

// runSkeleton prints the skeletons of the CRDs that args name.
func runSkeleton(env *environment, args []string) error {
	fl := newFlags("skeleton", "CRD...", skeletonAbout)
	format := fl.choice("format", "how skeletons are printed", "yaml", "json")
	versions := fl.StringSlice("crd-version", nil, "only the versions with these `names`")
	how := fl.findings()
	args, err := fl.parseCRDs(env, args)
	if err != nil {
		return err
	}
	type result struct {
		findings  []snippet
		skeletons []skeleton
		tally     tally
	}
	report := how.reporter(env.stderr, env.stderrTerminal)
	var out skeletonWriter = &skeletonYAML{w: env.stdout}
	if format.value == "json" {
		out = &skeletonJSON{w: env.stdout}
	}
	matched := 0
	err = eachSource(env, "reading", args, func(src *source) result {
		found, all := skeletons(src, *versions)
		return result{src.snippets(all), found, src.tally()}
	}, func(r result) {
		report.findings(r.findings)
		report.tally.add(r.tally)
		for _, s := range r.skeletons {
			out.add(s)
		}
		matched += len(r.skeletons)
	})
	if err := out.finish(); err != nil {
		return &internalError{fmt.Errorf("write the skeletons: %w", err)}
	}
	if err == nil && matched == 0 && report.tally.errors == 0 {
		err = fmt.Errorf("no CRD has a version %s", oneOf(*versions))
	}
	// Where all went well there is nothing to say to people.
	if err == nil && how.output.value == "text" && report.tally.errors+report.tally.warnings == 0 {
		return nil
	}
	return report.finish(err)
}

// skeletons returns the skeletons of the CRDs in src, of the given versions or of all, and what is to be said of them.
func skeletons(src *source, versions []string) ([]skeleton, []structural.Finding) {
	var out []skeleton
	all := slices.Clone(src.Findings)
	for _, c := range src.CRDs {
		for _, v := range c.Versions {
			if len(versions) > 0 && !slices.Contains(versions, v.Name) {
				continue
			}
			s, errs := structural.Skeleton(v.Schema, v.SchemaPath)
			for _, e := range errs {
				at := c.Locate(e.Path)
				all = append(all, structural.Finding{
					File: c.File(), Line: at.Line, Column: at.Column,
					CRD: c.Name, Version: v.Name, Severity: structural.SeverityError,
					Path: e.Path.String(), Message: e.Error(),
				})
			}
			if len(errs) > 0 {
				continue
			}
			sk := skeleton{File: src.Name, CRD: c.Name, Version: v.Name}
			if s != nil {
				sk.Skeleton = s.Object()
			}
			out = append(out, sk)
		}
	}
	inFileOrder(all)
	return out, all
}

// skeletonWriter writes skeletons in one form.
type skeletonWriter interface {
	add(s skeleton)
	finish() error
}

// skeletonYAML writes a document for each skeleton, with a comment that says whose it is.
type skeletonYAML struct {
	w   io.Writer
	err error
}

func (y *skeletonYAML) add(s skeleton) {
	if y.err != nil {
		return
	}
	_, y.err = fmt.Fprintf(y.w, "---\n# %s %s\n# %s\n", escape(s.CRD), escape(s.Version), escape(s.File))
	if y.err != nil {
		return
	}
	if s.Skeleton == nil {
		_, y.err = fmt.Fprintln(y.w, "null # no schema")
		return
	}
	// Names with control characters are refused by the one and printed raw by others. JSON is YAML, too, and can spell them.
	text, err := yaml.Marshal(s.Skeleton)
	if err != nil || !printable(text) {
		y.err = writeJSON(y.w, s.Skeleton)
		return
	}
	_, y.err = y.w.Write(text)
}

func (y *skeletonYAML) finish() error { return y.err }

// printable tells whether text is fit for a terminal and for a log that is read for workflow commands.
func printable(text []byte) bool {
	for line := range strings.Lines(string(text)) {
		if needsEscape(strings.TrimSuffix(line, "\n")) || strings.HasPrefix(strings.TrimSpace(line), "::") {
			return false
		}
	}
	return true
}

// skeletonJSON writes {"skeletons": [...]}.
type skeletonJSON struct {
	w   io.Writer
	all []skeleton
}

func (j *skeletonJSON) add(s skeleton) { j.all = append(j.all, s) }

func (j *skeletonJSON) finish() error {
	if j.all == nil {
		j.all = []skeleton{}
	}
	return writeJSON(j.w, map[string][]skeleton{"skeletons": j.all})
}
