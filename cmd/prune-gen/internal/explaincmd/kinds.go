package explaincmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// pick returns the CRD that the first of args names, and the path that follows it.
func pick(all []*structural.CRD, args []string) (c *structural.CRD, path string, err error) {
	kind := ""
	switch {
	case len(args) == 2:
		kind, path = args[0], args[1]
	case len(args) == 1 && (len(all) > 1 || isNamed(all[0], args[0])):
		kind = args[0]
	case len(args) == 1:
		path = args[0]
	}
	chosen := all
	if kind != "" {
		chosen = slices.DeleteFunc(slices.Clone(all), func(c *structural.CRD) bool { return !isNamed(c, kind) })
	}
	switch {
	case len(chosen) == 1:
		return chosen[0], path, nil
	case len(chosen) == 0:
		message := "no CRD has kind " + kind
		if near := cli.Closest(kind, namesOf(all)); near != "" {
			return nil, "", fmt.Errorf("%s; did you mean %s?", message, near)
		}
		return nil, "", fmt.Errorf("%s, only %s", message, list(all))
	case !slices.ContainsFunc(chosen, func(c *structural.CRD) bool { return c.Name != chosen[0].Name }):
		return nil, "", manifest.DefinedTwice(chosen[0], chosen[1])
	case kind != "":
		return nil, "", fmt.Errorf("%d CRDs have kind %s: choose one of %s", len(chosen), kind, list(chosen))
	}
	return nil, "", fmt.Errorf("there are %d CRDs: name a kind after them, of %s", len(chosen), list(chosen))
}

// isNamed reports whether a word names the kind of a CRD, in any case: by a name that kubectl takes, by GROUP/KIND, or by the name of the CRD.
func isNamed(c *structural.CRD, word string) bool {
	return slices.ContainsFunc(namesOf([]*structural.CRD{c}), func(name string) bool {
		return name != "" && (strings.EqualFold(name, word) || strings.EqualFold(c.Group+"/"+name, word))
	})
}

// namesOf returns all names of CRDs.
func namesOf(crds []*structural.CRD) []string {
	var names []string
	for _, c := range crds {
		names = append(names, c.Names.Kind, c.Names.Plural, c.Names.Singular, c.Name)
		names = append(names, c.Names.ShortNames...)
	}
	return names
}

// list lists the kinds of CRDs, or the first of them if there are many. A kind in several groups is preceded by its
// group.
func list(crds []*structural.CRD) string {
	groups := map[string]string{}
	several := map[string]bool{}
	for _, c := range crds {
		group, ok := groups[c.Names.Kind]
		several[c.Names.Kind] = several[c.Names.Kind] || ok && group != c.Group
		groups[c.Names.Kind] = c.Group
	}
	var kinds []string
	for _, c := range crds {
		kind := c.Names.Kind
		if several[kind] {
			kind = c.Group + "/" + kind
		}
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	return yamltext.ListSome(kinds, 10, func(kind string) string { return kind })
}
