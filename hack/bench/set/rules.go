package set

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/prune-gen/prune-gen/hack/bench/measure"
	"github.com/prune-gen/prune-gen/hack/conformance/corpus"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// ruleKinds says where the kinds of the set for CEL rules are found in the corpus, and what their objects are.
var ruleKinds = []struct {
	kind, version, module, file string
	// spec returns the spec of an object that no rule refuses. It has lists of n elements.
	spec func(n int) object
	// violate makes a rule false, or several.
	violate func(obj map[string]any)
}{
	{
		"HTTPRoute", "v1", "sigs.k8s.io/gateway-api", "config/crd/standard/gateway.networking.k8s.io_httproutes.yaml",
		httpRoute, violateHTTPRoute,
	},
	{
		"Gateway", "v1", "sigs.k8s.io/gateway-api", "config/crd/standard/gateway.networking.k8s.io_gateways.yaml",
		gateway, violateGateway,
	},
	{
		"Cluster", "v1beta2", "sigs.k8s.io/cluster-api", "core/config/crd/bases/cluster.x-k8s.io_clusters.yaml",
		cluster, violateCluster,
	},
	{
		"PrometheusAgent", "v1alpha1", "github.com/prometheus-operator/prometheus-operator",
		"example/prometheus-operator-crd/monitoring.coreos.com_prometheusagents.yaml",
		prometheusAgent, violatePrometheusAgent,
	},
	{
		"JobSet", "v1alpha2", "sigs.k8s.io/jobset", "config/components/crd/bases/jobset.x-k8s.io_jobsets.yaml",
		jobSet, violateJobSet,
	},
	{
		"Issuer", "v1", "github.com/cert-manager/cert-manager", "deploy/crds/cert-manager.io_issuers.yaml",
		issuer, violateIssuer,
	},
}

// ruleSizes are those of the objects that are made, by the number of elements of their lists.
var ruleSizes = []struct {
	name     string
	elements int
}{
	{"small", 1},
	{"large", 12},
}

// RuleKinds reads the kinds of the set for CEL rules.
func RuleKinds(modules []corpus.Module) ([]*Kind, error) {
	var all []*Kind
	for _, k := range ruleKinds {
		found, err := readKind(modules, k.module, k.file, k.version)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", k.kind, err)
		}
		all = append(all, found)
	}
	return all, nil
}

// RuleObjects returns the objects of the set for CEL rules: for each kind two that are made, and the largest manifest that a module
// ships, where one does. Each is there as no rule refuses it and, with a change that makes rules false, as they refuse it. All are as
// the API server would store them, and have what they replace in an update.
func RuleObjects(kinds []*Kind, modules []corpus.Module) ([]measure.Object, error) {
	finder := newFinder(kinds)
	for _, m := range modules {
		if err := finder.addFS(os.DirFS(m.Dir)); err != nil {
			return nil, fmt.Errorf("read the manifests of %s: %w", m.Query, err)
		}
	}
	var all []measure.Object
	for i, k := range kinds {
		resource, err := k.compile()
		if err != nil {
			return nil, err
		}
		for _, size := range ruleSizes {
			obj := object{
				"apiVersion": k.CRD.Group + "/" + k.Version.Name, "kind": k.Name(), "spec": ruleKinds[i].spec(size.elements),
				"metadata": object{"labels": object{"app": "measured"}},
			}
			doc, err := json.Marshal(obj)
			if err != nil {
				return nil, fmt.Errorf("encode %s: %w", k.Name(), err)
			}
			stored, err := store(resource, doc)
			if err != nil {
				return nil, fmt.Errorf("%s %s: %w", k.Name(), size.name, err)
			}
			states, err := ruleStates(resource, size.name, stored, ruleKinds[i].violate)
			if err != nil {
				return nil, err
			}
			all = append(all, states...)
		}
		if largest := largestValid(resource, finder.found[i].Documents); largest != nil {
			states, err := ruleStates(resource, "manifest", largest, ruleKinds[i].violate)
			if err != nil {
				return nil, err
			}
			all = append(all, states...)
		}
	}
	return all, nil
}

// compile returns what does to objects of the kind what generated code does.
func (k *Kind) compile() (prunert.Resource, error) {
	all, err := dynamic.Compile(k.CRD)
	if err != nil {
		return prunert.Resource{}, err
	}
	i := slices.IndexFunc(all, func(r prunert.Resource) bool { return r.Version == k.Version.Name })
	if i < 0 {
		return prunert.Resource{}, fmt.Errorf("%s has no version %s", k.Name(), k.Version.Name)
	}
	return all[i], nil
}

// store returns an object as the API server would store it.
func store(r prunert.Resource, doc []byte) (map[string]any, error) {
	var obj map[string]any
	if err := utiljson.Unmarshal(doc, &obj); err != nil {
		return nil, err
	}
	metadata, _ := obj["metadata"].(map[string]any)
	if metadata == nil {
		metadata = map[string]any{}
	}
	obj["metadata"] = metadata
	maps.Copy(metadata, map[string]any{
		"name": "measured", "namespace": "default", "resourceVersion": "1", "generation": int64(1), "uid": "6e6a6b4c-0a0f-4d3b-9a43-5f7d9d2f7a10",
		"creationTimestamp": "2025-01-02T03:04:05Z",
	})
	unknown, err := r.Normalize(obj, prunert.NormalizeOptions{ReportUnknown: true})
	if err != nil {
		return nil, err
	}
	if len(unknown) > 0 {
		return nil, fmt.Errorf("unknown: %q", unknown)
	}
	if errs, _ := r.Invalid(obj, nil); len(errs) > 0 {
		return nil, errs[0]
	}
	return obj, nil
}

// largestValid returns the largest of the documents that is valid, as it is stored, or nil.
func largestValid(r prunert.Resource, docs [][]byte) map[string]any {
	docs = slices.SortedFunc(slices.Values(docs), func(a, b []byte) int { return len(b) - len(a) })
	for _, doc := range docs {
		if obj, err := store(r, doc); err == nil {
			return obj
		}
	}
	return nil
}

// ruleStates returns an object in both states. The one that is valid replaces an object with another label, the other one the one that
// is valid.
func ruleStates(r prunert.Resource, size string, obj map[string]any, violate func(map[string]any)) ([]measure.Object, error) {
	before, violating := apiruntime.DeepCopyJSON(obj), apiruntime.DeepCopyJSON(obj)
	metadata, _ := before["metadata"].(map[string]any)
	labels, _ := metadata["labels"].(map[string]any)
	metadata["labels"] = maps.Clone(labels)
	if labels == nil {
		metadata["labels"] = map[string]any{}
	}
	metadata["labels"].(map[string]any)["before"] = "true"
	violate(violating)
	var all []measure.Object
	for _, o := range []struct {
		state    measure.State
		obj, old map[string]any
	}{
		{measure.Conforming, obj, before},
		{measure.Violating, violating, obj},
	} {
		doc, err := json.Marshal(o.obj)
		if err != nil {
			return nil, fmt.Errorf("encode %s: %w", r.Kind, err)
		}
		old, err := json.Marshal(o.old)
		if err != nil {
			return nil, fmt.Errorf("encode %s: %w", r.Kind, err)
		}
		all = append(all, measure.Object{Kind: r.Kind, Size: size, State: o.state, Documents: [][]byte{doc}, Old: old})
	}
	return all, nil
}
