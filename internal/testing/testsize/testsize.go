// Package testsize says how much of the tests a run includes. There are four sizes: go test -short has what takes less than a
// second each, go test what takes less than half a minute for each package, make test-all what takes an hour together, and make soak the rest.
package testsize

import (
	"os"
	"testing"
)

// Variable is the environment variable that chooses the two large sizes, with the values all and soak.
const Variable = "PRUNE_GEN_TEST"

// All reports whether the run includes what make test-all does.
func All() bool { return os.Getenv(Variable) == "all" || Soaking() }

// Soaking reports whether the run is part of make soak.
func Soaking() bool { return os.Getenv(Variable) == "soak" }

// Pick returns the first value, or the second one if the run includes what make test-all does.
func Pick[T any](usual, all T) T {
	if All() {
		return all
	}
	return usual
}

// Left begins the text with which a test is skipped because it is part of a larger size.
const Left = "left to a larger run: "

// Large skips a test that only make test-all includes. why says what makes it large.
func Large(t testing.TB, why string) {
	t.Helper()
	if !All() {
		t.Skipf("%s%s; %s=all includes it", Left, why, Variable)
	}
}

// Soak skips a test that only make soak includes. why says what makes it longer than the hour of make test-all.
func Soak(t testing.TB, why string) {
	t.Helper()
	if !Soaking() {
		t.Skipf("%s%s; %s=soak includes it", Left, why, Variable)
	}
}

// NotShort skips a test that takes more than a second if the run is a short one.
func NotShort(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip(Left + "it takes more than a second")
	}
}
