package interpret_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
	"github.com/prune-gen/prune-gen/structural"
)

// metadataValues are values of the fields of metadata, one of each of which a decoder makes: at the limits, beyond them, and odd.
func metadataValues() map[string][]any {
	long := func(n int) string { return strings.Repeat("a", n) }
	names := []any{"", "a", "A", "a.b", "-a", "a-", "a..b", "a/b", "a%b", ".", "..", "ä", "a_b", long(63), long(64), long(253), long(254), "a." + long(251), "a." + long(252), "1"}
	keys := []string{"", "a", "A_b.c", "-a", "/a", "a/", "a/b/c", "a.b/c", "A.b/c", "a_b/c", "a b", "ä", long(63), long(64), long(253) + "/a", long(254) + "/a", "a/" + long(63), "a/" + long(64), "kubernetes.io/x", "orphan", "foregroundDeletion"}
	var labelKeys, labelValues, annotations, finalizers []any
	for _, k := range keys {
		labelKeys = append(labelKeys, map[string]any{k: "v"})
		annotations = append(annotations, map[string]any{k: "any: value"})
		finalizers = append(finalizers, []any{k}, []any{k, "kubernetes", k}, []any{"kubernetes", "b/c", k})
	}
	for _, v := range []string{"", "a", "-", "a b", "A_.-9", "ä", long(63), long(64)} {
		labelValues = append(labelValues, map[string]any{"a": v, "b": v})
	}
	owner := func(changes ...any) map[string]any {
		o := map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "name": "d", "uid": "1"}
		for i := 0; i < len(changes); i += 2 {
			o[changes[i].(string)] = changes[i+1]
		}
		return o
	}
	return map[string][]any{
		"name": names, "generateName": names, "namespace": names,
		"generation": {int64(-1), int64(0), int64(1), int64(2)}, "uid": {"", "a", "<"}, "resourceVersion": {"", "0", "2", "x"},
		"creationTimestamp":          {"2020-01-01T00:00:00Z", "2020-01-01T01:00:00+01:00", "2021-01-01T00:00:00Z"},
		"deletionTimestamp":          {"2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z"},
		"deletionGracePeriodSeconds": {int64(0), int64(1), int64(-1)},
		"labels":                     append(labelKeys, labelValues...),
		"annotations":                append(annotations, map[string]any{"a": long(256<<10 - 1)}, map[string]any{"a": long(256 << 10)}, map[string]any{"a": long(128 << 10), "b": long(128<<10 - 2)}, map[string]any{"a": long(128 << 10), "b": long(128<<10 - 1)}),
		"finalizers":                 append(finalizers, []any{}, []any{"orphan", "foregroundDeletion"}, []any{"foregroundDeletion", "a", "orphan"}),
		"ownerReferences": {
			[]any{}, []any{owner()}, []any{owner("apiVersion", "")}, []any{owner("apiVersion", "a/b/c")}, []any{owner("apiVersion", "/")}, []any{owner("apiVersion", "a/")}, []any{owner("apiVersion", "/v1")}, []any{owner("apiVersion", "v1")},
			[]any{owner("kind", "")}, []any{owner("name", "")}, []any{owner("uid", "")}, []any{map[string]any{}}, []any{owner("apiVersion", "v1", "kind", "Event")}, []any{owner("apiVersion", "v2", "kind", "Event")}, []any{owner("kind", "Event")},
			[]any{owner("controller", true), owner("controller", true, "name", "e"), owner("controller", true, "name", "f")}, []any{owner("controller", false), owner("controller", true)}, []any{owner("blockOwnerDeletion", true)},
		},
		"managedFields": {
			[]any{map[string]any{"operation": "Apply"}}, []any{map[string]any{"operation": "Update"}}, []any{map[string]any{"operation": "apply"}}, []any{map[string]any{}},
			[]any{map[string]any{"operation": "Apply", "fieldsType": "FieldsV1"}, map[string]any{"operation": "Apply", "fieldsType": "FieldsV2"}},
			[]any{map[string]any{"operation": "Apply", "manager": long(128)}}, []any{map[string]any{"operation": "Apply", "manager": long(129)}}, []any{map[string]any{"operation": "Apply", "manager": "a\u0000ä\tb"}},
			[]any{map[string]any{"operation": "Apply", "subresource": long(256)}}, []any{map[string]any{"operation": "Apply", "subresource": long(257)}},
		},
	}
}

// The interpreter and the runtime, which are written apart from each other, find the same errors in metadata: of new objects, of
// updates, of objects that are being deleted, with and without a namespace, of resources in others, and with two fields that are odd.
func TestMetadataIsValidatedAsTheRuntimeDoes(t *testing.T) {
	valid := map[string]any{"name": "a", "namespace": "b", "uid": "u", "resourceVersion": "1", "generation": int64(1), "creationTimestamp": "2020-01-01T00:00:00Z", "finalizers": []any{"a/b"}}
	deleted := maps.Clone(valid)
	deleted["deletionTimestamp"], deleted["deletionGracePeriodSeconds"] = "2020-01-01T00:00:00Z", int64(1)
	object := func(meta map[string]any) map[string]any {
		if meta == nil {
			return nil
		}
		return map[string]any{"metadata": meta, "e": map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": meta}}
	}
	schema := &structural.JSONSchema{Type: "object", Properties: map[string]*structural.JSONSchema{"e": {Type: "object", XEmbeddedResource: true}}}
	shape := &pruneimpl.Shape{Fields: []pruneimpl.ShapeField{{Name: "e", Shape: &pruneimpl.Shape{Resource: true}}}}
	words := map[string]bool{}
	compare := func(meta, old map[string]any, namespaced bool) {
		t.Helper()
		have := pruneimpl.CheckMetadataValues(object(meta), object(old), namespaced, interpret.MetadataShape(schema))
		want := pruneimpl.CheckMetadataValues(object(meta), object(old), namespaced, shape)
		if fmt.Sprint(have) != fmt.Sprint(want) {
			t.Errorf("%.300v, was %v, namespaced %t:\nhave %.1000v\nwant %.1000v", meta, old, namespaced, have, want)
		}
		for _, e := range have {
			words[string(e.Type)+" "+e.Detail] = true
		}
	}
	values := metadataValues()
	fields := slices.Sorted(maps.Keys(values))
	for i, field := range fields {
		for j, v := range values[field] {
			for _, base := range []map[string]any{valid, deleted, {}} {
				meta := maps.Clone(base)
				meta[field] = v
				for _, old := range []map[string]any{nil, valid, deleted} {
					compare(meta, old, true)
					compare(meta, old, false)
				}
			}
			// And beside it an odd value of another field.
			other := fields[(i+1+j%(len(fields)-1))%len(fields)]
			compare(map[string]any{"name": "a", field: v, other: values[other][j%len(values[other])]}, nil, true)
		}
	}
	for _, field := range fields {
		meta := maps.Clone(valid)
		delete(meta, field)
		for _, old := range []map[string]any{nil, valid, deleted} {
			compare(meta, old, true)
			compare(meta, old, false)
		}
	}
	if len(words) < 100 {
		t.Errorf("%d kinds of errors: %q", len(words), slices.Sorted(maps.Keys(words)))
	}
}
