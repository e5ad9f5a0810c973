package findings

import (
	"io"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/structural"
)

// jsonPrinter prints {"findings": [...]}, with "conditions" if there are any.
type jsonPrinter struct {
	w   io.Writer
	out struct {
		Findings   []structural.Finding `json:"findings"`
		Conditions []Condition          `json:"conditions,omitempty"`
	}
}

func (j *jsonPrinter) finding(s Snippet)     { j.out.Findings = append(j.out.Findings, s.Finding) }
func (j *jsonPrinter) verdict(Verdict)       {}
func (j *jsonPrinter) condition(c Condition) { j.out.Conditions = append(j.out.Conditions, c) }

func (j *jsonPrinter) finish(Tally) error {
	if j.out.Findings == nil {
		j.out.Findings = []structural.Finding{}
	}
	return terminal.WriteJSON(j.w, j.out)
}
