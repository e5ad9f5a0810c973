package cost

import (
	"context"
	"fmt"
	"time"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/hack/bench/report"
)

const minGenerated = 100 // CRDs a second

// generate measures how long it takes to make the code.
func generate(ctx context.Context, e *Env) (*report.Cost, error) {
	files, err := e.Files(ctx)
	if err != nil {
		return nil, err
	}
	var g generation
	corpus, err := e.median("generating the corpus", func() (spent, error) {
		return timed(func() (err error) {
			g, err = generateFiles(files)
			return err
		})
	})
	if err != nil {
		return nil, err
	}

	workflow, err := e.kind("Workflow")
	if err != nil {
		return nil, err
	}
	var made []generator.File
	emit := func() (err error) {
		made, err = generator.Generate([]generator.Input{workflow.Input}, generator.Options{Package: "generated"})
		return err
	}
	emitted, err := e.median("generating Workflow", func() (spent, error) { return timed(emit) })
	if err != nil {
		return nil, err
	}
	checked, err := e.median("generating and checking Workflow", func() (spent, error) {
		return timed(func() error {
			if err := emit(); err != nil {
				return err
			}
			_, err := generator.Compile(made)
			return err
		})
	})
	if err != nil {
		return nil, err
	}

	speed := float64(g.crds) / corpus.wall.Seconds()
	met := speed >= minGenerated
	const maxWorkflow = 2 * time.Second
	workflowMet := checked.wall <= maxWorkflow
	r := &report.Cost{Table: report.Table{
		Title: "Generation time",
		Note: "Every file of the corpus that has a CRD in it, duplicates included: read, checked, and turned into formatted source with all functions, " +
			"a package for each version, on one core.",
		Header: []string{"what", "CRDs", "versions", "source", "processor time", "time", "CRDs/s", "goal"},
		Rows: [][]string{
			{"the corpus", fmt.Sprint(g.crds), fmt.Sprint(g.versions), report.Bytes(float64(g.bytes)), report.Duration(corpus.cpu), report.Duration(corpus.wall),
				fmt.Sprintf("%.0f", speed), fmt.Sprintf("%s (at least %d/s)", report.Verdict(met), minGenerated)},
			{"Workflow", "1", "1", report.Bytes(float64(totalSize(made))), report.Duration(emitted.cpu), report.Duration(emitted.wall), "", ""},
			{"Workflow, with the type check", "1", "1", report.Bytes(float64(totalSize(made))), report.Duration(checked.cpu), report.Duration(checked.wall), "",
				report.Verdict(workflowMet) + " (at most 2 s)"},
		},
	}}
	r.Headline(met, "Generating the corpus: %.0f CRDs a second (goal %d)", speed, minGenerated)
	r.Headline(workflowMet, "Generating Workflow and type-checking it: %s (goal at most 2 s)", report.Duration(checked.wall))
	return r, nil
}

// generation is what came of generating files.
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
