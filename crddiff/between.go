package crddiff

import (
	"fmt"

	"github.com/prune-gen/prune-gen/internal/kept"
	"github.com/prune-gen/prune-gen/internal/origin"
	"github.com/prune-gen/prune-gen/structural"
)

// Between returns what objects lose when they are converted from one version of a CRD to another, and back, by the conversion None, which
// changes only apiVersion. The Version of a change is the one that drops the field. With a conversion webhook, the changes have the level
// None: only the webhook knows what it keeps.
func Between(crd *structural.CRD, a, b string) ([]Change, error) {
	versions := byName(crd)
	c := &crdComparison{old: crd, new: crd, meter: origin.Limits(crd), kept: map[structural.Behavior]*kept.Tree{}}
	trees := map[string]*kept.Tree{}
	for _, name := range []string{a, b} {
		v := versions[name]
		if v == nil {
			return nil, fmt.Errorf("the CRD %s has no version %s", crd.Name, name)
		}
		trees[name] = c.keptBy(structural.NewBehavior(crd, v, structural.APIServer))
	}
	for _, way := range [][2]string{{a, b}, {b, a}} {
		from, to := way[0], way[1]
		for _, p := range trees[from].Without(trees[to], c.meter) {
			change := Change{Rule: ruleBetween, Level: Stored, Version: to, place: p, At: p.InSchema(schemaPath(crd, versions[to])),
				Was: p.InSchema(schemaPath(crd, versions[from])), What: from + " keeps it and " + to + " does not", Why: "objects that are written as " + to + " lose it"}
			if crd.ConversionStrategy() != "None" {
				change.Level, change.Why = None, "what becomes of it is up to the conversion webhook"
			}
			c.add(change)
		}
	}
	sortChanges(c.changes)
	return c.changes, c.meter.Err()
}
