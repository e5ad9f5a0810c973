// Package speed has the benchmarks of generated functions, each beside what a program would use instead:
//
//	BenchmarkPrune/objects=clean/kind=Workflow/size=small/by=prune-gen
//	BenchmarkPrune/objects=clean/kind=Workflow/size=small/by=pruning.Prune
//
// Before anything is measured, both sides work on each object and must agree. There is no generated code in this package:
// hack/bench compiles it with a generated_test.go of its own. Without, the benchmarks are skipped.
package speed

import (
	"fmt"
	"runtime/debug"
	"sync"
	"testing"

	"github.com/prune-gen/prune-gen/hack/bench/set"
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// subject is an object of the benchmark set, or several that are measured as one.
type subject struct {
	*kind
	size      string
	documents [][]byte         // as JSON
	objects   []map[string]any // decoded as the API server does it
	old       map[string]any   // what the object replaces in an update, in states for CEL rules
	unknown   unknownKeys      // in dirty objects
}

// state is what objects of a benchmark have in common.
type state struct {
	name     string
	dirty    bool                       // functions change the objects
	batch    int                        // about how many bytes of JSON a batch stands for
	subjects func() ([]*subject, error) // made once
}

const (
	// batchBytes is how much JSON a batch of copies stands for. One object alone would teach the branch predictor its own
	// shape, and the one random seed that each of its maps has would count; too many would not fit into the cache, where
	// an object that was just decoded is.
	batchBytes = 256 << 10
	// ruleBatchBytes is the same for CEL rules, which Kubernetes takes long to evaluate on objects that are small.
	ruleBatchBytes = batchBytes / 16
	// lazyGCPercent makes collections rare.
	lazyGCPercent = 1000
)

// kind is a kind of the benchmark set, on both sides.
type kind struct {
	*set.Kind
	generated prunert.Resource
	kube      *kube.Resource
}

// kinds has all kinds by name.
var kinds = sync.OnceValues(func() (map[string]*kind, error) {
	read, err := set.Read(set.All()...)
	if err != nil {
		return nil, err
	}
	all := map[string]*kind{}
	for _, k := range read {
		crd, err := kube.DecodeCRD(k.Raw)
		if err != nil {
			return nil, err
		}
		theirs, err := crd.Resource(k.Version.Name)
		if err != nil {
			return nil, err
		}
		all[k.Name()] = &kind{k, generated[k.Name()], theirs}
	}
	return all, nil
})

// newState returns a state. Its subjects are those that make makes of the kinds, if both sides agree on them.
func newState(name string, origins []set.Origin, make func(*kind) ([]*subject, error), agree ...func(*subject) error) *state {
	return &state{name: name, batch: batchBytes, subjects: sync.OnceValues(func() ([]*subject, error) {
		known, err := kinds()
		if err != nil {
			return nil, err
		}
		var all []*subject
		for _, o := range origins {
			some, err := make(known[o.Kind])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", o.Kind, err)
			}
			for _, s := range some {
				s.kind = known[o.Kind]
				if err := s.prepare(agree); err != nil {
					return nil, fmt.Errorf("%s %s: %w", o.Kind, s.size, err)
				}
			}
			all = append(all, some...)
		}
		return all, nil
	})}
}

// prepare decodes the documents, and makes sure that both sides agree on them.
func (s *subject) prepare(agree []func(*subject) error) error {
	for _, doc := range s.documents {
		var obj map[string]any
		if err := utiljson.Unmarshal(doc, &obj); err != nil {
			return err
		}
		s.objects = append(s.objects, obj)
	}
	for _, check := range agree {
		if err := check(s); err != nil {
			return err
		}
	}
	return nil
}

// way is one way to do something to an In.
type way[In any] struct {
	by string
	// prepare returns what is measured. In dirty states, it gets another object each time.
	prepare func(s *subject) func(In)
}

type (
	onObject = way[map[string]any]
	onJSON   = way[[]byte]
)

// onObjects measures ways to do something to copies of the objects of a state.
func (st *state) onObjects(b *testing.B, ways ...onObject) {
	race(b, st, ways, st.dirty, func(s *subject) []map[string]any {
		size := 0
		for _, doc := range s.documents {
			size += len(doc)
		}
		var copies []map[string]any
		for range max(1, st.batch/size) {
			for _, obj := range s.objects {
				copies = append(copies, runtime.DeepCopyJSON(obj))
			}
		}
		return copies
	})
}

// onJSON measures ways to do something to the documents of a state.
func (st *state) onJSON(b *testing.B, ways ...onJSON) {
	race(b, st, ways, false, func(s *subject) [][]byte { return s.documents })
}

// race measures each way on each subject of a state, on what inputs returns: again and again, or once where it is changed.
func race[In any](b *testing.B, st *state, ways []way[In], changed bool, inputs func(*subject) []In) {
	b.Run("objects="+st.name, func(b *testing.B) {
		if len(generated) == 0 {
			b.Skip("no generated code: see hack/bench")
		}
		subjects, err := st.subjects()
		if err != nil {
			b.Fatal(err)
		}
		if st.dirty {
			// The copies are most of the garbage then. Collecting it all the time would be at the functions' expense.
			defer debug.SetGCPercent(debug.SetGCPercent(lazyGCPercent))
		}
		for _, s := range subjects {
			for _, w := range ways {
				b.Run(fmt.Sprintf("kind=%s/size=%s/by=%s", s.Name(), s.size, w.by), func(b *testing.B) {
					do, batch, next := w.prepare(s), inputs(s), 0
					b.ReportAllocs()
					for b.Loop() {
						if next == len(batch) {
							next = 0
							if changed {
								b.StopTimer()
								batch = inputs(s)
								b.StartTimer()
							}
						}
						do(batch[next])
						next++
					}
				})
			}
		}
	})
}
