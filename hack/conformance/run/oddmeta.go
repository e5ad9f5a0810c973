package run

import (
	"github.com/prune-gen/prune-gen/hack/conformance/oddmeta"
	"github.com/prune-gen/prune-gen/hack/conformance/score"
)

// addOddMetadata compares what becomes of odd metadata. Its objects are always the same, so it is part of runs that take
// everything; go test ./oddmeta is the same comparison by itself.
func addOddMetadata(board *score.Board, o Options) error {
	if o.Sample != 1 || o.Function != "" || o.CRD != "" {
		return nil
	}
	tallies, err := oddmeta.Compare(o.Workers, 1)
	for _, t := range tallies {
		board.Add(t, 1)
	}
	return err
}
