package generation

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/internal/base/meter"
)

// readHeader reads the text for the top of every file.
func readHeader(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, meter.Header+1))
	if err != nil {
		return "", err
	}
	if len(data) > meter.Header {
		return "", fmt.Errorf("%s is larger than %d kB", name, meter.Header>>10)
	}
	header, err := headerComment(string(data))
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return header, nil
}

// headerComment returns text as Go comments, none of them a directive: as it is if it consists of comments, else with
// slashes before each line.
func headerComment(text string) (string, error) {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	text = strings.TrimRight(strings.TrimLeft(text, "\n"), " \t\n")
	for i, r := range text {
		if r != '\n' && r != '\t' && !terminal.IsPrintable(string(r)) {
			return "", fmt.Errorf("line %d has the character %U, which does not belong in a comment", 1+strings.Count(text[:i], "\n"), r)
		}
	}
	if text != "" && !strings.HasPrefix(text, "/*") {
		lines := strings.Split(text, "\n")
		before := ""
		if slices.ContainsFunc(lines, func(line string) bool {
			return strings.Trim(line, " \t") != "" && !strings.HasPrefix(strings.TrimLeft(line, " \t"), "//")
		}) {
			before = "// "
		}
		for i, line := range lines {
			if before == "" {
				line = strings.TrimLeft(line, " \t")
			}
			lines[i] = strings.TrimRight(before+line, " \t")
		}
		text = strings.Join(lines, "\n")
	}
	return text, generator.CheckHeader(text)
}
