package prunejson

import (
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// report is what a walk records for PruneReport: positions in the document, each list from left to right.
type report struct {
	dropped  []Pos // the keys of members that were dropped
	mapKeys  []Pos // the keys of maps that the walk went into
	metadata []Pos // the values of metadata that the walk went into
}

// PruneReport prunes a document that may be a list, and reports what was dropped and which keys are duplicates.
//
// The walk that prunes records only positions, so that it is fast without a report. A second one, through
// the document as it was, makes paths of them.
func (k Kind) PruneReport(dst, src []byte) ([]byte, prunert.JSONReport, error) {
	s := Scanner{report: new(report)}
	s.End(k.scan(&s, s.Begin(dst, src)))
	out, err := s.Result()
	if err != nil {
		return nil, prunert.JSONReport{}, err
	}
	return out, s.report.paths(src), nil
}

// These are not inlined, so that their callers are small without a report.

//go:noinline
func (r *report) drop(key Pos) { r.dropped = append(r.dropped, key) }

//go:noinline
func (r *report) mapKey(key Pos) { r.mapKeys = append(r.mapKeys, key) }

//go:noinline
func (r *report) metadataAt(value Pos) { r.metadata = append(r.metadata, value) }
