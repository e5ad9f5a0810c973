package speed

import (
	"encoding/json"
	"fmt"
	"maps"

	"github.com/prune-gen/prune-gen/hack/bench/set"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// The states of objects of kinds with CEL rules: no rule refuses it, and some do.
var (
	conforming = withRules("conforming", false, agreeOnRules(true))
	violating  = withRules("violating", true, agreeOnRules(false))
)

func withRules(name string, violate bool, agree func(*subject) error) *state {
	st := newState(name, set.Rules(), func(k *kind) ([]*subject, error) { return ruleSubjects(k.generated, violate) }, agree)
	st.batch = ruleBatchBytes
	return st
}

// ruleSubjects returns two objects that are made, and the largest manifest that a module ships, where one does. All are as the API
// server would store them. A conforming one replaces an object with another label, a violating one the conforming one.
func ruleSubjects(r prunert.Resource, violate bool) ([]*subject, error) {
	maker := ruleMakers[r.Kind]
	var all []*subject
	add := func(size string, obj map[string]any) error {
		old := runtime.DeepCopyJSON(obj)
		if violate {
			maker.violate(obj)
		} else {
			metadata := old["metadata"].(object)
			labels, _ := metadata["labels"].(object)
			metadata["labels"] = object{"before": "true"}
			maps.Copy(metadata["labels"].(object), labels)
		}
		doc, err := json.Marshal(obj)
		all = append(all, &subject{size: size, documents: [][]byte{doc}, old: old})
		return err
	}
	for _, size := range []struct {
		name     string
		elements int
	}{{"small", 1}, {"large", 12}} {
		doc, err := json.Marshal(object{
			"apiVersion": r.Group + "/" + r.Version, "kind": r.Kind, "spec": maker.spec(size.elements),
			"metadata": object{"labels": object{"app": "measured"}},
		})
		if err != nil {
			return nil, err
		}
		obj, err := store(r, doc)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", size.name, err)
		}
		if err := add(size.name, obj); err != nil {
			return nil, err
		}
	}
	shipped, err := manifests()
	if err != nil {
		return nil, err
	}
	if largest := largestValid(r, shipped[r.Kind]); largest != nil {
		return all, add("manifest", largest)
	}
	return all, nil
}

// store returns an object as the API server would store it.
func store(r prunert.Resource, doc []byte) (map[string]any, error) {
	var obj map[string]any
	if err := utiljson.Unmarshal(doc, &obj); err != nil {
		return nil, err
	}
	metadata, _ := obj["metadata"].(object)
	if metadata == nil {
		metadata = object{}
	}
	obj["metadata"] = metadata
	maps.Copy(metadata, object{
		"name": "measured", "resourceVersion": "1", "generation": int64(1), "uid": "6e6a6b4c-0a0f-4d3b-9a43-5f7d9d2f7a10",
		"creationTimestamp": "2025-01-02T03:04:05Z",
	})
	if r.Namespaced {
		metadata["namespace"] = "default"
	}
	unknown, err := r.Normalize(obj, prunert.NormalizeOptions{ReportUnknown: true})
	if err != nil {
		return nil, err
	}
	if len(unknown) > 0 {
		return nil, fmt.Errorf("unknown: %q", unknown)
	}
	if errs, _ := r.ValidateAll(obj, nil); len(errs) > 0 {
		return nil, errs[0]
	}
	return obj, nil
}

// ruleMakers makes objects of the kinds with CEL rules. spec returns the spec of an object that no rule refuses, with lists of n
// elements; violate makes a rule false, or several.
var ruleMakers = map[string]struct {
	spec    func(n int) object
	violate func(obj map[string]any)
}{
	"HTTPRoute":       {httpRouteSpec, violateHTTPRoute},
	"Gateway":         {gatewaySpec, violateGateway},
	"Cluster":         {clusterSpec, violateCluster},
	"PrometheusAgent": {prometheusAgentSpec, violatePrometheusAgent},
	"JobSet":          {jobSetSpec, violateJobSet},
	"Issuer":          {issuerSpec, violateIssuer},
	"NodePool":        {nodePoolSpec, violateNodePool},
	"Usage":           {usageSpec, violateUsage},
}

// object and list are parts of objects that are made.
type (
	object = map[string]any
	list   = []any
)

// repeat returns a list of n elements.
func repeat(n int, element func(i int) any) list {
	all := make(list, n)
	for i := range all {
		all[i] = element(i)
	}
	return all
}

// numbered returns a text with a number in it.
func numbered(format string, i int) string { return fmt.Sprintf(format, i) }

// spec returns the spec of an object.
func spec(obj map[string]any) object {
	s, _ := obj["spec"].(object)
	return s
}

func httpRouteSpec(n int) object {
	return object{
		"parentRefs": repeat(n, func(i int) any { return object{"name": numbered("gateway-%d", i), "sectionName": "https"} }),
		"hostnames":  repeat(n, func(i int) any { return numbered("host-%d.example.com", i) }),
		"rules": repeat(n, func(i int) any {
			return object{
				"matches": list{object{
					"path":    object{"type": "PathPrefix", "value": numbered("/prefix/%d", i)},
					"method":  "GET",
					"headers": list{object{"name": "version", "value": "two"}, object{"name": "env", "value": "canary"}},
				}},
				"filters": list{
					object{"type": "RequestHeaderModifier", "requestHeaderModifier": object{
						"add": list{object{"name": "my-header", "value": "added"}}, "remove": list{"x-request-id"},
					}},
					object{"type": "URLRewrite", "urlRewrite": object{
						"hostname": "elsewhere.example.com", "path": object{"type": "ReplacePrefixMatch", "replacePrefixMatch": "/"},
					}},
					object{"type": "RequestMirror", "requestMirror": object{
						"backendRef": object{"name": "mirror", "port": 8080}, "percent": 10,
					}},
				},
				"backendRefs": list{
					object{"name": numbered("first-%d", i), "port": 8080, "weight": 90},
					object{"name": numbered("second-%d", i), "port": 8080, "weight": 10},
				},
				"timeouts": object{"request": "10s", "backendRequest": "2s"},
			}
		}),
	}
}

// violateHTTPRoute refers to a parent twice, and to services without a port.
func violateHTTPRoute(obj map[string]any) {
	s := spec(obj)
	if parents, _ := s["parentRefs"].(list); len(parents) > 0 {
		s["parentRefs"] = append(parents, parents[0])
	}
	rules, _ := s["rules"].(list)
	for _, r := range rules {
		refs, _ := r.(object)["backendRefs"].(list)
		for _, ref := range refs {
			delete(ref.(object), "port")
		}
	}
}

func gatewaySpec(n int) object {
	return object{
		"gatewayClassName": "example",
		"infrastructure": object{
			"labels":      object{"example.com/team": "one", "tier": "front"},
			"annotations": object{"example.com/owner": "someone", "scale": "large"},
		},
		"addresses": repeat(n, func(i int) any { return object{"type": "IPAddress", "value": numbered("10.0.0.%d", i+1)} }),
		"listeners": repeat(n, func(i int) any {
			return object{
				"name": numbered("https-%d", i), "protocol": "HTTPS", "port": 443, "hostname": numbered("host-%d.example.com", i),
				"tls": object{"mode": "Terminate", "certificateRefs": list{object{"name": numbered("certificate-%d", i)}}},
				"allowedRoutes": object{
					"namespaces": object{"from": "Selector", "selector": object{"matchLabels": object{"routes": "allowed"}}},
					"kinds":      list{object{"kind": "HTTPRoute"}},
				},
			}
		}),
	}
}

// violateGateway has a listener for HTTP with TLS, and addresses that are not hostnames.
func violateGateway(obj map[string]any) {
	s := spec(obj)
	listeners, _ := s["listeners"].(list)
	for _, l := range listeners {
		l := l.(object)
		l["protocol"] = "HTTP"
		l["tls"] = object{"mode": "Terminate", "certificateRefs": list{object{"group": "", "kind": "Secret", "name": "certificate"}}}
	}
	addresses, _ := s["addresses"].(list)
	for _, a := range addresses {
		a.(object)["type"], a.(object)["value"] = "Hostname", "Not A Hostname"
	}
}

func clusterSpec(n int) object {
	conditions := func() list {
		return repeat(n, func(i int) any {
			return object{"type": numbered("Condition%d", i), "status": "False", "timeoutSeconds": 300}
		})
	}
	check := func() object { return object{"checks": object{"unhealthyMachineConditions": conditions()}} }
	return object{
		"clusterNetwork":  object{"pods": object{"cidrBlocks": list{"192.168.0.0/16"}}, "serviceDomain": "cluster.local"},
		"controlPlaneRef": object{"apiGroup": "controlplane.cluster.x-k8s.io", "kind": "KubeadmControlPlane", "name": "control-plane"},
		"topology": object{
			"classRef": object{"name": "quick-start"}, "version": "v1.35.0",
			"controlPlane": object{"replicas": 3, "healthCheck": check()},
			"workers": object{"machineDeployments": repeat(n, func(i int) any {
				return object{"class": "default-worker", "name": numbered("md-%d", i), "replicas": 3, "healthCheck": check()}
			})},
		},
	}
}

// violateCluster checks a condition that others check.
func violateCluster(obj map[string]any) {
	topology := spec(obj)["topology"].(object)
	checks := topology["controlPlane"].(object)["healthCheck"].(object)["checks"].(object)
	for _, c := range checks["unhealthyMachineConditions"].(list) {
		c.(object)["type"] = "Ready"
	}
}

func prometheusAgentSpec(n int) object {
	return object{
		"mode": "StatefulSet", "replicas": 2, "shards": 3, "version": "v3.5.0", "image": "quay.io/prometheus/prometheus:v3.5.0", "logLevel": "info",
		"serviceAccountName":     "prometheus-agent",
		"podMonitorSelector":     object{"matchLabels": object{"team": "front"}},
		"serviceMonitorSelector": object{"matchLabels": object{"team": "front"}},
		"scrapeConfigSelector":   object{},
		"probeSelector":          object{},
		"resources":              object{"requests": object{"memory": "400Mi"}},
		"storage":                object{"volumeClaimTemplate": object{"spec": object{"accessModes": list{"ReadWriteOnce"}}}},
		"remoteWrite": repeat(n, func(i int) any {
			return object{
				"url": numbered("https://remote-%d.example.com/write", i), "name": numbered("remote-%d", i), "remoteTimeout": "30s",
				"basicAuth":           object{"username": object{"name": "secret", "key": "user"}, "password": object{"name": "secret", "key": "password"}},
				"writeRelabelConfigs": list{object{"sourceLabels": list{"__name__"}, "regex": "up", "action": "keep"}},
			}
		}),
	}
}

// violatePrometheusAgent asks for a DaemonSet with replicas.
func violatePrometheusAgent(obj map[string]any) {
	spec(obj)["mode"], spec(obj)["replicas"] = "DaemonSet", 2
}

func jobSetSpec(n int) object {
	return object{
		"network":       object{"enableDNSHostnames": true, "publishNotReadyAddresses": true},
		"successPolicy": object{"operator": "All", "targetReplicatedJobs": list{"job-0"}},
		"startupPolicy": object{"startupPolicyOrder": "AnyOrder"},
		"failurePolicy": object{"maxRestarts": 3, "rules": repeat(n, func(i int) any {
			return object{"name": numbered("rule-%d", i), "action": "FailJobSet", "onJobFailureReasons": list{"BackoffLimitExceeded"}}
		})},
		"replicatedJobs": repeat(n, func(i int) any {
			job := object{
				"name": numbered("job-%d", i), "replicas": 2,
				"template": object{"spec": object{
					"parallelism": 2, "completions": 2, "backoffLimit": 0,
					"template": object{"spec": object{"restartPolicy": "Never", "containers": list{object{
						"name": "worker", "image": "example.com/worker:1", "command": list{"/worker"},
						"ports": list{object{"containerPort": 3389, "protocol": "TCP"}},
						"env":   list{object{"name": "INDEX", "value": "1"}},
					}}}},
				}},
			}
			if i > 0 {
				job["dependsOn"] = list{object{"name": numbered("job-%d", i-1), "status": "Complete"}}
			}
			return job
		}),
	}
}

// violateJobSet lets the first job depend on another one, and changes what must not change.
func violateJobSet(obj map[string]any) {
	jobs := spec(obj)["replicatedJobs"].(list)
	jobs[0].(object)["dependsOn"] = list{object{"name": "none", "status": "Complete"}}
	spec(obj)["network"] = object{"enableDNSHostnames": false, "publishNotReadyAddresses": true}
}

func issuerSpec(n int) object {
	return object{
		"venafi": object{"zone": "devops", "tpp": object{"url": "https://tpp.example.com/vedsdk", "credentialsRef": object{"name": "secret"}}},
		"acme": object{
			"server": "https://acme.example.com/directory", "email": "someone@example.com", "privateKeySecretRef": object{"name": "account"},
			"solvers": repeat(n, func(i int) any {
				return object{
					"selector": object{"dnsZones": list{numbered("zone-%d.example.com", i)}},
					"dns01":    object{"cloudDNS": object{"project": "project", "serviceAccountSecretRef": object{"name": "secret", "key": "key"}}},
				}
			}),
		},
	}
}

// violateIssuer asks for two backends.
func violateIssuer(obj map[string]any) {
	venafi, _ := spec(obj)["venafi"].(object)
	if venafi == nil {
		venafi = object{"zone": "devops", "tpp": object{"url": "https://tpp.example.com/vedsdk", "credentialsRef": object{"name": "secret"}}}
		spec(obj)["venafi"] = venafi
	}
	venafi["cloud"] = object{"apiTokenSecretRef": object{"name": "secret", "key": "api-key"}}
}

func nodePoolSpec(n int) object {
	return object{
		"weight": 10, "limits": object{"cpu": "1000"},
		"disruption": object{"consolidationPolicy": "WhenEmpty", "consolidateAfter": "1m", "budgets": list{object{"nodes": "10%"}}},
		"template": object{
			"metadata": object{"labels": object{"example.com/team": "front"}},
			"spec": object{
				"nodeClassRef": object{"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"},
				"requirements": repeat(n, func(i int) any {
					return object{"key": numbered("example.com/key-%d", i), "operator": "In", "values": list{"one", "two"}}
				}),
			},
		},
	}
}

// violateNodePool asks for a label that is restricted, and gives the budget a duration only.
func violateNodePool(obj map[string]any) {
	requirements := spec(obj)["template"].(object)["spec"].(object)["requirements"].(list)
	requirements[0].(object)["key"] = "karpenter.sh/nodepool"
	spec(obj)["disruption"].(object)["budgets"].(list)[0].(object)["duration"] = "1h0m"
}

func usageSpec(n int) object {
	labels := object{}
	for i := range n {
		labels[numbered("example.com/label-%d", i)] = "one"
	}
	return object{
		"of": object{"apiVersion": "example.com/v1", "kind": "Database", "resourceRef": object{"name": "database"}},
		"by": object{"apiVersion": "example.com/v1", "kind": "Release", "resourceSelector": object{"matchLabels": labels}},
	}
}

// violateUsage selects nothing, for no reason.
func violateUsage(obj map[string]any) {
	delete(spec(obj)["of"].(object), "resourceRef")
	delete(spec(obj), "by")
}
