// Package cases reads the golden cases.
package cases

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/yaml"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/answer/resources"
	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
	"github.com/prune-gen/prune-gen/structural"
)

// Case is one golden case.
type Case struct {
	Name    string
	Dir     string
	Options generator.Options // except the package
	CRDs    []*structural.CRD
}

// IsAimed reports whether the case is there for its values. Its schemas are large, and others have all that is in them: tests of code and
// of names leave it out.
func (c *Case) IsAimed() bool { return strings.HasPrefix(c.Name, "aimed-") }

// Package is a Go package that is generated for a case.
type Package struct {
	Version string
	Dir     string // slash-separated, below the folder of the cases
	Inputs  []generator.Input
}

// options are the contents of options.yaml.
type options struct {
	Semantics string   `json:"semantics"`
	Features  []string `json:"features"`
	Header    string   `json:"header"`
	Register  bool     `json:"register"`
	Share     bool     `json:"shareAcrossKinds"`
	// Kubernetes is the version of the API server.
	Kubernetes string `json:"kubernetes"`
}

// All returns the cases below dir, sorted by name.
func All(dir string) ([]*Case, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*", "crd.yaml"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no cases in %s", dir)
	}
	var all []*Case
	for _, file := range files {
		c, err := read(filepath.Dir(file))
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", filepath.Dir(file), err)
		}
		all = append(all, c)
	}
	return all, nil
}

func read(dir string) (*Case, error) {
	c := &Case{Name: filepath.Base(dir), Dir: dir}
	text, err := os.ReadFile(filepath.Join(dir, "options.yaml"))
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	var kubernetes kubeversion.Version
	if c.Options, kubernetes, err = readOptions(text); err != nil {
		return nil, fmt.Errorf("options.yaml: %w", err)
	}
	text, err = os.ReadFile(filepath.Join(dir, "crd.yaml"))
	if err != nil {
		return nil, err
	}
	f := crdread.Load("crd.yaml", bytes.NewReader(text))
	if len(f.Findings) > 0 || f.Passed > 0 {
		return nil, fmt.Errorf("%d documents are not CRDs, findings: %+v", f.Passed, f.Findings)
	}
	c.CRDs = f.CRDs
	for _, crd := range c.CRDs {
		crd.Kubernetes = kubernetes
	}
	return c, nil
}

func readOptions(text []byte) (opts generator.Options, kubernetes kubeversion.Version, err error) {
	var o options
	if err := yaml.UnmarshalStrict(text, &o); err != nil {
		return opts, 0, err
	}
	if o.Kubernetes != "" {
		if kubernetes, err = kubeversion.Parse(o.Kubernetes); err != nil {
			return opts, 0, err
		}
	}
	opts = generator.Options{Header: strings.TrimSpace(o.Header), Register: o.Register}
	if o.Share {
		opts.Sharing = generator.ShareAcrossKinds
	}
	if o.Semantics != "" {
		if opts.Semantics, err = structural.ParseSemantics(o.Semantics); err != nil {
			return opts, 0, err
		}
	}
	if len(o.Features) > 0 {
		opts.Features, err = generator.ParseFeatures(o.Features)
	}
	return opts, kubernetes, err
}

// Packages returns the packages for CRDs in the folder dir: one there, or, with several versions, one in a folder for each.
func Packages(crds []*structural.CRD, dir string) []Package {
	var packages []Package
	for _, c := range crds {
		for _, v := range c.Versions {
			i := slices.IndexFunc(packages, func(p Package) bool { return p.Version == v.Name })
			if i < 0 {
				i = len(packages)
				packages = append(packages, Package{Version: v.Name, Dir: path.Join(dir, v.Name)})
			}
			packages[i].Inputs = append(packages[i].Inputs, generator.Input{CRD: c, Version: v})
		}
	}
	if len(packages) == 1 {
		packages[0].Dir = dir
	}
	return packages
}

// Packages returns the packages of the case.
func (c *Case) Packages() []Package {
	return Packages(c.CRDs, c.Name)
}

// Generate returns the files of a package of the case.
func (c *Case) Generate(p Package) ([]generator.File, error) {
	opts := c.Options
	opts.Package = p.Version
	return generator.Generate(p.Inputs, opts)
}

// Resource is one version of one kind of a case, with the functions of the reference.
type Resource struct {
	prunert.Resource
	Case    *Case
	CRD     *structural.CRD
	Version *structural.Version
	// Schema is nil if the version has no structural schema.
	Schema *structural.Schema
}

// Key names the resource among all cases.
func (r *Resource) Key() string {
	return r.Case.Name + "/" + r.Version.Name + "/" + r.CRD.Names.Kind
}

// Make makes an object of the resource.
func (r *Resource) Make(seed uint64, opts specimentest.Options) map[string]any {
	return r.Named(specimentest.Make(r.Schema, seed, opts))
}

// Named lets an object say what it is, or no server would look at it.
func (r *Resource) Named(obj map[string]any) map[string]any {
	obj["apiVersion"], obj["kind"] = r.APIVersion(), r.CRD.Names.Kind
	return obj
}

// PruneOptions returns the options of the reference pruner.
func (r *Resource) PruneOptions() interpret.PruneOptions {
	return interpret.PruneOptions{Semantics: r.Case.Options.Semantics, PreserveUnknownFields: !r.Version.Pruned}
}

// Validates reports whether the case has functions that validate.
func (c *Case) Validates() bool { return c.Features().Has(generator.FeatureValidate) }

// Normalizes reports whether the case has functions that normalize.
func (c *Case) Normalizes() bool { return c.Features().Has(generator.FeatureNormalize) }

// Features returns the features that are generated for the case.
func (c *Case) Features() generator.Features { return c.Options.Features.Complete() }

// Resources returns every version of every kind of the case.
func (c *Case) Resources() []*Resource {
	var all []*Resource
	for _, crd := range c.CRDs {
		for _, v := range crd.Versions {
			r := &Resource{Case: c, CRD: crd, Version: v, Schema: crd.Structural(v)}
			r.Resource = r.reference()
			all = append(all, r)
		}
	}
	return all
}

// reference returns the functions of the reference.
func (r *Resource) reference() prunert.Resource {
	written, names := r.Version.Schema, r.CRD.Names
	rules := sync.OnceValues(func() (*prunecel.Rules, *pruneimpl.Shape) {
		table := celrules.Table(celrules.Check(r.Schema, celrules.Stored(r.CRD.Kubernetes)))
		if table != nil {
			table.Kubernetes = r.CRD.Kubernetes
		}
		return table, resources.Shape(r.Schema)
	})
	work := &interpret.Work{Kubernetes: r.CRD.Kubernetes}
	return prunert.Resource{
		Group: r.CRD.Group, Version: r.Version.Name, Kind: names.Kind, Plural: names.Plural, ListKind: names.ListKind,
		PruneReport: func(obj map[string]any) []string { return interpret.Prune(obj, r.Schema, r.PruneOptions()) },
		Check:       func(obj map[string]any) prunert.ErrorList { return work.Check(obj, r.Schema) },
		Normalize: func(obj map[string]any, opts prunert.NormalizeOptions) ([]string, error) {
			return new(interpret.Work).Normalize(obj, interpret.PruneDefaults(r.Schema), r.PruneOptions(), opts)
		},
		Default:        func(obj map[string]any) { new(interpret.Work).Default(obj, interpret.PruneDefaults(r.Schema)) },
		Validate:       func(obj map[string]any) prunert.ErrorList { return work.Validate(obj, written) },
		ValidateUpdate: func(obj, old map[string]any) prunert.ErrorList { return work.ValidateUpdate(obj, old, written) },
		ValidateStatus: func(obj, old map[string]any) prunert.ErrorList { return work.ValidateStatus(obj, old, written) },
		ValidateMetadata: func(obj, old map[string]any) prunert.ErrorList {
			return pruneimpl.CheckMetadataValues(obj, old, r.CRD.Scope != "Cluster", interpret.MetadataShape(written), work.Kubernetes)
		},
		ValidateRules: func(obj, old map[string]any) (prunert.ErrorList, []string) {
			if r.Schema == nil {
				return nil, nil
			}
			table, shape := rules()
			if table == nil {
				return nil, nil
			}
			return table.Validate(obj, old, shape)
		},
	}
}
