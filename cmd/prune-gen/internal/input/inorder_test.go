package input

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

func TestInOrder(t *testing.T) {
	var running, most atomic.Int32
	var got []int
	inOrder(100, 2, func(i int) int {
		most.Store(max(most.Load(), running.Add(1)))
		defer running.Add(-1)
		if i%10 == 0 {
			time.Sleep(time.Millisecond)
		}
		return i * i
	}, func(i, square int) {
		if square != i*i {
			t.Errorf("result %d is %d", i, square)
		}
		got = append(got, i)
	})
	if len(got) != 100 || !slices.IsSorted(got) {
		t.Errorf("emitted %v", got)
	}
	if most.Load() > 2 {
		t.Errorf("%d at a time", most.Load())
	}
	inOrder(0, 2, func(int) int { panic("called") }, func(int, int) { panic("called") })
}

func TestInOrderPassesAPanicOn(t *testing.T) {
	defer func() {
		if r := recover(); r != "three" {
			t.Errorf("recovered %v", r)
		}
	}()
	inOrder(1000, 2, func(i int) int {
		if i == 3 {
			panic("three")
		}
		return i
	}, func(i, _ int) {
		if i >= 3 {
			t.Errorf("emitted %d", i)
		}
	})
	t.Error("no panic")
}
