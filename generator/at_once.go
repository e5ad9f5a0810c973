package generator

import (
	"runtime"

	"github.com/prune-gen/prune-gen/internal/base/workers"
)

// mostAtOnce limits the number of files that are made at the same time: each of them takes memory.
const mostAtOnce = 4

// atOnce makes files, several at a time. If some fail, it returns the error of the first, in the order of all. A panic is
// raised again in the caller.
func atOnce(all []func() (File, error)) ([]File, error) {
	files, errs := make([]File, len(all)), make([]error, len(all))
	for i := range workers.InOrder(len(all), min(runtime.GOMAXPROCS(0), mostAtOnce), func(i int) { files[i], errs[i] = all[i]() }) {
		if errs[i] != nil {
			return nil, errs[i]
		}
	}
	return files, nil
}
