package generation

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/generator"
)

// maxHeader is larger than any licence.
const maxHeader = 64 << 10

// readHeader reads the text for the top of every file.
func readHeader(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxHeader+1))
	if err != nil {
		return "", err
	}
	if len(data) > maxHeader {
		return "", fmt.Errorf("%s is larger than %d kB", name, maxHeader>>10)
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
	text = strings.TrimPrefix(text, "\ufeff")
	text = strings.Trim(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if strings.TrimSpace(text) == "" {
		return "", nil
	}
	if !utf8.ValidString(text) {
		return "", errors.New("it is not UTF-8")
	}
	for i, r := range text {
		if r != '\n' && r != '\t' && !terminal.IsPrintable(string(r)) {
			return "", fmt.Errorf("line %d has the character %U, which does not belong in a comment", 1+strings.Count(text[:i], "\n"), r)
		}
	}
	if strings.HasPrefix(text, "/*") {
		text = strings.TrimRight(text, " \t\n")
		if end := strings.Index(text, "*/"); end < len("/*") || end+len("*/") != len(text) {
			return "", errors.New("it starts with a comment /* ... */, which must end where the text does")
		}
		if generator.IsDirective(text) {
			return "", errors.New("a comment that starts with /*line is a directive to the compiler")
		}
		return text, nil
	}
	lines := strings.Split(text, "\n")
	if isComment(lines) {
		for i, line := range lines {
			lines[i] = strings.TrimSpace(line)
			if generator.IsDirective(lines[i]) {
				return "", fmt.Errorf("line %d is a directive to the compiler: %s", i+1, lines[i])
			}
		}
		return strings.Join(lines, "\n"), nil
	}
	for i, line := range lines {
		lines[i] = strings.TrimRight("// "+line, " \t")
		if generator.IsDirective(lines[i]) {
			return "", fmt.Errorf("line %d would be a directive to the compiler: %s", i+1, line)
		}
	}
	return strings.Join(lines, "\n"), nil
}

// isComment reports whether every line is a comment or empty.
func isComment(lines []string) bool {
	for _, line := range lines {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			return false
		}
	}
	return true
}
