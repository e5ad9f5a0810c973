// Package reads tests the table of the analysis of what programs read, by calling the functions that it names.
package reads

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/tools/reference"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/prune-gen/prune-gen/internal/reads/boundary"
)

// pod returns a pod with what is always kept, and with everything else if whole is set. It belongs to a ReplicaSet.
func pod(name string, whole bool) *corev1.Pod {
	now := metav1.Unix(1, 0)
	p := &corev1.Pod{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{
			Name: name, Namespace: "default", UID: "uid-" + types.UID(name), ResourceVersion: "7", Generation: 3, CreationTimestamp: now,
			Finalizers: []string{"example.com/a"}, Labels: map[string]string{"app": name},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "rs", UID: "uid-rs"}},
		},
	}
	if whole {
		text, err := json.Marshal(p)
		if err == nil {
			err = json.Unmarshal(bytes.Replace(text, []byte(`"metadata":{`), []byte(`"metadata":{"generateName":"g-","selfLink":"/x","annotations":{"a":"b"},"managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{}}}],`), 1), p)
		}
		if err == nil {
			err = json.Unmarshal([]byte(`{"spec": {"nodeName": "n", "containers": [{"name": "c", "image": "i"}], "hostNetwork": true, "priority": 3},
				"status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}], "podIP": "1.2.3.4"}}`), p)
		}
		if err != nil {
			panic(err)
		}
	}
	return p
}

// podsByName has methods that the table says are called.
type podsByName []corev1.Pod

func (l podsByName) Len() int           { return len(l) }
func (l podsByName) Less(i, j int) bool { return l[i].Name < l[j].Name }
func (l podsByName) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }

func names(l podsByName) (all []string) {
	for _, p := range l {
		all = append(all, p.Name)
	}
	return all
}

func fakeClient(objs ...client.Object) client.Client {
	return fake.NewClientBuilder().WithScheme(scheme.Scheme).WithObjects(objs...).Build()
}

// handled returns the requests that a handler makes of all events.
func handled(h handler.EventHandler, p client.Object) any {
	q := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[reconcile.Request]())
	ctx := context.Background()
	h.Create(ctx, event.CreateEvent{Object: p}, q)
	h.Update(ctx, event.UpdateEvent{ObjectOld: p, ObjectNew: p}, q)
	h.Delete(ctx, event.DeleteEvent{Object: p}, q)
	h.Generic(ctx, event.GenericEvent{Object: p}, q)
	var all []any
	for q.Len() > 0 {
		r, _ := q.Get()
		all = append(all, r)
		q.Done(r)
	}
	return all
}

// functions calls the functions of the table that get objects: what each returns must not depend on anything but what is kept.
var functions = map[string]func(*corev1.Pod) any{
	"sigs.k8s.io/controller-runtime/pkg/client.ObjectKeyFromObject": func(p *corev1.Pod) any { return client.ObjectKeyFromObject(p) },
	"k8s.io/klog/v2.KObj":                                                    func(p *corev1.Pod) any { return klog.KObj(p) },
	"k8s.io/klog/v2.KObjs":                                                   func(p *corev1.Pod) any { return klog.KObjs([]*corev1.Pod{p}) },
	"k8s.io/klog/v2.KObjSlice":                                               func(p *corev1.Pod) any { return fmt.Sprint(klog.KObjSlice([]*corev1.Pod{p})) },
	"k8s.io/client-go/tools/cache.MetaNamespaceKeyFunc":                      func(p *corev1.Pod) any { k, _ := cache.MetaNamespaceKeyFunc(p); return k },
	"k8s.io/client-go/tools/cache.DeletionHandlingMetaNamespaceKeyFunc":      func(p *corev1.Pod) any { k, _ := cache.DeletionHandlingMetaNamespaceKeyFunc(p); return k },
	"k8s.io/client-go/tools/cache.ObjectToName":                              func(p *corev1.Pod) any { k, _ := cache.ObjectToName(p); return k },
	"k8s.io/client-go/tools/cache.DeletionHandlingObjectToName":              func(p *corev1.Pod) any { k, _ := cache.DeletionHandlingObjectToName(p); return k },
	"k8s.io/client-go/tools/reference.GetReference":                          func(p *corev1.Pod) any { r, _ := reference.GetReference(scheme.Scheme, p); return r },
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil.GVKForObject":         func(p *corev1.Pod) any { k, _ := apiutil.GVKForObject(p, scheme.Scheme); return k },
	"(k8s.io/apimachinery/pkg/runtime.Scheme).ObjectKinds":                   func(p *corev1.Pod) any { k, _, _ := scheme.Scheme.ObjectKinds(p); return k },
	"(k8s.io/apimachinery/pkg/runtime.ObjectTyper).*":                        func(p *corev1.Pod) any { k, _, _ := runtime.ObjectTyper(scheme.Scheme).ObjectKinds(p); return k },
	"(k8s.io/apimachinery/pkg/runtime.Scheme).IsUnversioned":                 func(p *corev1.Pod) any { a, b := scheme.Scheme.IsUnversioned(p); return []bool{a, b} },
	"(sigs.k8s.io/controller-runtime/pkg/client.Client).GroupVersionKindFor": func(p *corev1.Pod) any { k, _ := fakeClient().GroupVersionKindFor(p); return k },
	"(sigs.k8s.io/controller-runtime/pkg/client.Client).IsObjectNamespaced":  func(p *corev1.Pod) any { k, err := fakeClient().IsObjectNamespaced(p); return fmt.Sprint(k, err) },
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil.IsObjectNamespaced": func(p *corev1.Pod) any {
		k, err := apiutil.IsObjectNamespaced(p, scheme.Scheme, fakeClient().RESTMapper())
		return fmt.Sprint(k, err)
	},
	"(k8s.io/apimachinery/pkg/runtime.Scheme).AddKnownType*": func(p *corev1.Pod) any {
		s := runtime.NewScheme()
		s.AddKnownTypes(schema.GroupVersion{Version: "v1"}, p)
		k, _, _ := s.ObjectKinds(&corev1.Pod{})
		return k
	},
	"(k8s.io/client-go/tools/record.EventRecorder).*": func(p *corev1.Pod) any {
		r := record.NewFakeRecorder(9)
		r.IncludeObject = true
		r.Event(p, "Normal", "A", "b")
		return <-r.Events
	},
	"(k8s.io/client-go/tools/events.EventRecorder).*":          recordEvent,
	"(k8s.io/client-go/tools/internal/events.EventRecorder).*": recordEvent, // what the first is an alias of
	"(sigs.k8s.io/controller-runtime/pkg/client.Writer).Delete": func(p *corev1.Pod) any {
		c := fakeClient(pod(p.Name, true))
		var left corev1.Pod
		old := p.DeepCopy()
		old.ResourceVersion = ""
		err := c.Delete(context.Background(), old)
		got := c.Get(context.Background(), client.ObjectKeyFromObject(p), &left)
		return fmt.Sprint(err, got, left.DeletionTimestamp != nil)
	},
	"(sigs.k8s.io/controller-runtime/pkg/client.Writer).DeleteAllOf": func(p *corev1.Pod) any {
		c := fakeClient(pod(p.Name, true))
		return fmt.Sprint(c.DeleteAllOf(context.Background(), p, client.InNamespace("default")))
	},
	"(sigs.k8s.io/controller-runtime/pkg/client.Reader).*": func(p *corev1.Pod) any { // what is in the object before does not matter
		c := fakeClient(pod(p.Name, true))
		err := c.Get(context.Background(), client.ObjectKeyFromObject(p), p)
		text, _ := json.Marshal(p)
		return fmt.Sprint(err, string(text))
	},
	"(sigs.k8s.io/controller-runtime/pkg/handler.EventHandler).*":            func(p *corev1.Pod) any { return handled(&handler.EnqueueRequestForObject{}, p) },
	"(sigs.k8s.io/controller-runtime/pkg/handler.EnqueueRequestForObject).*": func(p *corev1.Pod) any { return handled(&handler.EnqueueRequestForObject{}, p) },
	"(sigs.k8s.io/controller-runtime/pkg/handler.TypedEventHandler).*": func(p *corev1.Pod) any {
		return handled(handler.EnqueueRequestForOwner(scheme.Scheme, fakeClient().RESTMapper(), &corev1.Node{}), p)
	},
	"(sigs.k8s.io/controller-runtime/pkg/handler.TypedEnqueueRequestForObject*": func(p *corev1.Pod) any {
		return handled(&handler.TypedEnqueueRequestForObject[client.Object]{}, p)
	},
	"sort.Sort":          func(p *corev1.Pod) any { l := podsByName{*p, {}}; sort.Sort(l); return names(l) },
	"sort.Stable":        func(p *corev1.Pod) any { l := podsByName{*p, {}}; sort.Stable(l); return names(l) },
	"sort.IsSorted":      func(p *corev1.Pod) any { return sort.IsSorted(podsByName{*p, {}}) },
	"sort.Reverse":       func(p *corev1.Pod) any { l := podsByName{{}, *p}; sort.Sort(sort.Reverse(l)); return names(l) },
	"sort.Slice":         func(p *corev1.Pod) any { l := podsByName{*p, {}}; sort.Slice(l, l.Less); return names(l) },
	"sort.SliceStable":   func(p *corev1.Pod) any { l := podsByName{*p, {}}; sort.SliceStable(l, l.Less); return names(l) },
	"sort.SliceIsSorted": func(p *corev1.Pod) any { l := podsByName{*p, {}}; return sort.SliceIsSorted(l, l.Less) },
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured.Nested*": func(p *corev1.Pod) any {
		m, err := runtime.DefaultUnstructuredConverter.ToUnstructured(p)
		name, _, _ := unstructured.NestedString(m, "metadata", "name")
		return fmt.Sprint(name, err)
	},
}

func recordEvent(p *corev1.Pod) any {
	r := events.NewFakeRecorder(9)
	r.Eventf(p, nil, "Normal", "A", "b", "c")
	return <-r.Events
}

// examples say why the other functions are right.
var examples = map[string]string{
	"informs":    "the object says of which type the cache is",
	"writes":     "the object counts as written whole",
	"AddType":    "the object says of which type a function is",
	"Conversion": "the object says of which type a function is",
	"Builder":    "the objects say which types a scheme has",
	"Predicate":  "package predicate is followed",
	"Logger":     "returns a recorder",
	"Decoder":    "the object comes from a request",
	"Result":     "the object comes from a response",
}

func TestTable(t *testing.T) {
	known := boundary.Table()
	for _, name := range slices.Sorted(maps.Keys(known)) {
		call, ok := functions[name]
		if !ok {
			excused := known[name] == "informs" || known[name] == "writes"
			for part := range examples {
				excused = excused || strings.Contains(name, part)
			}
			if !excused {
				t.Errorf("%s %s: no test calls it", name, known[name])
			}
			continue
		}
		kept, whole := call(pod("a", false)), call(pod("a", true))
		if !reflect.DeepEqual(kept, whole) {
			t.Errorf("%s: of what is kept %v, of the whole object %v", name, kept, whole)
		}
		if other := call(pod("b", true)); reflect.DeepEqual(other, whole) && strings.Contains(name, "Key") {
			t.Errorf("%s: the same for every object", name)
		}
	}
	for name := range functions {
		if known[name] == "" {
			t.Errorf("%s is not in the table", name)
		}
	}
}
