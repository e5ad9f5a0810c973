package pruneimpl_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
	"github.com/prune-gen/prune-gen/structural"
)

// oddMetadata are objects at the borders of what is taken for normal, each as its text.
var oddMetadata = []string{
	`{}`, `{"metadata": null}`, `{"metadata": {}}`, `{"metadata": []}`, `{"metadata": "x"}`,
	`{"apiVersion": "v1"}`, `{"apiVersion": "a/v1"}`, `{"apiVersion": "a/b/v1"}`, `{"apiVersion": 1, "kind": null}`, `{"kind": ["x"]}`,
	`{"metadata": {"name": "", "namespace": "x", "uid": null, "unknown": {"a": 1}}}`,
	`{"metadata": {"name": 1, "unknown": 2, "generation": 0}}`,
	`{"metadata": {"generation": 1.0, "deletionGracePeriodSeconds": 0}}`, `{"metadata": {"generation": 1.5}}`, `{"metadata": {"generation": "1"}}`,
	`{"metadata": {"labels": {}, "annotations": {"a": "b"}}}`, `{"metadata": {"labels": {"a": null}, "annotations": {"a": 1}}}`,
	`{"metadata": {"finalizers": [], "ownerReferences": []}}`, `{"metadata": {"finalizers": ["a", null]}}`,
	`{"metadata": {"ownerReferences": [{"apiVersion": "v1", "kind": "K", "name": "n"}]}}`,
	`{"metadata": {"ownerReferences": [{"apiVersion": "v1", "kind": "K", "name": "n", "uid": "u", "controller": true}]}}`,
	`{"metadata": {"ownerReferences": [{"apiVersion": "v1", "kind": "K", "name": "n", "uid": "u", "x": 1}, null]}}`,
	`{"metadata": {"managedFields": [{"manager": "", "operation": "Update"}]}}`,
	`{"metadata": {"managedFields": [{"manager": "m", "time": "2024-02-03T04:05:06Z", "fieldsV1": {"f:a": {}}}]}}`,
	`{"metadata": {"managedFields": [{"manager": "m", "fieldsV1": {"f:a": [1.0]}}]}}`,
	`{"metadata": {"managedFields": [{"manager": "m", "fieldsV1": {"f:a": {"f:b": 1.0}}}]}}`,
	`{"metadata": {"managedFields": [{"fieldsV1": {"f:a": [1.0, {"b": 2.0}], "f:b": 1.5}}, {"time": null}]}}`,
	`{"metadata": {"managedFields": [{"fieldsV1": 1.0}, {"fieldsV1": ""}, {"fieldsV1": null}, {"fieldsV1": [2.0, 2.5]}, {"fieldsV1": "x"}, "x"]}}`,
	`{"metadata": {"managedFields": [{"fieldsV1": 1.0}, {"fieldsV1": "", "manager": ""}, {"fieldsV1": null, "time": ""}, null, {}]}}`,
	`{"metadata": {"managedFields": [{"fieldsV1": 1.0}]}}`, `{"metadata": {"managedFields": [{"fieldsV1": ""}, {"fieldsV1": null}, {"fieldsV1": [2.0, 2.5]}]}}`,
	`{"metadata": {"managedFields": [{"fieldsV1": 1e300, "operation": null, "subresource": "", "u": 1}]}}`,
	`{"metadata": {"ownerReferences": [{"uid": null, "controller": null, "blockOwnerDeletion": false}, {"name": "n", "u": {"x": 1}}]}}`,
	`{"metadata": {"deletionGracePeriodSeconds": 3.0, "generation": 9007199254740993.0, "u": null}}`,
	`{"metadata": {"deletionGracePeriodSeconds": null, "generation": null, "labels": null, "annotations": null, "finalizers": null, "ownerReferences": null, "managedFields": null}}`,
	`{"metadata": {"deletionGracePeriodSeconds": 1e19, "labels": "x", "finalizers": [1], "ownerReferences": {}, "managedFields": [1]}}`,
}

// oddTimes are texts that look like times.
var oddTimes = []string{
	"", "2024-02-29T12:00:00Z", "2023-02-28T12:00:00Z", "2023-02-29T12:00:00Z", "2023-04-31T12:00:00Z", "2023-12-31T23:59:59Z",
	"2023-13-01T00:00:00Z", "2023-00-01T00:00:00Z", "2023-01-00T00:00:00Z", "2023-01-01T24:00:00Z", "2023-01-01T00:60:00Z",
	"2023-01-01T00:00:60Z", "0001-01-01T00:00:00Z", "0001-01-02T00:00:00Z", "2023-01-01T00:00:00+02:00", "2023-01-01T00:00:00.5Z",
	"2023-01-01t00:00:00z", "2023-01-01 00:00:00Z",
}

func normalizeTexts() []string {
	// At most a hundred unknown fields of well-formed metadata are named, and all of malformed metadata.
	many := make([]string, 120)
	for i := range many {
		many[i] = fmt.Sprintf(`"x%03d": 1`, i)
	}
	unknown := strings.Join(many, ", ")
	texts := append([]string{`{"metadata": {"name": 1, ` + unknown + `}}`, `{"metadata": {` + unknown + `}}`}, oddMetadata...)
	for _, at := range []string{"creationTimestamp", "deletionTimestamp"} {
		for _, text := range oddTimes {
			texts = append(texts, fmt.Sprintf(`{"metadata": {%q: %q, "unknown": 1}}`, at, text))
		}
	}
	for _, text := range oddTimes {
		texts = append(texts, fmt.Sprintf(`{"metadata": {"managedFields": [{"manager": "m", "time": %q}]}}`, text))
	}
	return texts
}

// compareNormalized compares how the runtime and the reference normalize an object.
func compareNormalized(t *testing.T, text string, schema *structural.Schema, opts prunert.NormalizeOptions, normalize func(map[string]any, *pruneimpl.Recorder) int) {
	t.Helper()
	object := func() map[string]any {
		var obj map[string]any
		if err := json.Unmarshal([]byte(text), &obj); err != nil {
			t.Fatal(err)
		}
		return obj
	}
	have, want := object(), object()
	unknown, err := pruneimpl.Normalize(have, opts, func(v any, rec *pruneimpl.Recorder) int { return normalize(v.(map[string]any), rec) })
	wantUnknown, wantErr := new(interpret.Work).Normalize(want, interpret.PruneDefaults(schema), interpret.PruneOptions{PreserveUnknownFields: true}, opts)
	if err == nil && !reflect.DeepEqual(have, want) {
		t.Errorf("%s, %+v: becomes %v, want %v", text, opts, have, want)
	}
	if fmt.Sprint(unknown) != fmt.Sprint(wantUnknown) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
		t.Errorf("%s, %+v:\nhave %q, %v\nwant %q, %v", text, opts, unknown, err, wantUnknown, wantErr)
	}
}

func TestMetadataIsNormalizedAsTheReferenceDoes(t *testing.T) {
	embedded := &structural.Schema{
		Generic:    structural.Generic{Type: "object"},
		Extensions: structural.Extensions{XEmbeddedResource: true, XPreserveUnknownFields: true},
	}
	list := &structural.Schema{Properties: map[string]*structural.Schema{"p": {Items: embedded}}}
	random := rand.New(rand.NewPCG(3, 4))
	texts := normalizeTexts()
	for range 100 {
		text, err := json.Marshal(map[string]any{"metadata": randomMetadata(random)})
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	for i, text := range texts {
		for _, opts := range []prunert.NormalizeOptions{
			{ReportUnknown: true}, {}, {Source: prunert.FromStorage, ReportUnknown: true}, {Source: prunert.FromStorage},
		} {
			compareNormalized(t, text, nil, opts, pruneimpl.NormalizeRoot)
			// Errors of one object do not affect the next.
			two := `{"p": [` + text + `, ` + texts[(i+1)%len(texts)] + `]}`
			compareNormalized(t, two, list, opts, func(obj map[string]any, rec *pruneimpl.Recorder) (n int) {
				for i, e := range obj["p"].([]any) {
					n += rec.Index(i, pruneimpl.NormalizeEmbedded(e.(map[string]any), rec))
				}
				return rec.Field("p", n)
			})
		}
	}
}

// In the API server's errors about embedded resources, map keys are in brackets.
func TestFaultsOfEmbeddedResourcesInMapsHaveTheKeyInBrackets(t *testing.T) {
	embedded := map[string]any{"kind": int64(1), "metadata": []any{}}
	_, err := pruneimpl.Normalize(nil, prunert.NormalizeOptions{}, func(_ any, rec *pruneimpl.Recorder) int {
		return rec.Field("spec", rec.Key("k", pruneimpl.NormalizeEmbedded(embedded, rec)))
	})
	for _, want := range []string{"spec[k].kind: Invalid value: 1: must be a string", "spec[k].metadata: Invalid value:"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

// Unknown fields are named in the order of the API server: those in the metadata of the object, those of the schema, those in other metadata.
func TestUnknownFieldsAreInTheOrderOfTheServer(t *testing.T) {
	object := func() map[string]any { return map[string]any{"metadata": map[string]any{"z": true, "y": true}} }
	for _, c := range []struct {
		root func(map[string]any, *pruneimpl.Recorder) int
		want []string
	}{
		{pruneimpl.NormalizeRoot, []string{"metadata.y", "metadata.z", "a", "z", "b.metadata.y", "b.metadata.z", "m[k].metadata.y", "m[k].metadata.z"}},
		{pruneimpl.NormalizeRootTwice, []string{"metadata.y", "metadata.z", "a", "z", "b.metadata.y", "b.metadata.z", "m[k].metadata.y", "m[k].metadata.z", "metadata.y", "metadata.z"}},
	} {
		unknown, err := pruneimpl.Normalize(nil, prunert.NormalizeOptions{ReportUnknown: true}, func(_ any, rec *pruneimpl.Recorder) int {
			n := rec.Drop("z")
			n += rec.Field("m", rec.Key("k", pruneimpl.NormalizeEmbedded(object(), rec)))
			n += c.root(object(), rec)
			n += rec.Field("b", pruneimpl.NormalizeEmbedded(object(), rec))
			return n + rec.Drop("a")
		})
		if err != nil || fmt.Sprint(unknown) != fmt.Sprint(c.want) {
			t.Errorf("have %q, %v\nwant %q", unknown, err, c.want)
		}
	}
}

// A hundred unknown fields of each metadata are named, independently of each other.
func TestUnknownFieldsAreCountedForEachMetadata(t *testing.T) {
	resource := func(unknown int, more map[string]any) map[string]any {
		metadata := map[string]any{"name": "a"}
		for i := range unknown {
			metadata[fmt.Sprintf("u%03d", i)] = true
		}
		for k, v := range more {
			metadata[k] = v
		}
		return map[string]any{"metadata": metadata}
	}
	for _, c := range []struct {
		first, second map[string]any
		want          int
		last          string
	}{
		{resource(99, nil), resource(0, nil), 99, "p[0].metadata.u098"},
		{resource(100, nil), resource(1, nil), 101, "p[1].metadata.u000"},
		{resource(101, nil), resource(0, nil), 100, "p[0].metadata.u099"},
		{resource(120, nil), resource(120, nil), 200, "p[1].metadata.u099"},
		{resource(0, map[string]any{"ownerReferences": []any{map[string]any{"x": true}, map[string]any{"x": true}}}), resource(1, nil), 3, "p[1].metadata.u000"},
	} {
		unknown, err := pruneimpl.Normalize(nil, prunert.NormalizeOptions{ReportUnknown: true}, func(_ any, rec *pruneimpl.Recorder) int {
			n := rec.Index(0, pruneimpl.NormalizeEmbedded(c.first, rec))
			n += rec.Index(1, pruneimpl.NormalizeEmbedded(c.second, rec))
			return rec.Field("p", n)
		})
		if err != nil || len(unknown) != c.want || unknown[len(unknown)-1] != c.last {
			t.Errorf("%d, %q, %v, want %d up to %s", len(unknown), unknown, err, c.want, c.last)
		}
	}
}
