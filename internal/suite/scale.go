package suite

import (
	"fmt"
	"math"
	"strings"

	"github.com/prune-gen/prune-gen/internal/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// scale updates the object by its scale subresource.
func (r *Run) scale(old map[string]any) {
	resource, err := r.Variant.resource(r.Case.Initial, r.Suite.Version)
	switch {
	case err != nil:
	case resource.Scale == nil:
		err = fmt.Errorf("the kind %s has no scale subresource", resource.Kind)
	case r.Case.Updated.kind != "Scale":
		err = fmt.Errorf("the updated object is not a Scale")
	}
	if err != nil {
		r.fail(r.Case.Updated.Line, "%v", err)
		return
	}
	old = r.read(r.Variant, resource, old)
	replicas, ok := wantedReplicas(r.Case.Updated.node)
	switch {
	case !ok:
		r.Refusal = unreadableScale
	case replicas == math.MinInt32: // which stands for none in the server
		r.Refusal = fmt.Sprintf("the spec replicas field %q cannot be empty", resource.Scale.SpecReplicasPath)
	}
	if r.Refusal != "" {
		r.refusal = &prunert.Refusal{Message: strings.TrimSuffix(r.Refusal, schemeName)}
		r.refused(nil)
		return
	}
	obj := jsonvalue.Copy(old)
	within := obj
	steps := strings.Split(strings.TrimPrefix(resource.Scale.SpecReplicasPath, "."), ".")
	for _, step := range steps[:len(steps)-1] {
		next, _ := within[step].(map[string]any)
		if next == nil {
			next = map[string]any{}
			within[step] = next
		}
		within = next
	}
	within[steps[len(steps)-1]] = replicas
	a := r.request(resource, nil, obj, old, "")
	r.Stored = a.Object
	r.last(a, false)
}

// unreadableScale is a server's error about a Scale that it cannot decode. Making the proper error fails, because the scheme of custom
// resources has no Scale.
const unreadableScale = "no kind is registered for the type v1.Scale in scheme" + schemeName

// schemeName is the name of that scheme. The line is that of Kubernetes 1.37.
const schemeName = ` "pkg/runtime/scheme.go:111"`

// wantedReplicas returns the replicas that a Scale asks for. It reports false if a server cannot decode the Scale into its Go type, in
// which null and what is missing are 0.
func wantedReplicas(scale *yamltext.Node) (replicas int64, ok bool) {
	spec, status := scale.Child("spec"), scale.Child("status")
	selector := status.Child("selector")
	if !spec.IsNull() && spec.Kind != yamltext.Map || !status.IsNull() && status.Kind != yamltext.Map || !selector.IsNull() && selector.Kind != yamltext.String {
		return 0, false
	}
	if _, ok = int32Of(status.Child("replicas")); !ok {
		return 0, false
	}
	return int32Of(spec.Child("replicas"))
}

// int32Of returns n as an int32. It reports false if that cannot hold n.
func int32Of(n *yamltext.Node) (i int64, ok bool) {
	if n.IsNull() {
		return 0, true
	}
	switch v := n.Value().(type) {
	case int64:
		i, ok = v, true
	case float64: // YAML becomes JSON first, in which 3.0 is 3
		i = int64(v)
		ok = float64(i) == v
	}
	return i, ok && i == int64(int32(i))
}
