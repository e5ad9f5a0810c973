package cost

import (
	"context"
	"fmt"
	"strings"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/generator/typecheck"
	"github.com/prune-gen/prune-gen/hack/bench/report"
	"github.com/prune-gen/prune-gen/structural/load"
)

// generate measures how long it takes to make the code, with all functions.
func generate(ctx context.Context, e *Env) (*report.Cost, error) {
	r := &report.Cost{Table: report.Table{
		Title: "Generation time",
		Note: "Source with all functions. The corpus is every file that has a CRD in it, duplicates included: read, checked, and turned " +
			"into formatted source, a package for each version. Workflow, the largest CRD, is measured after reading it. The made-up kinds " +
			"have ten fields each and go into one package.",
		Header: []string{"what", "CRDs", "versions", "source", "processor time", "time", "CRDs/s"},
	}}
	row := func(what string, g generation, took spent) {
		speed := ""
		if g.crds > 1 {
			speed = fmt.Sprintf("%.0f", float64(g.crds)/took.wall.Seconds())
		}
		r.Table.Rows = append(r.Table.Rows, []string{what, fmt.Sprint(g.crds), fmt.Sprint(g.versions), report.Bytes(float64(g.bytes)),
			report.Duration(took.cpu), report.Duration(took.wall), speed})
	}

	files, err := e.Files(ctx)
	if err != nil {
		return nil, err
	}
	var g generation
	took, err := e.median("generating the corpus", func() (spent, error) {
		return timed(func() (err error) {
			g, err = generateFiles(files)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	row("the corpus", g, took)

	workflow, err := e.kind("Workflow")
	if err != nil {
		return nil, err
	}
	emitted, g, err := e.generatePackage("generating Workflow", []generator.Input{workflow.Input}, false)
	if err != nil {
		return nil, err
	}
	row("Workflow", g, emitted)
	checked, g, err := e.generatePackage("generating and type-checking Workflow", []generator.Input{workflow.Input}, true)
	if err != nil {
		return nil, err
	}
	row("Workflow, with the type check", g, checked)
	r.Headline("Generating Workflow and type-checking it: %s", report.Duration(checked.wall))

	var before spent
	for _, n := range []int{250, 500} {
		inputs, err := madeUp(n)
		if err != nil {
			return nil, err
		}
		took, g, err := e.generatePackage(fmt.Sprintf("generating %d kinds", n), inputs, false)
		if err != nil {
			return nil, err
		}
		if before.cpu > 0 {
			r.Headline("Twice as many kinds in a package take %.1f times as long", took.cpu.Seconds()/before.cpu.Seconds())
		}
		before = took
		row(fmt.Sprintf("%d made-up kinds", n), g, took)
	}
	return r, nil
}

// generatePackage measures generating one package, with or without the type check.
func (e *Env) generatePackage(what string, inputs []generator.Input, check bool) (spent, generation, error) {
	var made []generator.File
	took, err := e.median(what, func() (spent, error) {
		return timed(func() (err error) {
			made, err = generator.Generate(inputs, generator.Options{Package: "generated"})
			if err == nil && check {
				_, err = typecheck.Check(made)
			}
			return err
		})
	})
	return took, generation{len(inputs), len(inputs), totalSize(made)}, err
}

// madeUp returns n kinds with ten fields each, all different.
func madeUp(n int) ([]generator.Input, error) {
	var text strings.Builder
	for i := range n {
		var fields []string
		for j := range 10 {
			fields = append(fields, fmt.Sprintf("f%d_%d: {type: string}", i, j))
		}
		text.WriteString(kindCRD(i, strings.Join(fields, ", ")))
	}
	var inputs []generator.Input
	for _, crd := range load.Load("made-up.yaml", strings.NewReader(text.String())).CRDs {
		inputs = append(inputs, generator.Input{CRD: crd, Version: crd.Versions[0]})
	}
	if len(inputs) != n {
		return nil, fmt.Errorf("%d of %d made-up kinds were read", len(inputs), n)
	}
	return inputs, nil
}

// generation counts what was generated.
type generation struct {
	crds, versions, bytes int
}

func generateFiles(files []string) (generation, error) {
	var g generation
	for _, file := range files {
		crds, err := loadFile(file)
		if err != nil {
			return g, err
		}
		for _, crd := range crds {
			g.crds++
			for _, v := range crd.Versions {
				made, err := generator.Generate([]generator.Input{{CRD: crd, Version: v}}, generator.Options{Package: "generated"})
				if err != nil {
					continue // not structural: refusing it takes time as well
				}
				g.versions++
				g.bytes += totalSize(made)
			}
		}
	}
	return g, nil
}

func totalSize(files []generator.File) int {
	n := 0
	for _, f := range files {
		n += len(f.Content)
	}
	return n
}
