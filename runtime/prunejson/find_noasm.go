//go:build !(amd64 || arm64) || purego

package prunejson

// find returns the position of the first stop from p on.
func (m memory) find(p Pos, stop stops) Pos { return m.findByWords(p, stop) }
