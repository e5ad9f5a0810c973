package crdcover

import (
	"sync"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// Recorder has a Kind for each version of a CRD that was requested. The zero value is ready to be used, by several goroutines at
// once.
type Recorder struct {
	mu    sync.Mutex
	kinds map[version]*Kind
	all   []*Kind // in the order of their first requests
}

type version struct {
	crd  *structural.CRD
	name string
}

// Record is Kind.Record for the version of a CRD whose resource is r.
func (rec *Recorder) Record(crd *structural.CRD, r prunert.Resource, name string, sent, old map[string]any, req prunert.Request, answer prunert.Answer) {
	if k := rec.kind(crd, r); k != nil {
		k.Record(name, sent, old, req, answer)
	}
}

// Expect adds the constraints of a version, even if there is no request for it.
func (rec *Recorder) Expect(crd *structural.CRD, r prunert.Resource) { rec.kind(crd, r) }

func (rec *Recorder) kind(crd *structural.CRD, r prunert.Resource) *Kind {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	of := version{crd, r.Version}
	k, known := rec.kinds[of]
	if known {
		return k
	}
	if rec.kinds == nil {
		rec.kinds = map[version]*Kind{}
	}
	k, err := New(crd, r)
	if err == nil {
		rec.all = append(rec.all, k)
	}
	rec.kinds[of] = k
	return k
}

// Report returns what was recorded.
func (rec *Recorder) Report() Report {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	return NewReport(rec.all...)
}
