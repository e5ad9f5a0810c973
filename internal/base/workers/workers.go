// Package workers does work on several cores. What panics there panics in the goroutine that waits for it, where a command can report it:
// a panic that reaches the end of any other goroutine ends the process.
package workers

import (
	"fmt"
	"iter"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Panic is a panic that was recovered in one place and is raised again in another.
type Panic struct {
	Value any
	Stack []byte // of the goroutine that panicked
	At    string // the file that was read, if known
}

// Error returns what a program that ends with the panic should print.
func (p *Panic) Error() string { return fmt.Sprintf("%v\n\n%s", p.Value, p.Stack) }

// Recovered returns what a call of recover has returned as a Panic. One that was raised again is returned as it is.
func Recovered(value any) *Panic {
	if p, ok := value.(*Panic); ok {
		return p
	}
	return &Panic{Value: value, Stack: debug.Stack()}
}

// Try calls f and returns its panic, nil if there was none.
func Try(f func()) (p *Panic) {
	defer func() {
		if r := recover(); r != nil {
			p = Recovered(r)
		}
	}()
	f()
	return nil
}

// InOrder calls f with each of 0 to n-1, at most limit calls at a time, and yields each number after its call, in their order. If a
// call panics, the loop panics when it gets there. A loop that ends early waits for the calls that have begun, and begins no more.
func InOrder(n, limit int, f func(i int)) iter.Seq[int] {
	return func(yield func(int) bool) {
		results := make([]chan *Panic, n)
		for i := range results {
			results[i] = make(chan *Panic, 1)
		}
		var next atomic.Int64
		var workers sync.WaitGroup
		defer workers.Wait()
		defer next.Store(int64(n))
		for range min(n, limit) {
			workers.Go(func() {
				for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
					results[i] <- Try(func() { f(i) })
				}
			})
		}
		for i, result := range results {
			if p := <-result; p != nil {
				panic(p)
			}
			if !yield(i) {
				return
			}
		}
	}
}
