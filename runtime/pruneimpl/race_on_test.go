//go:build race

package pruneimpl

// underRace says that a sync.Pool loses what it holds now and then, on purpose.
const underRace = true
