package structural

import (
	"encoding/json"
	"strings"

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
	Rule    Rule   `json:"rule"`
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
	// Message is the whole text as the API server prints it, with the path first if it is about one.
	Message string `json:"message"`
	// Causes are further messages of the API server that say the same, or why.
	Causes Causes `json:"causes,omitempty"`
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

// WithPath returns the finding with a path, as text and as steps.
func (f Finding) WithPath(text string, path prunert.Path) Finding {
	f.Path, f.steps = text, steps.Of(path)
	return f
}

// TextSize returns the number of bytes of the texts that can be long.
func (f Finding) TextSize() int {
	return len(f.Path) + len(f.steps) + len(f.Message) + len(f.Causes) + len(f.Hint) + len(f.Fix.Value)
}

// Causes is a list of messages. It is a string so that findings can be compared, and a list as JSON.
type Causes string

// causeEnd ends a message.
const causeEnd = "\x00"

// Add adds a message.
func (c *Causes) Add(message string) { *c += Causes(message + causeEnd) }

// All returns the messages.
func (c Causes) All() []string {
	all := strings.Split(string(c), causeEnd)
	return all[:len(all)-1]
}

// MarshalJSON writes the messages as a list.
func (c Causes) MarshalJSON() ([]byte, error) { return json.Marshal(c.All()) }

// UnmarshalJSON reads a list of messages.
func (c *Causes) UnmarshalJSON(data []byte) error {
	var all []string
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	*c = ""
	for _, message := range all {
		c.Add(message)
	}
	return nil
}
