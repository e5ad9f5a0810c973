package cost

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/prune-gen/prune-gen/hack/bench/report"
	"github.com/prune-gen/prune-gen/hack/bench/scratch"
)

// lint measures the lint command on the corpus, as a user runs it.
func lint(ctx context.Context, e *Env) (*report.Cost, error) {
	files, err := e.Files(ctx)
	if err != nil {
		return nil, err
	}
	m, err := scratch.New(ctx)
	if err != nil {
		return nil, err
	}
	defer m.Remove()
	if _, err := m.Go(ctx, "build", "-o", "prune-gen.exe", "github.com/prune-gen/prune-gen/cmd/prune-gen"); err != nil {
		return nil, err
	}
	crds, largest, total := 0, 0, 0
	for i, file := range files {
		found, err := loadFile(file)
		if err != nil {
			return nil, err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if err := m.Write(fmt.Sprintf("crds/%05d%s", i, filepath.Ext(file)), data); err != nil {
			return nil, err
		}
		crds, largest, total = crds+len(found), max(largest, len(data)), total+len(data)
	}
	peak := 0.0
	took, err := e.median("linting the corpus", func() (spent, error) {
		s, most, _, err := runWatched(ctx, m.Path("prune-gen.exe"), "lint", m.Path("crds"))
		peak = max(peak, most)
		return s, err
	})
	if err != nil {
		return nil, err
	}
	speed := float64(crds) / took.wall.Seconds()
	r := &report.Cost{Table: report.Table{
		Title: "Lint",
		Note: fmt.Sprintf("prune-gen lint on every file of the corpus that has a CRD in it, duplicates included: %d files, %s, the largest of %s. "+
			"Peak memory is all that the process ever had of the system.", len(files), report.Bytes(float64(total)), report.Bytes(float64(largest))),
		Header: []string{"what", "CRDs", "processor time", "time", "CRDs/s", "peak memory"},
		Rows:   [][]string{{"prune-gen lint", fmt.Sprint(crds), report.Duration(took.cpu), report.Duration(took.wall), fmt.Sprintf("%.0f", speed), report.Bytes(peak)}},
	}}
	r.Headline("Linting the corpus: %.0f CRDs a second, %s at most", speed, report.Bytes(peak))
	return r, nil
}
