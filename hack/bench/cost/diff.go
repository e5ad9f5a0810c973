package cost

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/hack/bench/progress"
	"github.com/prune-gen/prune-gen/hack/bench/report"
	"github.com/prune-gen/prune-gen/hack/bench/set"
	"github.com/prune-gen/prune-gen/structural"
)

const (
	// maxPlaces is at how many objects of a schema a field is added, spread evenly over all of them.
	maxPlaces = 40
	// maxWhole is for how many of them all kinds of the package are generated, to look at the files of the others.
	maxWhole = 4
	newField = "newField"
)

// diff measures how much of the generated files changes when a field is added to a CRD.
func diff(ctx context.Context, e *Env) (*report.Cost, error) {
	r := &report.Cost{Table: report.Table{
		Title: "Lines that change when a field is added",
		Note: fmt.Sprintf("A field is added to a schema and the files of the kind are generated again, with all functions: the lines that a diff adds and removes. "+
			"To a type means to all objects of the schema that are equal, as controller-gen does when a Go type gets a field; to one object means that only one of them gets it, "+
			"which then has functions of its own, and so has what contains it. This is done for each type or object of a schema, or for %d of them. "+
			"A leaf is a string; an object has a string in it.", maxPlaces),
		Header: []string{"CRDs of", "kinds", "field", "added to", "times", "median", "90%", "maximum", "files of other kinds"},
	}}
	for _, project := range []struct{ title, module, pattern string }{
		{"cert-manager", "github.com/cert-manager/cert-manager", "deploy/crds/*.yaml"},
		{"prometheus-operator", "github.com/prometheus-operator/prometheus-operator", "example/prometheus-operator-crd/*.yaml"},
	} {
		packages, err := projectPackages(e, project.module, project.pattern)
		if err != nil {
			return nil, err
		}
		for _, field := range []struct {
			title  string
			schema func() *structural.JSONSchema
		}{{"leaf", leafField}, {"object", objectField}} {
			for _, to := range []struct {
				title  string
				places func(*structural.JSONSchema) [][]*structural.JSONSchema
			}{{"a type", typesOf}, {"one object", objectsOf}} {
				progress.Printf("adding fields to the CRDs of %s: %s, to %s", project.title, field.title, to.title)
				kinds := 0
				var all changes
				for _, inputs := range packages {
					kinds += len(inputs)
					for i, in := range inputs {
						c, err := fieldChanges(inputs, i, sample(to.places(in.Version.Schema), maxPlaces), field.schema)
						if err != nil {
							return nil, fmt.Errorf("%s: %w", in.CRD.Names.Kind, err)
						}
						all.lines = append(all.lines, c.lines...)
						all.others += c.others
						if err := ctx.Err(); err != nil {
							return nil, err
						}
					}
				}
				slices.Sort(all.lines)
				r.Table.Rows = append(r.Table.Rows, []string{
					project.title, fmt.Sprint(kinds), field.title, to.title, fmt.Sprint(len(all.lines)), fmt.Sprint(all.at(0.5)), fmt.Sprint(all.at(0.9)),
					fmt.Sprint(all.at(1)), fmt.Sprint(all.others),
				})
				r.Headline("A new field (%s) in %s of a CRD of %s changes %d lines (median; 90%%: %d, maximum: %d) and %d files of other kinds",
					field.title, to.title, project.title, all.at(0.5), all.at(0.9), all.at(1), all.others)
			}
		}
	}
	return r, nil
}

// projectPackages returns the versions in the files of a module, a list for each group and version: a package.
func projectPackages(e *Env, module, pattern string) ([][]generator.Input, error) {
	root, err := set.Dir(e.Modules, module)
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
	if err != nil {
		return nil, err
	}
	packages := map[string][]generator.Input{}
	for _, file := range files {
		crds, err := set.ReadFile(e.Modules, module, path.Join(path.Dir(pattern), filepath.Base(file)))
		if err != nil {
			return nil, err
		}
		for _, crd := range crds {
			for _, v := range crd.Versions {
				key := crd.Group + "/" + v.Name
				packages[key] = append(packages[key], generator.Input{CRD: crd.CRD, Version: v})
			}
		}
	}
	if len(packages) == 0 {
		return nil, fmt.Errorf("no CRDs in %s of %s", pattern, module)
	}
	var all [][]generator.Input
	for _, key := range slices.Sorted(maps.Keys(packages)) {
		all = append(all, packages[key])
	}
	return all, nil
}

func leafField() *structural.JSONSchema { return &structural.JSONSchema{Type: "string"} }

func objectField() *structural.JSONSchema {
	return &structural.JSONSchema{Type: "object", Properties: map[string]*structural.JSONSchema{"value": leafField()}}
}

// changes is what becomes of the files when a field is added, place by place.
type changes struct {
	lines  []int // added and removed, for each place
	others int   // files of other kinds that changed
}

// at returns the number of lines that the given part of the places does not exceed.
func (c changes) at(part float64) int {
	if len(c.lines) == 0 {
		return 0
	}
	return c.lines[int(math.Ceil(part*float64(len(c.lines))))-1]
}

// fieldChanges adds a field to the i-th of the inputs, which make a package: to all schemas of each place in turn.
func fieldChanges(inputs []generator.Input, i int, places [][]*structural.JSONSchema, field func() *structural.JSONSchema) (changes, error) {
	var c changes
	alone := inputs[i : i+1]
	before, err := filesByName(alone)
	if err != nil {
		return c, err
	}
	whole, err := filesByName(inputs)
	if err != nil {
		return c, err
	}
	for n, place := range places {
		// The places that are looked at with all kinds are spread over the sample, too.
		everything := n%max(1, len(places)/maxWhole) == 0
		for _, s := range place {
			s.Properties[newField] = field()
		}
		after, err := filesByName(alone)
		var wholeAfter map[string][]byte
		if err == nil && everything {
			wholeAfter, err = filesByName(inputs)
		}
		for _, s := range place {
			delete(s.Properties, newField)
		}
		if err != nil {
			return c, err
		}
		lines := 0
		for name := range union(before, after) {
			lines += changedLines(before[name], after[name])
		}
		c.lines = append(c.lines, lines)
		if !everything {
			continue
		}
		for name := range union(whole, wholeAfter) {
			if before[name] == nil && after[name] == nil && !bytes.Equal(whole[name], wholeAfter[name]) {
				c.others++
			}
		}
	}
	return c, nil
}

func filesByName(inputs []generator.Input) (map[string][]byte, error) {
	files, err := generator.Generate(inputs, generator.Options{Package: "generated", Features: generator.AllFeatures()})
	if err != nil {
		return nil, err
	}
	named := map[string][]byte{}
	for _, f := range files {
		named[f.Name] = f.Content
	}
	return named, nil
}

func union(a, b map[string][]byte) map[string]bool {
	names := map[string]bool{}
	for name := range a {
		names[name] = true
	}
	for name := range b {
		names[name] = true
	}
	return names
}

// objectSchemas returns the schemas of a tree that have properties, in the order of their paths.
func objectSchemas(s *structural.JSONSchema) []*structural.JSONSchema {
	if s == nil {
		return nil
	}
	var all []*structural.JSONSchema
	if len(s.Properties) > 0 {
		all = append(all, s)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		all = append(all, objectSchemas(s.Properties[name])...)
	}
	if s.Items != nil {
		all = append(all, objectSchemas(s.Items.Schema)...)
	}
	if s.AdditionalProperties != nil {
		all = append(all, objectSchemas(s.AdditionalProperties.Schema)...)
	}
	return all
}

// objectsOf returns every object of a schema by itself.
func objectsOf(s *structural.JSONSchema) [][]*structural.JSONSchema {
	var places [][]*structural.JSONSchema
	for _, o := range objectSchemas(s) {
		places = append(places, []*structural.JSONSchema{o})
	}
	return places
}

// typesOf returns the objects of a schema, those that are equal together. What a field says about its own use of a Go type
// makes no difference: its description, its default, and whether it can be null.
func typesOf(s *structural.JSONSchema) [][]*structural.JSONSchema {
	var places [][]*structural.JSONSchema
	index := map[string]int{}
	for _, o := range objectSchemas(s) {
		object := o.Object()
		for _, key := range []string{"description", "default", "nullable"} {
			delete(object, key)
		}
		key := fmt.Sprint(object) // sorted
		i, ok := index[key]
		if !ok {
			i = len(places)
			index[key] = i
			places = append(places, nil)
		}
		places[i] = append(places[i], o)
	}
	return places
}

// sample returns at most n of all, spread evenly.
func sample[T any](all []T, n int) []T {
	if len(all) <= n {
		return all
	}
	some := make([]T, n)
	for i := range some {
		some[i] = all[i*len(all)/n]
	}
	return some
}

// changedLines returns the number of lines that the shortest diff of two texts adds and removes.
func changedLines(before, after []byte) int {
	a, b := strings.Split(string(before), "\n"), strings.Split(string(after), "\n")
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	// The rest is compared by the furthest point that each number of changes leads to on each diagonal.
	furthest := map[int]int{1: 0}
	for changed := 0; ; changed++ {
		for diagonal := -changed; diagonal <= changed; diagonal += 2 {
			x := furthest[diagonal-1] + 1
			if diagonal == -changed || diagonal != changed && furthest[diagonal-1] < furthest[diagonal+1] {
				x = furthest[diagonal+1]
			}
			for x < len(a) && x-diagonal < len(b) && a[x] == b[x-diagonal] {
				x++
			}
			furthest[diagonal] = x
			if x >= len(a) && x-diagonal >= len(b) {
				return changed
			}
		}
	}
}
