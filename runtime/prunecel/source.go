package prunecel

import "sync"

// parsed is what a text stands for. It is read on first use.
type parsed[T any] struct {
	once  sync.Once
	value T
	err   error
}

func (p *parsed[T]) of(text string, read func(string) (T, error)) (T, error) {
	p.once.Do(func() { p.value, p.err = read(text) })
	return p.value, p.err
}

// TypeSource is a type as text.
type TypeSource struct {
	Text string
	typ  parsed[*Type]
}
