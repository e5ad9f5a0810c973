//go:build !race

package pruneimpl

const underRace = false
