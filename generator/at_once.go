package generator

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// mostAtOnce limits the number of files that are made at the same time: each of them takes memory.
const mostAtOnce = 4

// atOnce makes files, several at a time. If some fail, it returns the error of the first, in the order of all. A panic is
// raised again in the caller.
func atOnce(all []func() (File, error)) ([]File, error) {
	files, errs, panics := make([]File, len(all)), make([]error, len(all)), make([]any, len(all))
	makeFile := func(i int) {
		defer func() { panics[i] = recover() }()
		files[i], errs[i] = all[i]()
	}
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(len(all), runtime.GOMAXPROCS(0), mostAtOnce) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(all); i = int(next.Add(1)) - 1 {
				makeFile(i)
			}
		})
	}
	workers.Wait()
	for i := range all {
		if panics[i] != nil {
			panic(panics[i])
		}
		if errs[i] != nil {
			return nil, errs[i]
		}
	}
	return files, nil
}
