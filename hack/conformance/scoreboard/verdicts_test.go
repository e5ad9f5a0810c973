package scoreboard

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/prune-gen/prune-gen/hack/conformance/compare"
	"github.com/prune-gen/prune-gen/hack/conformance/corpus"
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/hack/conformance/verdicts"
	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/internal/testing/schemacases"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// compareVerdicts compares what is read and said about CRDs and schemas.
func compareVerdicts(c *corpus.Corpus, size size) []*compare.Tally {
	reading := &compare.Tally{Name: "crdread.Load", What: "CRDs"}
	conversion := &compare.Tally{Name: "structural.NewSchema", What: "schemas"}
	structure := &compare.Tally{Name: "structural.Validate", What: "schemas"}
	trees := &compare.Tally{Name: "celrules.Check", What: "CEL rules"}
	lint := &compare.Tally{Name: "lint.CRD", What: "CRDs"}
	broken := &compare.Tally{Name: "structural.Validate, broken schemas", What: "schemas"}
	mutated := &compare.Tally{Name: "structural.Validate, mutated schemas", What: "schemas"}
	rows := map[string]*compare.Tally{
		"reading": reading, "conversion": conversion, "rules": structure, "trees": trees, "lint": lint,
	}
	for _, d := range c.Disagreements {
		reading.Note("", func() string { return d.Origin + ": " + d.Reason })
	}
	for _, r := range c.Refused {
		reading.Count(0, 1, 0)
		if k, err := kube.DecodeCRD(r.Raw); err == nil && len(k.Validate()) == 0 {
			reading.Note("", func() string { return fmt.Sprintf("%s: refused, but Kubernetes accepts it: %s", r.Origin, r.Reason) })
		}
	}
	compare.Each(slices.Values(c.CRDs), func(crd *corpus.CRD) {
		versions := len(crd.Versions)
		for _, row := range []*compare.Tally{reading, lint} {
			row.Count(versions, 1, 0)
		}
		conversion.Count(versions, versions, 0)
		structure.Count(versions, versions, 0)
		trees.Count(versions, celrules.Count(crd.CRD), 0)
		for _, d := range verdicts.CRD(crd) {
			rows[d.About].Note(d.Known, func() string { return fmt.Sprintf("%s: %s: %s", crd.Origin, crd.Name, d) })
		}
	})
	board := []*compare.Tally{reading, conversion, structure, trees, lint}
	if !size.generated { // the tests of ../verdicts break schemas, too
		return board
	}
	schema := func(row *compare.Tally, where string, s schemacases.Object) {
		raw, err := json.Marshal(s)
		if err != nil {
			panic(err) // it was made from JSON
		}
		row.Count(0, 1, 0)
		_, diffs := verdicts.Schema(raw)
		for _, d := range diffs {
			row.Note(d.Known, func() string { return fmt.Sprintf("%s: %.2000s: %s", where, raw, d) })
		}
	}
	for _, b := range schemacases.Broken() {
		schema(broken, b.Name, b.Schema)
	}
	seed := *seedFlag
	for _, crd := range c.CRDs {
		rounds := size.mutations
		if len(crd.Raw) > 100_000 { // a large schema takes its time and is not broken in more ways than a small one
			rounds = (rounds + 9) / 10
		}
		for round := range rounds {
			for i, s := range schemas(crd.Raw) {
				seed++
				schemacases.Mutate(s, seed, 1+round%5)
				schema(mutated, fmt.Sprintf("%s: schema %d, mutation seed %d", crd.Name, i, seed), s)
			}
		}
	}
	return append(board, broken, mutated)
}

// schemas returns the schemas of a CRD as JSON values: those of its versions, and the one for all of them.
func schemas(crd json.RawMessage) []schemacases.Object {
	type validation struct {
		OpenAPIV3Schema any `json:"openAPIV3Schema"`
	}
	var doc struct {
		Spec struct {
			Versions []struct {
				Schema validation `json:"schema"`
			} `json:"versions"`
			Validation validation `json:"validation"`
		} `json:"spec"`
	}
	if err := utiljson.Unmarshal(crd, &doc); err != nil {
		return nil
	}
	var all []schemacases.Object
	add := func(v any) {
		if s, ok := v.(schemacases.Object); ok {
			all = append(all, s)
		}
	}
	for _, v := range doc.Spec.Versions {
		add(v.Schema.OpenAPIV3Schema)
	}
	add(doc.Spec.Validation.OpenAPIV3Schema)
	return all
}
