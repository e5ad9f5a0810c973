package apiserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prune-gen/prune-gen/internal/text/unified"
	"github.com/prune-gen/prune-gen/kube/servertest"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const scenarioCRDs = "testdata/scenarios/crds.yaml"

var scenarioGroup = schema.GroupVersion{Group: "scenarios.example.com", Version: "v1"}

// A Site has a field without omitempty, as many Go types do.
type (
	Site struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty"`
		Spec              SiteSpec   `json:"spec,omitempty"`
		Status            SiteStatus `json:"status,omitempty"`
	}
	SiteSpec struct {
		Domain   string `json:"domain"`
		Tier     string `json:"tier,omitempty"`
		Replicas *int32 `json:"replicas,omitempty"`
	}
	SiteStatus struct {
		Phase    string `json:"phase,omitempty"`
		Replicas int32  `json:"replicas,omitempty"`
		Selector string `json:"selector,omitempty"`
	}
	SiteList struct {
		metav1.TypeMeta `json:",inline"`
		metav1.ListMeta `json:"metadata,omitempty"`
		Items           []Site `json:"items"`
	}
)

func (s *Site) DeepCopyObject() runtime.Object { return deepCopy(s, &Site{}) }

func (l *SiteList) DeepCopyObject() runtime.Object { return deepCopy(l, &SiteList{}) }

func deepCopy[T runtime.Object](from, to T) T {
	data, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(data, to)
	}
	if err != nil {
		panic(err)
	}
	return to
}

func scenarioScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	s.AddKnownTypes(scenarioGroup, &Site{}, &SiteList{})
	metav1.AddToGroupVersion(s, scenarioGroup)
	return s
}

// world is where scenarios are played.
type world struct {
	client.WithWatch
	warnings func() []string
}

// restWorld is a world that a server makes. A nil mapper lets the client ask the server.
func restWorld(t *testing.T, config *rest.Config, mapper meta.RESTMapper) world {
	t.Helper()
	warned := &warnings{}
	config = rest.CopyConfig(config)
	config.QPS, config.WarningHandler = -1, warned
	c, err := client.NewWithWatch(config, client.Options{Scheme: scenarioScheme(), Mapper: mapper})
	if err != nil {
		t.Fatal(err)
	}
	return world{c, warned.take}
}

// theServer is the world of the real server, whose transcripts are right. It has no /apis for clients to ask: what its mapper says is
// what the CRDs say.
func theServer(t *testing.T) world {
	t.Helper()
	s := start(t)
	data, err := os.ReadFile(scenarioCRDs)
	if err != nil {
		t.Fatal(err)
	}
	docs := bytes.Split(data, []byte("\n---\n"))
	if err := s.InstallCRDs(t.Context(), docs...); err != nil {
		t.Fatal(err)
	}
	gadget := schema.GroupVersion{Group: scenarioGroup.Group, Version: "v2"}
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{gadget, scenarioGroup})
	mapper.Add(scenarioGroup.WithKind("Site"), meta.RESTScopeNamespace)
	mapper.Add(scenarioGroup.WithKind("Gadget"), meta.RESTScopeNamespace)
	mapper.Add(gadget.WithKind("Gadget"), meta.RESTScopeNamespace)
	mapper.Add(scenarioGroup.WithKind("Zone"), meta.RESTScopeRoot)
	return restWorld(t, &rest.Config{Host: s.URL}, mapper)
}

// Every scenario has the same transcript with servertest.
func TestScenarios(t *testing.T) {
	t.Parallel()
	right, ours := theServer(t), restWorld(t, servertest.StartServer(t, []string{scenarioCRDs}), nil)
	for i, s := range scenarios {
		t.Run(s.name, func(t *testing.T) {
			if want, got := play(t, right, i, s), play(t, ours, i, s); got != want {
				t.Error(unified.Diff("the server", "servertest", []byte(want+"\n"), []byte(got+"\n")))
			}
		})
	}
}

// stage is a scenario that is played in a world, in a namespace of its own.
type stage struct {
	world
	t         *testing.T
	ctx       context.Context
	namespace string
	symbols   map[string]string
	lines     []string
}

// play returns the transcript of a scenario.
func play(t *testing.T, w world, i int, s scenario) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	st := &stage{world: w, t: t, ctx: ctx, namespace: fmt.Sprintf("scenario-%d", i), symbols: map[string]string{}}
	s.play(st)
	return strings.Join(st.lines, "\n")
}

// note adds a line to the transcript.
func (s *stage) note(format string, args ...any) {
	s.lines = append(s.lines, fmt.Sprintf(format, args...))
}

// said adds what was answered to a request: the error, or the object. It reports whether there is no error.
func (s *stage) said(what string, err error, obj ...client.Object) bool {
	if err != nil {
		status := statusOf(err)
		text := err.Error()
		for value, symbol := range s.symbols {
			if len(value) == 36 { // a UID; other values are also found elsewhere
				text = strings.ReplaceAll(text, value, symbol)
			}
		}
		text = versionInText.ReplaceAllString(text, "${1}RV")
		s.note("%s: %d %s: %s", what, status.Code, status.Reason, objectInText.ReplaceAllString(text, "OBJECT"))
		return false
	}
	for _, o := range obj {
		what += ": " + s.text(o)
	}
	if len(obj) == 0 {
		what += ": ok"
	}
	s.note("%s", what)
	for _, w := range s.warnings() {
		s.note("  warning: %s", w)
	}
	return true
}

// What errors contain.
var (
	objectInText  = regexp.MustCompile(`"\{\\"apiVersion.*\}"`)
	versionInText = regexp.MustCompile(`((?:ResourceVersion in [a-z ]+: |resource version |resourceVersion: |ResourceVersion in (?:the precondition|record) \())\d+`)
)

// symbol returns the same name for the same value of a kind.
func (s *stage) symbol(kind, value string) string {
	key := value
	if kind == "rv" {
		key = "rv " + value
	}
	if s.symbols[key] == "" {
		n := 1
		for _, other := range s.symbols {
			if strings.HasPrefix(other, kind) {
				n++
			}
		}
		s.symbols[key] = fmt.Sprintf("%s%d", kind, n)
	}
	return s.symbols[key]
}

// text returns an object with names for what every server makes up.
func (s *stage) text(obj runtime.Object) string {
	data, err := json.Marshal(obj)
	if err != nil {
		s.t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		s.t.Fatal(err)
	}
	if md, _ := m["metadata"].(map[string]any); md != nil {
		delete(md, "namespace")
		delete(md, "managedFields")
		for _, k := range []string{"creationTimestamp", "deletionTimestamp"} {
			if md[k] != nil {
				md[k] = "T"
			}
		}
		if uid, _ := md["uid"].(string); uid != "" {
			md["uid"] = s.symbol("uid", uid)
		}
		if rv, _ := md["resourceVersion"].(string); rv != "" {
			md["resourceVersion"] = s.symbol("rv", fmt.Sprint(md["name"], " ", rv))
		}
	}
	if _, typed := obj.(*Site); typed {
		delete(m, "apiVersion") // which typed objects need not have
		delete(m, "kind")
	}
	if data, err = json.Marshal(m); err != nil {
		s.t.Fatal(err)
	}
	return string(data)
}

// managers adds who owns what of an object.
func (s *stage) managers(name string) {
	u := newObject("Site", name, nil)
	if !s.have(u) {
		return
	}
	var lines []string // entries of the same second are in the order of their names, others in that of their times
	for _, f := range u.GetManagedFields() {
		lines = append(lines, fmt.Sprintf("  %s %s %s: %s", f.Manager, f.Operation, f.Subresource, f.FieldsV1.GetRawString()))
	}
	slices.Sort(lines)
	s.lines = append(s.lines, lines...)
}

// newObject returns an object without a namespace. The kind may have a version: Gadget/v2.
func newObject(kind, name string, spec map[string]any) *unstructured.Unstructured {
	kind, version, _ := strings.Cut(kind, "/")
	u := &unstructured.Unstructured{Object: map[string]any{}}
	u.SetGroupVersionKind(scenarioGroup.WithKind(kind))
	if version != "" {
		u.SetAPIVersion(scenarioGroup.Group + "/" + version)
	}
	u.SetName(name)
	if spec != nil {
		u.Object["spec"] = spec
	}
	return u
}

// site returns a Site in the namespace of the scenario, with a spec as JSON.
func (s *stage) site(name, spec string) *unstructured.Unstructured { return s.of("Site", name, spec) }

// of returns an object of a kind, with a spec as JSON.
func (s *stage) of(kind, name, spec string) *unstructured.Unstructured {
	var fields map[string]any
	if spec != "" {
		fields = decode(s.t, []byte(spec))
	}
	u := newObject(kind, name, fields)
	if kind != "Zone" {
		u.SetNamespace(s.namespace)
	}
	return u
}

// create creates an object as the manager "creator".
func (s *stage) create(u client.Object, opts ...client.CreateOption) {
	err := s.Create(s.ctx, u, append([]client.CreateOption{client.FieldOwner("creator")}, opts...)...)
	s.said("create", err, u)
}

// update updates an object as the manager "updater".
func (s *stage) update(u client.Object, opts ...client.UpdateOption) {
	s.said("update", s.Update(s.ctx, u, append([]client.UpdateOption{client.FieldOwner("updater")}, opts...)...), u)
}

// apply applies a configuration.
func (s *stage) apply(owner string, u *unstructured.Unstructured, opts ...client.ApplyOption) {
	u = u.DeepCopy()
	err := s.Apply(s.ctx, client.ApplyConfigurationFromUnstructured(u), append([]client.ApplyOption{client.FieldOwner(owner)}, opts...)...)
	s.said(owner+" applies", err, u)
}

// have reads u from the server. It reports whether it exists.
func (s *stage) have(u *unstructured.Unstructured) bool {
	if u.GetKind() != "Zone" {
		u.SetNamespace(s.namespace)
	}
	if err := s.Get(s.ctx, client.ObjectKeyFromObject(u), u); err != nil {
		s.said("get "+u.GetName(), err)
		return false
	}
	return true
}

// get adds what is stored.
func (s *stage) get(kind, name string) *unstructured.Unstructured {
	u := newObject(kind, name, nil)
	if s.have(u) {
		s.said("get", nil, u)
	}
	return u
}

// listOf returns an empty list of a kind.
func listOf(kind string) *unstructured.UnstructuredList {
	l := &unstructured.UnstructuredList{}
	l.SetGroupVersionKind(newObject(kind, "", nil).GroupVersionKind())
	l.SetKind(l.GetKind() + "List")
	return l
}

// list returns the objects of a kind and adds their names.
func (s *stage) list(what, kind string, opts ...client.ListOption) *unstructured.UnstructuredList {
	l := listOf(kind)
	if kind != "Zone" {
		opts = append(opts, client.InNamespace(s.namespace))
	}
	if err := s.List(s.ctx, l, opts...); err != nil {
		s.said(what, err)
		return l
	}
	var names []string
	for _, item := range l.Items {
		names = append(names, item.GetName())
	}
	s.note("%s: %s %s%q", what, l.GetKind(), l.GetAPIVersion(), names)
	return l
}

// watch watches objects of a kind from now on. The function that it returns adds the events until that of an object.
func (s *stage) watch(kind string, opts ...client.ListOption) func(until string) {
	return s.watchFrom(listOf(kind), s.list("watch", kind).GetResourceVersion(), opts...)
}

func (s *stage) watchFrom(l client.ObjectList, resourceVersion string, opts ...client.ListOption) func(until string) {
	opts = append(opts, client.InNamespace(s.namespace), &client.ListOptions{Raw: &metav1.ListOptions{ResourceVersion: resourceVersion}})
	w, err := s.Watch(s.ctx, l, opts...)
	if err != nil {
		s.said("watch", err)
		return func(string) {}
	}
	s.t.Cleanup(w.Stop)
	return func(until string) {
		for {
			select {
			case e, ok := <-w.ResultChan():
				if !ok {
					s.note("the watch ends")
					return
				}
				obj, isObject := e.Object.(client.Object)
				if isObject && obj.GetName() == until && e.Type == watch.Added {
					return
				}
				if e.Type == watch.Deleted {
					obj.SetResourceVersion("") // which has a scenario of its own
				}
				s.note("event %s %s", e.Type, s.text(e.Object))
			case <-time.After(2 * time.Second):
				s.note("no event for %s", until)
				return
			}
		}
	}
}
