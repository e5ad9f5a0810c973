package input

// inOrder calls work for 0 to n-1, at most limit at a time, and emit with the results in order. A panic in work is
// raised again by inOrder.
func inOrder[T any](n, limit int, work func(int) T, emit func(int, T)) {
	type outcome struct {
		value    T
		panicked any
	}
	// A slot is held until its result is emitted, so that results do not pile up behind a slow one.
	slots := make(chan struct{}, limit)
	futures := make(chan chan outcome, n)
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		defer close(futures)
		for i := range n {
			select {
			case slots <- struct{}{}:
			case <-stop:
				return
			}
			future := make(chan outcome, 1)
			futures <- future
			go func() {
				var o outcome
				defer func() {
					o.panicked = recover()
					future <- o
				}()
				o.value = work(i)
			}()
		}
	}()
	i := 0
	for future := range futures {
		o := <-future
		if o.panicked != nil {
			panic(o.panicked)
		}
		emit(i, o.value)
		<-slots
		i++
	}
}
