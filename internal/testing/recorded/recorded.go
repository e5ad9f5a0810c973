// Package recorded compares what tests print with files that record it.
package recorded

import (
	"os"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/text/unified"
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
		t.Errorf("%s differs; to accept it: go test -update in this folder\n%s", file, unified.Diff("want", "have", want, []byte(have)))
	}
}

// Answers is Compare for a file of questions, one in a line, each with its answer in the line below, which is indented. Lines that begin
// with # are comments.
func Answers(t testing.TB, update bool, file string, answer func(question string) string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const indent = "    "
	var have strings.Builder
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, indent) {
			continue
		}
		have.WriteString(line)
		if question := strings.TrimSpace(line); question != "" && question[0] != '#' {
			have.WriteString(indent + answer(question) + "\n")
		}
	}
	Compare(t, update, file, have.String())
}
