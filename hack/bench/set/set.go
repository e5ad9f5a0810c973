// Package set is the benchmark set: five kinds that people have in their clusters, each with objects of three sizes,
// once with nothing to prune in them and once with unknown fields on every level; and six kinds with CEL rules, for the rows about
// those.
package set

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/hack/bench/measure"
	"github.com/prune-gen/prune-gen/hack/conformance/corpus"
	"github.com/prune-gen/prune-gen/hack/conformance/objects"
	"github.com/prune-gen/prune-gen/internal/interpret"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// seed is where the objects come from: the same ones on every machine.
const seed = 1

// kinds says where the kinds of the set are found in the corpus.
var kinds = []struct{ kind, version, module, file string }{
	{"Workflow", "v1alpha1", "github.com/argoproj/argo-workflows/v3", "manifests/base/crds/full/argoproj.io_workflows.yaml"},
	{"Prometheus", "v1", "github.com/prometheus-operator/prometheus-operator",
		"example/prometheus-operator-crd/monitoring.coreos.com_prometheuses.yaml"},
	{"Certificate", "v1", "github.com/cert-manager/cert-manager", "deploy/crds/cert-manager.io_certificates.yaml"},
	{"HTTPRoute", "v1", "sigs.k8s.io/gateway-api", "config/crd/standard/gateway.networking.k8s.io_httproutes.yaml"},
	{"Application", "v1alpha1", "github.com/argoproj/argo-cd/v3", "manifests/crds/application-crd.yaml"},
}

// sizes are those of the objects as JSON, before unknown fields are put into them.
var sizes = []struct {
	name  string
	bytes int
}{
	{"small", 2_000},
	{"middle", 15_000},
	{"large", 200_000},
}

// Kind is one kind of the set.
type Kind struct {
	generator.Input
	Schema *structural.Schema
	Raw    json.RawMessage // the CRD as JSON
}

// Name is the kind's name.
func (k *Kind) Name() string { return k.CRD.Names.Kind }

// Load fetches the corpus and reads the kinds of the set.
func Load(ctx context.Context) ([]*Kind, []corpus.Module, error) {
	modules, err := corpus.Fetch(ctx)
	if err != nil {
		return nil, nil, err
	}
	var all []*Kind
	for _, k := range kinds {
		found, err := readKind(modules, k.module, k.file, k.version)
		if err != nil {
			return nil, nil, fmt.Errorf("read %s: %w", k.kind, err)
		}
		all = append(all, found)
	}
	return all, modules, nil
}

func readKind(modules []corpus.Module, module, file, version string) (*Kind, error) {
	crds, err := ReadFile(modules, module, file)
	if err != nil {
		return nil, err
	}
	if len(crds) != 1 {
		return nil, fmt.Errorf("%s has %d CRDs, not one", file, len(crds))
	}
	crd := crds[0]
	i := slices.IndexFunc(crd.Versions, func(v *structural.Version) bool { return v.Name == version })
	if i < 0 {
		return nil, fmt.Errorf("%s has no version %s", file, version)
	}
	v := crd.Versions[i]
	schema, errs := structural.NewSchema(v.Schema, v.SchemaPath)
	if len(errs) > 0 {
		return nil, errs[0]
	}
	return &Kind{Input: generator.Input{CRD: crd.CRD, Version: v}, Schema: schema, Raw: crd.Raw}, nil
}

// ReadFile reads the CRDs in a file of a module, whatever version of it the corpus has.
func ReadFile(modules []corpus.Module, module, file string) ([]*corpus.CRD, error) {
	dir, err := Dir(modules, module)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
	if err != nil {
		return nil, err
	}
	var c corpus.Corpus
	c.AddFile(file, data)
	return c.CRDs, nil
}

// Dir returns the folder that holds a module.
func Dir(modules []corpus.Module, module string) (string, error) {
	for _, m := range modules {
		if len(m.Query) > len(module) && m.Query[:len(module)+1] == module+"@" {
			return m.Dir, nil
		}
	}
	return "", fmt.Errorf("module %s is not in the corpus", module)
}

var (
	indentedState = map[measure.State]measure.State{measure.Clean: measure.CleanIndented, measure.Dirty: measure.DirtyIndented}
	rotatingState = map[measure.State]measure.State{measure.Clean: measure.CleanRotating, measure.Dirty: measure.DirtyRotating}
)

// rotating is how many different documents take turns.
const rotating = 64

// Objects makes the objects of the set: each clean and dirty, as compact JSON and, for functions on JSON, indented; and for
// each kind different ones of the middle size that take turns.
func Objects(kinds []*Kind) ([]measure.Object, error) {
	var all []measure.Object
	for _, k := range kinds {
		for _, size := range sizes {
			for _, state := range []measure.State{measure.Clean, measure.Dirty} {
				obj, err := k.object(size.bytes, seed, state)
				if err != nil {
					return nil, err
				}
				indented, err := json.MarshalIndent(obj, "", "    ") // as kubectl does
				if err != nil {
					return nil, fmt.Errorf("encode %s: %w", k.Name(), err)
				}
				compact, err := json.Marshal(obj)
				if err != nil {
					return nil, fmt.Errorf("encode %s: %w", k.Name(), err)
				}
				all = append(all,
					measure.Object{Kind: k.Name(), Size: size.name, State: state, Documents: [][]byte{compact}},
					measure.Object{Kind: k.Name(), Size: size.name, State: indentedState[state], Documents: [][]byte{indented}},
				)
			}
			for _, state := range []measure.State{measure.Valid, measure.Invalid} {
				obj, err := k.object(size.bytes, seed, state)
				if err != nil {
					return nil, err
				}
				doc, err := json.Marshal(obj)
				if err != nil {
					return nil, fmt.Errorf("encode %s: %w", k.Name(), err)
				}
				all = append(all, measure.Object{Kind: k.Name(), Size: size.name, State: state, Documents: [][]byte{doc}})
			}
		}
		for _, state := range []measure.State{measure.Clean, measure.Dirty} {
			o := measure.Object{Kind: k.Name(), Size: "rotating", State: rotatingState[state]}
			for i := range uint64(rotating) {
				obj, err := k.object(sizes[1].bytes, seed+i, state)
				if err != nil {
					return nil, err
				}
				doc, err := json.Marshal(obj)
				if err != nil {
					return nil, fmt.Errorf("encode %s: %w", k.Name(), err)
				}
				o.Documents = append(o.Documents, doc)
			}
			all = append(all, o)
		}
	}
	return all, nil
}

// object makes an object of the kind. Defaults make a clean one larger than it was asked to be: then it asks for less.
func (k *Kind) object(size int, seed uint64, state measure.State) (map[string]any, error) {
	for asked := size; ; {
		obj, err := k.make(asked, seed, state)
		if err != nil || state != measure.Clean {
			return obj, err
		}
		data, err := json.Marshal(obj)
		if err != nil {
			return nil, fmt.Errorf("encode %s: %w", k.Name(), err)
		}
		if len(data) <= size*11/10 || asked < size/2 {
			return obj, nil
		}
		asked = min(asked-1, asked*size/len(data))
	}
}

func (k *Kind) make(size int, seed uint64, state measure.State) (map[string]any, error) {
	opts := objects.Options{
		Size:       size,
		APIVersion: k.CRD.Group + "/" + k.Version.Name,
		Kind:       k.Name(),
	}
	switch state {
	case measure.Dirty:
		opts.Flaws, opts.Rate = objects.Unknown, 1
	case measure.Invalid:
		opts.Flaws, opts.Rate = objects.Values|objects.WrongType, 0.05
	}
	obj := objects.Make(k.Schema, seed, opts)
	switch state {
	case measure.Valid:
		if err := mend(obj, k); err != nil {
			return nil, err
		}
	case measure.Clean:
		// As the API server would have stored it: nobody finds anything to change.
		if _, err := interpret.Normalize(obj, k.Schema, interpret.PruneOptions{}, prunert.NormalizeOptions{}); err != nil {
			return nil, fmt.Errorf("normalize %s: %w", k.Name(), err)
		}
	}
	return obj, nil
}
