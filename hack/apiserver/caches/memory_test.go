// Package caches tests what docs/memory.md says about caches whose objects lack fields.
package caches

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/prune-gen/prune-gen/hack/apiserver/caches/projections"
	"github.com/prune-gen/prune-gen/hack/apiserver/server"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/kube"
)

var update = flag.Bool("update", false, "write the table and the picture of docs/memory.md; needs "+testsize.Variable+"=all")

// measurement is a cache to fill, in a process of its own, and what that took.
type measurement struct {
	Kind, Form, Content string // as the table names them
	Host                string
	CA                  []byte

	Objects    int
	Heap       uint64 // in use by the cache
	Garbage    uint64 // all that was allocated to fill it
	CPU        time.Duration
	Peak       uint64 // of the memory of the process, where the system tells
	Unexpected string
}

const (
	whole      = "whole"
	stripped   = "without `managedFields`"
	projected  = "projected"
	scheduling = "projected, with what containers request" // only Pods of the Go type
)

// measureVariable is the environment variable with the measurement that a process is started for.
const measureVariable = "CACHES_MEASUREMENT"

func TestMain(m *testing.M) {
	if text := os.Getenv(measureVariable); text != "" {
		var of measurement
		must(json.Unmarshal([]byte(text), &of))
		of.run()
		must(json.NewEncoder(os.Stdout).Encode(of))
		return
	}
	m.Run()
}

// cached returns an object of the type that the cache is for, and the function that projects it.
func (m *measurement) cached() (client.Object, toolscache.TransformFunc) {
	switch {
	case m.Form == "unstructured":
		u := &unstructured.Unstructured{}
		u.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind(m.Kind))
		if m.Kind == "JobSet" {
			u.SetGroupVersionKind(jobSets.WithKind(m.Kind))
			return u, kube.Project(projections.ForStatus)
		}
		return u, kube.Project(podKept.content)
	case m.Kind == "JobSet":
		return &JobSet{}, kube.Project(jobSetForStatus)
	}
	if m.Content == scheduling {
		return &corev1.Pod{}, kube.Project(projections.ForScheduling)
	}
	return &corev1.Pod{}, kube.Project(projections.ForEndpoints)
}

// run fills the cache.
func (m *measurement) run() {
	server.Quiet()
	obj, transform := m.cached()
	switch m.Content {
	case whole:
		transform = nil
	case stripped:
		transform = cache.TransformStripManagedFields()
	}
	config := &rest.Config{Host: m.Host, TLSClientConfig: rest.TLSClientConfig{CAData: m.CA}, QPS: -1}
	c, err := cache.New(config, cache.Options{Scheme: newScheme(), ByObject: map[client.Object]cache.ByObject{obj: {Transform: transform}}})
	must(err)
	ctx := context.Background()
	heap, garbage, cpu := usage()
	go c.Start(ctx)
	informer, err := c.GetInformer(ctx, obj)
	must(err)
	if !c.WaitForCacheSync(ctx) {
		panic("the cache does not get its objects")
	}
	_, garbageAfter, cpuAfter := usage()
	m.Peak = peak()
	heapAfter, _, _ := usage()
	m.Heap, m.Garbage, m.CPU = heapAfter-heap, garbageAfter-garbage, cpuAfter-cpu

	all := informer.(toolscache.SharedIndexInformer).GetStore().List()
	m.Objects = len(all)
	m.Unexpected = unlike(all[0], m.Content)
}

// usage returns what is in use after a collection, what was allocated so far, and the time that it took, before the collection.
func usage() (heap, allocated uint64, cpu time.Duration) {
	var r syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &r))
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	allocated = m.TotalAlloc
	for range 3 {
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return m.HeapAlloc, allocated, time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// peak returns the most that the process had in memory.
func peak() (kB uint64) {
	status, err := os.ReadFile("/proc/self/status")
	must(err)
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	_, err = fmt.Sscan(after, &kB)
	must(err)
	return kB << 10
}

// unlike returns how an object of a cache differs from what is to be measured.
func unlike(obj any, content string) string {
	accessor := obj.(metav1.Object)
	text := text(obj)
	switch {
	case (len(accessor.GetManagedFields()) > 0) != (content == whole):
		return "managedFields: " + text
	case strings.Contains(text, "env") == strings.HasPrefix(content, projected):
		return "environment variables: " + text
	case !strings.Contains(text, `"conditions"`):
		return "no conditions: " + text
	}
	return ""
}

// fill creates so many objects like one that is given, with its status, and with what each object has of its own.
func fill(t *testing.T, c client.Client, n int, like *unstructured.Unstructured) {
	t.Helper()
	var wait sync.WaitGroup
	const workers = 4
	for w := range workers {
		wait.Go(func() {
			for i := w; i < n; i += workers {
				u := like.DeepCopy()
				u.SetName(fmt.Sprintf("%s%05x", like.GetGenerateName(), i*7919))
				for j, ref := range u.GetOwnerReferences() {
					ref.UID = types.UID(fmt.Sprintf("3f8e9a52-5c3c-4a80-9d0a-%012x", i/10+j))
					u.SetOwnerReferences([]metav1.OwnerReference{ref})
				}
				status := u.Object["status"]
				if err := c.Create(t.Context(), u, client.FieldOwner("kube-controller-manager")); err != nil {
					t.Error(err)
					return
				}
				u.Object["status"] = status
				if err := c.Status().Update(t.Context(), u, client.FieldOwner("kubelet")); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
	if t.Failed() {
		t.FailNow()
	}
}

// jobSetCRD returns the file with the CRD.
func jobSetCRD(t *testing.T) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", "sigs.k8s.io/jobset@v0.8.0")
	cmd.Dir = t.TempDir() // outside of any module, so that no go.mod is asked or changed
	out, err := cmd.Output()
	var info struct{ Dir string }
	if err := json.Unmarshal(out, &info); err != nil || info.Dir == "" {
		t.Fatalf("go mod download: %v %s", err, out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(info.Dir, "config/components/crd/bases/jobset.x-k8s.io_jobsets.yaml")
}

// A cache of projected objects takes a quarter of one of whole objects at most, and to fill it takes no more garbage. It takes the most where lists of
// large structs are kept, such as spec.replicatedJobs of a JobSet: they stay as long as they are.
func TestMemory(t *testing.T) {
	n, most := 300, uint64(2) // what a client allocates for itself counts, too
	if testsize.Soaking() || *update {
		n, most = 10_000, 4
	}
	config := start(t, jobSetCRD(t))
	c := newClient(t, config)
	for _, text := range [][]byte{podText, jobSetText} {
		fill(t, c, n, &unstructured.Unstructured{Object: *parse[map[string]any](text)})
	}
	var all []measurement
	for _, kind := range []string{"Pod", "JobSet"} {
		for _, form := range []string{"Go type", "unstructured"} {
			var first measurement
			for _, content := range []string{whole, stripped, scheduling, projected} {
				if content == scheduling && kind+form != "PodGo type" {
					continue
				}
				m := measurement{Kind: kind, Form: form, Content: content, Host: config.Host, CA: config.CAData}
				m.measure(t)
				t.Logf("%s, %s, %s: %d objects, heap %d, garbage %d, CPU %v, peak %d", kind, form, content, m.Objects, m.Heap, m.Garbage, m.CPU, m.Peak)
				if m.Objects != n || m.Unexpected != "" {
					t.Fatalf("%d objects: %s", m.Objects, m.Unexpected)
				}
				if content == whole {
					first = m
				}
				if strings.HasPrefix(content, projected) && content != scheduling && m.Heap > first.Heap/most {
					t.Errorf("projected, %ss, %s, take %d of %d bytes", kind, form, m.Heap, first.Heap)
				}
				if content != stripped && m.Garbage > first.Garbage+first.Garbage/50 {
					t.Errorf("%s, to fill a cache with %ss, %s, takes %d bytes instead of %d", content, kind, form, m.Garbage, first.Garbage)
				}
				all = append(all, m)
			}
		}
	}
	if *update {
		write(t, all)
	}
}

// measure fills the cache in another process.
func (m *measurement) measure(t *testing.T) {
	t.Helper()
	text, err := json.Marshal(m)
	must(err)
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), measureVariable+"="+string(text))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.Bytes())
	}
	must(json.Unmarshal(out, m))
}
