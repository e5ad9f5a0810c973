package diffcmd

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/crdserver"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/crddiff"
	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/text/report"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// manifests reports what the new CRDs do to the objects in manifests and the old ones do not.
func (d *diff) manifests(env *cli.Environment, args input.Args) error {
	c := &comparison{diff: d, meter: args.Meter, refused: map[*structural.CRD]int{}, old: manifest.FromCRDs(args.Meter, d.compile, slices.Collect(maps.Values(d.was))...),
		new: manifest.FromCRDs(args.Meter, d.compile, slices.Collect(maps.Values(d.is))...)}
	err := cli.EachText(env, "comparing", args, func(t *input.Text) {
		if t.Wrong != nil {
			d.report.Count(findings.Tally{File: t.Name, Files: 1})
			d.report.Find(*t.Wrong)
			return
		}
		f := manifest.Read(t.Text, func(o manifest.Object) []structural.Finding { return d.wanted(c.object(o)) }, c.old, c.new)
		if !t.Listed {
			f.Foreign = report.NotForeign
		}
		d.report.Count(findings.Foreign(t.Name, f.Foreign))
		if !f.Foreign.Whole() {
			kept, _ := f.Foreign.Keep(f.Findings)
			d.report.Add(t.Snippets(kept, f.Lines))
		}
	})
	for _, failed := range []error{err, c.old.Err(), c.new.Err()} {
		if failed != nil {
			return failed
		}
	}
	if !args.Meter.Spent() { // which the findings say
		d.report.Count(findings.Tally{Compared: c.tally})
	}
	return c.err()
}

// compile returns the resources of a CRD. It reports why the API server would refuse an old one; new ones were checked before.
func (d *diff) compile(c *structural.CRD) ([]prunert.Resource, error) {
	return crdserver.Compile(c, func(found []structural.Finding) {
		d.refuse(c)
		for _, src := range d.old {
			if slices.Contains(src.CRDs, c) {
				d.report.Add(src.Snippets(refusals(found)))
			}
		}
	})
}

// comparison compares what two servers do to objects.
type comparison struct {
	diff     *diff
	old, new *manifest.Server
	meter    *meter.Meter
	tally    findings.Compared
	refused  map[*structural.CRD]int // how many objects are not compared, because the API server refuses their CRD
}

// err returns an error if objects were not compared, even if the findings that say why are left out.
func (c *comparison) err() error {
	var all []string
	for crd, n := range c.refused {
		all = append(all, fmt.Sprintf("%s cannot be compared: the API server refuses the CRD %s in %s", findings.Count(n, "object"), crd.Name, crd.File))
	}
	if len(all) == 0 {
		return nil
	}
	slices.Sort(all)
	return errors.New(strings.Join(all, "\n"))
}

// object returns what the new server does to an object and the old one does not. The old server may refuse to create the object: older
// CRDs may have accepted it.
func (c *comparison) object(o manifest.Object) []structural.Finding {
	_, answer := c.old.Ask(o, manifest.Ignore, manifest.WithoutReasons)
	before := answer()
	group, _ := o.Group()
	if crd := c.diff.refused[groupKind{group, o.Kind}]; crd != nil {
		c.refused[crd]++
		return nil
	}
	if before.Resource == nil {
		c.tally.Unknown++
		return nil
	}
	if c.tally.Objects++; before.Refused {
		c.tally.Refused++
	}
	if !o.Node.Spend(c.meter, meter.UnitsOfPair) {
		return nil // it is reported
	}
	_, answer = c.new.Ask(o, manifest.Ignore, manifest.Reasons(!before.Refused)) // what both refuse is not reported
	after := answer()
	if c.new.Err() != nil {
		return nil // it is reported
	}
	found := append(worse(before, after), stuck(before, after)...)
	if before.Refused {
		found = slices.DeleteFunc(found, func(f structural.Finding) bool { return f.ID == findings.IDManifestRefused })
	}
	has := map[structural.ID]int{}
	for i := range found {
		f := &found[i]
		has[f.ID] = 1
		var level crddiff.Level
		switch f.ID {
		case findings.IDManifestLoses, findings.IDManifestStuck:
			level = crddiff.Stored
		case findings.IDManifestRefused:
			level = crddiff.Requests
		default:
			continue
		}
		if f.Level = level.String(); level < c.diff.level {
			f.Severity = structural.SeverityNote
		}
	}
	c.tally.Loses += has[findings.IDManifestLoses]
	c.tally.Stuck += has[findings.IDManifestStuck]
	c.tally.Rejected += has[findings.IDManifestRefused]
	if findings.HasErrors(found) {
		c.tally.Affected++
	}
	return found
}

// stuck returns a finding if no update of an object is accepted after a change.
func stuck(before, after *manifest.Judged) []structural.Finding {
	if after.Resource == nil {
		return nil
	}
	why := after.RefusesUpdates()
	if why == nil || before.RefusesUpdates() != nil {
		return nil
	}
	return []structural.Finding{{
		ID: findings.IDManifestStuck, Line: after.Node.Pos.Line, Column: after.Node.Pos.Column, CRD: after.CRD(), Version: after.Resource.Version,
		Object: after.Object.String(), Severity: structural.SeverityError, Message: "no update is accepted any more: " + why.Message,
	}}
}

// worse returns what happens to an object after a change and did not happen before.
func worse(before, after *manifest.Judged) []structural.Finding {
	var all []structural.Finding
	if after.Resource == nil {
		f := structural.Finding{
			ID: findings.IDManifestRefused, Line: after.Node.Pos.Line, Column: after.Node.Pos.Column, CRD: before.CRD(), Version: before.Resource.Version,
			Object: after.Object.String(), Severity: structural.SeverityError, Message: fmt.Sprintf("%s %s is not served any more", before.APIVersion, before.Kind),
		}
		for _, why := range after.Findings {
			f.Hint = why.Hint
		}
		return []structural.Finding{f}
	}
	for _, f := range after.Findings {
		if f.Severity == structural.SeverityError {
			f.ID = findings.IDManifestRefused
			all = append(all, f)
		}
	}
	same := func(c manifest.Change) manifest.Change {
		if c.Kind == manifest.Dropped {
			c.Message = "" // it is lost, for whatever reason
		}
		return c
	}
	result := (*manifest.Judged).Result
	if before.Refused {
		result = (*manifest.Judged).Validated
	}
	was, is := result(before), result(after)
	if reflect.DeepEqual(was, is) {
		return all
	}
	known := map[manifest.Change]bool{}
	for _, c := range before.ChangesTo(was) {
		known[same(c)] = true
	}
	for _, c := range after.ChangesTo(is) {
		if known[same(c)] {
			continue
		}
		f := structural.Finding{
			ID: findings.IDManifestChanged, Line: c.Pos.Line, Column: c.Pos.Column, CRD: after.CRD(), Version: after.Resource.Version,
			Object: after.Object.String(), Severity: structural.SeverityNote, Message: c.Path + " " + c.Message,
		}.WithPath(c.Path, c.Steps.Path())
		switch c.Kind {
		case manifest.Dropped:
			f.ID, f.Severity = findings.IDManifestLoses, structural.SeverityError
			f = f.Saying(c.Path, "dropped: "+c.Message)
		case manifest.Filled:
			f.Message += ": " + c.Text
		}
		all = append(all, f)
	}
	return all
}
