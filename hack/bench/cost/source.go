package cost

import (
	"context"
	"fmt"
	"math"
	"path"
	"path/filepath"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/hack/bench/progress"
	"github.com/prune-gen/prune-gen/hack/bench/report"
	"github.com/prune-gen/prune-gen/hack/bench/set"
	"github.com/prune-gen/prune-gen/structural"
)

// generated is the size of a generated package.
type generated struct {
	schemaNodes int // in the schemas
	functions   int // one for each different node that has something in it
	fields      int // that the functions name
	bytes       int
}

// size generates a package for the inputs and says how large it is.
func size(inputs []generator.Input, features generator.Features, sharing generator.Sharing) (generated, error) {
	opts := generator.Options{Package: "generated", Features: features, Sharing: sharing}
	plan, err := generator.Lower(inputs, opts)
	if err != nil {
		return generated{}, err
	}
	files, err := plan.Emit(opts)
	if err != nil {
		return generated{}, err
	}
	var g generated
	for _, f := range plan.Functions() {
		g.functions++
		g.fields += f.Fields
	}
	for _, f := range files {
		g.bytes += len(f.Content)
	}
	for _, in := range inputs {
		if s, errs := structural.NewSchema(in.Version.Schema, in.Version.SchemaPath); len(errs) == 0 {
			g.schemaNodes += schemaNodes(s)
		}
	}
	return g, nil
}

func schemaNodes(s *structural.Schema) int {
	if s == nil {
		return 0
	}
	n := 1 + schemaNodes(s.Items)
	if s.AdditionalProperties != nil {
		n += schemaNodes(s.AdditionalProperties.Schema)
	}
	for _, p := range s.Properties {
		n += schemaNodes(p)
	}
	return n
}

// source measures how much code there is to read, and whether it grows with what is different in a schema.
func source(ctx context.Context, e *Env) (*report.Cost, error) {
	workflow, err := e.kind("Workflow")
	if err != nil {
		return nil, err
	}
	r := &report.Cost{Table: report.Table{
		Title: "Generated source",
		Note: "A schema's nodes are its objects, lists and scalars. Those with something in them that pruning treats alike are one function, " +
			"and those that checking treats alike are another. Fields are those that the functions name. " +
			"Where code grows with what is different in a schema, whatever its size, bytes by function and by field stay about the same.",
		Header: []string{"package", "versions", "schema nodes", "functions", "fields", "source", "B/function", "B/field"},
	}}
	add := func(title string, versions int, g generated) {
		r.Table.Rows = append(r.Table.Rows, []string{
			title, fmt.Sprint(versions), fmt.Sprint(g.schemaNodes), fmt.Sprint(g.functions), fmt.Sprint(g.fields), report.Bytes(float64(g.bytes)),
			fmt.Sprintf("%.0f", float64(g.bytes)/float64(g.functions)), fmt.Sprintf("%.0f", float64(g.bytes)/float64(g.fields)),
		})
	}

	one := []generator.Input{workflow.Input}
	pruneOnly, err := size(one, generator.Features{generator.FeaturePrune}, generator.ShareWithinKinds)
	if err != nil {
		return nil, err
	}
	add("Workflow, prune only", 1, pruneOnly)
	r.Headline("Workflow, %d schema nodes, prune only: %s of source in %d functions",
		pruneOnly.schemaNodes, report.Bytes(float64(pruneOnly.bytes)), pruneOnly.functions)
	whole, err := size(one, generator.AllFeatures(), generator.ShareWithinKinds)
	if err != nil {
		return nil, err
	}
	for _, f := range []generator.Feature{generator.FeatureCheck, generator.FeatureNormalize, generator.FeatureValidate, generator.FeatureUpdate} {
		g, err := size(one, generator.Features{f}, generator.ShareWithinKinds)
		if err != nil {
			return nil, err
		}
		add("Workflow, "+string(f)+" only", 1, g)
	}
	add("Workflow, all functions", 1, whole)

	route, err := e.kind("HTTPRoute")
	if err != nil {
		return nil, err
	}
	for _, f := range []generator.Feature{generator.FeatureUpdate, generator.FeatureRules} {
		g, err := size([]generator.Input{route.Input}, generator.Features{f}.Complete(), generator.ShareWithinKinds)
		if err != nil {
			return nil, err
		}
		add("HTTPRoute, "+string(f)+" and what it needs", 1, g)
	}

	argo, err := argoInputs(e)
	if err != nil {
		return nil, err
	}
	apart, err := size(argo, generator.AllFeatures(), generator.ShareWithinKinds)
	if err != nil {
		return nil, err
	}
	together, err := size(argo, generator.AllFeatures(), generator.ShareAcrossKinds)
	if err != nil {
		return nil, err
	}
	largest := generated{}
	for _, in := range argo {
		alone, err := size([]generator.Input{in}, generator.AllFeatures(), generator.ShareWithinKinds)
		if err != nil {
			return nil, err
		}
		if alone.bytes > largest.bytes {
			largest = alone
		}
	}
	sharing := float64(together.bytes) / float64(largest.bytes)
	add(fmt.Sprintf("all %d Argo kinds in one package", len(argo)), len(argo), apart)
	add(fmt.Sprintf("the same with --share-across-kinds, %.2f of the largest alone", sharing), len(argo), together)
	r.Headline("The %d Argo kinds in one package, sharing functions, have %.2f times the source of the largest alone", len(argo), sharing)

	return r, addCorpus(ctx, e, r, add)
}

// argoInputs returns the kinds of argo-workflows, which share most of their schemas.
func argoInputs(e *Env) ([]generator.Input, error) {
	files, err := argoFiles(e)
	if err != nil {
		return nil, err
	}
	var inputs []generator.Input
	for _, file := range files {
		crds, err := set.ReadFile(e.Modules, argoModule, path.Join(argoDir, filepath.Base(file)))
		if err != nil {
			return nil, err
		}
		for _, crd := range crds {
			for _, v := range crd.Versions {
				inputs = append(inputs, generator.Input{CRD: crd.CRD, Version: v})
			}
		}
	}
	return inputs, nil
}

const argoModule, argoDir = "github.com/argoproj/argo-workflows/v3", "manifests/base/crds/full"

// argoFiles returns the files with the CRDs of argo-workflows.
func argoFiles(e *Env) ([]string, error) {
	root, err := set.Dir(e.Modules, argoModule)
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(argoDir), "argoproj.io_*.yaml"))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("no CRDs in %s of %s", argoDir, argoModule)
	}
	return files, err
}

// addCorpus adds the versions of the corpus, by the number of functions.
func addCorpus(ctx context.Context, e *Env, r *report.Cost, add func(string, int, generated)) error {
	c, err := e.Corpus(ctx)
	if err != nil {
		return err
	}
	progress.Printf("generating the corpus for its size")
	borders := []int{10, 30, 100, 300, math.MaxInt}
	var points []point
	sums, counts := make([]generated, len(borders)), make([]int, len(borders))
	for _, crd := range c.CRDs {
		for _, v := range crd.Versions {
			g, err := size([]generator.Input{{CRD: crd.CRD, Version: v}}, generator.AllFeatures(), generator.ShareWithinKinds)
			if err != nil {
				continue // what is not structural has no code
			}
			points = append(points, point{fields: float64(g.fields), bytes: float64(g.bytes)})
			for i, border := range borders {
				if g.functions < border {
					sums[i].schemaNodes += g.schemaNodes
					sums[i].functions += g.functions
					sums[i].fields += g.fields
					sums[i].bytes += g.bytes
					counts[i]++
					break
				}
			}
		}
	}
	from := 1
	for i, border := range borders {
		title := fmt.Sprintf("corpus, %d to %d functions", from, border-1)
		if border == math.MaxInt {
			title = fmt.Sprintf("corpus, %d functions or more", from)
		}
		if counts[i] > 0 {
			add(title, counts[i], sums[i])
		}
		from = border
	}
	slope := growth(points)
	r.Headlines = append(r.Headlines, fmt.Sprintf("Source grows with the number of fields in different nodes to the power of %.2f over the corpus (1 is linear)", slope))
	return nil
}

// point is one version of the corpus.
type point struct {
	fields float64 // in different nodes
	bytes  float64
}

// growth fits bytes = a * fields^b and returns b.
func growth(points []point) float64 {
	var n, sx, sy, sxx, sxy float64
	for _, p := range points {
		x, y := math.Log(p.fields), math.Log(p.bytes)
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}
