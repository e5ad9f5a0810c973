package unified

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// patch applies a unified diff to a text. The test fails if the diff does not fit.
func patch(t testing.TB, old, diff string) string {
	t.Helper()
	a := slices.Collect(strings.Lines(old))
	var out []string
	next := 0
	lines := slices.Collect(strings.Lines(diff))
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if strings.HasPrefix(line, "@@ ") {
			var span string
			fmt.Sscanf(line, "@@ -%s", &span)
			start, count := 0, 1
			fmt.Sscanf(span, "%d,%d", &start, &count)
			if count > 0 {
				start--
			}
			out = append(out, a[next:start]...)
			next = start
			continue
		}
		if i < 2 { // the names
			continue
		}
		text := line[1:]
		if i+1 < len(lines) && strings.HasPrefix(lines[i+1], `\`) {
			text = strings.TrimSuffix(text, "\n")
		}
		switch line[0] {
		case ' ', '-':
			if next >= len(a) || a[next] != text {
				t.Fatalf("line %d of the diff does not fit: %q", i+1, line)
			}
			next++
			if line[0] == ' ' {
				out = append(out, text)
			}
		case '+':
			out = append(out, text)
		}
	}
	return strings.Join(append(out, a[next:]...), "")
}
