package pruneimpl

import (
	"sync"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// The exported functions of generated code call those below with the function for the root of a kind and, if it is not the newest, the
// version of the API server whose errors are wanted.

// recorders are used again. The compiler does not know that no function keeps the Recorder that it is called with; without the pool, each call
// would allocate one.
var recorders = sync.Pool{New: func() any { return new(Recorder) }}

// borrow returns an empty Recorder.
func borrow(by []kubeversion.Version) *Recorder {
	r := recorders.Get().(*Recorder)
	if len(by) > 0 {
		r.Kubernetes = by[0]
	}
	return r
}

// giveBack ends the use of a Recorder.
func (r *Recorder) giveBack() {
	*r = Recorder{}
	recorders.Put(r)
}

// Report prunes an object and returns the paths of the dropped fields, sorted.
func Report(obj map[string]any, prune func(any, *Recorder) int) []string {
	r := borrow(nil)
	defer r.giveBack()
	if prune(obj, r) == 0 {
		return nil
	}
	return r.Dropped()
}

// Normalize normalizes an object. It returns the paths of the dropped fields, if opts asks for them, and the faults of metadata.
func Normalize(obj map[string]any, opts prunert.NormalizeOptions, normalize func(any, *Recorder) int) (unknown []string, err error) {
	r := borrow(nil)
	defer r.giveBack()
	r.mode, r.silent = opts.Source, !opts.ReportUnknown
	if normalize(obj, r) == 0 {
		return nil, nil
	}
	return r.normalized()
}

// Check checks the types in an object, or validates it.
func Check(obj map[string]any, check func(any, *Recorder) int, by ...kubeversion.Version) prunert.ErrorList {
	r := borrow(by)
	defer r.giveBack()
	if check(obj, r) == 0 {
		return nil
	}
	return r.Errors()
}
