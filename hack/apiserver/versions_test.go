package apiserver

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	ourserver "github.com/prune-gen/prune-gen/kube/apiserver"
	"github.com/prune-gen/prune-gen/kube/apiserver/options"
	"github.com/prune-gen/prune-gen/kube/prunetest"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"
)

// convertedKinds are well-known kinds of several versions. Where byURL, our server calls the webhook as well, else a handler.
var convertedKinds = []struct {
	source
	byURL bool
}{
	{source{"sigs.k8s.io/cluster-api@v1.14.2", "core/config/crd/bases/cluster.x-k8s.io_machinedeployments.yaml"}, false},
	{source{"github.com/prometheus-operator/prometheus-operator@v0.85.0", "example/prometheus-operator-crd-full/monitoring.coreos.com_alertmanagerconfigs.yaml"}, true},
	{source{"sigs.k8s.io/gateway-api@v1.4.0", "config/crd/standard/gateway.networking.k8s.io_httproutes.yaml"}, false},
}

// convertedWorld is one of the two servers: the real one, and ours, which keeps its objects in the same etcd.
type convertedWorld struct {
	name, url, prefix string
	webhook           *nastyWebhook
	// known are the uid and the resourceVersion of objects, by namespace and name.
	known map[string][2]string
}

// converting compares the two.
type converting struct {
	*testing.T
	real             *server.Server
	crd              *structural.CRD
	hub              string // the apiVersion that is stored
	worlds           [2]*convertedWorld
	random           *rand.Rand
	valid, invalid   []*unstructured.Unstructured
	requests, events int
	answers          map[string]int
	bad              int
}

// Objects of several versions, with a webhook that does everything wrong at times: our server answers and stores what the real one does.
func TestVersionsConvertAsOnTheServer(t *testing.T) {
	testsize.NotShort(t)
	namespaces, actions := testsize.Pick(2, 20), testsize.Pick(20, 40)
	for i, k := range convertedKinds {
		t.Run(filepath.Base(k.files), func(t *testing.T) {
			t.Parallel()
			c := newConverting(t, k.find(t)[0], k.byURL)
			for n := range namespaces {
				c.random = rand.New(rand.NewPCG(uint64(i), uint64(n)))
				c.session(fmt.Sprintf("ns%d", n), actions, uint64(n))
			}
			t.Logf("%d requests, %d events, answers %v", c.requests, c.events, c.answers)
			for _, want := range []string{"2xx", "webhook", "422", "409"} {
				if c.answers[want] == 0 {
					t.Errorf("no answer is %s", want)
				}
			}
		})
	}
}

// newConverting starts both servers.
func newConverting(t *testing.T, file string, byURL bool) *converting {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c := &converting{T: t, real: start(t), answers: map[string]int{}}
	if c.crd, err = load.CRD(data, load.Options{}); err != nil {
		t.Fatal(err)
	}
	var crd apiextensionsv1.CustomResourceDefinition
	if err := yaml.Unmarshal(data, &crd); err != nil {
		t.Fatal(err)
	}
	for _, v := range crd.Spec.Versions {
		if v.Storage {
			c.hub = crd.Spec.Group + "/" + v.Name
		}
	}
	resources, err := dynamic.Compile(c.crd)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"the server", "ours"} {
		w := &convertedWorld{name: name, url: c.real.URL, prefix: "/registry", webhook: newNastyWebhook(c.hub, resources), known: map[string][2]string{}}
		hook := httptest.NewTLSServer(w.webhook)
		t.Cleanup(hook.Close)
		url := hook.URL + "/convert"
		crd.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.WebhookConverter, Webhook: &apiextensionsv1.WebhookConversion{
			ConversionReviewVersions: []string{"v2", "v1"},
			ClientConfig:             &apiextensionsv1.WebhookClientConfig{URL: &url, CABundle: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: hook.Certificate().Raw})},
		}}
		if i == 0 {
			if err := c.real.InstallCRDs(t.Context(), encode(t, crd)); err != nil {
				t.Fatal(err)
			}
		} else {
			w.url, w.prefix = c.startOurs(&crd, w.webhook, byURL), "/ours"
		}
		c.worlds[i] = w
	}
	if c.valid, c.invalid, err = prunetest.Objects(c.crd, 1); err != nil {
		t.Fatal(err)
	}
	return c
}

// startOurs starts our server with the etcd of the real one, and returns its address.
func (c *converting) startOurs(crd *apiextensionsv1.CustomResourceDefinition, webhook http.Handler, byURL bool) string {
	c.Helper()
	o := options.New()
	o.Local = true
	o.Recommended.Etcd.StorageConfig.Transport.ServerList = []string{c.real.EtcdURL}
	o.Recommended.Etcd.StorageConfig.Prefix = "/ours"
	o.Recommended.Etcd.EnableWatchCache, o.Recommended.Etcd.SkipHealthEndpoints = false, true
	listener, err := net.Listen("tcp", "127.0.0.1:0") // which nobody asks
	if err != nil {
		c.Fatal(err)
	}
	c.Cleanup(func() { listener.Close() })
	o.Recommended.SecureServing.Listener = listener
	generic, err := o.Config()
	if err != nil {
		c.Fatal(err)
	}
	generic.MaxRequestsInFlight, generic.MaxMutatingRequestsInFlight = 0, 0
	definition, err := ourserver.NewDefinition(crd)
	if err != nil {
		c.Fatal(err)
	}
	config := ourserver.Config{Generic: generic, Interpret: true, Definitions: []*ourserver.Definition{definition}}
	if !byURL {
		config.Conversion = map[schema.GroupKind]http.Handler{definition.GroupKind(): webhook}
	}
	s, err := config.New()
	if err != nil {
		c.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(c.Context()))
	prepared := s.PrepareRun()
	prepared.RunPostStartHooks(ctx)
	local := httptest.NewServer(prepared.Handler)
	c.Cleanup(func() {
		local.CloseClientConnections()
		local.Close()
		s.Destroy()
		stop()
	})
	return local.URL
}

func (c *converting) path(version, namespace, rest string) string {
	return server.Path(c.crd.Group, version, namespace, c.crd.Names.Plural) + rest
}

// What every server makes up.
var madeUp = []struct {
	pattern *regexp.Regexp
	to      string
}{
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), "UID"},
	{regexp.MustCompile(`"/registry/|Key: /(?:registry|ours)/|"/ours/`), "KEY/"},
	// The library that merges goes through maps at random, and names one of several fields. So are labels validated.
	{regexp.MustCompile(`"message":"(?:[^"\\]|\\.)*field not declared in schema(?:[^"\\]|\\.)*"`), `"message":"field not declared in schema"`},
	{regexp.MustCompile(`(returned invalid metadata[a-z0-9 ]*: \[)(?:[^"\\]|\\.)*`), "${1}several"},
	{regexp.MustCompile(`(object not decodable revision=)\d+`), "${1}RV"},
	{regexp.MustCompile(`(resourceVersion\\*":\\*")\d+`), "${1}RV"},
	{regexp.MustCompile(`((?:creationTimestamp|deletionTimestamp|time)\\*":\\*")[-0-9T:Z]+`), "${1}TIME"},
}

// normal returns what two servers have in common of a text, which may be JSON.
func normal(data []byte) string {
	var v any
	if utiljson.Unmarshal(data, &v) == nil {
		sortManagers(v)
		sortCauses(v)
		data, _ = json.Marshal(v)
	}
	for _, m := range madeUp {
		data = m.pattern.ReplaceAll(data, []byte(m.to))
	}
	return string(data)
}

// sortManagers sorts the managers of objects by their names: the order of those of the same second is another.
func sortManagers(v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			sortManagers(e)
			if all, ok := e.([]any); ok && k == "managedFields" {
				slices.SortFunc(all, func(a, b any) int {
					key := func(v any) string {
						m, _ := v.(map[string]any)
						return fmt.Sprint(m["manager"], m["operation"], m["apiVersion"], m["subresource"])
					}
					return cmp.Compare(key(a), key(b))
				})
			}
		}
	case []any:
		for _, e := range v {
			sortManagers(e)
		}
	}
}

// sortCauses sorts the errors of a refusal: the real server goes through maps at random.
func sortCauses(v any) {
	status, _ := v.(map[string]any)
	details, _ := status["details"].(map[string]any)
	if causes, _ := details["causes"].([]any); status["kind"] == "Status" && len(causes) > 1 {
		slices.SortFunc(causes, func(a, b any) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		delete(status, "message") // which has them all
	}
}

// ask sends a request to both servers, with what they know of an object for @uid and @version, and returns their answers.
func (c *converting) ask(object, method, path, mediaType string, body []byte) [2][]byte {
	c.Helper()
	var texts [2]string
	var answers [2][]byte
	for i, w := range c.worlds {
		before := w.webhook.reviews.Load()
		known := w.known[object]
		sent := bytes.ReplaceAll(bytes.ReplaceAll(body, []byte("@uid"), []byte(known[0])), []byte("@version"), []byte(known[1]))
		resp := w.send(c.T, method, path, mediaType, sent)
		defer resp.Body.Close()
		data, err := io.ReadAll(resp.Body)
		if err != nil {
			c.Fatal(err)
		}
		var obj unstructured.Unstructured
		if resp.StatusCode < 300 && json.Unmarshal(data, &obj.Object) == nil && object != "" && !strings.Contains(path, "dryRun") && obj.GetUID() != "" {
			w.known[object] = [2]string{string(obj.GetUID()), obj.GetResourceVersion()}
		}
		texts[i] = fmt.Sprintf("%d, %d reviews, warnings %q\n%s", resp.StatusCode, w.webhook.reviews.Load()-before, resp.Header.Values("Warning"), normal(data))
		answers[i] = data
		if i == 0 {
			c.requests++
			c.count(resp.StatusCode, data)
		}
	}
	c.compare(fmt.Sprintf("%s %s %s", method, path, body), texts)
	if object != "" {
		var stored [2]string
		for i, w := range c.worlds {
			r, err := c.real.Etcd.Get(c.Context(), w.prefix+"/"+c.crd.Group+"/"+c.crd.Names.Plural+"/"+object)
			if err != nil {
				c.Fatal(err)
			}
			for _, kv := range r.Kvs {
				stored[i] += normal(kv.Value)
			}
		}
		c.compare(fmt.Sprintf("stored after %s %s %s", method, path, body), stored)
	}
	return answers
}

func (c *converting) count(code int, answer []byte) {
	kind := fmt.Sprint(code)
	switch {
	case code < 300:
		kind = "2xx"
	case code == http.StatusInternalServerError && bytes.Contains(answer, []byte("conversion webhook")):
		kind = "webhook"
	}
	c.answers[kind]++
}

func (c *converting) compare(what string, texts [2]string) {
	c.Helper()
	if texts[0] == texts[1] {
		return
	}
	c.Errorf("%.3000s\n%s: %.6000s\n%s: %.6000s", what, c.worlds[0].name, texts[0], c.worlds[1].name, texts[1])
	if c.bad++; c.bad > 10 {
		c.FailNow()
	}
}

func (w *convertedWorld) send(t *testing.T, method, path, mediaType string, body []byte) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, w.url+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", mediaType)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

// pick returns one of several.
func pick[T any](r *rand.Rand, all ...T) T { return all[r.IntN(len(all))] }

// one returns an object of a version, which the server may refuse.
func (c *converting) one(version, namespace, name string) map[string]any {
	pool := c.valid
	if c.random.IntN(8) == 0 {
		pool = c.invalid
	}
	for {
		u := pick(c.random, pool...)
		if u.GroupVersionKind().Version != version {
			continue
		}
		u = u.DeepCopy()
		metadata, ok := u.Object["metadata"].(map[string]any)
		if !ok {
			continue
		}
		metadata["name"], metadata["namespace"] = name, namespace
		if c.random.IntN(4) == 0 {
			metadata["annotations"] = map[string]any{nastyAnnotation: c.nasty()}
		}
		return u.Object
	}
}

// nasty returns what the webhook does wrong.
func (c *converting) nasty() string {
	return pick(c.random, nastyKinds...) + "@" + pick(c.random, c.crd.Versions...).Name
}

// session does what clients do to the objects of a namespace.
func (c *converting) session(namespace string, actions int, seed uint64) {
	versions := []string{c.crd.Versions[0].Name, c.crd.Versions[1].Name}
	empty := c.ask("", http.MethodGet, c.path(versions[0], namespace, ""), "", nil)
	for _, name := range []string{"a", "b", "c"} {
		version := pick(c.random, versions...)
		c.ask(namespace+"/"+name, http.MethodPost, c.path(version, namespace, ""), server.JSON, encode(c.T, c.one(version, namespace, name)))
	}
	for n := range actions {
		version, name := pick(c.random, versions...), pick(c.random, "a", "b", "c")
		object, path := namespace+"/"+name, c.path(version, namespace, "/"+name)
		query := pick(c.random, "", "", "", "?dryRun=All", "?fieldValidation=Strict", "?fieldValidation=Ignore")
		part := pick(c.random, "", "", "/status")
		switch action := c.random.IntN(12); action {
		case 0, 1, 2:
			c.ask(object, http.MethodPost, c.path(version, namespace, query), server.JSON, encode(c.T, c.one(version, namespace, name)))
		case 3, 4:
			c.update(object, path, part+query, seed*1000+uint64(n), c.one(version, namespace, name))
		case 5:
			patch := map[string]any{"spec": c.one(version, namespace, name)["spec"]}
			c.ask(object, http.MethodPatch, path+part+query, server.MergePatch, encode(c.T, patch))
		case 6:
			patch := []any{map[string]any{"op": "add", "path": "/metadata/annotations", "value": map[string]any{nastyAnnotation: c.nasty()}}}
			c.ask(object, http.MethodPatch, path+query, server.JSONPatch, encode(c.T, patch))
		case 7, 8, 9:
			c.apply(object, path+part, c.one(version, namespace, name))
		case 10:
			c.ask(object, http.MethodDelete, path+strings.Replace(query, "?fieldValidation=", "?propagationPolicy=Background&x=", 1), server.JSON, nil)
		case 11:
			if c.random.IntN(4) == 0 {
				c.ask("", http.MethodDelete, c.path(version, namespace, ""), server.JSON, nil)
			}
		}
		for _, version := range versions {
			c.ask(object, http.MethodGet, c.path(version, namespace, "/"+name), "", nil)
			if n%5 == 0 {
				c.ask("", http.MethodGet, c.path(version, namespace, ""), "", nil)
				c.ask("", http.MethodGet, c.path(version, namespace, "/"+name+"/scale"), "", nil)
			}
		}
	}
	for _, u := range c.valid {
		if _, version, _ := strings.Cut(c.hub, "/"); u.GroupVersionKind().Version == version {
			end := u.DeepCopy()
			end.SetName("end")
			end.SetNamespace(namespace)
			c.ask(namespace+"/end", http.MethodPost, c.path(version, namespace, ""), server.JSON, encode(c.T, end.Object))
			break
		}
	}
	c.watch(namespace, empty)
}

// update changes an object as it is, or replaces it by another.
func (c *converting) update(object, path, rest string, seed uint64, other map[string]any) {
	c.Helper()
	answers := c.ask(object, http.MethodGet, path, "", nil)
	u := unstructured.Unstructured{Object: decode(c.T, answers[0])}
	if u.GetUID() == "" {
		return
	}
	changed := specimentest.Change{Seed: seed, OneIn: 30}.Of(u.Object)
	switch seed % 3 {
	case 0:
		changed["spec"], changed["status"] = other["spec"], other["status"]
	case 1:
		changed["status"] = other["status"]
	}
	metadata := within(changed, "metadata")
	metadata["uid"], metadata["resourceVersion"] = "@uid", "@version"
	delete(metadata, "creationTimestamp")
	delete(metadata, "managedFields")
	c.ask(object, http.MethodPut, path+rest, server.JSON, encode(c.T, changed))
}

// apply applies some fields of an object.
func (c *converting) apply(object, path string, obj map[string]any) {
	c.Helper()
	for _, part := range []string{"spec", "status"} {
		fields, _ := obj[part].(map[string]any)
		for _, k := range slices.Sorted(maps.Keys(fields)) {
			if len(fields) > 2 && (len(k)+c.random.IntN(2))%3 == 0 {
				delete(fields, k)
			}
		}
	}
	query := pick(c.random, "?fieldManager=me", "?fieldManager=you", "?fieldManager=me&force=true", "?fieldManager=you&force=true&dryRun=All")
	c.ask(object, http.MethodPatch, path+query, "application/apply-patch+yaml", encode(c.T, obj))
}

// watch compares the events of a namespace since lists of it, in every version: up to that of the object end, or of the first that cannot
// be converted.
func (c *converting) watch(namespace string, since [2][]byte) {
	c.Helper()
	for _, v := range c.crd.Versions {
		var texts [2]string
		for i, w := range c.worlds {
			var list unstructured.Unstructured
			if err := json.Unmarshal(since[i], &list.Object); err != nil {
				c.Fatal(err)
			}
			resp := w.send(c.T, http.MethodGet, c.path(v.Name, namespace, "?watch=true&timeoutSeconds=60&resourceVersion="+list.GetResourceVersion()), "", nil)
			for lines := bufio.NewReader(resp.Body); ; {
				line, err := lines.ReadBytes('\n')
				if texts[i] += normal(line) + "\n"; err != nil || bytes.Contains(line, []byte(`"name":"end"`)) {
					break
				}
			}
			resp.Body.Close()
		}
		c.requests++
		c.events += strings.Count(texts[0], "\n")
		c.compare("watch "+v.Name+" "+namespace, texts)
	}
}
