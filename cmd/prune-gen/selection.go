package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/structural"
)

// crds holds the CRDs that a command read, and their files by name.
type crds struct {
	all   []*structural.CRD
	files map[string]*input.Source
}

// readCRDs reads the CRDs that args name and reports the findings in them.
func readCRDs(env *environment, report *findings.Report, args []string) (*crds, error) {
	read := &crds{files: map[string]*input.Source{}}
	err := eachSource(env, "reading", args, func(src *input.Source) *input.Source { return src }, func(src *input.Source) {
		report.Add(src.Snippets(withDoubts(src)))
		report.Count(src.Tally())
		read.all = append(read.all, src.CRDs...)
		read.files[src.Name] = src
	})
	return read, err
}

// withDoubts returns the findings of a file, and what the API server would refuse about its CRDs apart from their schemas.
func withDoubts(src *input.Source) []structural.Finding {
	all := slices.Clone(src.Findings)
	for _, c := range src.CRDs {
		all = append(all, structural.Doubts(c)...)
	}
	findings.Sort(all)
	return all
}

// selectVersions returns the versions with the given names, or all, of the CRDs of the given kinds, or all, by name. A
// name or kind that no CRD has is an error.
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

// missing returns an error for the first of the wanted names that is not in have.
func missing(what string, wanted []string, have map[string]bool) error {
	names := slices.Sorted(maps.Keys(have))
	for _, w := range wanted {
		if have[w] {
			continue
		}
		err := fmt.Errorf("no %s %q", what, w)
		if s := closest(w, names); s != "" {
			return fmt.Errorf("%w: did you mean %s?", err, s)
		}
		const most = 10
		if len(names) > most {
			return fmt.Errorf("%w: there are %s, and %d more", err, strings.Join(names[:most], ", "), len(names)-most)
		}
		return fmt.Errorf("%w: there is %s", err, strings.Join(names, ", "))
	}
	return nil
}
