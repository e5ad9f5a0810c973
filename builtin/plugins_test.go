package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"k8s.io/kubernetes/pkg/apis/resource"
)

// byPlugins are the differences that the default admission plugins make, in a cluster that has a namespace with its ServiceAccount and
// nothing else. A difference is a kind with a field of the stored object, or with the code and the message of a refusal.
var byPlugins = []struct {
	plugin      string
	differences *regexp.Regexp
}{
	{"DefaultTolerationSeconds", regexp.MustCompile(`^Pod spec\.tolerations$`)},
	{"Priority", regexp.MustCompile(`^Pod (spec\.(priority|preemptionPolicy)$|403 .*(the integer value of priority|no PriorityClass with name))`)},
	{"ServiceAccount", regexp.MustCompile(`^Pod (spec\.(serviceAccount(Name)?|volumes|(c|initC)ontainers\[\]\.volumeMounts)$|403 .*error looking up service account)`)},
	{"StorageObjectInUseProtection", regexp.MustCompile(`^PersistentVolume(Claim)? metadata\.finalizers$`)},
	{"TaintNodesByCondition", regexp.MustCompile(`^Node spec\.taints$`)},
}

// What an API server with its default admission plugins stores and refuses otherwise is what docs/builtin.md lists.
func TestWithDefaultPlugins(t *testing.T) {
	if !large() {
		t.Skip("left to a larger run: starts another API server; PRUNE_GEN_TEST=all includes it")
	}
	docs, err := os.ReadFile("../docs/builtin.md")
	if err != nil {
		t.Fatal(err)
	}
	s, err := newServer()
	if err != nil {
		t.Fatal(err)
	}
	examples := readExamples(t, s)
	// What configures plugins comes last, as they notice it only later that it is gone again.
	configures := func(e map[string]any) int {
		kind := fmt.Sprint(e["kind"])
		if strings.HasPrefix(fmt.Sprint(e["apiVersion"]), "admissionregistration.") || strings.HasSuffix(kind, "Class") || kind == "LimitRange" || kind == "ResourceQuota" {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(examples, func(a, b map[string]any) int { return configures(a) - configures(b) })
	p := newPeer(t)
	p.create("/api/v1/namespaces", fmt.Sprintf(`{"metadata": {"name": "plugins", "labels": {%q: "true"}}}`, resource.DRAAdminNamespaceLabelKey))
	p.create("/api/v1/namespaces/plugins/serviceaccounts", `{"metadata": {"name": "default"}}`)
	found, seen := map[string]int{}, map[string]bool{}
	for i, e := range examples {
		q := &question{Namespace: "plugins", FieldValidation: "Strict", Object: encode(asNew(e, i))}
		q.head = headOf(q.Object)
		r, err := s.resource(q.head.apiVersion, q.head.kind)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range differences(s.write(r, q), p.ask(r, q)) {
			found[q.head.kind+" "+d]++
		}
	}
	for _, d := range slices.Sorted(maps.Keys(found)) {
		t.Logf("%6d %s", found[d], d)
		known := false
		for _, by := range byPlugins {
			if by.differences.MatchString(d) {
				known, seen[by.plugin] = true, true
			}
		}
		if !known {
			t.Errorf("no plugin is known to make the difference %s", d)
		}
	}
	for _, by := range byPlugins {
		if !seen[by.plugin] || !strings.Contains(string(docs), "| "+by.plugin+" |") {
			t.Errorf("%s makes no difference, or docs/builtin.md does not name it", by.plugin)
		}
	}
}

// differences returns what is different in the second of two responses: fields, or the status and its message.
func differences(without, with *response) []string {
	var all []string
	if with.code != without.code || !with.isOK() {
		if comparable(with) != comparable(without) {
			var status struct{ Message string }
			json.Unmarshal(with.body, &status)
			all = append(all, fmt.Sprintf("%d %s", with.code, status.Message))
		}
		return all
	}
	if !slices.Equal(with.warnings, without.warnings) {
		all = append(all, fmt.Sprintf("warnings %q", with.warnings))
	}
	var have, want any
	json.Unmarshal([]byte(bodyOf(without)), &have)
	json.Unmarshal([]byte(bodyOf(with)), &want)
	var walk func(have, want any, at string)
	walk = func(have, want any, at string) {
		switch have := have.(type) {
		case map[string]any:
			if want, ok := want.(map[string]any); ok {
				for _, key := range slices.Sorted(maps.Keys(both(have, want))) {
					walk(have[key], want[key], at+"."+key)
				}
				return
			}
		case []any:
			if want, ok := want.([]any); ok && len(want) == len(have) {
				for i := range have {
					walk(have[i], want[i], at+"[]")
				}
				return
			}
		}
		if !reflect.DeepEqual(have, want) {
			all = append(all, strings.TrimPrefix(at, "."))
		}
	}
	walk(have, want, "")
	slices.Sort(all)
	return slices.Compact(all)
}

// bodyOf returns the body of a response without what two servers cannot agree on.
func bodyOf(r *response) string {
	_, body, _ := strings.Cut(comparable(r), "\n")
	_, body, _ = strings.Cut(body, "\n")
	return body
}

// both returns a map with the keys of two others.
func both(a, b map[string]any) map[string]any {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}
