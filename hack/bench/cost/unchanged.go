package cost

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/prune-gen/prune-gen/hack/bench/report"
	"github.com/prune-gen/prune-gen/hack/bench/scratch"
)

// maxUnchanged is the processor time for reading and hashing a few megabytes, and starting a program.
const maxUnchanged = 50 * time.Millisecond

// unchanged measures the commands where there is nothing to do, as a user runs them: with outcomes of earlier runs, and
// without.
func unchanged(ctx context.Context, e *Env) (*report.Cost, error) {
	m, err := scratch.New(ctx)
	if err != nil {
		return nil, err
	}
	defer m.Remove()
	if _, err := m.Go(ctx, "build", "-o", "prune-gen.exe", "github.com/prune-gen/prune-gen/cmd/prune-gen"); err != nil {
		return nil, err
	}
	files, err := argoFiles(e)
	if err != nil {
		return nil, err
	}
	largest, err := largestOf(files, 1)
	if err != nil {
		return nil, err
	}
	r := &report.Cost{Table: report.Table{
		Title: "Unchanged input",
		Note: "The commands, as a user runs them, where all files are current: with the outcome of an earlier run, and with PRUNE_GEN_CACHE=off. " +
			"What is left is starting the program and hashing it, the CRDs and the generated files.",
		Header: []string{"input", "size", "command", "processor time without", "processor time", "time", "goal, processor time"},
	}}
	for i, input := range []struct {
		what  string
		files []string
	}{{filepath.Base(largest[0]), largest}, {fmt.Sprintf("all %d Argo kinds", len(files)), files}} {
		size := int64(0)
		for _, file := range input.files {
			info, err := os.Stat(file)
			if err != nil {
				return nil, err
			}
			size += info.Size()
		}
		for _, command := range []string{"generate", "verify"} {
			run := func(cache string) (spent, error) {
				args := append([]string{command, "--output-dir", m.Path(fmt.Sprintf("unchanged/%d", i))}, input.files...)
				took, _, refused, err := runWatched(ctx, cache, m.Path("prune-gen.exe"), args...)
				if err == nil && refused {
					err = fmt.Errorf("prune-gen %s of %s fails", command, input.what)
				}
				return took, err
			}
			for range 2 { // the first of all writes the files
				if _, err := run(m.Path("outcomes")); err != nil {
					return nil, err
				}
			}
			what := fmt.Sprintf("prune-gen %s of %s, unchanged", command, input.what)
			without, err := e.median(what+", without outcomes", func() (spent, error) { return run(noCache) })
			if err != nil {
				return nil, err
			}
			with, err := e.median(what, func() (spent, error) { return run(m.Path("outcomes")) })
			if err != nil {
				return nil, err
			}
			met := with.cpu <= maxUnchanged
			r.Table.Rows = append(r.Table.Rows, []string{input.what, report.Bytes(float64(size)), command, report.Duration(without.cpu),
				report.Duration(with.cpu), report.Duration(with.wall), fmt.Sprintf("%s (at most %s)", report.Verdict(met), report.Duration(maxUnchanged))})
			r.Headline(met, "prune-gen %s of %s with nothing to do: %s of processor time (goal at most %s)",
				command, input.what, report.Duration(with.cpu), report.Duration(maxUnchanged))
		}
	}
	return r, nil
}
