package manifest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/workers"
)

// Functions are called in their order. Those that wait for answers are called late, but neither many of them nor large ones are held.
func TestQueue(t *testing.T) {
	var q Queue
	var called []int
	add := func(i, size int) { q.Add("f.yaml", size, func() { called = append(called, i) }) }
	add(0, 0)
	if add(1, 1); !slices.Equal(called, []int{0}) {
		t.Errorf("called %v, want the one that does not wait", called)
	}
	add(2, 0)
	for i := 3; i < 3+2*mostWaiting; i++ {
		if add(i, 1); len(q.waiting) > mostWaiting {
			t.Fatalf("%d wait", len(q.waiting))
		}
	}
	was := len(called)
	if add(3+2*mostWaiting, mostHeld); len(called) != 3+2*mostWaiting || was > 3+mostWaiting {
		t.Errorf("called %d, then %d", was, len(called))
	}
	add(4+2*mostWaiting, 0)
	q.Finish()
	if !slices.IsSorted(called) || len(called) != 5+2*mostWaiting || q.size != 0 {
		t.Errorf("called %v, size %d", called, q.size)
	}
}

// A panic names the file that the function is about.
func TestQueueNamesTheFileOfAPanic(t *testing.T) {
	var q Queue
	q.Add("a.yaml", 1, func() { panic("no") })
	q.Add("b.yaml", 0, func() {})
	if p := workers.Try(q.Finish); p == nil || fmt.Sprint(p.At, p.Value) != "a.yamlno" {
		t.Errorf("%v", p)
	}
}
