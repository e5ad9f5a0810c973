package dynamic

import (
	"fmt"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/interpret"
	"github.com/prune-gen/prune-gen/structural/interpretjson"
	"github.com/prune-gen/prune-gen/structural/lint"
	"github.com/prune-gen/prune-gen/structural/rules"
)

// Compile returns, for each version of a CRD, a resource whose functions interpret the schema: what generated code would
// do, for CRDs that are known only at run time. A program can use it where the code that it has linked does not fit the
// CRD that is installed. It fails where the API server would not take the schema.
func Compile(c *structural.CRD) ([]prunert.Resource, error) { return CompileWithin(c, nil) }

// CompileWithin is Compile with a limit on what the CEL rules of the resources cost together. A nil budget has no limit.
func CompileWithin(c *structural.CRD, costs *RuleBudget) ([]prunert.Resource, error) {
	var all []prunert.Resource
	for _, v := range c.Versions {
		r, err := compileVersion(c, v.Name, costs)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// compileVersion returns the resource of one version.
func compileVersion(c *structural.CRD, version string, costs *RuleBudget) (prunert.Resource, error) {
	v, behavior, err := behaviorOf(c, version, structural.APIServer)
	if err != nil {
		return prunert.Resource{}, err
	}
	return interpreted(c, v, behavior, costs), nil
}

// behaviorOf returns a version with its behavior. It fails where the API server would not take the schema.
func behaviorOf(c *structural.CRD, version string, semantics structural.Semantics) (*structural.Version, structural.Behavior, error) {
	for _, v := range c.Versions {
		if v.Name != version {
			continue
		}
		s, refused := lint.UsableSchema(c, v)
		if len(refused) > 0 {
			return nil, structural.Behavior{}, fmt.Errorf("%s version %s: %s", c.Name, version, refused[0].Message)
		}
		return v, structural.NewBehavior(c, v, s, semantics), nil
	}
	return nil, structural.Behavior{}, fmt.Errorf("%s has no version %s", c.Name, version)
}

// interpreted returns a resource with the interpreters as its functions.
func interpreted(c *structural.CRD, v *structural.Version, b structural.Behavior, costs *RuleBudget) prunert.Resource {
	opts := interpret.PruneOptions{PreserveUnknownFields: !b.Pruned, Semantics: b.Semantics}
	defaulting := interpret.PruneDefaults(b.Schema)
	r := prunert.Resource{
		Group: c.Group, Version: v.Name, Kind: c.Names.Kind, Plural: c.Names.Plural, ListKind: c.Names.ListKind,
		Namespaced: b.Namespaced, Status: v.HasStatus, DeprecationWarning: structural.DeprecationWarning(c, v),
		Prune:       func(obj map[string]any) { interpret.Prune(obj, b.Schema, opts) },
		PruneReport: func(obj map[string]any) []string { return interpret.Prune(obj, b.Schema, opts) },
		Check:       func(obj map[string]any) prunert.ErrorList { return interpret.Check(obj, b.Schema) },
		Normalize: func(obj map[string]any, how prunert.NormalizeOptions) ([]string, error) {
			return interpret.NormalizePrepared(obj, defaulting, opts, how)
		},
		Default:  func(obj map[string]any) { interpret.Default(obj, defaulting) },
		Fields:   func(visit func(path string)) { interpret.Fields(b.Schema, opts, visit) },
		Validate: func(obj map[string]any) prunert.ErrorList { return interpret.Validate(obj, b.Written) },
		ValidateUpdate: func(obj, old map[string]any) prunert.ErrorList {
			return interpret.ValidateUpdate(obj, old, b.Written)
		},
		ValidateMetadata: func(obj, old map[string]any) prunert.ErrorList {
			return interpret.ValidateMetadata(obj, old, b.Written, b.Namespaced)
		},
		HasRules:   structural.HasRules(b.Written),
		SchemaHash: b.Hash(structural.AllAspects),
	}
	if table := rules.Table(rules.Check(b.Schema, rules.Stored)); table != nil {
		shape := rules.Shape(b.Schema)
		r.ValidateRules = func(obj, old map[string]any) (prunert.ErrorList, []string) {
			return costs.validate(table, obj, old, shape)
		}
	}
	if v.Scale != nil {
		r.Scale = &prunert.Scale{
			SpecReplicasPath: v.Scale.SpecReplicas, StatusReplicasPath: v.Scale.StatusReplicas, LabelSelectorPath: v.Scale.LabelSelector,
		}
	}
	if v.HasStatus {
		r.ValidateStatus = func(obj, old map[string]any) prunert.ErrorList { return interpret.ValidateStatus(obj, old, b.Written) }
	}
	return interpretjson.With(r, b.Schema, opts)
}
