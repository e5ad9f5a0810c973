package generation

import (
	"fmt"
	"slices"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/internal/celrules"
	"github.com/prune-gen/prune-gen/structural"
)

// findRules warns, once for each CRD, of CEL rules that generated validation leaves out.
func (s *Session) findRules() {
	var found []structural.Finding
	warned := map[*structural.CRD]int{} // the index of its finding
	for _, p := range s.Packages {
		if p.Plan == nil {
			continue
		}
		kinds := p.Plan.KindsWithoutRules()
		for _, in := range p.inputs {
			if !slices.Contains(kinds, in.CRD.Names.Kind) {
				continue
			}
			if i, known := warned[in.CRD]; known {
				found[i].Version = "" // it is about several
				continue
			}
			warned[in.CRD] = len(found)
			at := celrules.First(in.Version.Schema, in.Version.SchemaPath)
			found = append(found, in.CRD.Place(structural.Finding{
				Rule: generator.RuleNoCEL, Version: in.Version.Name, Severity: structural.SeverityWarning,
				Message: fmt.Sprintf("%s: Validate does not evaluate CEL rules, and the CRD has %s", at, findings.Count(celrules.Count(in.CRD), "rule")),
			}, at))
		}
	}
	s.Find(found)
}
