package prunetest

import (
	"strconv"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// memory has objects as a server stores them. The fake client stores a Go type if its scheme has one, which lacks fields and has others that
// are empty, and what it says in managedFields is a guess.
type memory struct {
	mu      sync.Mutex
	objects map[memoryKey]*unstructured.Unstructured
	newest  uint64
}

type memoryKey struct {
	kind schema.GroupVersionKind
	client.ObjectKey
}

func keyOf(u *unstructured.Unstructured) memoryKey {
	return memoryKey{u.GroupVersionKind(), client.ObjectKeyFromObject(u)}
}

// keep keeps an object in place of the one that was kept before.
func (m *memory) keep(obj map[string]any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	u := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(obj)}
	if m.objects == nil {
		m.objects = map[memoryKey]*unstructured.Unstructured{}
	}
	m.objects[keyOf(u)] = u
	version, _ := strconv.ParseUint(u.GetResourceVersion(), 10, 64)
	m.newest = max(m.newest, version)
}

// forget drops an object that is gone.
func (m *memory) forget(obj map[string]any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.objects, keyOf(&unstructured.Unstructured{Object: obj}))
}

// recall returns what a server stores where the fake client has u, nil if somebody else wrote that version.
func (m *memory) recall(u *unstructured.Unstructured) map[string]any {
	m.mu.Lock()
	defer m.mu.Unlock()
	if is := m.objects[keyOf(u)]; is != nil && is.GetResourceVersion() == u.GetResourceVersion() {
		return runtime.DeepCopyJSON(is.Object)
	}
	return nil
}

// version returns the version of the last object that was kept, which lists have.
func (m *memory) version() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return strconv.FormatUint(max(m.newest, 1), 10)
}
