package measure

import (
	"unsafe"

	"k8s.io/apimachinery/pkg/runtime"
)

// glance tells at a glance which fields of an object are to be dropped: it keeps their keys in one piece of memory.
// Copies of the object share their keys with it.
type glance struct {
	keys []byte
}

// newGlance rebuilds the object of s so that its unknown fields can be told, and returns what tells them.
func newGlance(s *Subject) *glance {
	pruned := runtime.DeepCopyJSON(s.Object)
	s.Generated.Prune(pruned)
	g := &glance{}
	g.rebuild(s.Object, pruned) // for the size alone
	g.keys = make([]byte, 0, len(g.keys))
	s.Object = g.rebuild(s.Object, pruned).(map[string]any)
	return g
}

// rebuild copies v. The keys that pruned does not have come from g.keys.
func (g *glance) rebuild(v, pruned any) any {
	switch v := v.(type) {
	case map[string]any:
		kept, _ := pruned.(map[string]any)
		out := make(map[string]any, len(v))
		for k, e := range v {
			if left, ok := kept[k]; ok {
				out[k] = g.rebuild(e, left)
			} else {
				out[g.key(k)] = e
			}
		}
		return out
	case []any:
		kept, _ := pruned.([]any)
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = g.rebuild(e, kept[i]) // pruning drops no elements
		}
		return out
	}
	return v
}

func (g *glance) key(k string) string {
	start := len(g.keys)
	g.keys = append(g.keys, k...)
	return unsafe.String(unsafe.SliceData(g.keys[start:]), len(k))
}

// unknown reports whether a key is one of those in g.keys.
func (g *glance) unknown(k string) bool {
	at := uintptr(unsafe.Pointer(unsafe.StringData(k)))
	start := uintptr(unsafe.Pointer(unsafe.SliceData(g.keys)))
	return at-start < uintptr(len(g.keys))
}

// drop visits every value and drops the unknown fields.
func (g *glance) drop(v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if g.unknown(k) {
				delete(v, k)
			} else {
				g.drop(e)
			}
		}
	case []any:
		for _, e := range v {
			g.drop(e)
		}
	}
}
