package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apiserver/pkg/storage/etcd3/testserver"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/client-go/rest"
	kubeapiserver "k8s.io/kubernetes/cmd/kube-apiserver/app/testing"
	"k8s.io/kubernetes/pkg/apis/resource"
	"k8s.io/kubernetes/pkg/controlplane"
	kubeoptions "k8s.io/kubernetes/pkg/kubeapiserver/options"
)

var (
	requests = flag.Int("requests", 6000, "how many requests to compare")
	seed     = flag.Uint64("seed", 1, "of the faults")
)

// What is served by default here is what the API server serves by default.
func TestServedByDefault(t *testing.T) {
	have, want := enabled(), controlplane.DefaultAPIResourceConfigSource()
	for gv, on := range want.GroupVersionConfigs {
		if have.GroupVersionConfigs[gv] != on && !strings.HasPrefix(gv.Group, "auth") && gv.Group != "internal.apiserver.k8s.io" {
			t.Errorf("%s: %t, want %t", gv, !on, on)
		}
	}
	if len(want.ResourceConfigs) > 0 {
		t.Errorf("resources are configured one by one: %v", want.ResourceConfigs)
	}
}

// peer is a real API server.
type peer struct {
	t      *testing.T
	url    string
	client *http.Client
}

// withoutPlugins is the flag of an API server that has no admission plugins.
var withoutPlugins = "--disable-admission-plugins=" + strings.Join(kubeoptions.AllOrderedPlugins, ",")

// newPeer starts an API server that takes privileged containers. Without the plugins that watch namespaces, some starts fail: informers are
// started while the controller that makes the first namespaces asks for its own, which is then never started.
func newPeer(t *testing.T, flags ...string) *peer {
	etcd := testserver.RunEtcd(t, nil)
	config := storagebackend.NewDefaultConfig("/registry", nil)
	config.Transport.ServerList = etcd.Endpoints()
	flags = append(flags, "--allow-privileged=true", "--service-cluster-ip-range=10.0.0.0/16,fd00::/108", "--authorization-mode=AlwaysAllow")
	started, err := kubeapiserver.StartTestServer(t, &ofPeer, flags, config)
	for again := 0; err != nil && again < 3; again++ {
		t.Log(err)
		started, err = kubeapiserver.StartTestServer(t, &ofPeer, flags, config)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(started.TearDownFn)
	started.ClientConfig.QPS = -1
	client, err := rest.HTTPClientFor(started.ClientConfig)
	if err != nil {
		t.Fatal(err)
	}
	return &peer{t, started.ClientConfig.Host, client}
}

func (p *peer) send(method, path, contentType, fieldValidation string, body []byte) *response {
	req, err := http.NewRequest(method, p.url+path+"?fieldValidation="+fieldValidation, bytes.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Content-Type", contentType)
	got, err := p.client.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer got.Body.Close()
	r := &response{code: got.StatusCode}
	if r.body, err = io.ReadAll(got.Body); err != nil {
		p.t.Fatal(err)
	}
	warnings, _ := utilnet.ParseWarningHeaders(got.Header["Warning"])
	for _, w := range warnings {
		r.warnings = append(r.warnings, w.Text)
	}
	return r
}

// create creates what requests need.
func (p *peer) create(path, object string) {
	if got := p.send(http.MethodPost, path, "application/json", "Ignore", []byte(object)); !got.isOK() {
		p.t.Fatalf("%s: %s", path, got.body)
	}
}

// ask does what server.write does, and removes the object again.
func (p *peer) ask(r *served, q *question) *response {
	path := r.path(cmp.Or(q.Namespace, q.head.namespace))
	object := path + "/" + q.head.name
	defer p.send(http.MethodDelete, object, "application/json", "", []byte(`{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":0,"propagationPolicy":"Background"}`))
	if q.Old == nil {
		return p.send(http.MethodPost, path, "application/json", q.FieldValidation, q.Object)
	}
	old := p.send(http.MethodPost, path, "application/json", "Ignore", q.Old)
	if old.isOK() && r.hasStatus && headOf(q.Old).hasStatus {
		old = p.send(http.MethodPut, object+"/status", "application/json", "Ignore", identified(q.Old, old.body))
	}
	if old.ofOld = true; !old.isOK() {
		return old
	}
	patch, err := r.patch(q.Old, q.Object, old.body)
	if err != nil {
		return p.send(http.MethodPut, object, "application/json", q.FieldValidation, identified(q.Object, old.body))
	}
	return p.send(http.MethodPatch, object, "application/strategic-merge-patch+json", q.FieldValidation, patch)
}

// hasNoOtherKinds checks that every kind that the API server creates by default is served here, but for reviews, bindings, and what other
// servers serve.
func (p *peer) hasNoOtherKinds(s *server) {
	for gv, on := range controlplane.DefaultAPIResourceConfigSource().GroupVersionConfigs {
		if !on || gv.Group == "authentication.k8s.io" || gv.Group == "authorization.k8s.io" {
			continue
		}
		path := "/apis/" + gv.String()
		if gv.Group == "" {
			path = "/api/v1"
		}
		var list metav1.APIResourceList
		if err := json.Unmarshal(p.send(http.MethodGet, path, "", "", nil).body, &list); err != nil || len(list.APIResources) == 0 {
			p.t.Fatalf("%s: %v", path, err)
		}
		for _, r := range list.APIResources {
			if s.resources[gv.WithKind(r.Kind)] == nil && !strings.Contains(r.Name, "/") && slices.Contains(r.Verbs, "create") && r.Kind != "Binding" {
				p.t.Errorf("%s %s is not served here", gv, r.Kind)
			}
		}
	}
}

// volatile matches what two servers cannot agree on: identities, times, the node ports of a port that is there twice, and addresses in
// memory, which 1.33 prints with some values.
var volatile = regexp.MustCompile(`\(0x[0-9a-f]+\)|Duplicate value: 3[0-2]\d{3}\b|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)

// comparable returns what an answer must have in common with that of another server.
func comparable(r *response) string {
	var body any
	json.Unmarshal(r.body, &body)
	fields, _ := body.(map[string]any)
	if metadata, ok := fields["metadata"].(map[string]any); ok {
		for _, name := range []string{"managedFields", "resourceVersion"} {
			delete(metadata, name)
		}
	}
	if spec, ok := fields["spec"].(map[string]any); ok && fields["kind"] == "Service" {
		for _, name := range []string{"clusterIP", "clusterIPs"} {
			if spec[name] != nil && !strings.Contains(fmt.Sprint(spec[name]), "None") {
				spec[name] = "allocated"
			}
		}
		delete(spec, "healthCheckNodePort")
		ports, _ := spec["ports"].([]any)
		for _, p := range ports {
			delete(p.(map[string]any), "nodePort")
		}
	}
	if spec, ok := fields["spec"].(map[string]any); ok && fields["kind"] == "CertificateSigningRequest" {
		for _, name := range []string{"username", "uid", "groups", "extra"} { // of who asks
			delete(spec, name)
		}
	}
	if details, ok := fields["details"].(map[string]any); ok {
		if causes, _ := details["causes"].([]any); len(causes) > 1 { // some come in the order of a Go map
			slices.SortFunc(causes, func(a, b any) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
			message := strings.Split(volatile.ReplaceAllString(fmt.Sprint(fields["message"]), "…"), "") // which lists them
			slices.Sort(message)
			fields["message"] = strings.Join(message, "")
		}
	}
	text, _ := json.MarshalIndent(body, "", " ")
	return volatile.ReplaceAllString(fmt.Sprintf("%d old %t\n%q\n%s", r.code, r.ofOld, r.warnings, text), "…")
}

// Answers are those of a real API server: to examples as they are, and to examples with faults, created and applied.
func TestSameAsAPIServer(t *testing.T) {
	s, err := newServer()
	if err != nil {
		t.Fatal(err)
	}
	examples := readExamples(t, s)
	p := newPeer(t, withoutPlugins)
	p.hasNoOtherKinds(s)
	const privileged = "privileged"
	p.create("/api/v1/namespaces", fmt.Sprintf(`{"metadata": {"name": %q, "labels": {%q: "true"}}}`, privileged, resource.DRAAdminNamespaceLabelKey))
	rng := rand.New(rand.NewPCG(*seed, 0))
	counts, wrong := map[string]int{}, 0
	for i := range *requests {
		e := examples[i%len(examples)]
		q := &question{Namespace: fmt.Sprintf("n%d", i), FieldValidation: []string{"Strict", "Warn", "Ignore"}[rng.IntN(3)]}
		object := asNew(e, i)
		if strings.HasPrefix(fmt.Sprint(object["kind"]), "ResourceClaim") { // which looks at its namespace
			q.Namespace = privileged
		}
		verb := "create"
		if i >= len(examples) && rng.IntN(3) == 0 { // the faults are in the new object
			q.Old, verb = encode(object), "apply"
			object = copyOf(object)
		}
		if i >= len(examples) {
			for range 1 + rng.IntN(2) {
				breakSomething(rng, object)
			}
		}
		q.Object = encode(object)
		q.head = headOf(q.Object)
		r, err := s.resource(q.head.apiVersion, q.head.kind)
		if err != nil || q.head.name == "" || strings.ContainsAny(q.head.name, "/%?#") {
			counts["not sent"]++
			continue
		}
		have, want := s.write(r, q), p.ask(r, q)
		counts[fmt.Sprintf("%s %d", verb, want.code)]++
		if have, want := comparable(have), comparable(want); have != want {
			if wrong++; wrong <= 20 {
				t.Errorf("request %d, %s %s %s with %s:\n%s\nold %s\nhere: %s\nAPI server: %s", i, verb, q.head.kind, q.head.name, q.FieldValidation, q.Object, q.Old, cut(have), cut(want))
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d requests are answered differently", wrong)
	}
	if sent := *requests - counts["not sent"]; sent < *requests*3/4 {
		t.Errorf("only %d of %d requests were sent", sent, *requests)
	}
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%6d %s", counts[what], what)
	}
	kinds := map[string]bool{}
	for _, e := range examples {
		kinds[fmt.Sprint(e["apiVersion"], e["kind"])] = true
	}
	t.Logf("%d examples of %d kinds, of %d", len(examples), len(kinds), len(s.resources))
	if len(kinds) != len(s.resources) {
		t.Errorf("there are examples of %d kinds, and %d are served", len(kinds), len(s.resources))
	}
}

// asNew returns example i as somebody creates it who has no other objects.
func asNew(example map[string]any, i int) map[string]any {
	object := copyOf(example)
	metadata, _ := object["metadata"].(map[string]any)
	if metadata == nil {
		metadata = map[string]any{}
		object["metadata"] = metadata
	}
	name, _ := metadata["name"].(string)
	metadata["name"] = cmp.Or(name, "example")
	switch object["kind"] {
	case "Namespace", "PersistentVolume", "PersistentVolumeClaim": // which take their time to go
		metadata["name"] = fmt.Sprintf("%s-%d", metadata["name"], i)
	}
	if spec, ok := object["spec"].(map[string]any); ok && spec["clusterIP"] != "None" && object["kind"] == "Service" {
		delete(spec, "clusterIP") // which somebody else may have
		delete(spec, "clusterIPs")
	}
	for _, name := range []string{"namespace", "resourceVersion", "generateName", "uid", "managedFields", "deletionTimestamp", "finalizers", "ownerReferences"} {
		delete(metadata, name)
	}
	return object
}

func cut(text string) string { return text[:min(len(text), 3000)] }

func encode(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

func copyOf(object map[string]any) map[string]any {
	var same map[string]any
	if err := json.Unmarshal(encode(object), &same); err != nil {
		panic(err)
	}
	return same
}

// breakSomething makes one mistake at a random place below an object, but not in its identity.
func breakSomething(rng *rand.Rand, object map[string]any) {
	type place struct {
		in  any
		key string
		at  int
	}
	var places []place
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				places = append(places, place{v, key, 0})
				walk(v[key])
			}
		case []any:
			for i := range v {
				places = append(places, place{v, "", i})
				walk(v[i])
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if key != "apiVersion" && key != "kind" && key != "metadata" {
			places = append(places, place{object, key, 0})
			walk(object[key])
		}
	}
	if metadata, _ := object["metadata"].(map[string]any); rng.IntN(10) == 0 || len(places) == 0 {
		name := []string{"labels", "annotations", "generation", "selfLink"}[rng.IntN(4)]
		metadata[name] = []any{map[string]any{"a b": "c"}, map[string]any{"a": "b c!"}, map[string]any{"a": int64(1)}, "text", nil, int64(3)}[rng.IntN(6)]
		return
	}
	p := places[rng.IntN(len(places))]
	values := []any{nil, "", "UPPER case", strings.Repeat("x", 300), int64(-1), int64(0), int64(70000), int64(1) << 40, 1.5, true, []any{}, map[string]any{}, "10Mi", "1x", "a/b"}
	switch in := p.in.(type) {
	case map[string]any:
		switch rng.IntN(5) {
		case 0:
			delete(in, p.key)
		case 1:
			in[p.key+"x"] = in[p.key] // a field that is misspelt
			delete(in, p.key)
		case 2:
			in["unknown"] = in[p.key]
		default:
			in[p.key] = values[rng.IntN(len(values))]
		}
	case []any:
		if other := in[rng.IntN(len(in))]; rng.IntN(2) == 0 {
			in[p.at] = other // an element that is there twice
			return
		}
		in[p.at] = values[rng.IntN(len(values))]
	}
}
