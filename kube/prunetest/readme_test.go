package prunetest

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// Every line of Go in the README's section about these modules is a line of an example, which is compiled and,
// with the exception of Fixtures, run.
func TestReadmeShowsTheExamples(t *testing.T) {
	read := func(name string) string {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	_, section, found := strings.Cut(read("../../README.md"), "\n## In your programs\n")
	section, _, _ = strings.Cut(section, "\n## ")
	if !found {
		t.Fatal("the README has no such section")
	}
	lines := map[string]bool{}
	for line := range strings.Lines(read("../example_test.go") + read("example_test.go")) {
		lines[strings.TrimSpace(line)] = true
	}
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(section, -1)
	if len(blocks) < 3 {
		t.Fatalf("%d blocks of Go in\n%s", len(blocks), section)
	}
	for _, block := range blocks {
		for line := range strings.Lines(block[1]) {
			line = strings.TrimSpace(line)
			if line != "" && !strings.HasPrefix(line, "//") && !lines[line] {
				t.Errorf("no example has the line %s", line)
			}
		}
	}
}
