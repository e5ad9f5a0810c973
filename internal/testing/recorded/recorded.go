// Package recorded compares what tests print with files that record it.
package recorded

import (
	"os"
	"testing"
)

// Compare fails if a file has another text than have, or writes it. Nobody looks at what is written in CI.
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
