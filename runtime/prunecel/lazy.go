package prunecel

import "sync"

// lazy is a value that is made on first use. Unlike sync.OnceValue it refers to the function that makes it only then, so that a program
// that never needs the value does not link that function.
type lazy[T any] struct {
	once  sync.Once
	value T
}

func (l *lazy[T]) get(make func() T) T {
	l.once.Do(func() { l.value = make() })
	return l.value
}
