package findings

import (
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/structural"
)

// JSONVersion is the version of the form of all JSON that commands print. It changes if a field changes its meaning or is
// removed, not if one is added.
const JSONVersion = 1

// jsonPrinter prints {"version": 1, "findings": [...]}, with "objects", "skipped" or "compared" for
// manifests, and "error" if the command ended for another reason than its findings.
type jsonPrinter struct {
	base
	out struct {
		Version  int                  `json:"version"`
		Findings []structural.Finding `json:"findings"`
		Objects  *jsonObjects         `json:"objects,omitempty"`
		Skipped  []Skipped            `json:"skipped,omitempty"`
		Compared *Compared            `json:"compared,omitempty"`
		Error    string               `json:"error,omitempty"`
	}
}

func (j *jsonPrinter) finding(s Snippet) { j.out.Findings = append(j.out.Findings, s.Finding) }
func (j *jsonPrinter) skipped(s Skipped) { j.out.Skipped = append(j.out.Skipped, s) }

// jsonObjects counts the objects of manifests.
type jsonObjects struct {
	Read         int         `json:"read"`
	Refused      int         `json:"refused"`
	BuiltIn      int         `json:"builtIn,omitempty"`
	UnknownKinds []KindCount `json:"unknownKinds"`
}

func (j *jsonPrinter) finish(t Tally) {
	if t.Manifests {
		j.out.Objects = &jsonObjects{Read: t.Objects, Refused: t.Refused, BuiltIn: t.BuiltIn, UnknownKinds: append([]KindCount{}, t.UnknownKinds...)}
	}
	if t.Compared != (Compared{}) {
		j.out.Compared = &t.Compared
	}
	if j.out.Findings == nil {
		j.out.Findings = []structural.Finding{}
	}
	j.out.Version, j.out.Error = JSONVersion, t.failure
	terminal.WriteJSON(j.w, j.out)
}
