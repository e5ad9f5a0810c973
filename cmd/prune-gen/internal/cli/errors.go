package cli

import "errors"

// IssuesURL is where bugs are reported.
const IssuesURL = "https://github.com/prune-gen/prune-gen/issues"

// ErrFindings is the error of a command whose findings are errors. The findings are already printed.
var ErrFindings = errors.New("the input has errors")

// UsageError is an error in the command line. Errors that are neither a UsageError nor an InternalError are about the input,
// or about writing the output.
type UsageError struct {
	Message string
	Hint    string // a second line, "" for none
}

func (e *UsageError) Error() string { return e.Message }

// InternalError is a bug in prune-gen.
type InternalError struct{ Err error }

func (e *InternalError) Error() string { return e.Err.Error() }
func (e *InternalError) Unwrap() error { return e.Err }
