// Package recorded compares what tests print with files that record it.
package recorded

import (
	"os"
	"testing"
)

// Compare fails if the text of a file differs from have, or writes the file. It never writes in CI, where nobody reads the difference.
func Compare(t testing.TB, update bool, file, have string) {
	t.Helper()
	if update {
		if os.Getenv("CI") != "" {
			t.Fatal("-update is for people who look at what it changes, not for CI")
		}
		if err := os.WriteFile(file, []byte(have), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if have != string(want) {
		t.Errorf("%s differs; to accept it: go test -update in this folder\n--- want\n%s\n--- have\n%s", file, want, have)
	}
}
