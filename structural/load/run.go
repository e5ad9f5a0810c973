package load

import (
	"fmt"

	"github.com/prune-gen/prune-gen/internal/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

const (
	// maxCRDs is how many CRDs a run may have. Each takes some time, however small it is, and no cluster has as many.
	maxCRDs = 10_000
	// maxSchemas is how many schemas the CRDs of a run may have, on all levels. 59 MB of public CRDs have 220,000.
	maxSchemas = 240_000
	// maxCRDSchemas is the same for one CRD, of which commands make several copies. The largest public CRD, Argo's Workflow, has
	// 21,600.
	maxCRDSchemas = 50_000
	// maxFindingText is how many bytes the findings about a run may have. Paths repeat the names in them: without a limit,
	// 3 MB of CRDs could have findings of more than 1 GB. Those about 59 MB of public CRDs have 1 MB.
	maxFindingText = 16 << 20
)

// Run is what the files that are read together share: the limits on what is read.
type Run struct {
	budget  *yamltext.Budget
	crds    int // what is left of maxCRDs, and so on
	schemas int
	text    int
}

// NewRun returns a run that has read nothing.
func NewRun() *Run {
	return &Run{budget: yamltext.NewBudget(), crds: maxCRDs, schemas: maxSchemas, text: maxFindingText}
}

// addCRD counts the CRD at the given place, and reports whether it can be read. The problem is not nil for the first one that cannot.
func (run *Run) addCRD(at yamltext.Pos) (ok bool, p *yamltext.Problem) {
	if run.crds--; run.crds == -1 {
		p = run.budget.Exceed(at, fmt.Sprintf("%d CRDs", maxCRDs))
	}
	return run.crds >= 0, p
}

// addSchema counts the schema at the given place, and reports whether it can be read.
func (d *decoder) addSchema(at yamltext.Pos) bool {
	switch run := d.run; {
	case run == nil:
		return true
	case d.counted == maxCRDSchemas:
		d.counted++ // it is reported once
		d.find(structural.Rule(yamltext.RuleTooLarge), structural.SeverityError, at, "", fmt.Sprintf("the CRD exceeds the limit of %d schemas", maxCRDSchemas), "")
	case d.counted > maxCRDSchemas:
	case run.schemas > 0:
		d.counted++
		run.schemas--
		return true
	case run.schemas == 0:
		run.schemas-- // it is reported once
		p := run.budget.Exceed(at, fmt.Sprintf("%d schemas", maxSchemas))
		d.find(structural.Rule(p.Rule), structural.SeverityError, at, "", p.Message, p.Hint)
	}
	d.failed = true
	return false
}

// Charge counts findings about the file against the limit of the run. Where they exceed it, Charge returns the finding that
// says so, and nothing more should be found out about the files of the run.
func (f *File) Charge(found []structural.Finding) []structural.Finding {
	if f.run.text < 0 {
		return nil // it was said before
	}
	for i, finding := range found {
		f.run.text -= len(finding.Path) + len(finding.Message) + len(finding.Hint)
		if f.run.text < 0 {
			p := f.run.budget.Exceed(yamltext.Pos{Line: found[i].Line, Column: found[i].Column}, fmt.Sprintf("%d MiB of findings", maxFindingText>>20))
			return []structural.Finding{{
				Rule: structural.RuleMore, File: f.Name, Line: finding.Line, Column: finding.Column, Severity: structural.SeverityError,
				Message: p.Message,
			}}
		}
	}
	return nil
}
