package main

import (
	"fmt"
	"os"
	"testing"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/outcomes"
)

// The tests have a cache of outcomes for themselves. It is on for all of them, so that a second run in a test is what users
// have.
func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "prune-gen-outcomes-")
	if err == nil {
		err = os.Setenv(outcomes.Variable, folder)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}
