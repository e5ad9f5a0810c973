package findings

import (
	"fmt"
	"slices"

	"github.com/prune-gen/prune-gen/structural"
)

// Stdin is the file name of findings about standard input.
const Stdin = "<stdin>"

// Verdict describes a CRD without errors.
type Verdict struct {
	File     string // "" for the only file
	CRD      string
	Kind     string
	Versions []string // each with its properties
}

// Condition is a condition in the status of a CRD.
type Condition struct {
	CRD     string `json:"crd"`
	Type    string `json:"type"`
	Status  string `json:"status"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// Tally counts what was read and what was found.
type Tally struct {
	File                  string // the one that was read, "" for several
	Files, CRDs, Versions int
	Passed                int // documents that are not CRDs
	Skipped               int // files that are not YAML
	errors, warnings      int
	notes                 int
	muted                 int // findings that were left out
}

// add counts a finding.
func (t *Tally) add(s Snippet) {
	switch s.Severity {
	case structural.SeverityWarning:
		t.warnings++
	case structural.SeverityNote:
		t.notes++
	default:
		t.errors++
	}
}

// summary returns the last line of a report for people: what was read, and the numbers of errors and warnings.
func (t Tally) summary(read, errors, warnings func(string) string) string {
	subject := Count(t.Files, "file")
	if t.CRDs > 0 {
		subject = fmt.Sprintf("%s with %s in %s", Count(t.CRDs, "CRD"), Count(t.Versions, "version"), subject)
	}
	text := fmt.Sprintf("%s: %s, %s", read("read "+subject), errors(Count(t.errors, "error")), warnings(Count(t.warnings, "warning")))
	if t.notes > 0 {
		text += ", " + Count(t.notes, "note")
	}
	if t.muted > 0 {
		text += fmt.Sprintf(", %d ignored", t.muted)
	}
	return text
}

// Count returns a number with its noun.
func Count(n int, noun string) string {
	switch n {
	case 0:
		return "no " + noun + "s"
	case 1:
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// nonEmpty returns the words that are not "".
func nonEmpty(words ...string) []string {
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}
