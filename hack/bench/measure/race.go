package measure

import (
	"runtime"
	"runtime/debug"
	"time"

	apiruntime "k8s.io/apimachinery/pkg/runtime"
)

// batchBytes is how much JSON a batch of copies stands for. One object alone would teach the branch predictor its own
// shape, and the one random seed that each of its maps has would count; too many would not fit into the cache, where
// an object that was just decoded is.
const batchBytes = 256 << 10

// ruleBatchBytes is the same for CEL rules, which Kubernetes takes long to evaluate on objects that are small.
const ruleBatchBytes = batchBytes / 16

// lazyGCPercent makes collections so rare that few turns meet one.
const lazyGCPercent = 1000

// race lets contestants have their turns on the objects that are measured as one, round by round, so that whatever else
// the machine does meets them all alike.
func race(s *Subject, originals []map[string]any, o Object, who []*Contestant, in Input) []Result {
	if o.State.Dirty() {
		// The copies are most of the garbage then. Collecting it all the time would be at the contestants' expense.
		defer debug.SetGCPercent(debug.SetGCPercent(lazyGCPercent))
	}
	var lanes []*lane
	wanted := batchBytes
	if o.State.forRules() {
		wanted = ruleBatchBytes
	}
	size := max(1, wanted/(s.size()*len(s.Documents)))
	copies := newBatch(originals, o.State, size)
	none := newBatch([]map[string]any{nil}, Clean, max(size, len(s.Documents)))
	for _, c := range who {
		l := &lane{op: c.Prepare(s), batch: copies, now: in.Clock.now()}
		if c.OnJSON {
			l.batch = none
		}
		l.result = Result{Kind: o.Kind, Size: o.Size, State: o.State, Bytes: s.size(), Function: c.Function, By: c.By}
		l.calibrate(in.Turn)
		lanes = append(lanes, l)
	}
	for round := range in.Rounds {
		for i := range lanes {
			// Another one begins each time: being first or coming after somebody in particular is no advantage.
			lanes[(i+round)%len(lanes)].turn()
		}
	}
	results := make([]Result, len(lanes))
	for i, l := range lanes {
		results[i] = l.result
	}
	return results
}

// lane is one contestant at work on one object.
type lane struct {
	op      func(obj map[string]any)
	batch   *batch
	batches int // in a turn
	now     func() time.Duration
	result  Result
}

// calibrate finds out how many batches fill a turn. It also warms everything up.
func (l *lane) calibrate(turn time.Duration) {
	l.run(1)
	for l.batches = 1; ; l.batches *= 2 {
		if took := l.run(l.batches); took >= turn/4 {
			l.batches = max(1, int(float64(l.batches)*float64(turn)/float64(took)))
			return
		}
	}
}

// run goes through a number of batches and returns the time that took, without making the copies.
func (l *lane) run(batches int) time.Duration {
	var took time.Duration
	for range batches {
		objs := l.batch.objects()
		start := l.now()
		for _, obj := range objs {
			l.op(obj)
		}
		took += l.now() - start
	}
	return took
}

// turn measures.
func (l *lane) turn() {
	ops := l.batches * l.batch.size
	allocs, bytes := l.allocations()
	l.result.Rounds = append(l.result.Rounds, Sample{
		Ops:    ops,
		Nanos:  float64(l.run(l.batches).Nanoseconds()) / float64(ops),
		Allocs: allocs,
		Bytes:  bytes,
	})
}

// allocations counts those of one batch, apart from the timing because counting stops the world.
func (l *lane) allocations() (allocs, bytes float64) {
	objs := l.batch.objects()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, obj := range objs {
		l.op(obj)
	}
	runtime.ReadMemStats(&after)
	n := float64(len(objs))
	return float64(after.Mallocs-before.Mallocs) / n, float64(after.TotalAlloc-before.TotalAlloc) / n
}

// batch is a number of copies of each of some objects.
type batch struct {
	originals []map[string]any
	state     State
	size      int
	copies    []map[string]any
}

func newBatch(originals []map[string]any, state State, copies int) *batch {
	return &batch{originals: originals, state: state, size: copies * len(originals)}
}

// objects returns the copies: always the same ones where nothing changes them, fresh ones where something does.
func (b *batch) objects() []map[string]any {
	if b.copies != nil && b.state != Dirty {
		return b.copies
	}
	if b.copies == nil {
		b.copies = make([]map[string]any, b.size)
	}
	for i := range b.copies {
		b.copies[i] = apiruntime.DeepCopyJSON(b.originals[i%len(b.originals)])
	}
	return b.copies
}
