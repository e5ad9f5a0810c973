// Package allocated measures the work of code by the memory that it allocates, which is the same on every machine.
package allocated

import "runtime"

// By returns how many bytes f allocates, with those that are freed again. No other goroutine should allocate meanwhile.
func By(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}
