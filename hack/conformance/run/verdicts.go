package run

import (
	"encoding/json"
	"fmt"

	"github.com/prune-gen/prune-gen/hack/conformance/corpus"
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/hack/conformance/score"
	"github.com/prune-gen/prune-gen/hack/conformance/tables"
	"github.com/prune-gen/prune-gen/hack/conformance/verdicts"
	"github.com/prune-gen/prune-gen/internal/celrules"
)

// addVerdicts compares what is read and said about CRDs and schemas.
func addVerdicts(board *score.Board, c *corpus.Corpus, own []tables.Case, o Options) {
	rows := map[string]*score.Row{}
	var order []*score.Row
	row := func(about, name, against, what string) *score.Row {
		r := &score.Row{Name: name, Against: against, CRDs: len(c.CRDs), Versions: c.Versions(), What: what, Compared: len(c.CRDs)}
		rows[about] = r
		order = append(order, r)
		return r
	}
	load := row("reading", "load.Load", "the apiextensions decoder, defaults and conversion", "CRDs")
	row("conversion", "structural.NewSchema", "schema.NewStructural", "schemas").Compared = c.Versions()
	row("rules", "structural.Validate", "schema.ValidateStructural", "schemas").Compared = c.Versions()
	trees := row("trees", "rules.Check", "cel.NewValidator, cel.Compile and its checked trees", "CEL rules")
	trees.Compared = 0
	row("condition", "lint.NonStructuralCondition", "the condition controller", "CRDs")
	row("lint", "lint.CRD", "apiextensions validation", "CRDs")
	tabled := row("tables", "lint.CRD, Kubernetes' own tables", "apiextensions validation", "CRDs")
	broken := row("broken", "structural.Validate, broken schemas", "schema.NewStructural, schema.ValidateStructural", "schemas")
	mutated := row("mutated", "structural.Validate, mutated schemas", "schema.NewStructural, schema.ValidateStructural", "schemas")
	for _, r := range []*score.Row{tabled, broken, mutated} {
		r.CRDs, r.Versions, r.Compared = 0, 0, 0
	}

	problem := func(r *score.Row, format string, args ...any) {
		r.Disagreements++
		const most = 20
		if r.Disagreements <= most {
			board.Problems = append(board.Problems, fmt.Sprintf(format, args...))
		}
	}
	note := func(r *score.Row, where string, d verdicts.Difference) {
		if d.Known != "" {
			r.Known++
			board.Count(d.Known, 1)
			return
		}
		problem(r, "%s: %s", where, d)
	}

	for _, d := range c.Disagreements {
		problem(load, "%s: %s", d.Origin, d.Reason)
	}
	for _, r := range c.Refused {
		load.Compared++
		if k, err := kube.DecodeCRD(r.Raw); err == nil && len(k.Validate()) == 0 {
			problem(load, "%s: refused, but Kubernetes accepts it: %s", r.Origin, r.Reason)
		}
	}
	for _, crd := range c.CRDs {
		trees.Compared += celrules.Count(crd.CRD)
		for _, d := range verdicts.CRD(crd) {
			note(rows[d.About], crd.Origin+": "+crd.Name, d)
		}
	}

	for _, t := range own {
		tabled.CRDs++
		tabled.Compared++
		_, diffs := verdicts.Verdict(t.Raw)
		for _, d := range diffs {
			note(tabled, fmt.Sprintf("%s: %.2000s", t.Name, t.Raw), d)
		}
	}

	schema := func(r *score.Row, where string, s verdicts.Object) {
		raw, err := json.Marshal(s)
		if err != nil {
			problem(r, "%s: %v", where, err)
			return
		}
		r.Compared++
		_, diffs := verdicts.Schema(raw)
		for _, d := range diffs {
			note(r, fmt.Sprintf("%s: %.2000s", where, raw), d)
		}
	}
	for _, b := range verdicts.Broken() {
		schema(broken, b.Name, b.Schema)
	}
	mutate(c, o, func(where string, s verdicts.Object) { schema(mutated, where, s) })
	for _, r := range order {
		board.Rows = append(board.Rows, *r)
	}
}

// mutate calls visit with mutations of every schema. A large schema takes its time and is not broken in more ways than a
// small one: it is mutated less often.
func mutate(c *corpus.Corpus, o Options, visit func(where string, s verdicts.Object)) {
	const large = 100_000 // bytes
	seed := o.Seed
	for _, crd := range c.CRDs {
		rounds := o.Mutations
		if len(crd.Raw) > large {
			rounds = (rounds + 9) / 10
		}
		for round := range rounds {
			for i, s := range verdicts.Schemas(crd.Raw) {
				seed++
				verdicts.Mutate(s, seed, 1+round%5)
				visit(fmt.Sprintf("%s: schema %d, mutation seed %d", crd.Name, i, seed), s)
			}
		}
	}
}
