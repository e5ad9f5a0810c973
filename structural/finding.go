package structural

import (
	"github.com/prune-gen/prune-gen/internal/base/steps"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Severity says how bad a Finding is: an error fails a command, a warning only if warnings count as errors, a note never.
type Severity string

const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
	SeverityNote    Severity = "note"
)

// Finding is a problem in a CRD or in an object of a manifest, with its place. The JSON form is part of the command's contract.
type Finding struct {
	ID      ID     `json:"id"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	CRD     string `json:"crd"`
	Version string `json:"version"`
	// Object is the object that it is about, by kind, namespace and name. It is empty for a finding about a CRD.
	Object   string   `json:"object,omitempty"`
	Severity Severity `json:"severity"`
	// Level says whom a change of a CRD breaks. It is empty for a change that breaks nobody, and for other findings.
	Level string `json:"level,omitempty"`
	// Path is the text of a path, in the notation of the message. WithPath sets it together with its steps.
	Path  string `json:"path"`
	steps steps.Steps
	// Message is the whole text as the API server prints it, with the path first if it is about one. Saying sets it from these parts.
	Message string `json:"message"`
	body    int    // where in Message the text after the path begins
	quotes  bool   // Message has the path in quotes
	// Causes are further messages of the API server that say the same, or why.
	Causes []string `json:"causes,omitempty"`
	// Hint says what to do about it, if that is known.
	Hint string `json:"hint,omitempty"`
	// Fix is the edit that Hint suggests, the zero value if it is not known or more than one word.
	Fix Fix `json:"-"`
}

// Fix is an edit: a key or a scalar gets another value.
type Fix struct {
	Line, Column int // of the key or the scalar
	// Value is that of a string, or what is written if AsIs is set: a number, for example.
	Value string
	AsIs  bool
}

// Steps returns the path from the CRD or the object to the value that the finding is about. It is nil if that is the whole of it, if Path
// stands for many values, and in a finding that was read from JSON, which has only the text.
func (f Finding) Steps() prunert.Path { return f.steps.Path() }

// WithPath returns the finding with a path, as text and as steps, which the message does not have.
func (f Finding) WithPath(text string, path prunert.Path) Finding {
	f.Path, f.steps = text, steps.Of(path)
	f.body, f.quotes = 0, false
	return f
}

// Quoting is WithPath for a message that has the text of the path in quotes.
func (f Finding) Quoting(text string, path prunert.Path) Finding {
	f = f.WithPath(text, path)
	f.quotes = true
	return f
}

// Saying returns the finding with a message that begins with the text of a path: that of the finding, unless the API server writes another.
func (f Finding) Saying(path, body string) Finding {
	f.Message = path + ": " + body
	f.body, f.quotes = len(f.Message)-len(body), false
	return f
}

// Body returns the message without the path that it begins with.
func (f Finding) Body() string { return f.Message[min(f.body, len(f.Message)):] }

// BeginsWithPath reports whether the message begins with the path of the finding.
func (f Finding) BeginsWithPath() bool {
	return f.body > 0 && f.body <= len(f.Message) && f.Message[:f.body] == f.Path+": "
}

// HasPath reports whether the message has the path of the finding, at its beginning or in quotes.
func (f Finding) HasPath() bool { return f.quotes || f.BeginsWithPath() }

// TextSize returns the number of bytes of the texts that can be long.
func (f Finding) TextSize() int {
	size := len(f.Path) + len(f.steps) + len(f.Message) + len(f.Hint) + len(f.Fix.Value)
	for _, cause := range f.Causes {
		size += len(cause)
	}
	return size
}
