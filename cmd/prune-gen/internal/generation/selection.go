package generation

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// crds holds the CRDs that a command read, and their files by name.
type crds struct {
	all   []*structural.CRD
	files map[string]*input.Source
}

// readCRDs reads the CRDs that args name and reports the findings in them.
func readCRDs(env *cli.Environment, report *findings.Report, args input.Args) (*crds, error) {
	read := &crds{files: map[string]*input.Source{}}
	err := cli.EachSource(env, "reading", args, func(src *input.Source) {
		report.Add(src.Doubts())
		report.Count(src.Tally())
		read.all = append(read.all, src.CRDs...)
		read.files[src.Name] = src
	})
	return read, err
}

// selection says which versions of which CRDs are wanted. An empty list stands for all.
type selection struct {
	groups   []string
	kinds    []string // KIND or GROUP/KIND
	versions []string
}

// namesGroups reports whether the flags name the groups, so that the CRDs do not decide them.
func (s selection) namesGroups() bool {
	unqualified := func(kind string) bool { return !strings.Contains(kind, "/") }
	return len(s.groups) > 0 || len(s.kinds) > 0 && !slices.ContainsFunc(s.kinds, unqualified)
}

// takes reports whether a CRD has one of the groups and kinds.
func (s selection) takes(crd *structural.CRD) bool {
	return (len(s.groups) == 0 || slices.Contains(s.groups, crd.Group)) &&
		(len(s.kinds) == 0 || slices.Contains(s.kinds, crd.Names.Kind) || slices.Contains(s.kinds, qualified(crd)))
}

func qualified(crd *structural.CRD) string { return crd.Group + "/" + crd.Names.Kind }

// inputs returns the selected versions by name. A group, kind or version that no CRD has is an error.
func (s selection) inputs(crds []*structural.CRD) (map[string][]generator.Input, error) {
	groups, kinds, versions := map[string]bool{}, map[string]bool{}, map[string]bool{}
	selected := map[string][]generator.Input{}
	for _, crd := range crds {
		groups[crd.Group] = true
		if len(s.groups) == 0 || slices.Contains(s.groups, crd.Group) {
			kinds[crd.Names.Kind] = true
			kinds[qualified(crd)] = true
		}
		if !s.takes(crd) {
			continue
		}
		for _, v := range crd.Versions {
			versions[v.Name] = true
			if len(s.versions) == 0 || slices.Contains(s.versions, v.Name) {
				selected[v.Name] = append(selected[v.Name], generator.Input{CRD: crd, Version: v})
			}
		}
	}
	if err := missing("CRD has group", s.groups, groups); err != nil {
		return nil, err
	}
	if err := missingKind(s.kinds, kinds); err != nil {
		return nil, err
	}
	if err := missing("CRD has version", s.versions, versions); err != nil {
		return nil, err
	}
	return selected, nil
}

// missingKind is missing for kinds: a kind with a group is compared with those that have a group, too.
func missingKind(wanted []string, have map[string]bool) error {
	for _, w := range wanted {
		like := maps.Clone(have)
		maps.DeleteFunc(like, func(kind string, _ bool) bool { return strings.Contains(kind, "/") != strings.Contains(w, "/") })
		if err := missing("CRD has kind", []string{w}, like); err != nil {
			return err
		}
	}
	return nil
}

// missing returns an error for the first of the wanted names that is not in have.
func missing(what string, wanted []string, have map[string]bool) error {
	names := slices.Sorted(maps.Keys(have))
	for _, w := range wanted {
		if have[w] {
			continue
		}
		err := fmt.Errorf("no %s %q", what, w)
		if s := cli.Closest(w, names); s != "" {
			return fmt.Errorf("%w: did you mean %s?", err, s)
		}
		return fmt.Errorf("%w: %s", err, thereAre(names))
	}
	return nil
}

// thereAre lists the names that exist.
func thereAre(names []string) string {
	if len(names) > 1 {
		return "there are " + listed(names)
	}
	return "there is " + listed(names)
}

// listed lists the first of many names.
func listed(names []string) string {
	return yamltext.ListSome(names, 10, func(name string) string { return name })
}

// groupsOf returns the groups of the inputs, sorted.
func groupsOf(inputs []generator.Input) []string {
	groups := map[string]bool{}
	for _, in := range inputs {
		groups[in.CRD.Group] = true
	}
	return slices.Sorted(maps.Keys(groups))
}

// ofGroup returns the inputs of a group.
func ofGroup(inputs []generator.Input, group string) []generator.Input {
	return slices.DeleteFunc(slices.Clone(inputs), func(in generator.Input) bool { return in.CRD.Group != group })
}
