// Package testsize says how much of the tests a run includes. There are three sizes: go test -short has what takes less than a
// second each, go test what takes less than a minute for each package, and make test-all everything.
package testsize

import (
	"os"
	"testing"
)

// Variable is the environment variable that chooses everything, with the value all.
const Variable = "PRUNE_GEN_TEST"

// All reports whether the run includes everything.
func All() bool { return os.Getenv(Variable) == "all" }

// Large skips a test that only make test-all includes. why says what makes it large.
func Large(t testing.TB, why string) {
	t.Helper()
	if !All() {
		t.Skipf("%s; %s=all includes it", why, Variable)
	}
}

// NotShort skips a test that takes more than a second if the run is a short one.
func NotShort(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes more than a second")
	}
}
