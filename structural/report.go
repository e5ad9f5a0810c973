package structural

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/prune-gen/prune-gen/internal/meter"
	"github.com/prune-gen/prune-gen/internal/yamltext"
)

// Report collects the findings about one file, as many as are listed.
type Report struct {
	File     string
	Findings []Finding
	// Meter bounds the texts of the findings of a run; nil if nothing does. Whoever works on the file reports that it is spent.
	Meter *meter.Meter
	list  meter.List
	// exceeded reports that a finding says that the run exceeds a limit.
	exceeded bool
	// Full reports that there are more findings. The last one then stands for all that follow.
	Full bool
}

func (r *Report) Add(f Finding) {
	if f.Rule == yamltext.RuleTooLarge {
		if r.exceeded {
			return // it was said before
		}
		r.exceeded = true
	}
	if r.Full {
		// That there was an error must not be lost with it, nor that the run exceeds a limit.
		last := &r.Findings[len(r.Findings)-1]
		if f.Severity == SeverityError {
			last.Severity = SeverityError
		}
		if f.Rule == yamltext.RuleTooLarge {
			last.Rule, last.Message = f.Rule, f.Message
		}
		return
	}
	f.File = r.File
	f.Spend(r.Meter)
	if !r.list.Add(f.size()) {
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

// Exceeded reports that the run exceeds a limit with what is at the given place, if it does.
func (r *Report) Exceeded(m *meter.Meter, at yamltext.Pos) {
	if p := yamltext.Exceeded(m, at); p != nil {
		r.Problem(p)
	}
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
