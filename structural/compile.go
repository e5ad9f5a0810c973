package structural

import (
	"fmt"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Compile returns, for each version of a CRD, a resource whose functions interpret the schema: what generated code would
// do, for CRDs that are known only at run time. A program can use it where the code that it has linked does not fit the
// CRD that is installed. It fails where the API server would not take the schema.
func Compile(c *CRD) ([]prunert.Resource, error) {
	var all []prunert.Resource
	for _, v := range c.Versions {
		r, err := compileVersion(c, v.Name)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// compileVersion returns the resource of one version.
func compileVersion(c *CRD, version string) (prunert.Resource, error) {
	v, s, err := usableVersion(c, version)
	if err != nil {
		return prunert.Resource{}, err
	}
	return interpret(c, v, s), nil
}

// usableVersion returns a version with its schema, nil where that takes no part.
func usableVersion(c *CRD, version string) (*Version, *Schema, error) {
	for _, v := range c.Versions {
		if v.Name != version {
			continue
		}
		s, refused := UsableSchema(c, v)
		if len(refused) > 0 {
			return nil, nil, fmt.Errorf("%s version %s: %s", c.Name, version, refused[0].Message)
		}
		return v, s, nil
	}
	return nil, nil, fmt.Errorf("%s has no version %s", c.Name, version)
}

// interpret returns a resource with the interpreters as its functions.
func interpret(c *CRD, v *Version, s *Schema) prunert.Resource {
	opts := PruneOptions{PreserveUnknownFields: !v.Pruned}
	defaulting := PruneDefaults(s)
	r := prunert.Resource{
		Group: c.Group, Version: v.Name, Kind: c.Names.Kind, Plural: c.Names.Plural, ListKind: c.Names.ListKind,
		Namespaced: c.Scope != "Cluster", Status: v.HasStatus, DeprecationWarning: DeprecationWarning(c, v),
		Prune:       func(obj map[string]any) { Prune(obj, s, opts) },
		PruneReport: func(obj map[string]any) []string { return Prune(obj, s, opts) },
		Check:       func(obj map[string]any) prunert.ErrorList { return Check(obj, s) },
		Normalize: func(obj map[string]any, how prunert.NormalizeOptions) ([]string, error) {
			return normalize(obj, defaulting, opts, how)
		},
		Default: func(obj map[string]any) { Default(obj, defaulting) },
		Fields:  func(visit func(path string)) { Fields(s, opts, visit) },
	}
	if v.Scale != nil {
		r.Scale = &prunert.Scale{SpecReplicasPath: v.Scale.SpecReplicas, StatusReplicasPath: v.Scale.StatusReplicas, LabelSelectorPath: v.Scale.LabelSelector}
	}
	r = WithJSON(r, s, opts)
	// A schema that cannot be converted takes no part elsewhere, but the API server validates by it.
	if s != nil || v.Schema == nil {
		r.Validate = func(obj map[string]any) prunert.ErrorList { return ValidateObject(obj, v.Schema) }
		r.ValidateUpdate = func(obj, old map[string]any) prunert.ErrorList { return ValidateObjectUpdate(obj, old, v.Schema) }
		if v.HasStatus {
			r.ValidateStatus = func(obj, old map[string]any) prunert.ErrorList { return ValidateObjectStatus(obj, old, v.Schema) }
		}
		r.ValidateMetadata = func(obj, old map[string]any) prunert.ErrorList {
			return ValidateObjectMetadata(obj, old, v.Schema, c.Scope != "Cluster")
		}
		r.HasRules = HasRules(v.Schema)
	}
	r.SchemaHash = Hash(s, v.Pruned, opts.Semantics, AspectsOf(r))
	return r
}
