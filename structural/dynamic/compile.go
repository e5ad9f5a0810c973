package dynamic

import (
	"fmt"

	"github.com/prune-gen/prune-gen/internal/celrules"
	"github.com/prune-gen/prune-gen/internal/interpret"
	"github.com/prune-gen/prune-gen/internal/interpretjson"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/meter"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
	"github.com/prune-gen/prune-gen/structural"
)

// Compile returns, for each version of a CRD, a resource whose functions interpret the schema: what generated code would
// do, for CRDs that are known only at run time. A program can use it where the code that it has linked does not fit the
// CRD that is installed. It fails where the API server would not take the schema.
func Compile(c *structural.CRD) ([]prunert.Resource, error) {
	if refused := lint.Refusals(c, c.Versions...); len(refused) > 0 {
		return nil, &RefusedError{c.Name, refused}
	}
	var all []prunert.Resource
	compiled := map[structural.Behavior]prunert.Resource{} // versions can share a schema
	for _, v := range c.Versions {
		behavior := structural.NewBehavior(c, v, structural.APIServer)
		functions, ok := compiled[behavior]
		if !ok {
			functions = interpreted(behavior, c.Meter)
			compiled[behavior] = functions
		}
		all = append(all, resource(c, v, behavior, functions))
	}
	return all, nil
}

// RefusedError says that the API server would not take a CRD.
type RefusedError struct {
	CRD      string // its name
	Findings []structural.Finding
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s version %s: %s", e.CRD, e.Findings[0].Version, e.Findings[0].Message)
}

// behaviorOf returns a version with its behavior. It fails where the API server would not take the schema.
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

// interpreted returns the interpreters of a behavior as the functions of a resource.
func interpreted(b structural.Behavior, m *meter.Meter) prunert.Resource {
	opts := pruneOptions(b)
	defaulting := interpret.PruneDefaults(b.Schema)
	var work *interpret.Work
	if m != nil {
		work = &interpret.Work{Meter: m}
	}
	r := prunert.Resource{
		Prune:       func(obj map[string]any) { interpret.Prune(obj, b.Schema, opts) },
		PruneReport: func(obj map[string]any) []string { return interpret.Prune(obj, b.Schema, opts) },
		Check:       func(obj map[string]any) prunert.ErrorList { return interpret.Check(obj, b.Schema) },
		Normalize: func(obj map[string]any, how prunert.NormalizeOptions) ([]string, error) {
			return work.NormalizePrepared(obj, defaulting, opts, how)
		},
		Default:  func(obj map[string]any) { work.Default(obj, defaulting) },
		Fields:   func(visit func(path string)) { interpret.Fields(b.Schema, opts, visit) },
		Validate: func(obj map[string]any) prunert.ErrorList { return work.Validate(obj, b.Written) },
		ValidateUpdate: func(obj, old map[string]any) prunert.ErrorList {
			return work.ValidateUpdate(obj, old, b.Written)
		},
		ValidateStatus: func(obj, old map[string]any) prunert.ErrorList { return work.ValidateStatus(obj, old, b.Written) },
		ValidateMetadata: func(obj, old map[string]any) prunert.ErrorList {
			return interpret.ValidateMetadata(obj, old, b.Written, b.Namespaced)
		},
		HasRules:   structural.HasRules(b.Written),
		SchemaHash: b.Hash(structural.AllAspects),
	}
	if table := celrules.Table(celrules.Check(b.Schema, celrules.Stored)); table != nil {
		shape := celrules.Shape(b.Schema)
		r.ValidateRules = func(obj, old map[string]any) (prunert.ErrorList, []string) {
			return validateRules(table, obj, old, shape, m)
		}
	}
	return r
}

// validateRules is Rules.Validate within a meter. It says nothing if that is spent.
func validateRules(table *prunecel.Rules, obj, old map[string]any, shape *pruneimpl.Shape, m *meter.Meter) (prunert.ErrorList, []string) {
	if m == nil {
		return table.Validate(obj, old, shape)
	}
	var was any
	if old != nil {
		was = old
	}
	costs := prunecel.RequestCosts()
	scarce := m.Left() < costs.All
	costs.All = min(costs.All, m.Left())
	r := table.ValidateValue(obj, was, shape, costs)
	m.Spend(int(r.Spent))
	if scarce && r.Stopped {
		m.Spend(int(costs.All) + 1)
	}
	if m.Spent() {
		return nil, nil // the errors are about our limit, not about the object
	}
	return r.Errors, r.Warnings
}

// resource returns the resource of a version that has the functions of r.
func resource(c *structural.CRD, v *structural.Version, b structural.Behavior, r prunert.Resource) prunert.Resource {
	r.Group, r.Version, r.Kind, r.Plural, r.ListKind = c.Group, v.Name, c.Names.Kind, c.Names.Plural, c.Names.ListKind
	r.Namespaced, r.Status, r.DeprecationWarning = b.Namespaced, v.HasStatus, structural.DeprecationWarning(c, v)
	if !v.HasStatus {
		r.ValidateStatus = nil
	}
	if v.Scale != nil {
		r.Scale = &prunert.Scale{
			SpecReplicasPath: v.Scale.SpecReplicas, StatusReplicasPath: v.Scale.StatusReplicas, LabelSelectorPath: v.Scale.LabelSelector,
		}
	}
	return interpretjson.With(r, b.Schema, pruneOptions(b))
}

// pruneOptions returns how objects are pruned.
func pruneOptions(b structural.Behavior) interpret.PruneOptions {
	return interpret.PruneOptions{PreserveUnknownFields: !b.Pruned, Semantics: b.Semantics}
}
