package structural

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/prune-gen/prune-gen/internal/yamltext"
)

// MaxFindings is how many findings there can be about one file, and MaxFindingText how many bytes their texts may have:
// a file made to be wrong everywhere must not take memory without bound.
const (
	MaxFindings    = 1000
	MaxFindingText = 8 << 20
)

// Report collects the findings about one file.
type Report struct {
	File     string
	Findings []Finding
	bytes    int
	// Full reports that the limits are reached. The last finding then stands for all that follow.
	Full bool
}

func (r *Report) Add(f Finding) {
	if r.Full {
		// That there was an error must not be lost with it.
		if f.Severity == SeverityError {
			r.Findings[len(r.Findings)-1].Severity = SeverityError
		}
		return
	}
	f.File = r.File
	r.bytes += len(f.Path) + len(f.Message) + len(f.Hint)
	if len(r.Findings) >= MaxFindings || r.bytes > MaxFindingText {
		r.Full = true
		f.Rule, f.Path, f.Hint = RuleMore, "", ""
		f.Message = "only the first " + strconv.Itoa(len(r.Findings)) + " findings about this file are shown"
	}
	r.Findings = append(r.Findings, f)
}

func (r *Report) Problem(p *yamltext.Problem) {
	r.Add(Finding{
		Rule: Rule(p.Rule), Line: p.Pos.Line, Column: p.Pos.Column, Severity: SeverityError, Message: p.Message, Hint: p.Hint,
	})
}

// Sorted returns the findings in the order of the file.
func (r *Report) Sorted() []Finding {
	all := r.Findings
	if r.Full { // the last one stands for those that are not there
		all = all[:len(all)-1]
	}
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return r.Findings
}
