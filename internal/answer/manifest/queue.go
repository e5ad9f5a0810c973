package manifest

import (
	"cmp"

	"github.com/prune-gen/prune-gen/internal/base/workers"
)

// Queue calls functions in the order in which they are added. A function that waits for an answer is called after others have been added,
// so that several answers are on their way. All are called by the goroutine that adds them.
type Queue struct {
	waiting []waiting
	size    int
}

type waiting struct {
	file string
	size int
	call func()
}

// How many functions can wait in a queue, and how many bytes the objects can have that they hold. An object takes several times as much
// memory.
const (
	mostWaiting = 64
	mostHeld    = 4 << 20
)

// Add adds a function that is about a file. The size is that of the object whose answer it waits for, 0 if it waits for none. It is called
// at once if nothing before it waits.
func (q *Queue) Add(file string, size int, call func()) {
	q.waiting = append(q.waiting, waiting{file, size, call})
	q.size += size
	for len(q.waiting) > 0 && (q.waiting[0].size == 0 || len(q.waiting) > mostWaiting || q.size > mostHeld) {
		q.next()
	}
}

// Finish calls the functions that are left.
func (q *Queue) Finish() {
	for len(q.waiting) > 0 {
		q.next()
	}
}

// next calls the first function. If it panics, next panics with a workers.Panic that names its file.
func (q *Queue) next() {
	first := q.waiting[0]
	q.waiting[0] = waiting{}
	q.waiting = q.waiting[1:]
	q.size -= first.size
	defer func() {
		if r := recover(); r != nil {
			p := workers.Recovered(r)
			p.At = cmp.Or(p.At, first.file)
			panic(p)
		}
	}()
	first.call()
}
