package golden

import (
	"strings"
	"testing"
)

// diff shows the lines between the first and the last in which two texts differ, with some around them.
func diff(old, new string) string {
	const around = 3
	a, b := strings.Split(old, "\n"), strings.Split(new, "\n")
	start, end := 0, 0
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	for end < min(len(a), len(b))-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	var out strings.Builder
	write := func(mark string, lines []string) {
		for _, line := range lines {
			out.WriteString(mark + line + "\n")
		}
	}
	write("  ", a[max(0, start-around):start])
	write("- ", a[start:len(a)-end])
	write("+ ", b[start:len(b)-end])
	write("  ", a[len(a)-end:min(len(a), len(a)-end+around)])
	return out.String()
}

func TestADiffShowsWhatChangedAndTheLinesAround(t *testing.T) {
	got := diff("1\n2\n3\n4\n5\n6\n7\n8\n9", "1\n2\n3\n4\nfive\nsix\n7\n8\n9")
	if want := "  2\n  3\n  4\n- 5\n- 6\n+ five\n+ six\n  7\n  8\n  9\n"; got != want {
		t.Errorf("have\n%s\nwant\n%s", got, want)
	}
}
