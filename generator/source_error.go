package generator

import (
	"errors"
	"fmt"
	"go/scanner"
	"go/types"
	"strings"
)

// SourceError says that generated code does not parse or does not compile. Nothing in a CRD should be able to cause
// that, so where the code stands by itself it is a bug in prune-gen.
type SourceError struct {
	File    string
	Line    int // counting from 1; 0 where the place is not known
	Message string
	Source  []byte
}

func (e *SourceError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Message)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
}

// Listing returns the lines around the place of the error, each with its number, and an arrow at the one that it is
// about.
func (e *SourceError) Listing() string {
	const around = 5
	if e.Line == 0 {
		return ""
	}
	lines := strings.Split(strings.TrimSuffix(string(e.Source), "\n"), "\n")
	first, last := max(1, e.Line-around), min(len(lines), e.Line+around)
	width := len(fmt.Sprint(last))
	var b strings.Builder
	for n := first; n <= last; n++ {
		mark := "  "
		if n == e.Line {
			mark = "> "
		}
		fmt.Fprintf(&b, "%s%*d  %s\n", mark, width, n, strings.ReplaceAll(lines[n-1], "\t", "    "))
	}
	return b.String()
}

// newSourceError says of a generated file what the parser or the type checker said.
func newSourceError(file string, source []byte, err error) *SourceError {
	e := &SourceError{File: file, Message: err.Error(), Source: source}
	var parse scanner.ErrorList
	var check types.Error
	switch {
	case errors.As(err, &parse) && len(parse) > 0:
		e.Line, e.Message = parse[0].Pos.Line, parse[0].Msg
	case errors.As(err, &check):
		// Not as line directives have it: the listing shows the text as it is.
		e.Line, e.Message = check.Fset.PositionFor(check.Pos, false).Line, check.Msg
	}
	return e
}
