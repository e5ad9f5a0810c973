package workers

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

func TestNumbersComeInOrderWhateverIsDoneFirst(t *testing.T) {
	const n = 100
	done := make([]chan struct{}, n+1)
	for i := range done {
		done[i] = make(chan struct{})
	}
	close(done[n])
	var got []int
	for i := range InOrder(n, n, func(i int) {
		<-done[i+1] // the last is done first
		close(done[i])
	}) {
		got = append(got, i)
	}
	if len(got) != n || !slices.IsSorted(got) {
		t.Errorf("%v", got)
	}
}

func TestNoMoreRunThanTheLimit(t *testing.T) {
	var running, most atomic.Int64
	for range InOrder(1000, 3, func(int) {
		if now := running.Add(1); now > most.Load() {
			most.Store(now)
		}
		running.Add(-1)
	}) {
	}
	if most.Load() > 3 {
		t.Errorf("%d at a time", most.Load())
	}
}

// A panic is raised where the work is waited for, with the stack of where it was, after all before it.
func TestAPanicIsRaisedInTheCaller(t *testing.T) {
	var before []int
	p := Try(func() {
		for i := range InOrder(100, 4, func(i int) {
			if i >= 10 {
				fail()
			}
		}) {
			before = append(before, i)
		}
	})
	if p == nil || p.Value != "wrong" || !strings.Contains(string(p.Stack), "workers.fail") || len(before) != 10 {
		t.Errorf("%v after %v", p, before)
	}
}

func fail() { panic("wrong") }

func TestALoopThatEndsEarlyWaitsAndBeginsNoMore(t *testing.T) {
	var begun, ended atomic.Int64
	for i := range InOrder(1_000_000, 2, func(int) {
		begun.Add(1)
		defer ended.Add(1)
	}) {
		if i == 3 {
			break
		}
	}
	if n := begun.Load(); n != ended.Load() || n == 1_000_000 {
		t.Errorf("%d begun, %d ended", n, ended.Load())
	}
}
