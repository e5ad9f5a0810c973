package prunecel

import "sync"

// lazy is a value that is made when it is first needed. Unlike sync.OnceValue it does not mention what makes it before, so that a
// program that never needs the value does not link what makes it.
type lazy[T any] struct {
	once  sync.Once
	value T
}

func (l *lazy[T]) get(make func() T) T {
	l.once.Do(func() { l.value = make() })
	return l.value
}
