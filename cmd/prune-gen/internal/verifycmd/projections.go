package verifycmd

import (
	"context"
	"path/filepath"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/directive"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/projectcmd"
	"github.com/prune-gen/prune-gen/structural"
)

// projection verifies what a directive of project generates. Its errors are findings about its line.
func (v *verification) projection(ctx context.Context, d directive.Directive, report *findings.Report) error {
	report.BeginPart(findings.Policy{})
	if d.Err != nil {
		return failed(report, d, d.Err)
	}
	call, err := projectcmd.Parse(filepath.Dir(d.File), d.Args)
	if err != nil {
		return failed(report, d, err)
	}
	report.BeginPart(call.How.Policy())
	p, err := call.Open(ctx, v.env, report)
	if err != nil {
		return failed(report, d, err)
	}
	defer p.Close()
	return v.file(p.File, func(found []structural.Finding) { report.Find(found...) })
}
