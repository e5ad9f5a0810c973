package apiserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
	prunert "github.com/prune-gen/prune-gen/runtime"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

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

// difference returns how an answer of ours differs from that of the server, empty if it does not.
func (c *comparison) difference(t *testing.T, r prunert.Resource, ours prunert.Answer, theirs *theirAnswer) string {
	t.Helper()
	for _, text := range ours.Warnings {
		if strings.ContainsFunc(text, unicode.IsControl) {
			return fmt.Sprintf("the warning %q does not fit into a header", text)
		}
	}
	// The server evaluates the CEL rules about the fields of an object in any order.
	have := ours.Warnings
	inAnyOrder := r.HasRules && slices.Equal(slices.Sorted(slices.Values(have)), slices.Sorted(slices.Values(theirs.Warnings)))
	if !inAnyOrder && !slices.Equal(have, theirs.Warnings) {
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

// refusalDifference compares refusals. The server validates the fields of a map in a random order, so causes are compared sorted, with
// duplicates.
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
