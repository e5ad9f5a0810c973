package run

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"github.com/prune-gen/prune-gen/hack/conformance/compare"
	"github.com/prune-gen/prune-gen/hack/conformance/corpus"
	"github.com/prune-gen/prune-gen/hack/conformance/rules"
	"github.com/prune-gen/prune-gen/internal/specimen"
)

// Load returns the CRDs to compare: those of the corpus, of the golden cases, and random ones.
func Load(ctx context.Context, o Options) (*corpus.Corpus, error) {
	c := &corpus.Corpus{}
	if o.Sample > 0 {
		var err error
		if c, err = corpus.Load(ctx, o.Sample); err != nil {
			return nil, err
		}
		c.Sample = 1 // what follows is small and always there
	}
	if o.Golden != "" {
		if err := c.AddFS("golden", os.DirFS(o.Golden)); err != nil {
			return nil, err
		}
	}
	for seed := range uint64(o.Random) {
		c.AddFile(fmt.Sprintf("random/%d", seed), specimen.CRD(seed))
	}
	for seed := range uint64(o.RandomRules) {
		data, err := rules.RandomCRD(o.Seed<<16+seed, rulesOfACRD)
		if err != nil {
			return nil, err
		}
		c.AddFile(fmt.Sprintf("random-rules/%d", seed), data)
	}
	if o.CRD != "" {
		crd := c.Find(o.CRD)
		if crd == nil {
			return nil, fmt.Errorf("no CRD has the key %q", o.CRD)
		}
		c.CRDs = []*corpus.CRD{crd}
	}
	return c, nil
}

// rulesOfACRD is how many random rules a CRD gets; some do not compile.
const rulesOfACRD = 60

// Subjects returns the versions that objects are made for.
func Subjects(c *corpus.Corpus, o Options) ([]*compare.Subject, error) {
	var all []*compare.Subject
	for _, crd := range c.CRDs {
		subjects, err := compare.Subjects(crd)
		if err != nil {
			return nil, err
		}
		for _, s := range subjects {
			if o.Function == "rules" && !bytes.Contains(crd.Raw, []byte("x-kubernetes-validations")) {
				continue
			}
			if o.Version == "" || o.Version == s.Version.Name {
				all = append(all, s)
			}
		}
	}
	return all, nil
}
