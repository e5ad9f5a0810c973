package apiserver

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apimachinery/pkg/runtime"
)

// objectSource is where the server gets an object from. It decides what else the server does to the object besides pruning.
type objectSource uint8

const (
	fromRequest objectSource = iota // the body of a create, an update or a patch
	fromStorage                     // bytes in etcd
)

// settle does to an object that one of our functions has pruned what the server does besides pruning, in the server's
// order and with Kubernetes' own code, so that what is left to compare is the pruning. It fails where that code would
// drop an unknown field: such a field should be gone.
func (r *resource) settle(t *testing.T, obj map[string]any, from objectSource) map[string]any {
	t.Helper()
	obj = runtime.DeepCopyJSON(obj)
	malformed := from == fromStorage

	// A null where the schema is neither nullable nor has a default is dropped. That is part of normalizing an object, and not an unknown
	// field.
	if r.version.Pruned {
		defaulting.PruneNonNullableNullsWithoutDefaults(obj, r.schema)
	}
	// Metadata goes through the Go type ObjectMeta: empty fields disappear, times become UTC, and in storage a field of a
	// wrong type is dropped.
	err, unknown := objectmeta.CoerceWithOptions(nil, obj, r.schema, false,
		objectmeta.CoerceOptions{DropInvalidFields: malformed, ReturnUnknownFieldPaths: true})
	if err != nil {
		t.Fatalf("embedded metadata: %v", err)
	}
	root, found, unknownAtRoot, err2 := objectmeta.GetObjectMetaWithOptions(obj,
		objectmeta.ObjectMetaOptions{DropMalformedFields: malformed, ReturnUnknownFieldPaths: true})
	if err2 != nil {
		t.Fatalf("metadata: %v", err2)
	}
	if unknown = append(unknown, unknownAtRoot...); len(unknown) > 0 {
		t.Fatalf("unknown metadata fields were kept: %s", strings.Join(unknown, ", "))
	}
	if found {
		if err := objectmeta.SetObjectMeta(obj, root); err != nil {
			t.Fatal(err)
		}
	}
	// Where status is a subresource, a create does not set it.
	if r.version.HasStatus && from == fromRequest {
		delete(obj, "status")
	}
	defaulting.Default(obj, r.schema)
	return withoutServerFields(t, obj)
}

// withoutServerFields takes from an object, ours or the server's, what only the server can know. The round trip through JSON
// makes numbers alike: 1.0 and 1e0 are written as 1.
func withoutServerFields(t *testing.T, obj map[string]any) map[string]any {
	t.Helper()
	obj = decode(t, encode(t, obj))
	metadata, ok := obj["metadata"].(map[string]any)
	if !ok {
		return obj
	}
	for _, k := range serverFields {
		delete(metadata, k)
	}
	return obj
}

// serverFields are the fields of metadata that the server sets.
var serverFields = []string{
	// Filled in by the server for every object that it creates.
	"uid", "resourceVersion", "generation", "creationTimestamp", "managedFields",
	// Made from generateName and taken from the URL.
	"name", "namespace",
	// Cleared on create: only a delete sets them.
	"deletionTimestamp", "deletionGracePeriodSeconds", "selfLink",
}

// checkObject fails the test where an implementation makes something else of the object than the server did.
func (r *resource) checkObject(t *testing.T, what string, sent, got map[string]any, from objectSource) {
	t.Helper()
	for name, prune := range r.pruners {
		pruned := runtime.DeepCopyJSON(sent)
		prune(pruned)
		want := r.settle(t, pruned, from)
		if diff := firstDifference("", want, withoutServerFields(t, got)); diff != "" {
			t.Errorf("%s: %s and the server disagree at %s", what, name, diff)
		}
	}
}

// firstDifference returns the first path, in sorted order, at which two JSON values differ; empty if they are equal.
func firstDifference(at string, ours, theirs any) string {
	switch o := ours.(type) {
	case map[string]any:
		th, ok := theirs.(map[string]any)
		if !ok {
			break
		}
		for _, k := range sortedKeys(o, th) {
			ov, inOurs := o[k]
			tv, inTheirs := th[k]
			switch below := at + "." + k; {
			case !inOurs:
				return fmt.Sprintf("%s: ours is absent, the server's is %#v", below, tv)
			case !inTheirs:
				return fmt.Sprintf("%s: ours is %#v, the server's is absent", below, ov)
			default:
				if d := firstDifference(below, ov, tv); d != "" {
					return d
				}
			}
		}
		return ""
	case []any:
		th, ok := theirs.([]any)
		if !ok || len(o) != len(th) {
			break
		}
		for i := range o {
			if d := firstDifference(fmt.Sprintf("%s[%d]", at, i), o[i], th[i]); d != "" {
				return d
			}
		}
		return ""
	default:
		switch theirs.(type) {
		case map[string]any, []any:
		default:
			if ours == theirs {
				return ""
			}
		}
	}
	return fmt.Sprintf("%s: ours is %#v, the server's is %#v", at, ours, theirs)
}
