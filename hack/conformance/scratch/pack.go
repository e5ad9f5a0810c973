// Package scratch links code that is generated from many CRDs into one program, without a file of it in the repository:
// the Go command is given an overlay that puts temporary files where packages of this module would be. The program keeps
// its place in the build cache that way, and what did not change is not compiled again.
package scratch

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/hack/conformance/compare"
)

// Package is one generated Go package: kinds of one group and version.
type Package struct {
	Name  string
	Files []generator.File
	// Resources maps the IDs of subjects to the names of their Resource variables, and Rules to those of their tables of CEL rules.
	Resources map[string]string
	Rules     map[string]string
}

// Refused is a version that nothing is generated for, with the generator's reason.
type Refused struct {
	Subject *compare.Subject
	Reason  string
}

// Stats says what was generated.
type Stats struct {
	Packages, Kinds, Files, Bytes int
}

// Generate turns subjects into packages with features. The kinds of one group and version share a package, as they do for users, unless
// they are there several times: modules ship CRDs of others, and in several editions.
func Generate(subjects []*compare.Subject, features generator.Features) (packages []*Package, refused []Refused, stats Stats, err error) {
	for _, group := range pack(subjects) {
		name := fmt.Sprintf("p%03d", len(packages))
		p, err := generate(name, group, features)
		var bad *generator.InputError
		if errors.As(err, &bad) {
			var usable []*compare.Subject
			for _, s := range group {
				if _, err := generator.Lower([]generator.Input{input(s)}, generator.Options{Features: features}); err != nil {
					refused = append(refused, Refused{s, err.Error()})
				} else {
					usable = append(usable, s)
				}
			}
			if len(usable) == 0 {
				continue
			}
			p, err = generate(name, usable, features)
		}
		if err != nil {
			return nil, nil, stats, err
		}
		packages = append(packages, p)
		stats.Packages++
		stats.Kinds += len(p.Resources)
		stats.Files += len(p.Files)
		for _, f := range p.Files {
			stats.Bytes += len(f.Content)
		}
	}
	return packages, refused, stats, nil
}

func input(s *compare.Subject) generator.Input {
	return generator.Input{CRD: s.CRD.CRD, Version: s.Version}
}

// pack sorts subjects into groups that can share a package.
func pack(subjects []*compare.Subject) [][]*compare.Subject {
	type edition struct {
		group, version string
		number         int
	}
	index := map[edition]int{}
	taken := map[edition]map[string]bool{}
	var groups [][]*compare.Subject
	for _, s := range subjects {
		// Two kinds that differ in case or in a dash only would clash.
		kind := strings.ToLower(strings.ReplaceAll(s.CRD.Names.Kind, "-", ""))
		e := edition{group: s.CRD.Group, version: s.Version.Name}
		for taken[e][kind] {
			e.number++
		}
		if taken[e] == nil {
			taken[e] = map[string]bool{}
			index[e] = len(groups)
			groups = append(groups, nil)
		}
		taken[e][kind] = true
		groups[index[e]] = append(groups[index[e]], s)
	}
	return groups
}

func generate(name string, subjects []*compare.Subject, features generator.Features) (*Package, error) {
	var inputs []generator.Input
	byKind := map[string]*compare.Subject{}
	for _, s := range subjects {
		inputs = append(inputs, input(s))
		byKind[s.CRD.Names.Kind] = s
	}
	files, err := generator.Generate(inputs, generator.Options{Package: name, Features: features})
	if err != nil {
		return nil, fmt.Errorf("package of %s: %w", subjects[0], err)
	}
	p := &Package{Name: name, Files: files, Resources: map[string]string{}, Rules: map[string]string{}}
	tables := fmt.Sprintf("package %s\n", name)
	for _, kind := range slices.Sorted(maps.Keys(byKind)) {
		s := byKind[kind]
		p.Resources[s.ID()] = generator.ResourceName(kind)
		if table := rulesOf(kind, files); table != "" {
			p.Rules[s.ID()] = "Table_" + table // no generated name has an underscore
			tables += fmt.Sprintf("\nvar Table_%[1]s = &%[1]s\n", table)
		}
	}
	p.Files = append(p.Files, generator.File{Name: "tables.go", Content: []byte(tables)})
	return p, nil
}

// rulesOf returns the name of the table with the CEL rules of a kind, empty if it has none.
func rulesOf(kind string, files []generator.File) string {
	call := regexp.MustCompile(`func Validate` + regexp.QuoteMeta(strings.TrimSuffix(generator.ResourceName(kind), "Resource")) + `Rules\([^\n]*\n\treturn (\w+)\.Validate\(`)
	for _, f := range files {
		if m := call.FindSubmatch(f.Content); m != nil {
			return string(m[1])
		}
	}
	return ""
}
