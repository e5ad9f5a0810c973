package apiserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// Requests of every sort are answered as the server answers them: what is stored, the warnings, the refusals.
func TestRequestsAreAnsweredAsTheServerDoes(t *testing.T) {
	var files []string
	for i, file := range append(corpusFiles(t), crdFiles(t)...) {
		files = append(files, written(t, file, asItIs))
		if i%2 == 0 { // installing a CRD takes longer than a hundred requests
			files = append(files, written(t, file, bare))
		}
	}
	start := time.Now()
	s, resources := install(t, files...)
	t.Logf("%d versions of kinds are served after %s", len(resources), time.Since(start).Round(time.Second))
	seeds := seedObjects(t)
	c := &comparison{server: s, known: map[string]int{}, asked: map[string]int{}, codes: map[int]int{}}
	for _, name := range slices.Sorted(maps.Keys(resources)) {
		r := resources[name]
		if !r.version.Served {
			continue
		}
		a := newAnswering(t, r, seeds)
		c.compareRequests(t, a)
	}
	c.finish(t)
}

// corpusFiles returns the files of the corpus.
func corpusFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, m := range corpus {
		files = append(files, m.find(t)...)
	}
	return files
}

// variant is a CRD of the same schemas.
type variant uint8

const (
	asItIs variant = iota
	bare           // without subresources, deprecated, in a group of its own, and in the other scope
)

// written writes a variant of the CRDs of a file to another one, and returns its name.
func written(t *testing.T, file string, v variant) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []byte
	for _, doc := range bytes.Split(data, []byte("\n---\n")) {
		if len(bytes.TrimSpace(doc)) == 0 {
			continue
		}
		crd := decodeYAML(t, doc)
		delete(crd, "status")
		if spec := crd["spec"].(map[string]any); v == bare {
			spec["group"] = "bare." + spec["group"].(string)
			metadata := crd["metadata"].(map[string]any)
			metadata["name"] = spec["names"].(map[string]any)["plural"].(string) + "." + spec["group"].(string)
			names := spec["names"].(map[string]any)
			names["kind"] = "Bare" + names["kind"].(string)
			names["listKind"] = names["kind"].(string) + "List"
			scopes := map[string]string{"Namespaced": "Cluster", "Cluster": "Namespaced"}
			spec["scope"] = scopes[spec["scope"].(string)]
			for i, v := range spec["versions"].([]any) {
				version := v.(map[string]any)
				delete(version, "subresources")
				version["deprecated"] = true
				if i == 0 && len(names["plural"].(string))%2 == 0 {
					version["deprecationWarning"] = "it is old"
				}
			}
		}
		text, err := yaml.Marshal(crd)
		if err != nil {
			t.Fatal(err)
		}
		out = append(append(out, text...), "\n---\n"...)
	}
	path := filepath.Join(t.TempDir(), filepath.Base(file))
	if err := os.WriteFile(path, out, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// seedObjects returns objects that the server accepts, by kind.
func seedObjects(t *testing.T) map[string][]map[string]any {
	t.Helper()
	all := map[string][]map[string]any{}
	for _, obj := range objectsIn(t, "testdata/corpus") {
		all[obj["kind"].(string)] = append(all[obj["kind"].(string)], obj)
	}
	for _, c := range objectCases(t, accepted) {
		obj := c.object()
		kind, _ := obj["kind"].(string)
		all[kind] = append(all[kind], obj)
	}
	return all
}

// objectsIn returns the objects in the files of a directory.
func objectsIn(t *testing.T, dir string) []map[string]any {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no objects: %v", err)
	}
	var all []map[string]any
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, decodeYAML(t, data))
	}
	return all
}

// answering is a version of a kind, with those who answer for it.
type answering struct {
	*resource
	seeds []map[string]any
	// by has the interpreter and, where there is some, generated code.
	by     map[string]prunert.Resource
	schema *structural.Schema
	rng    *rand.Rand
}

func newAnswering(t *testing.T, r *resource, seeds map[string][]map[string]any) *answering {
	t.Helper()
	kind := r.crd.Names.Kind
	a := &answering{resource: r, seeds: seeds[strings.TrimPrefix(kind, "Bare")], by: map[string]prunert.Resource{}}
	compiled, err := dynamic.Compile(r.crd)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range compiled {
		if c.Version == r.version.Name {
			a.by["the interpreter"] = c
		}
	}
	if g, ok := prunert.Lookup(r.crd.Group, r.version.Name, kind); ok {
		a.by["generated code"] = g
	}
	var errs []*structural.Error
	if a.schema, errs = structural.NewSchema(r.version.Schema, r.version.SchemaPath); len(errs) > 0 {
		t.Fatal(errs[0])
	}
	seed := uint64(7)
	if s := os.Getenv("ANSWER_SEED"); s != "" {
		fmt.Sscan(s, &seed)
	}
	for _, b := range []byte(r.apiVersion() + kind) {
		seed = seed*31 + uint64(b)
	}
	a.rng = rand.New(rand.NewPCG(seed, 1))
	return a
}

func (a *answering) namespace() string {
	if a.crd.Scope == "Cluster" {
		return ""
	}
	return namespace
}

// request is a request and what it is about.
type request struct {
	what        string
	subresource string
	name        string // empty for a create
	old         map[string]any
	body        []byte
	validation  prunert.FieldValidation
	dryRun      bool
	apiVersion  string // of the resource
	isStorage   bool   // which is the version that is stored
}

func (q *request) String() string {
	return fmt.Sprintf("%s %s%s fieldValidation=%s dryRun=%t\n%.700s\nold %.700s", q.what, q.name, q.subresource, q.validation, q.dryRun, q.body, jsonOf(q.old))
}

func jsonOf(v any) string {
	data, _ := json.Marshal(v)
	return string(data)
}

// comparison sends requests and compares answers.
type comparison struct {
	server *server.Server
	// Counts.
	asked    map[string]int
	codes    map[int]int
	known    map[string]int
	warnings int
	causes   int
	inOrder  int // refusals that are equal byte for byte
	refusals int
	bad      int
	// record is called with answers of the interpreter that are those of the server, if there is such a function.
	record func(a *answering, q *request, ours prunert.Answer, theirs *theirAnswer)
}

// ask sends one request, and compares the answer with those of ours.
func (c *comparison) ask(t *testing.T, a *answering, q *request) {
	t.Helper()
	method, path := http.MethodPost, a.collection()
	if q.name != "" {
		method, path = http.MethodPut, path+"/"+q.name
		if q.subresource != "" {
			path += "/" + q.subresource
		}
	}
	query := []string{}
	if q.validation != "" {
		query = append(query, "fieldValidation="+string(q.validation))
	}
	if q.dryRun {
		query = append(query, "dryRun=All")
	}
	resp := doRaw(t, c.server, method, path+"?"+strings.Join(query, "&"), server.JSON, q.body)
	theirs := &theirAnswer{Response: resp, dryRun: q.dryRun}
	if resp.Code < 300 {
		theirs.object = object(t, resp, resp.Code)
		theirs.name = nameOf(theirs.object)
		if !q.dryRun && a.version.Storage { // others are converted
			raw, err := c.server.GetRaw(t.Context(), a.key(theirs.name))
			if err == nil { // else an update has removed the last finalizer of an object that is deleted
				theirs.stored = decode(t, raw)
			}
		}
		if !q.dryRun && q.name == "" {
			a.remove(t, c.server, theirs.name)
		}
	} else {
		status, err := resp.Status()
		if err != nil {
			t.Fatalf("%s %s: %d %s", method, path, resp.Code, resp.Body)
		}
		theirs.status = status
		if status.Details != nil {
			theirs.name = status.Details.Name
		}
	}
	q.apiVersion, q.isStorage = a.apiVersion(), a.version.Storage
	c.asked[q.what]++
	c.codes[resp.Code]++
	c.warnings += len(resp.Warnings)
	for by, r := range a.by {
		c.compare(t, a, q, by, r, theirs)
	}
}

// theirAnswer is the answer of the server.
type theirAnswer struct {
	*server.Response
	dryRun bool
	object map[string]any
	stored map[string]any // as it lies in etcd, where it was stored
	status *metav1.Status
	name   string // made from generateName
}

// compare compares one of our answers with that of the server.
func (c *comparison) compare(t *testing.T, a *answering, q *request, by string, r prunert.Resource, theirs *theirAnswer) {
	t.Helper()
	req := prunert.Request{
		Namespace: a.namespace(), Name: q.name, Subresource: q.subresource, FieldValidation: q.validation,
		GenerateName: func(base string) string {
			if theirs.name == "" {
				return base + "12345" // nobody will hear of it
			}
			return theirs.name
		},
	}
	var old map[string]any
	if q.old != nil {
		old = runtime.DeepCopyJSON(q.old)
	}
	var ours prunert.Answer
	if q.name == "" {
		ours = r.CreateJSON(q.body, req)
	} else {
		ours = r.UpdateJSON(q.body, old, req)
	}
	difference := c.difference(t, r, ours, theirs)
	if difference == "" && !equalJSON(old, q.old) {
		difference = "the old object has changed"
	}
	if difference == "" {
		difference = decodedDifference(q, r, req, ours)
	}
	if difference == "" {
		if c.record != nil && by == "the interpreter" {
			c.record(a, q, ours, theirs)
		}
		return
	}
	if name := knownDifference(q, ours, theirs); name != "" {
		c.known[name]++
		return
	}
	if c.bad++; c.bad > 60 {
		t.FailNow()
	}
	t.Errorf("%s %s, %s: %s\n%s", a.apiVersion(), a.crd.Names.Kind, by, difference, q)
}

func equalJSON(a, b map[string]any) bool { return jsonOf(a) == jsonOf(b) }

// decodedDifference compares the answers to the same object, as bytes and decoded.
func decodedDifference(q *request, r prunert.Resource, req prunert.Request, ours prunert.Answer) string {
	var obj map[string]any
	decoder := json.NewDecoder(bytes.NewReader(q.body))
	decoder.UseNumber()
	if decoder.Decode(&obj) != nil || obj == nil || bytes.Contains(q.body, []byte(duplicateMark)) {
		return ""
	}
	for k := range obj {
		for _, name := range []string{"apiVersion", "kind"} {
			if k != name && strings.EqualFold(k, name) {
				return "" // which counts in documents alone
			}
		}
	}
	obj, _ = withNumbers(obj).(map[string]any)
	// What a refusal quotes of the document is the document as a client writes it.
	if data, err := json.Marshal(obj); err != nil || !bytes.Equal(data, q.body) {
		return ""
	}
	var again prunert.Answer
	if q.name == "" {
		again = r.Create(obj, req)
	} else {
		again = r.Update(obj, q.old, req)
	}
	if have, want := jsonOf(again), jsonOf(ours); have != want {
		return fmt.Sprintf("decoded, the answer is another:\n  %.2000s\n  %.2000s", have, want)
	}
	return ""
}

// withNumbers replaces numbers as Kubernetes does.
func withNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i
		}
		f, _ := v.Float64()
		return f
	case map[string]any:
		for k, e := range v {
			v[k] = withNumbers(e)
		}
	case []any:
		for i, e := range v {
			v[i] = withNumbers(e)
		}
	}
	return v
}

// difference returns how an answer of ours differs from that of the server, empty where it does not.
func (c *comparison) difference(t *testing.T, r prunert.Resource, ours prunert.Answer, theirs *theirAnswer) string {
	t.Helper()
	for _, text := range ours.Warnings {
		if strings.ContainsFunc(text, unicode.IsControl) {
			return fmt.Sprintf("the warning %q does not fit into a header", text)
		}
	}
	if have := asWarnings(ours.Warnings); !slices.Equal(have, theirs.Warnings) {
		return fmt.Sprintf("warnings\n  ours   %q\n  theirs %q", have, theirs.Warnings)
	}
	switch {
	case theirs.status == nil && ours.Refusal != nil:
		return fmt.Sprintf("the server accepts it, we do not: %s", ours.Refusal.Message)
	case theirs.status != nil && ours.Refusal == nil:
		return fmt.Sprintf("the server does not accept it, we do: %d %s", theirs.Code, theirs.status.Message)
	case theirs.status != nil:
		return c.refusalDifference(t, ours.Refusal, theirs)
	}
	if theirs.stored != nil {
		if d := firstDifference("", withoutUnknowable(t, ours.Object), withoutUnknowable(t, theirs.stored)); d != "" {
			return "stored: " + d
		}
	}
	// What the server answers is what it reads from storage.
	read := decode(t, encode(t, ours.Object))
	if _, err := r.Normalize(read, prunert.NormalizeOptions{Source: prunert.FromStorage}); err != nil {
		return err.Error()
	}
	if d := firstDifference("", withoutUnknowable(t, read), withoutUnknowable(t, theirs.object)); d != "" {
		return "answered: " + d
	}
	return ""
}

// withoutUnknowable takes from an object what only a server knows.
func withoutUnknowable(t *testing.T, obj map[string]any) map[string]any {
	t.Helper()
	obj = decode(t, encode(t, obj))
	if metadata, ok := obj["metadata"].(map[string]any); ok {
		for _, k := range []string{"uid", "creationTimestamp", "resourceVersion", "managedFields"} {
			delete(metadata, k)
		}
	}
	return obj
}

// refusalDifference compares refusals. The server validates the fields of a map in a random order, so causes are compared
// sorted, each as often as it is there.
func (c *comparison) refusalDifference(t *testing.T, ours *prunert.Refusal, theirs *theirAnswer) string {
	t.Helper()
	c.refusals++
	data, err := json.Marshal(ours)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(data, bytes.TrimSpace(theirs.Body)) {
		c.inOrder++
		c.causes += len(ours.Causes)
		return ""
	}
	var ourStatus metav1.Status
	if err := json.Unmarshal(data, &ourStatus); err != nil {
		t.Fatal(err)
	}
	c.causes += len(ours.Causes)
	a, b := sortedStatus(&ourStatus), sortedStatus(theirs.status)
	if jsonOf(a) == jsonOf(b) {
		return ""
	}
	return fmt.Sprintf("refusal\n  ours   %.3000s\n  theirs %.3000s", jsonOf(a), jsonOf(b))
}

// sortedStatus returns a status with its causes sorted, and without a message that says nothing but them.
func sortedStatus(s *metav1.Status) *metav1.Status {
	s = s.DeepCopy()
	if s.Details == nil || len(s.Details.Causes) == 0 || s.Code != http.StatusUnprocessableEntity {
		return s
	}
	var texts []string
	for _, cause := range s.Details.Causes {
		if text := cause.Field + ": " + cause.Message; !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	all := strings.Join(texts, ", ")
	if len(texts) > 1 {
		all = "[" + all + "]"
	}
	head, ok := strings.CutSuffix(s.Message, all)
	if ok {
		s.Message = head
	}
	slices.SortFunc(s.Details.Causes, func(a, b metav1.StatusCause) int {
		return strings.Compare(jsonOf(a), jsonOf(b))
	})
	return s
}

// finish checks and prints the counts.
func (c *comparison) finish(t *testing.T) {
	t.Helper()
	total := 0
	for _, n := range c.asked {
		total += n
	}
	t.Logf("%d requests: %v", total, c.asked)
	t.Logf("codes %v, %d warnings, %d refusals compared, %d of them byte for byte, %d causes", c.codes, c.warnings, c.refusals, c.inOrder, c.causes)
	t.Logf("known differences: %v", c.known)
	if total < 5000 {
		t.Errorf("%d requests are too few", total)
	}
	for _, code := range []int{http.StatusCreated, http.StatusOK} {
		if c.codes[code]*20 < total {
			t.Errorf("%d requests of %d are answered with %d: the comparison is hollow", c.codes[code], total, code)
		}
	}
	for _, k := range knownDifferences {
		if c.known[k.name] == 0 && os.Getenv("ANSWER_SEED") == "" {
			t.Errorf("the known difference %s does not occur", k.name)
		}
	}
}
