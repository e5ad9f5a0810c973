package testcmd

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/internal/suite"
	"github.com/prune-gen/prune-gen/internal/suite/crdcover"
	"github.com/prune-gen/prune-gen/structural"
)

// coverage records which constraints of CRDs the cases violate.
type coverage struct {
	print bool
	min   percentage

	seen crdcover.Recorder
	err  error // why the constraints of a CRD are not known
}

// percentage is the value of a flag.
type percentage float64

func (p *percentage) String() string { return strconv.FormatFloat(float64(*p), 'g', -1, 64) }
func (p *percentage) Type() string   { return "percentage" }

func (p *percentage) Set(text string) error {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n >= 0 && n <= 100) {
		return errors.New("want a percentage from 0 to 100")
	}
	*p = percentage(n)
	return nil
}

func (c *coverage) wanted() bool { return c.print || c.min > 0 }

// expect adds the constraints of CRDs, including CRDs for which there is no case.
func (c *coverage) expect(all []*suite.Variant) {
	for _, v := range all {
		served, err := v.Served()
		if err != nil {
			c.err = cmp.Or(c.err, fmt.Errorf("the coverage of %s is not known: %w", v.Name, err))
		}
		for _, r := range served {
			c.seen.Expect(v.CRD, r)
		}
	}
}

// observe records a request.
func (c *coverage) observe(r suite.Request) {
	if r.Patched {
		return // it says nothing about the CRD
	}
	c.seen.Record(r.Variant.CRD, r.Resource, r.Suite.File+": "+r.Case.Name, r.Sent, r.Old, r.Request, r.Answer)
}

// finish prints the coverage. It fails if the coverage is too low.
func (c *coverage) finish(t *tester) error {
	if !c.wanted() {
		return nil
	}
	report := c.seen.Report()
	switch {
	case c.print && t.how.Text():
		report.WriteText(t.env.Stdout)
	case c.print:
		t.report.Find(uncovered(report)...)
	}
	if c.err != nil {
		return c.err
	}
	if percent := report.Percent(); percent < float64(c.min) {
		return fmt.Errorf("the cases violate %s of the constraints, less than %v%%", crdcover.PercentText(percent), c.min)
	}
	return nil
}

// uncovered returns a note for each constraint that no case violates.
func uncovered(report crdcover.Report) []structural.Finding {
	var all []structural.Finding
	for _, crd := range report.CRDs {
		for _, c := range crd.Constraints {
			if len(c.ViolatedBy) == 0 {
				all = append(all, structural.Finding{ID: suite.IDUncovered, File: c.File, Line: c.Line, Column: 1, CRD: crd.CRD, Version: crd.Version,
					Severity: structural.SeverityNote, Path: c.Path, Message: fmt.Sprintf("%s: %s: %s", c.Name(), strings.TrimSpace(c.Kind+" "+c.Text), c.State())})
			}
		}
	}
	return all
}
