// Package resources makes resources whose functions interpret the schemas of a CRD. HTML pages run it, so it is small: the tables of CEL
// rules come from outside, so that it needs no compiler for them, and it has no functions on JSON bytes.
package resources

import (
	"maps"
	"slices"
	"sync"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/crd/origin"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
	"github.com/prune-gen/prune-gen/structural"
)

// Of returns a resource for each version of a CRD that the API server would accept. The function returns the CEL rules of a version that
// has some. It is called when the first object needs them, and once for versions with the same behavior, with the first of them.
func Of(c *structural.CRD, rules func(*structural.Version) *prunecel.Rules) []prunert.Resource {
	var all []prunert.Resource
	compiled := map[structural.Behavior]prunert.Resource{} // versions can share a schema
	for _, v := range c.Versions {
		behavior := structural.NewBehavior(c, v, structural.APIServer)
		functions, ok := compiled[behavior]
		if !ok {
			functions = interpreted(behavior, func() *prunecel.Rules { return rules(v) }, origin.Meter(c))
			compiled[behavior] = functions
		}
		all = append(all, Named(c, v, behavior, functions))
	}
	return all
}

// interpreted returns the interpreters of a behavior as the functions of a resource.
func interpreted(b structural.Behavior, rules func() *prunecel.Rules, m *meter.Meter) prunert.Resource {
	opts := PruneOptions(b)
	defaulting := interpret.PruneDefaults(b.Schema)
	work := &interpret.Work{Meter: m, Kubernetes: b.Kubernetes}
	embedded := sync.OnceValue(func() *pruneimpl.Shape { return interpret.MetadataShape(b.Written) })
	r := prunert.Resource{
		Prune:       func(obj map[string]any) { interpret.Prune(obj, b.Schema, opts) },
		PruneReport: func(obj map[string]any) []string { return interpret.Prune(obj, b.Schema, opts) },
		Check:       func(obj map[string]any) prunert.ErrorList { return work.Check(obj, b.Schema) },
		Normalize: func(obj map[string]any, how prunert.NormalizeOptions) ([]string, error) {
			return work.Normalize(obj, defaulting, opts, how)
		},
		Default:  func(obj map[string]any) { work.Default(obj, defaulting) },
		Fields:   func(visit func(path string)) { interpret.Fields(b.Schema, opts, visit) },
		Validate: func(obj map[string]any) prunert.ErrorList { return work.Validate(obj, b.Written) },
		ValidateUpdate: func(obj, old map[string]any) prunert.ErrorList {
			return work.ValidateUpdate(obj, old, b.Written)
		},
		ValidateStatus: func(obj, old map[string]any) prunert.ErrorList { return work.ValidateStatus(obj, old, b.Written) },
		ValidateMetadata: func(obj, old map[string]any) prunert.ErrorList {
			return pruneimpl.CheckMetadataValues(obj, old, b.Namespaced, embedded(), b.Kubernetes)
		},
		HasRules:   structural.HasRules(b.Written),
		Kubernetes: b.Kubernetes,
		SchemaHash: b.Hash(structural.AllAspects),
	}
	if r.HasRules {
		table := sync.OnceValues(func() (*prunecel.Rules, *pruneimpl.Shape) {
			table := rules()
			if table == nil { // all of them are about values that the API server skips
				table = &prunecel.Rules{}
			}
			table.Kubernetes = b.Kubernetes
			return table, Shape(b.Schema)
		})
		r.ValidateRules = func(obj, old map[string]any) (prunert.ErrorList, []string) {
			rules, shape := table()
			return validateRules(rules, obj, old, shape, m)
		}
	}
	return r
}

// validateRules is Rules.Validate within a meter. It returns no errors if that is spent.
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

// Named returns the resource of a version of c that has the functions of r.
func Named(c *structural.CRD, v *structural.Version, b structural.Behavior, r prunert.Resource) prunert.Resource {
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
	return r
}

// PruneOptions returns how objects are pruned.
func PruneOptions(b structural.Behavior) interpret.PruneOptions {
	return interpret.PruneOptions{PreserveUnknownFields: !b.Pruned, Semantics: b.Semantics}
}

// Shape returns the places of a schema in which values correspond to old ones.
func Shape(s *structural.Schema) *pruneimpl.Shape {
	out := &pruneimpl.Shape{}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		out.Fields = append(out.Fields, pruneimpl.ShapeField{Name: name, Shape: Shape(s.Properties[name])})
	}
	if values := s.Values(); values != nil {
		out.Values = Shape(values)
	}
	if s.XListType != nil && *s.XListType == "map" && s.Items != nil && len(s.XListMapKeys) > 0 {
		out.Items, out.Keys = Shape(s.Items), s.XListMapKeys
	}
	return out
}
