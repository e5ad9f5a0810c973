//go:build !(amd64 || arm64) || purego

package prunejson

// find returns the position of the first stop from p on.
func (m memory) find(p Pos, stop stops) Pos { return m.findByWords(p, stop) }

// findBlock goes from p on by 64 bytes until there is a stop among them. It returns their position and a bit for each of them,
// the first one lowest, which is set for stops.
func (m memory) findBlock(p Pos, stop stops) (at Pos, marks uint64) {
	return m.findBlockByWords(p, stop)
}
