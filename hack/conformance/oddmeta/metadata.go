// Package oddmeta makes metadata that is odd in every way that its fields can be: every field of ObjectMeta, OwnerReference
// and ManagedFieldsEntry with every value that somebody may think of, and many at a time. Normalizing such metadata has to
// end as it does in Kubernetes.
package oddmeta

import (
	"iter"
	"reflect"
	"strings"

	"github.com/prune-gen/prune-gen/internal/specimen"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Metadata returns metadata after metadata, the same ones each time. Whoever gets one owns it.
func Metadata() iter.Seq[any] {
	return func(yield func(any) bool) {
		for _, part := range []func(func(any) bool) bool{whole, singly, inElements, unknown, free, together} {
			if !part(yield) {
				return
			}
		}
	}
}

// fieldsOf returns the names that a Go type has in JSON.
func fieldsOf[T any]() []string {
	var names []string
	typ := reflect.TypeFor[T]()
	for i := range typ.NumField() {
		name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

// place is where in metadata a field is: in itself, or in an element of one of its lists.
type place struct {
	list   string // "" for metadata itself
	fields []string
}

func places() []place {
	return []place{
		{"", fieldsOf[metav1.ObjectMeta]()},
		{"ownerReferences", fieldsOf[metav1.OwnerReference]()},
		{"managedFields", fieldsOf[metav1.ManagedFieldsEntry]()},
	}
}

// in returns metadata with the given fields at p.
func (p place) in(fields map[string]any) map[string]any {
	if p.list == "" {
		return fields
	}
	return map[string]any{p.list: []any{fields}}
}

// whole is all of metadata that is something else.
func whole(yield func(any) bool) bool {
	for _, v := range values() {
		if !yield(v) {
			return false
		}
	}
	return true
}

// singly is one field at a time with each value.
func singly(yield func(any) bool) bool {
	for _, p := range places() {
		for _, k := range p.fields {
			for _, v := range valuesOf(k) {
				if !yield(p.in(map[string]any{k: v})) {
					return false
				}
			}
		}
	}
	return true
}

// inElements is each value as an element of what has elements, after one that is well-formed.
func inElements(yield func(any) bool) bool {
	for _, k := range []string{"labels", "annotations"} {
		for _, v := range values() {
			if !yield(map[string]any{k: map[string]any{"good": "a", "odd": v}}) {
				return false
			}
		}
	}
	for _, k := range []string{"finalizers", "ownerReferences", "managedFields"} {
		for _, v := range values() {
			var good any = map[string]any{}
			if k == "finalizers" {
				good = "a"
			}
			if !yield(map[string]any{k: []any{good, v}}) {
				return false
			}
		}
	}
	return true
}

// unknown is each unknown key at each place, beside something malformed, too; and more of them than are named.
func unknown(yield func(any) bool) bool {
	for _, p := range places() {
		for _, k := range unknownKeys(p.fields) {
			for _, v := range []any{"x", nil, map[string]any{"name": []any{map[string]any{"x": nil}}}} {
				meta := p.in(map[string]any{k: v, "~": "last"})
				beside := p.in(map[string]any{k: v})
				beside["generation"] = "malformed"
				if !yield(meta) || !yield(beside) {
					return false
				}
			}
		}
		for _, n := range []int{99, 100, 101, 250} {
			malformed := p.in(many(n))
			malformed["labels"] = int64(1)
			alike := p.in(many(n))
			alike[p.list+"[0].unknown0"] = "x"
			both := p.in(many(n))
			both[p.list+"[0].unknown0"], both["uid"] = "x", 1.5
			if !yield(p.in(many(n))) || !yield(malformed) || !yield(alike) || !yield(both) {
				return false
			}
		}
	}
	// Two lists with unknown fields, more than ten elements, and paths that look alike.
	owners := make([]any, 12)
	entries := make([]any, 12)
	for i := range owners {
		owners[i], entries[i] = map[string]any{"x": int64(i), "y": nil}, map[string]any{"x": int64(i), "fieldsV1": map[string]any{"x": 1.0}}
	}
	return yield(map[string]any{
		"ownerReferences": owners, "managedFields": entries, "ownerReferences[0].x": "x", "managedFields[3].x": "x", "ownerReferences[10].y": "x",
	})
}

// free is fieldsV1, which may be anything.
func free(yield func(any) bool) bool {
	for _, v := range values() {
		for _, wrapped := range []any{map[string]any{"f:a": v}, []any{v, v}} {
			if !yield(map[string]any{"managedFields": []any{map[string]any{"manager": "m", "fieldsV1": wrapped}}}) {
				return false
			}
		}
	}
	for _, depth := range []int{1, 10, 100, 1000, 5000} {
		if !yield(map[string]any{"managedFields": []any{map[string]any{"fieldsV1": deep(depth)}}}) ||
			!yield(map[string]any{"unknown": deep(depth)}) || !yield(map[string]any{"labels": deep(depth)}) {
			return false
		}
	}
	return true
}

// togethers is how many have several odd fields.
const togethers = 6000

// together is many fields at once: good ones, odd ones, unknown ones.
func together(yield func(any) bool) bool {
	for seed := range uint64(togethers) {
		flaws := specimen.MetadataUnknown | specimen.MetadataValues | specimen.Null | specimen.Keys
		if seed%2 == 0 { // malformed metadata is refused as a whole
			flaws |= specimen.MetadataMalformed
		}
		rate := []float64{0.05, 0.2, 0.6}[seed%3]
		if !yield(specimen.Make(nil, seed, specimen.Options{Flaws: flaws, Rate: rate})["metadata"]) {
			return false
		}
	}
	return true
}
