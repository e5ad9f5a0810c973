package gosource

import (
	"errors"
	"fmt"
	"go/scanner"
	"go/types"
	"strings"
)

// Error reports that generated code does not parse or does not compile. No CRD should cause that: it is a bug in prune-gen.
type Error struct {
	File    string
	Line    int // counting from 1; 0 if the place is not known
	Message string
	Source  []byte
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Message)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
}

// Listing returns the lines around the error with their numbers, and an arrow at its line.
func (e *Error) Listing() string {
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

// NewError returns the error for a file that the parser or the type checker refuses with err.
func NewError(f File, err error) *Error {
	e := &Error{File: f.Name, Message: err.Error(), Source: f.Content}
	var parse scanner.ErrorList
	var check types.Error
	switch {
	case errors.As(err, &parse) && len(parse) > 0:
		e.Line, e.Message = parse[0].Pos.Line, parse[0].Msg
	case errors.As(err, &check):
		// Line directives do not count: the listing shows the text as it is.
		e.Line, e.Message = check.Fset.PositionFor(check.Pos, false).Line, check.Msg
	}
	return e
}
