// Package set has the kinds that the benchmarks are about, from the projects that ship them, and compiles the code that is
// generated for them.
package set

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/hack/conformance/corpus"
	"github.com/prune-gen/prune-gen/structural"
)

// Origin says where a version of a kind is found in the corpus. Without a module, it is Nested.
type Origin struct{ Kind, Version, Module, File string }

// Objects are five kinds that people have in their clusters.
func Objects() []Origin {
	return []Origin{
		{"Workflow", "v1alpha1", "github.com/argoproj/argo-workflows/v3", "manifests/base/crds/full/argoproj.io_workflows.yaml"},
		{"Prometheus", "v1", "github.com/prometheus-operator/prometheus-operator",
			"example/prometheus-operator-crd/monitoring.coreos.com_prometheuses.yaml"},
		{"Certificate", "v1", "github.com/cert-manager/cert-manager", "deploy/crds/cert-manager.io_certificates.yaml"},
		{"HTTPRoute", "v1", "sigs.k8s.io/gateway-api", "config/crd/standard/gateway.networking.k8s.io_httproutes.yaml"},
		{"Application", "v1alpha1", "github.com/argoproj/argo-cd/v3", "manifests/crds/application-crd.yaml"},
	}
}

// Rules are eight kinds with CEL rules. The last two have small objects, and many rules for their size.
func Rules() []Origin {
	return []Origin{
		{"HTTPRoute", "v1", "sigs.k8s.io/gateway-api", "config/crd/standard/gateway.networking.k8s.io_httproutes.yaml"},
		{"Gateway", "v1", "sigs.k8s.io/gateway-api", "config/crd/standard/gateway.networking.k8s.io_gateways.yaml"},
		{"Cluster", "v1beta2", "sigs.k8s.io/cluster-api", "core/config/crd/bases/cluster.x-k8s.io_clusters.yaml"},
		{"PrometheusAgent", "v1alpha1", "github.com/prometheus-operator/prometheus-operator",
			"example/prometheus-operator-crd/monitoring.coreos.com_prometheusagents.yaml"},
		{"JobSet", "v1alpha2", "sigs.k8s.io/jobset", "config/components/crd/bases/jobset.x-k8s.io_jobsets.yaml"},
		{"Issuer", "v1", "github.com/cert-manager/cert-manager", "deploy/crds/cert-manager.io_issuers.yaml"},
		{"NodePool", "v1", "sigs.k8s.io/karpenter", "pkg/apis/crds/karpenter.sh_nodepools.yaml"},
		{"Usage", "v1beta1", "github.com/crossplane/crossplane/v2", "cluster/crds/protection.crossplane.io_usages.yaml"},
	}
}

// All are the kinds of all benchmarks.
func All() []Origin { return slices.Concat(Objects(), Rules(), Nested()) }

// Modules fetches the modules of the corpus, once.
var Modules = sync.OnceValues(func() ([]corpus.Module, error) { return corpus.Fetch(context.Background()) })

// Kind is a version of a kind.
type Kind struct {
	generator.Input
	Schema *structural.Schema
	Raw    json.RawMessage // the CRD as JSON
}

// Name returns the kind's name.
func (k *Kind) Name() string { return k.CRD.Names.Kind }

// Read reads the kinds at these origins.
func Read(origins ...Origin) ([]*Kind, error) {
	var all []*Kind
	for _, o := range origins {
		k, err := o.read()
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", o.Kind, err)
		}
		all = append(all, k)
	}
	return all, nil
}

func (o Origin) read() (*Kind, error) {
	data := nestedCRD()
	if o.Module != "" {
		dir, err := Dir(o.Module)
		if err != nil {
			return nil, err
		}
		if data, err = os.ReadFile(filepath.Join(dir, filepath.FromSlash(o.File))); err != nil {
			return nil, err
		}
	}
	var c corpus.Corpus
	c.AddFile(o.File, data)
	for _, crd := range c.CRDs {
		i := slices.IndexFunc(crd.Versions, func(v *structural.Version) bool { return v.Name == o.Version })
		if crd.Names.Kind != o.Kind || i < 0 {
			continue
		}
		v := crd.Versions[i]
		return &Kind{Input: generator.Input{CRD: crd.CRD, Version: v}, Schema: crd.Structural(v), Raw: crd.Raw}, nil
	}
	return nil, fmt.Errorf("%s has no version %s of it", o.File, o.Version)
}

// Dir returns the folder with the files of a module of the corpus.
func Dir(module string) (string, error) {
	modules, err := Modules()
	if err != nil {
		return "", err
	}
	for _, m := range modules {
		if strings.HasPrefix(m.Query, module+"@") {
			return m.Dir, nil
		}
	}
	return "", fmt.Errorf("module %s is not in the corpus", module)
}
