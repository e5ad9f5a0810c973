package cli

import "errors"

// IssuesURL is where bugs are reported.
const IssuesURL = "https://github.com/prune-gen/prune-gen/issues"

// ErrFindings is the error of a command whose findings are errors. They are printed already.
var ErrFindings = errors.New("the input has errors")

// UsageError is a mistake on the command line. Every error that is neither a UsageError nor an InternalError is the fault
// of the input, or of the disk that the output goes to.
type UsageError struct {
	Message string
	Hint    string // a second line, "" for none
}

func (e *UsageError) Error() string { return e.Message }

// InternalError is a mistake of prune-gen.
type InternalError struct{ Err error }

func (e *InternalError) Error() string { return e.Err.Error() }
func (e *InternalError) Unwrap() error { return e.Err }
