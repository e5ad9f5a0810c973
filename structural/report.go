package structural

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/prune-gen/prune-gen/structural/text"
)

// maxFindings is how many findings there can be about one file, and maxFindingText how many bytes their texts may have:
// a file made to be wrong everywhere must not take memory without bound.
const (
	maxFindings    = 1000
	maxFindingText = 8 << 20
)

// report collects the findings about one file.
type report struct {
	file     string
	findings []Finding
	bytes    int
	// full says that there is no room for more. Then the last finding stands for all that are not there.
	full bool
}

func (r *report) add(f Finding) {
	if r.full {
		// That there was an error must not be lost with it.
		if f.Severity == SeverityError {
			r.findings[len(r.findings)-1].Severity = SeverityError
		}
		return
	}
	f.File = r.file
	r.bytes += len(f.Path) + len(f.Message) + len(f.Hint)
	if len(r.findings) >= maxFindings || r.bytes > maxFindingText {
		r.full = true
		f.Rule, f.Path, f.Hint = RuleMore, "", ""
		f.Message = "there is more to say about this file than the first " + strconv.Itoa(len(r.findings)) + " findings"
	}
	r.findings = append(r.findings, f)
}

func (r *report) problem(p *text.Problem) {
	r.add(Finding{
		Rule: Rule(p.Rule), Line: p.Pos.Line, Column: p.Pos.Column, Severity: SeverityError, Message: p.Message, Hint: p.Hint,
	})
}

// sorted returns the findings in the order of the file.
func (r *report) sorted() []Finding {
	all := r.findings
	if r.full {
		all = all[:len(all)-1]
	}
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return r.findings
}
