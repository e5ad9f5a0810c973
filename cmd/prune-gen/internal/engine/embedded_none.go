//go:build !embedengine

package engine

func embedded() *Engine { return nil }
