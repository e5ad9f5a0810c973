package pruneimpl_test

import (
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
	"github.com/prune-gen/prune-gen/structural"
)

// randomMetadata makes metadata that has some of the fields of ObjectMeta and some that it does not have, with values of
// all types in both.
func randomMetadata(random *rand.Rand) any {
	var value func(s *structural.Schema, depth int) any
	value = func(s *structural.Schema, depth int) any {
		if s == nil || random.IntN(8) == 0 {
			s = &structural.Schema{Generic: structural.Generic{Type: []string{"object", "array", "string", "integer", ""}[random.IntN(5)]}}
		}
		switch s.Type {
		case "object":
			obj := map[string]any{}
			for _, k := range slices.Sorted(maps.Keys(s.Properties)) {
				if random.IntN(3) == 0 {
					obj[k] = value(s.Properties[k], depth+1)
				}
			}
			if s.AdditionalProperties != nil {
				obj["key"] = value(s.AdditionalProperties.Schema, depth+1)
			}
			if random.IntN(3) == 0 && depth < 5 {
				obj["unknown"] = value(nil, depth+1)
			}
			return obj
		case "array":
			list := make([]any, random.IntN(3))
			for i := range list {
				list[i] = value(s.Items, depth+1)
			}
			return list
		case "integer":
			return int64(random.IntN(10))
		case "boolean":
			return random.IntN(2) == 0
		case "":
			return nil
		}
		return "2024-02-29T12:00:00Z"
	}
	return value(structural.ObjectMeta(), 0)
}

func TestMetadataIsPrunedAsTheReferencePrunerDoes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	changed := 0
	for range 3000 {
		metadata := randomMetadata(random)
		want := map[string]any{"metadata": clone(metadata)}
		dropped := interpret.Prune(want, nil, interpret.PruneOptions{})

		have := clone(metadata)
		var rec pruneimpl.Recorder
		n := pruneimpl.PruneMetadata(have, &rec)
		if paths := rec.Dropped(); !reflect.DeepEqual(have, want["metadata"]) || !slices.Equal(paths, dropped) {
			t.Fatalf("%v\nhave %v\n%q\nwant %v\n%q", metadata, have, paths, want["metadata"], dropped)
		}
		if (n == 0) != (len(dropped) == 0) {
			t.Fatalf("%d events for %q", n, dropped)
		}
		if len(dropped) > 0 {
			changed++
		}
		silent := clone(metadata)
		if n := pruneimpl.PruneMetadata(silent, nil); n != 0 || !reflect.DeepEqual(silent, have) {
			t.Fatalf("without a recorder: %d events, have %v, want %v", n, silent, have)
		}
		var check pruneimpl.Recorder
		pruneimpl.CheckMetadata(metadata, &check)
		var after pruneimpl.Recorder
		pruneimpl.CheckMetadata(have, &after)
		if !reflect.DeepEqual(messages(&check), messages(&after)) {
			// Dropping can only remove fields of objects that have the wrong type in their place, and these are still wrong.
			t.Fatalf("%v\nbefore pruning %q\nafter %q", metadata, messages(&check), messages(&after))
		}
	}
	if changed < 100 {
		t.Errorf("only %d changed", changed)
	}
}

func messages(rec *pruneimpl.Recorder) []string {
	var texts []string
	for _, e := range rec.Errors() {
		texts = append(texts, e.Error())
	}
	return texts
}

func TestMetadataOfTheWrongTypeIsNamed(t *testing.T) {
	for _, tt := range []struct {
		metadata any
		want     string
	}{
		{map[string]any{}, ""},
		{nil, ""},
		{"text", `metadata: Invalid value: "string": metadata in body must be of type object: "string"`},
		{[]any{}, `metadata: Invalid value: "array": metadata in body must be of type object: "array"`},
		{
			map[string]any{"labels": map[string]any{"a": int64(1), "b": nil, "c": "x"}},
			`metadata.labels.a: Invalid value: "integer": metadata.labels.a in body must be of type string: "integer"`,
		},
		{
			map[string]any{"ownerReferences": []any{nil, map[string]any{"controller": "yes", "uid": "x"}}},
			`metadata.ownerReferences[1].controller: Invalid value: "string": ` +
				`metadata.ownerReferences[1].controller in body must be of type boolean: "string"`,
		},
		{map[string]any{"managedFields": []any{map[string]any{"fieldsV1": []any{"anything"}}}, "unknown": []any{}}, ""},
		{
			map[string]any{"creationTimestamp": "never"},
			`metadata.creationTimestamp: Invalid value: "never": parsing time "never" as "2006-01-02T15:04:05Z07:00": cannot parse "never" as "2006"`,
		},
	} {
		var rec pruneimpl.Recorder
		pruneimpl.CheckMetadata(tt.metadata, &rec)
		if got := strings.Join(messages(&rec), "\n"); got != tt.want {
			t.Errorf("%v: have %s\nwant %s", tt.metadata, got, tt.want)
		}
	}
}

func TestMetadataThatIsInOrderCostsNoAllocation(t *testing.T) {
	metadata := map[string]any{
		"name": "a", "namespace": "b", "labels": map[string]any{"c": "d"}, "generation": int64(1), "finalizers": []any{"e"},
		"creationTimestamp": "2024-02-29T12:00:00Z", "ownerReferences": []any{map[string]any{"name": "f"}},
		"managedFields": []any{map[string]any{"manager": "g", "fieldsV1": map[string]any{"f:spec": map[string]any{}}}},
	}
	obj := map[string]any{"metadata": metadata}
	both := func(_ any, rec *pruneimpl.Recorder) int {
		return pruneimpl.PruneMetadata(metadata, rec) + pruneimpl.CheckMetadata(metadata, rec)
	}
	allocs := testing.AllocsPerRun(100, func() {
		if errs := pruneimpl.Check(obj, both); errs != nil {
			t.Error(errs)
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

func clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		c := make(map[string]any, len(v))
		for k, e := range v {
			c[k] = clone(e)
		}
		return c
	case []any:
		c := make([]any, len(v))
		for i, e := range v {
			c[i] = clone(e)
		}
		return c
	}
	return v
}
