package apiserver

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// ruled lists modules whose CRDs have CEL rules.
var ruled = []source{
	{"sigs.k8s.io/gateway-api@v1.4.0", "config/crd/standard/*.yaml"},
	{"sigs.k8s.io/cluster-api@v1.14.2", "core/config/crd/bases/cluster.x-k8s.io_*.yaml"},
	{"sigs.k8s.io/kueue@v0.15.0", "config/components/crd/bases/*.yaml"},
	{"sigs.k8s.io/karpenter@v1.8.0", "pkg/apis/crds/*.yaml"},
	{"sigs.k8s.io/jobset@v0.8.0", "config/components/crd/bases/*.yaml"},
	{"github.com/cert-manager/cert-manager@v1.21.2", "deploy/crds/cert-manager.io_*issuers.yaml"},
	{"github.com/prometheus-operator/prometheus-operator@v0.85.0", "example/prometheus-operator-crd/monitoring.coreos.com_prometheusagents.yaml"},
}

// Requests about kinds with CEL rules are answered as the server answers them. testdata/ruled has objects that rules accept; changed
// and random ones make rules false, or fail.
func TestRulesAnswerAsTheServerDoes(t *testing.T) {
	var files []string
	for _, m := range ruled {
		for _, file := range m.find(t) {
			files = append(files, written(t, file, asItIs))
		}
	}
	files = append(files, "testdata/crds/ruleds.yaml") // which has generated code, too
	s, resources := install(t, files...)
	seeds := seedObjects(t)
	for _, obj := range objectsIn(t, "testdata/ruled") {
		kind := obj["kind"].(string)
		seeds[kind] = append(seeds[kind], obj)
		r := resourceOf(t, resources, obj)
		if resp := do(t, s, http.MethodPost, r.collection()+"?dryRun=All&fieldValidation=Strict", server.JSON, obj); resp.Code != http.StatusCreated {
			t.Errorf("%s: %d %s", kind, resp.Code, resp.Body)
		}
	}
	c := &comparison{server: s, known: map[string]int{}, asked: map[string]int{}, codes: map[int]int{}}
	counts := &ruleCounts{}
	kinds := map[string]bool{}
	withCode := 0
	for _, name := range slices.Sorted(maps.Keys(resources)) {
		r := resources[name]
		if !r.version.Served {
			continue
		}
		a := newAnswering(t, r, seeds)
		if !a.by["the interpreter"].HasRules {
			continue
		}
		kinds[r.crd.Names.Kind] = true
		for by, ours := range a.by {
			a.by[by] = counts.counting(ours)
		}
		c.compareRequests(t, a)
		if len(a.by) > 1 {
			for range 5 {
				c.compareRequests(t, a)
			}
			withCode++
		}
	}
	t.Logf("%d kinds with rules: %s", len(kinds), strings.Join(slices.Sorted(maps.Keys(kinds)), ", "))
	t.Logf("%+v", *counts)
	t.Logf("requests %v, codes %v, %d warnings, %d refusals compared, %d of them byte for byte, %d causes, known differences %v",
		c.asked, c.codes, c.warnings, c.refusals, c.inOrder, c.causes, c.known)
	if len(kinds) < 10 || withCode == 0 || counts.True < 100 || counts.False < 100 || counts.Failing < 10 || counts.Warnings < 50 {
		t.Error("the comparison is hollow")
	}
}

// ruleCounts counts what rules say. Most requests are answered twice, as bytes and decoded.
type ruleCounts struct {
	True     int // answers for which no rule says anything
	False    int // errors because a rule is false
	Failing  int // errors because a rule could not be evaluated
	Warnings int // about values that have not changed
}

// counting returns a resource that does the same, and counts.
func (n *ruleCounts) counting(r prunert.Resource) prunert.Resource {
	validate := r.ValidateRules
	r.ValidateRules = func(obj, old map[string]any) (prunert.ErrorList, []string) {
		errs, warnings := validate(obj, old)
		if len(errs) == 0 && len(warnings) == 0 {
			n.True++
		}
		for _, e := range errs {
			if strings.Contains(e.Detail, " evaluating rule: ") || strings.Contains(e.Detail, "call arguments did not match") {
				n.Failing++
			} else {
				n.False++
			}
		}
		n.Warnings += len(warnings)
		return errs, warnings
	}
	return r
}
