package run

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/prune-gen/prune-gen/hack/conformance/compare"
	"github.com/prune-gen/prune-gen/hack/conformance/corpus"
	"github.com/prune-gen/prune-gen/hack/conformance/score"
	"github.com/prune-gen/prune-gen/hack/conformance/tables"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Exit codes of the suite.
const (
	ExitAgree    = 0
	ExitDisagree = 1
	ExitUsage    = 2
	ExitTrouble  = 3
)

// Main is the suite, with the generated resources by the IDs of the subjects they were generated from. It is what the
// program calls that generated code is linked into.
func Main(generated map[string]prunert.Resource, args []string, stdout, stderr io.Writer) int {
	o, err := Parse("conformance", args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return ExitAgree
	}
	if err != nil {
		return ExitUsage
	}
	prunert.SetLimits(prunert.Limits{}) // the API server lists everything
	board, err := Compare(context.Background(), o, generated, stderr)
	if err == nil {
		err = publish(board, o, stdout)
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return ExitTrouble
	}
	if board.Disagreements() > 0 {
		return ExitDisagree
	}
	return ExitAgree
}

func publish(board *score.Board, o Options, stdout io.Writer) error {
	if o.JSON != "" {
		data, err := board.JSON()
		if err != nil {
			return err
		}
		if err := os.WriteFile(o.JSON, data, 0o644); err != nil {
			return fmt.Errorf("write the scoreboard: %w", err)
		}
	}
	return board.Print(stdout)
}

// Compare makes all comparisons.
func Compare(ctx context.Context, o Options, generated map[string]prunert.Resource, stderr io.Writer) (*score.Board, error) {
	c, err := Load(ctx, o)
	if err != nil {
		return nil, err
	}
	subjects, err := Subjects(c, o)
	if err != nil {
		return nil, err
	}
	board, err := score.New(o.Seed)
	if err != nil {
		return nil, err
	}
	board.Modules, board.Files, board.CRDs, board.Versions = c.Modules, c.Files, len(c.CRDs), c.Versions()
	board.Duplicates, board.Refused, board.NotYAML = c.Duplicates, len(c.Refused), len(c.NotYAML)
	if o.Function == "" && o.CRD == "" {
		own, err := kubernetesTables()
		if err != nil {
			return nil, err
		}
		addVerdicts(board, c, own, o)
	}
	if generated != nil {
		addGenerated(board, subjects, generated)
	}
	addObjects(board, subjects, o, stderr)
	if o.Function == "" || o.Function == "rules" {
		if err := addRules(board, subjects, o); err != nil {
			return nil, err
		}
	}
	return board, addOddMetadata(board, o)
}

// kubernetesTables returns the CRDs of Kubernetes' own tests. They are always the same, and it takes seconds to get at them.
var kubernetesTables = sync.OnceValues(func() ([]tables.Case, error) { return tables.Load(context.Background()) })

// addGenerated gives the subjects their generated code. A version that nothing was generated from must be one that the
// API server does not take either.
func addGenerated(board *score.Board, subjects []*compare.Subject, generated map[string]prunert.Resource) {
	row := score.Row{Name: "generate", Against: "apiextensions validation", CRDs: countCRDs(subjects), What: "versions"}
	for _, s := range subjects {
		row.Versions++
		row.Compared++
		if r, ok := generated[s.ID()]; ok {
			s.Generated = &r
			continue
		}
		if len(s.KubeCRD.Validate()) == 0 {
			row.Disagreements++
			board.Problems = append(board.Problems, fmt.Sprintf("%s: %s: nothing was generated, but Kubernetes accepts the CRD", s.CRD.Origin, s))
		}
	}
	board.Rows = append(board.Rows, row)
}

func addObjects(board *score.Board, subjects []*compare.Subject, o Options, stderr io.Writer) {
	var functions []compare.Function
	for _, f := range compare.Functions() {
		if o.Function == "" || o.Function == f.Name {
			functions = append(functions, f)
		}
	}
	objects := o.Objects
	if len(subjects) > 0 {
		objects = max(objects, (o.Total+len(subjects)-1)/len(subjects))
	}
	last := 0
	tallies := compare.Run(subjects, functions, compare.Options{
		Seed: o.Seed, Objects: objects, Keywords: o.Keywords, Workers: o.Workers, Reproduce: o.sources(),
		Progress: func(done, all int) {
			if now := done * 10 / all; now > last {
				last = now
				fmt.Fprintf(stderr, "compared %d of %d versions\n", done, all)
			}
		},
	})
	for _, t := range tallies {
		if t.Subjects > 0 {
			board.Add(t, countCRDs(subjects))
		}
	}
}

func countCRDs(subjects []*compare.Subject) int {
	all := map[*corpus.CRD]bool{}
	for _, s := range subjects {
		all[s.CRD] = true
	}
	return len(all)
}
