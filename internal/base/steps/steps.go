// Package steps has paths that can be compared: what has one can be the key of a map.
package steps

import (
	"strconv"
	"strings"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Steps is a path as a string, about as long as its text: 4:spec5:ports[0] for spec.ports[0]. A name has its length before it, as it can have
// any bytes.
type Steps string

// Of returns the steps of a path.
func Of(p prunert.Path) Steps {
	var b []byte
	for _, s := range p {
		if s.Index >= 0 {
			b = append(strconv.AppendInt(append(b, '['), int64(s.Index), 10), ']')
			continue
		}
		b = append(strconv.AppendInt(b, int64(len(s.Name)), 10), ':')
		b = append(b, s.Name...)
	}
	return Steps(b)
}

// Path returns the path, nil if it has no steps.
func (s Steps) Path() prunert.Path {
	var p prunert.Path
	for rest := string(s); rest != ""; {
		if rest[0] == '[' {
			index, after, _ := strings.Cut(rest[1:], "]")
			p, rest = append(p, prunert.Step{Index: number(index)}), after
			continue
		}
		length, after, _ := strings.Cut(rest, ":")
		n := number(length)
		p, rest = append(p, prunert.Step{Name: after[:n], Index: -1}), after[n:]
	}
	return p
}

// number returns a number that Of has written.
func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}
