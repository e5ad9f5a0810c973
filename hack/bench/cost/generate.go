package cost

import (
	"context"
	"fmt"
	"iter"
	"runtime/debug"
	"time"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/hack/bench/report"
	"github.com/prune-gen/prune-gen/structural"
)

const minGenerated = 100 // CRDs a second

// generate measures how long it takes to make the code.
func generate(ctx context.Context, e *Env) (*report.Cost, error) {
	files, err := e.Files(ctx)
	if err != nil {
		return nil, err
	}
	r := &report.Cost{Table: report.Table{
		Title: "Generation time",
		Note: "Every file of the corpus that has a CRD in it, duplicates included: read, checked, and turned into formatted source, " +
			"a package for each version. As in the command, files are read while others are turned into source, and garbage is collected " +
			"late. With the three functions of the first release, and with all of them. The goal is about the time that passes; where the " +
			"machine is busy, processor time tells more.",
		Header: []string{"what", "CRDs", "versions", "source", "processor time", "time", "CRDs/s of processor time", "CRDs/s", "goal"},
	}}
	for _, functions := range []struct {
		what     string
		features generator.Features
	}{
		{"prune, report and check", generator.Features{generator.FeaturePrune, generator.FeatureReport, generator.FeatureCheck}},
		{"all functions", generator.AllFeatures()},
	} {
		var g generation
		corpus, err := e.median("generating the corpus with "+functions.what, func() (spent, error) {
			return timed(func() (err error) {
				g, err = generateFiles(files, functions.features)
				return err
			})
		})
		if err != nil {
			return nil, err
		}
		speed := float64(g.crds) / corpus.wall.Seconds()
		met := speed >= minGenerated
		r.Table.Rows = append(r.Table.Rows, []string{"the corpus, " + functions.what, fmt.Sprint(g.crds), fmt.Sprint(g.versions), report.Bytes(float64(g.bytes)),
			report.Duration(corpus.cpu), report.Duration(corpus.wall), fmt.Sprintf("%.0f", float64(g.crds)/corpus.cpu.Seconds()), fmt.Sprintf("%.0f", speed),
			fmt.Sprintf("%s (at least %d/s)", report.Verdict(met), minGenerated)})
		r.Headline(met, "Generating the corpus with %s: %.0f CRDs a second (goal %d)", functions.what, speed, minGenerated)
	}

	workflow, err := e.kind("Workflow")
	if err != nil {
		return nil, err
	}
	var made []generator.File
	emit := func() (err error) {
		made, err = generator.Generate([]generator.Input{workflow.Input}, generator.Options{Package: "generated", Features: generator.AllFeatures()})
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

	const maxWorkflow = 2 * time.Second
	workflowMet := checked.wall <= maxWorkflow
	r.Table.Rows = append(r.Table.Rows,
		[]string{"Workflow", "1", "1", report.Bytes(float64(totalSize(made))), report.Duration(emitted.cpu), report.Duration(emitted.wall), "", "", ""},
		[]string{"Workflow, with the type check", "1", "1", report.Bytes(float64(totalSize(made))), report.Duration(checked.cpu), report.Duration(checked.wall), "", "",
			report.Verdict(workflowMet) + " (at most 2 s)"})
	r.Headline(workflowMet, "Generating Workflow and type-checking it: %s (goal at most 2 s)", report.Duration(checked.wall))
	return r, nil
}

// generation is what came of generating files.
type generation struct {
	crds, versions, bytes int
}

// lazyGC is the command's own setting.
const lazyGC = 400

func generateFiles(files []string, features generator.Features) (generation, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(lazyGC))
	var g generation
	for l := range readAhead(files) {
		if l.err != nil {
			return g, l.err
		}
		for _, crd := range l.crds {
			g.crds++
			for _, v := range crd.Versions {
				made, err := generator.Generate([]generator.Input{{CRD: crd, Version: v}}, generator.Options{Package: "generated", Features: features})
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

// loaded is what is in a file.
type loaded struct {
	crds []*structural.CRD
	err  error
}

// readAhead returns what is in the files. One is read while another is worked on.
func readAhead(files []string) iter.Seq[loaded] {
	return func(yield func(loaded) bool) {
		all, done := make(chan loaded, 1), make(chan struct{})
		defer close(done)
		go func() {
			defer close(all)
			for _, file := range files {
				crds, err := loadFile(file)
				select {
				case all <- loaded{crds, err}:
				case <-done:
					return
				}
			}
		}()
		for l := range all {
			if !yield(l) {
				return
			}
		}
	}
}

func totalSize(files []generator.File) int {
	n := 0
	for _, f := range files {
		n += len(f.Content)
	}
	return n
}
