package suite

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"

	"github.com/prune-gen/prune-gen/internal/crd/origin"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

// Variant is a CRD as one of several files defines it. What is derived from it is derived once.
type Variant struct {
	// Name is the name of the CRD.
	Name string
	CRD  *structural.CRD

	// Resources returns a resource for each version.
	Resources func() ([]prunert.Resource, error)

	mu      sync.Mutex
	derived map[derivation]*Variant
}

// NewVariant returns a variant for a CRD.
func NewVariant(c *structural.CRD) *Variant {
	return &Variant{
		Name: c.Name, CRD: c,
		Resources: sync.OnceValues(func() ([]prunert.Resource, error) { return dynamic.Compile(c) }),
	}
}

// is reports whether an object with these fields is of the kind of the CRD.
func (v *Variant) is(apiVersion, kind string) bool {
	group, _ := objects.SplitVersion(apiVersion)
	return v.CRD.Names.Kind == kind && v.CRD.Group == group
}

// File returns the file of the CRD.
func (v *Variant) File() string { return v.CRD.File }

// annotation returns an annotation of the CRD.
func (v *Variant) annotation(key string) string {
	return v.CRD.Annotations()[key]
}

// Served returns the resources of the versions that are served.
func (v *Variant) Served() ([]prunert.Resource, error) {
	all, err := v.Resources()
	if err != nil {
		var refused *dynamic.RefusedError
		if errors.As(err, &refused) {
			f := refused.Findings[0]
			return nil, fmt.Errorf("the API server refuses the CRD: %s:%d: %s", f.File, f.Line, f.Message)
		}
		return nil, err
	}
	var served []prunert.Resource
	for i, r := range all {
		if v.CRD.Versions[i].Served {
			served = append(served, r)
		}
	}
	return served, nil
}

// resource returns the resource of an object, among the served versions. If only is not empty, it is the only version
// that counts as served.
func (v *Variant) resource(o *Object, only string) (prunert.Resource, error) {
	of, err := v.Served()
	if err == nil && only != "" {
		of, err = v.Resources()
	}
	if err != nil {
		return prunert.Resource{}, err
	}
	for _, r := range of {
		if (only == "" || r.Version == only) && r.APIVersion() == o.apiVersion && r.Kind == o.kind {
			return r, nil
		}
	}
	return prunert.Resource{}, fmt.Errorf("no matches for kind %q in version %q", o.kind, o.apiVersion)
}

// stored returns the resource of the version that objects of a resource are stored in: the resource itself where a webhook converts.
func (v *Variant) stored(r prunert.Resource) prunert.Resource {
	all, err := v.Resources()
	if err != nil || v.CRD.ConversionStrategy() != "None" {
		return r
	}
	for i, of := range v.CRD.Versions {
		if of.Storage {
			return all[i]
		}
	}
	return r
}

// schema returns the schema of an object, nil if the variant has none for it.
func (v *Variant) schema(o *Object) *structural.Schema {
	if _, version := objects.SplitVersion(o.apiVersion); v.is(o.apiVersion, o.kind) {
		for _, of := range v.CRD.Versions {
			if of.Name == version {
				return v.CRD.Structural(of).Resource()
			}
		}
	}
	return nil
}

// has reports whether the CRD has a version.
func (v *Variant) has(version string) bool {
	return slices.ContainsFunc(v.CRD.Versions, func(of *structural.Version) bool { return of.Name == version })
}

// with returns the variant with a JSON patch applied to the CRD.
func (v *Variant) with(patch []byte) (*Variant, error) {
	return v.derive(derivation{string(patch), v.CRD.Kubernetes})
}

// in returns the variant for another version of Kubernetes.
func (v *Variant) in(version kubeversion.Version) (*Variant, error) {
	return v.derive(derivation{"[]", version})
}

// derivation is how a variant differs from the one it is derived from.
type derivation struct {
	patch      string
	kubernetes kubeversion.Version
}

func (v *Variant) derive(d derivation) (*Variant, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if made := v.derived[d]; made != nil {
		return made, nil
	}
	ops, err := jsonpatch.DecodePatch([]byte(d.patch))
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(v.CRD.Source.Value())
	if err != nil {
		return nil, err
	}
	if data, err = ops.Apply(data); err != nil {
		return nil, fmt.Errorf("the CRD cannot be patched: %w", err)
	}
	crd, err := load.CRD(data, load.Options{})
	if err != nil {
		return nil, fmt.Errorf("the patched CRD: %w", err)
	}
	crd.File, crd.Kubernetes = v.CRD.File, d.kubernetes
	origin.SetMeter(crd, origin.Meter(v.CRD))
	if v.derived == nil {
		v.derived = map[derivation]*Variant{}
	}
	v.derived[d] = NewVariant(crd)
	return v.derived[d], nil
}

// Variants are CRDs to test. There can be several with one name: a release of a CRD with more fields than another, for example.
type Variants struct {
	All []*Variant
	// Gates says which feature gates a variant has, nil if a suite with feature gates is an error.
	Gates Gates
}

// Gates decides whether a variant has a feature gate.
type Gates interface {
	Has(v *Variant, gate string) (bool, error)
}

// of returns the variants that a suite is for: those of its CRD that have its version, or that of its first object, and its gates.
func (vs *Variants) of(s *Suite) ([]*Variant, error) {
	version := s.Version
	if version == "" && len(s.Cases) > 0 {
		_, version = objects.SplitVersion(s.Cases[0].Initial.apiVersion)
	}
	var found, named []*Variant
	for _, v := range vs.All {
		if v.Name == s.CRDName {
			named = append(named, v)
		}
	}
	for _, v := range named {
		if len(named) > 1 && !v.has(version) {
			continue
		}
		fits, err := vs.fits(v, s.FeatureGates)
		if err != nil {
			return nil, err
		}
		if fits {
			found = append(found, v)
		}
	}
	if len(found) > 0 {
		return found, nil
	}
	if len(named) > 0 {
		return nil, fmt.Errorf("no CRD %s has the version %s and the feature gates of the suite: %s", s.CRDName, version, strings.Join(s.FeatureGates, ", "))
	}
	return nil, fmt.Errorf("there is no CRD %s", s.CRDName)
}

// fits reports whether a variant has feature gates, and does not have those with a minus sign.
func (vs *Variants) fits(v *Variant, gates []string) (bool, error) {
	for _, gate := range gates {
		if vs.Gates == nil {
			return false, errors.New("the suite has feature gates, and nothing says which CRDs have them")
		}
		name, without := strings.CutPrefix(gate, "-")
		has, err := vs.Gates.Has(v, name)
		if err != nil || has == without {
			return false, err
		}
	}
	return true, nil
}

// AnnotatedGates is the rule that an annotation of a CRD lists its feature gates, separated by commas.
type AnnotatedGates string

func (key AnnotatedGates) Has(v *Variant, gate string) (bool, error) {
	for _, name := range strings.Split(v.annotation(string(key)), ",") {
		if strings.TrimSpace(name) == gate {
			return true, nil
		}
	}
	return false, nil
}
