package apiserver

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/prune-gen/prune-gen/kube/servertest"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A client of servertest and a client of the server are asked the same, about kinds of the corpus.
func TestServertestAnswersAsTheServerDoes(t *testing.T) {
	files := corpusFiles(t)
	s, resources := install(t, files...)
	mapper := meta.NewDefaultRESTMapper(nil)
	for _, r := range resources {
		scope := meta.RESTScopeNamespace
		if r.crd.Scope == "Cluster" {
			scope = meta.RESTScopeRoot
		}
		gv := schema.GroupVersion{Group: r.crd.Group, Version: r.version.Name}
		mapper.AddSpecific(gv.WithKind(r.crd.Names.Kind), gv.WithResource(r.crd.Names.Plural), gv.WithResource(r.crd.Names.Singular), scope)
	}
	c := &clients{theirs: newAsked(t, &rest.Config{Host: s.URL}, mapper), ours: newAsked(t, servertest.StartServer(t, files), nil), codes: map[int32]int{}}
	seeds := corpusObjects(t)
	const rounds = 9 // with five requests in each
	for _, seed := range seeds {
		a := newAnswering(t, resourceOf(t, resources, seed), nil)
		for i := range rounds {
			c.round(t, a, seed, fmt.Sprintf("%s-%d", strings.ToLower(a.crd.Names.Kind), i))
		}
	}
	t.Logf("%d requests about %d kinds; codes %v", c.asked, len(seeds), c.codes)
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

// asked is a client that keeps warnings.
type asked struct {
	client.Client
	*warnings
}

// newAsked returns a client of a server. A nil mapper lets it ask the server.
func newAsked(t *testing.T, config *rest.Config, mapper meta.RESTMapper) asked {
	t.Helper()
	a := asked{warnings: &warnings{}}
	config = rest.CopyConfig(config)
	config.WarningHandler, config.QPS = a.warnings, -1
	var err error
	if a.Client, err = client.New(config, client.Options{Scheme: runtime.NewScheme(), Mapper: mapper}); err != nil {
		t.Fatal(err)
	}
	return a
}

// clients are the two that are compared.
type clients struct {
	theirs, ours asked

	asked int
	codes map[int32]int
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
	theirErr, ourErr := request(c.theirs.Client, theirs), request(c.ours.Client, ours)
	theirWarnings, ourWarnings := c.theirs.take(), c.ours.take()
	difference := ""
	note := func(about string, theirs, ours any) {
		if a, b := jsonOf(theirs), jsonOf(ours); a != b && difference == "" {
			difference = fmt.Sprintf("%s:\nthe server: %s\nservertest: %s", about, a, b)
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
	if difference != "" {
		t.Errorf("%s %s %s: %s", what, sent.GetKind(), sent.GetName(), difference)
	}
}

// statusOf returns the Status of an error.
func statusOf(err error) metav1.Status {
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		return status.Status()
	}
	return metav1.Status{}
}

var mistakesOfPatch = regexp.MustCompile(`(?s)^(failed to create typed patch object \([^)]*\): ).*`)

// verdictOf returns an error without the order of its causes, which is random in the server.
func verdictOf(err error) map[string]any {
	if err == nil {
		return nil
	}
	status := statusOf(err)
	out := map[string]any{"code": status.Code, "reason": status.Reason}
	if status.Details == nil || len(status.Details.Causes) == 0 {
		// Kubernetes compares an apply configuration with its schema in the random order of its fields, and stops at one that is not declared.
		out["message"] = mistakesOfPatch.ReplaceAllString(err.Error(), "$1")
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
