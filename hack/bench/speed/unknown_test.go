package speed

import (
	"reflect"
	"testing"
	"unsafe"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"k8s.io/apimachinery/pkg/runtime"
)

// unknownKeys holds the keys of unknown fields in one piece of memory, so that a walk can tell them by their address. Copies of
// an object share their keys with it.
type unknownKeys []byte

// findUnknown rebuilds the objects of s so that the keys of their unknown fields are in s.unknown.
func findUnknown(s *subject) error {
	size := 0
	for _, doc := range s.documents {
		size += len(doc)
	}
	s.unknown = make(unknownKeys, 0, size) // it must not grow
	for i, obj := range s.objects {
		pruned := runtime.DeepCopyJSON(obj)
		s.generated.Prune(pruned)
		s.objects[i] = s.unknown.rebuild(obj, pruned).(map[string]any)
	}
	return nil
}

// rebuild copies v. The keys that pruned does not have are in u.
func (u *unknownKeys) rebuild(v, pruned any) any {
	switch v := v.(type) {
	case map[string]any:
		kept, _ := pruned.(map[string]any)
		out := make(map[string]any, len(v))
		for k, e := range v {
			if left, ok := kept[k]; ok {
				out[k] = u.rebuild(e, left)
				continue
			}
			start := len(*u)
			*u = append(*u, k...)
			out[unsafe.String(unsafe.SliceData((*u)[start:]), len(k))] = e
		}
		return out
	case []any:
		kept, _ := pruned.([]any)
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = u.rebuild(e, kept[i]) // pruning drops no elements
		}
		return out
	}
	return v
}

// drop visits every value and drops the unknown fields.
func (u unknownKeys) drop(v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if uintptr(unsafe.Pointer(unsafe.StringData(k)))-uintptr(unsafe.Pointer(unsafe.SliceData(u))) < uintptr(len(u)) {
				delete(v, k)
			} else {
				u.drop(e)
			}
		}
	case []any:
		for _, e := range v {
			u.drop(e)
		}
	}
}

func TestDroppingWalkDropsWhatPruningDrops(t *testing.T) {
	original := map[string]any{
		"known":   map[string]any{"unknown1": "a", "list": []any{map[string]any{"known": "b", "unknown2": map[string]any{"x": "y"}}}},
		"unknown": []any{"c"},
	}
	prune := func(obj map[string]any) {
		delete(obj, "unknown")
		known := obj["known"].(map[string]any)
		delete(known, "unknown1")
		delete(known["list"].([]any)[0].(map[string]any), "unknown2")
	}
	s := &subject{
		kind:      &kind{generated: prunert.Resource{Prune: prune}},
		documents: [][]byte{make([]byte, 100)},
		objects:   []map[string]any{runtime.DeepCopyJSON(original)},
	}
	if err := findUnknown(s); err != nil || !reflect.DeepEqual(s.objects[0], original) {
		t.Errorf("the object became %v, %v", s.objects[0], err)
	}
	got, want := runtime.DeepCopyJSON(s.objects[0]), runtime.DeepCopyJSON(original)
	s.unknown.drop(got)
	if prune(want); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
