// Package unified compares texts.
package unified

import (
	"bytes"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Diff returns a unified diff, "" for equal texts. It takes little more than linear time on any input. The first line
// of the library's diff, which repeats the names, is left out.
func Diff(oldName, newName string, old, new []byte) string {
	text := diff.Diff(oldName, old, newName, new)
	_, text, _ = bytes.Cut(text, []byte("\n"))
	var b strings.Builder
	var removed, added []string // of the current change
	n := 0
	for line := range strings.Lines(string(text)) {
		switch n++; {
		case n <= 2: // the lines --- and +++
			b.WriteString(line)
		case line[0] == '-':
			removed = append(removed, line[1:])
		case line[0] == '+':
			added = append(added, line[1:])
		case line[0] == '\\' && len(added) > 0: // no newline at the end
			added[len(added)-1] += line
		case line[0] == '\\' && len(removed) > 0:
			removed[len(removed)-1] += line
		default:
			writeChange(&b, removed, added)
			removed, added = removed[:0], added[:0]
			b.WriteString(line)
		}
	}
	writeChange(&b, removed, added)
	return b.String()
}

// writeChange prints lines that are replaced by others. The library matches lines only if they occur once, or are next to such a line: so
// added lines are searched for among the removed ones, each after the one before.
func writeChange(b *strings.Builder, removed, added []string) {
	at := map[string][]int{} // where lines are removed
	for i, line := range removed {
		at[line] = append(at[line], i)
	}
	write := func(sign byte, lines []string) {
		for _, line := range lines {
			b.WriteByte(sign)
			b.WriteString(line)
		}
	}
	oldDone, newDone := 0, 0
	for i, line := range added {
		same := at[line]
		first, _ := slices.BinarySearch(same, oldDone)
		if first == len(same) {
			continue
		}
		write('-', removed[oldDone:same[first]])
		write('+', added[newDone:i])
		write(' ', added[i:i+1])
		oldDone, newDone = same[first]+1, i+1
	}
	write('-', removed[oldDone:])
	write('+', added[newDone:])
}
