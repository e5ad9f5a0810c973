package apiserver

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/prune-gen/prune-gen/kube/prunetest"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
)

// The client of prunetest and a client of the server are asked the same, about kinds of the corpus.
func TestFakeClientAnswersAsTheServerDoes(t *testing.T) {
	files := corpusFiles(t)
	s, resources := install(t, files...)
	crds, err := prunetest.FromFiles(files...)
	if err != nil {
		t.Fatal(err)
	}
	mapper := meta.NewDefaultRESTMapper(nil)
	for _, r := range resources {
		scope := meta.RESTScopeNamespace
		if r.crd.Scope == "Cluster" {
			scope = meta.RESTScopeRoot
		}
		gv := schema.GroupVersion{Group: r.crd.Group, Version: r.version.Name}
		mapper.AddSpecific(gv.WithKind(r.crd.Names.Kind), gv.WithResource(r.crd.Names.Plural), gv.WithResource(r.crd.Names.Singular), scope)
	}
	warned := &warnings{}
	real, err := client.New(&rest.Config{Host: s.URL, WarningHandler: warned, QPS: -1}, client.Options{Scheme: runtime.NewScheme(), Mapper: mapper})
	if err != nil {
		t.Fatal(err)
	}
	c := &clients{theirs: real, warned: warned, ours: crds.NewClient(fake.NewClientBuilder().WithScheme(runtime.NewScheme())), known: map[string]int{}, codes: map[int32]int{}}
	seeds := corpusObjects(t)
	const rounds = 9 // with five requests in each
	for _, seed := range seeds {
		a := newAnswering(t, resourceOf(t, resources, seed), nil)
		for i := range rounds {
			c.round(t, a, seed, fmt.Sprintf("%s-%d", strings.ToLower(a.crd.Names.Kind), i))
		}
	}
	t.Logf("%d requests about %d kinds; codes %v; known differences %v", c.asked, len(seeds), c.codes, c.known)
	if c.asked < 500 {
		t.Errorf("only %d requests", c.asked)
	}
}

// corpusObjects returns one object for each kind of testdata/corpus.
func corpusObjects(t *testing.T) []map[string]any {
	t.Helper()
	files, err := filepath.Glob("testdata/corpus/*.yaml")
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

// warnings keeps the warnings of a client.
type warnings struct {
	mu    sync.Mutex
	texts []string
}

func (w *warnings) HandleWarningHeader(_ int, _, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.texts = append(w.texts, text)
}

func (w *warnings) take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	texts := w.texts
	w.texts = nil
	return texts
}

// clients are the two that are compared.
type clients struct {
	theirs client.Client
	warned *warnings
	ours   *prunetest.Client

	asked int
	codes map[int32]int
	known map[string]int
}

// round sends the requests of one object's life.
func (c *clients) round(t *testing.T, a *answering, seed map[string]any, name string) {
	t.Helper()
	fresh := func() *unstructured.Unstructured {
		u := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(seed)}
		u.SetName(name)
		u.SetNamespace(a.namespace())
		return u
	}
	mutated := func(u *unstructured.Unstructured) {
		for range a.rng.IntN(3) {
			a.mutate(u.Object)
		}
		u.SetName(name)
		u.SetNamespace(a.namespace())
	}
	sent := fresh()
	mutated(sent)
	c.ask(t, "create", sent, func(c client.Client, u *unstructured.Unstructured) error { return c.Create(t.Context(), u) })
	if c.theirs.Get(t.Context(), client.ObjectKeyFromObject(sent), sent.DeepCopy()) != nil {
		sent = fresh()
		c.ask(t, "create", sent, func(c client.Client, u *unstructured.Unstructured) error {
			return c.Create(t.Context(), u, client.FieldValidation("Strict"))
		})
	}
	// Each client starts from its own object, with the same change.
	changing := fresh()
	mutated(changing)
	c.ask(t, "update", changing, func(c client.Client, u *unstructured.Unstructured) error {
		return c.Update(t.Context(), current(t, c, u))
	})
	if a.version.HasStatus {
		changing := fresh()
		changing.Object["status"] = []any{map[string]any{"odd": int64(1)}, map[string]any{}, "x", map[string]any{"conditions": []any{map[string]any{"type": "A"}}}}[a.rng.IntN(4)]
		c.ask(t, "update of the status", changing, func(c client.Client, u *unstructured.Unstructured) error {
			return c.Status().Update(t.Context(), current(t, c, u))
		})
	}
	patched := fresh()
	delete(patched.Object, "status")
	mutated(patched)
	patch := encode(t, map[string]any{"spec": patched.Object["spec"], "metadata": map[string]any{"labels": map[string]any{"a": []string{"b", "not a value"}[a.rng.IntN(2)]}}})
	c.ask(t, "merge patch", fresh(), func(c client.Client, u *unstructured.Unstructured) error {
		return c.Patch(t.Context(), u, client.RawPatch(types.MergePatchType, patch))
	})
	c.ask(t, "JSON patch", fresh(), func(c client.Client, u *unstructured.Unstructured) error {
		op := []string{`{"op":"add","path":"/spec/odd","value":1}`, `{"op":"remove","path":"/spec"}`, `{"op":"test","path":"/kind","value":"x"}`,
			`{"op":"replace","path":"/metadata/labels","value":{"x":"y"}}`}[len(name)%4]
		return c.Patch(t.Context(), u, client.RawPatch(types.JSONPatchType, []byte("["+op+"]")))
	})
	c.ask(t, "strategic merge patch", fresh(), func(c client.Client, u *unstructured.Unstructured) error {
		return c.Patch(t.Context(), u, client.RawPatch(types.StrategicMergePatchType, []byte(`{}`)))
	})
	// It comes last: the objects may differ afterwards.
	applied := fresh()
	delete(applied.Object, "status")
	mutated(applied)
	unstructured.RemoveNestedField(applied.Object, "metadata", "generateName")
	c.ask(t, "apply", applied, func(c client.Client, u *unstructured.Unstructured) error {
		return c.Apply(t.Context(), client.ApplyConfigurationFromUnstructured(u), client.FieldOwner("me"), client.ForceOwnership)
	})
}

// current makes u an update of the object that a client has.
func current(t *testing.T, c client.Client, u *unstructured.Unstructured) *unstructured.Unstructured {
	t.Helper()
	now := u.DeepCopy()
	if err := c.Get(t.Context(), client.ObjectKeyFromObject(u), now); err == nil {
		u.SetResourceVersion(now.GetResourceVersion())
	}
	return u
}

// ask asks both clients and compares the errors, the warnings, the objects that they return, and those that they then have.
func (c *clients) ask(t *testing.T, what string, sent *unstructured.Unstructured, request func(client.Client, *unstructured.Unstructured) error) {
	t.Helper()
	c.asked++
	theirs, ours := sent.DeepCopy(), sent.DeepCopy()
	theirErr, ourErr := request(c.theirs, theirs), request(c.ours, ours)
	theirWarnings, ourWarnings := c.warned.take(), c.ours.Warnings()
	difference := ""
	note := func(about string, theirs, ours any) {
		if a, b := jsonOf(theirs), jsonOf(ours); a != b && difference == "" {
			difference = fmt.Sprintf("%s:\nthe server: %s\nprunetest:  %s", about, a, b)
		}
	}
	note("error", verdictOf(theirErr), verdictOf(ourErr))
	note("warnings", theirWarnings, ourWarnings)
	if theirErr == nil && ourErr == nil {
		c.codes[200]++
		note("answer", settled(theirs), settled(ours))
	} else {
		c.codes[statusOf(theirErr).Code]++
	}
	if theirErr := c.theirs.Get(t.Context(), client.ObjectKeyFromObject(sent), theirs); theirErr == nil {
		if err := c.ours.Get(t.Context(), client.ObjectKeyFromObject(sent), ours); err != nil {
			note("stored", "an object", err.Error())
		} else {
			note("stored", settled(theirs), settled(ours))
		}
	}
	if difference == "" {
		return
	}
	if name := knownClientDifference(what, theirErr, ourErr); name != "" {
		c.known[name]++
		return
	}
	t.Errorf("%s %s %s: %s", what, sent.GetKind(), sent.GetName(), difference)
}

// statusOf returns the Status of an error.
func statusOf(err error) metav1.Status {
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		return status.Status()
	}
	return metav1.Status{}
}

// verdictOf returns an error without the order of its causes, which is random in the server.
func verdictOf(err error) map[string]any {
	if err == nil {
		return nil
	}
	status := statusOf(err)
	out := map[string]any{"code": status.Code, "reason": status.Reason}
	if status.Details == nil || len(status.Details.Causes) == 0 {
		out["message"] = err.Error()
		return out
	}
	causes := map[string]bool{}
	for _, cause := range status.Details.Causes {
		causes[string(cause.Type)+" "+cause.Field+": "+cause.Message] = true
	}
	out["causes"] = slices.Sorted(maps.Keys(causes))
	return out
}

// settled returns an object without what each server makes up itself.
func settled(u *unstructured.Unstructured) map[string]any {
	u = u.DeepCopy()
	for _, k := range []string{"uid", "resourceVersion", "creationTimestamp", "managedFields"} {
		unstructured.RemoveNestedField(u.Object, "metadata", k)
	}
	return u.Object
}

// knownClientDifference returns the name of a difference that is known and wanted.
func knownClientDifference(what string, theirs, ours error) string {
	was, is := statusOf(theirs), statusOf(ours)
	if was.Code == is.Code && was.Reason == is.Reason && strings.Contains(was.Message, "json: cannot unmarshal") {
		return "malformed metadata" // of which the server passes on the first complaint of Go's decoder
	}
	if ours != nil && (strings.HasPrefix(was.Message, "failed to create typed patch object") || strings.Contains(was.Message, "to smd typed: ")) {
		// The server also compares types when it reads an apply configuration, names items of lists by their keys, and not
		// every field of one that has several faults. Here unknown fields are refused then, and types are validated later.
		return "what is wrong with an apply configuration"
	}
	if what == "apply" && ours == nil && onlyNulls(was) {
		// The server drops nulls when it decodes an object, and an apply configuration is not decoded so.
		return "a null in an apply configuration"
	}
	return ""
}

// onlyNulls reports whether nothing is wrong with an object except for nulls.
func onlyNulls(status metav1.Status) bool {
	if status.Reason != metav1.StatusReasonInvalid || status.Details == nil || len(status.Details.Causes) == 0 {
		return false
	}
	return !slices.ContainsFunc(status.Details.Causes, func(c metav1.StatusCause) bool { return !strings.HasSuffix(c.Message, `: "null"`) })
}
