package dynamic

import (
	"fmt"

	"github.com/prune-gen/prune-gen/internal/answer/interpretjson"
	"github.com/prune-gen/prune-gen/internal/answer/resources"
	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/internal/lint"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

// Compile returns, for each version of a CRD, served or not, a resource whose functions interpret the schema: what generated code would
// do, for CRDs that are known only at run time. load.CRD and load.Object read CRDs. A program can use it if its generated code
// does not fit the installed CRD. It fails if the API server would refuse the schema.
func Compile(c *structural.CRD) ([]prunert.Resource, error) {
	if refused := lint.Refusals(c, c.Versions...); len(refused) > 0 {
		return nil, &RefusedError{c.Name, refused}
	}
	all := resources.Of(c, func(v *structural.Version) *prunecel.Rules {
		return celrules.Table(celrules.Check(c.Structural(v), celrules.Stored(c.Kubernetes)))
	})
	for i, v := range c.Versions {
		b := structural.NewBehavior(c, v, structural.APIServer)
		all[i] = interpretjson.With(all[i], b.Schema, resources.PruneOptions(b))
	}
	return all, nil
}

// RefusedError says that the API server would refuse a CRD.
type RefusedError struct {
	CRD      string // its name
	Findings []structural.Finding
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s version %s: %s", e.CRD, e.Findings[0].Version, e.Findings[0].Message)
}

// behaviorOf returns a version with its behavior. It fails if the API server would refuse the schema.
func behaviorOf(c *structural.CRD, version string, semantics structural.Semantics) (*structural.Version, structural.Behavior, error) {
	for _, v := range c.Versions {
		if v.Name != version {
			continue
		}
		if refused := lint.Refusals(c, v); len(refused) > 0 {
			return nil, structural.Behavior{}, &RefusedError{c.Name, refused}
		}
		return v, structural.NewBehavior(c, v, semantics), nil
	}
	return nil, structural.Behavior{}, fmt.Errorf("%s has no version %s", c.Name, version)
}
