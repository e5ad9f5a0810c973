package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/structural"
)

// crds are the CRDs that a call was given, with the texts that they were read from.
type crds struct {
	all   []*structural.CRD
	files map[string]*source
}

// readCRDs reads the CRDs that args name and reports what is wrong with them.
func readCRDs(env *environment, report *reporter, args []string) (*crds, error) {
	read := &crds{files: map[string]*source{}}
	err := eachSource(env, "reading", args, func(src *source) *source { return src }, func(src *source) {
		report.findings(src.snippets(src.Findings))
		report.tally.add(src.tally())
		read.all = append(read.all, src.CRDs...)
		read.files[src.Name] = src
	})
	return read, err
}

// selectVersions returns the versions that are asked for, by name. Names that no CRD has are an error.
func (c *crds) selectVersions(kinds, versions []string) (map[string][]generator.Input, error) {
	selected := map[string][]generator.Input{}
	haveKinds, haveVersions := map[string]bool{}, map[string]bool{}
	for _, crd := range c.all {
		haveKinds[crd.Names.Kind] = true
		if len(kinds) > 0 && !slices.Contains(kinds, crd.Names.Kind) {
			continue
		}
		for _, v := range crd.Versions {
			haveVersions[v.Name] = true
			if len(versions) > 0 && !slices.Contains(versions, v.Name) {
				continue
			}
			selected[v.Name] = append(selected[v.Name], generator.Input{CRD: crd, Version: v})
		}
	}
	if err := missing("CRD is of kind", kinds, haveKinds); err != nil {
		return nil, err
	}
	if err := missing("CRD has a version", versions, haveVersions); err != nil {
		return nil, err
	}
	return selected, nil
}

// missing says which of the wanted names there are not.
func missing(what string, wanted []string, have map[string]bool) error {
	names := sortedKeys(have)
	for _, w := range wanted {
		if have[w] {
			continue
		}
		err := fmt.Errorf("no %s %q", what, w)
		if s := closest(strings.ToLower(w), lowered(names)); s != "" {
			return fmt.Errorf("%w: did you mean %s?", err, names[slices.Index(lowered(names), s)])
		}
		const most = 10
		if len(names) > most {
			return fmt.Errorf("%w: there are %s, and %d more", err, strings.Join(names[:most], ", "), len(names)-most)
		}
		return fmt.Errorf("%w: there is %s", err, strings.Join(names, ", "))
	}
	return nil
}

func lowered(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = strings.ToLower(name)
	}
	return out
}

// snippets adds to findings the lines that they are about. Those in generated files are in made.
func (c *crds) snippets(findings []structural.Finding, made map[string][]byte) []snippet {
	var all []snippet
	byFile := map[string][]structural.Finding{}
	for _, f := range findings {
		byFile[f.File] = append(byFile[f.File], f)
	}
	for _, file := range sortedKeys(byFile) {
		found := byFile[file]
		inFileOrder(found)
		switch {
		case c.files[file] != nil:
			all = append(all, c.files[file].snippets(found)...)
		case made[file] != nil:
			all = append(all, snippets(made[file], found)...)
		case filepath.Ext(file) == ".go":
			all = append(all, snippets(readAgain(file), found)...)
		default:
			all = append(all, snippets(nil, found)...)
		}
	}
	return all
}
