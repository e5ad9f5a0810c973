package apiserver

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"k8s.io/apimachinery/pkg/runtime"
)

// compareRequests sends requests about one kind: good ones, dirty ones, and ones that are malformed.
func (c *comparison) compareRequests(t *testing.T, a *answering) {
	t.Helper()
	const creates, updates, statuses = 58, 40, 30
	for i := range creates {
		obj := a.body(i)
		q := &request{what: "create", body: a.spoilText(encode(t, obj), i), validation: a.validation(i), dryRun: i%4 > 0}
		if bytes.Contains(q.body, []byte(`"resourceVersion"`)) {
			q.dryRun = false // only storage cares
		}
		c.ask(t, a, q)
	}
	olds := a.stored(t, c.server)
	for i := range updates {
		q := a.update(t, "update", olds, i)
		c.ask(t, a, q)
		a.refresh(t, c.server, olds, q)
	}
	if !a.version.HasStatus {
		q := a.update(t, "update of a status that is no subresource", olds, 0)
		q.subresource = "status"
		c.ask(t, a, q)
		return
	}
	for i := range statuses {
		q := a.update(t, "update of the status", olds, i)
		q.subresource = "status"
		c.ask(t, a, q)
		a.refresh(t, c.server, olds, q)
	}
}

// refresh reads an object again that was perhaps updated, or stores it again where the update has deleted it.
func (a *answering) refresh(t *testing.T, s *server.Server, olds []map[string]any, q *request) {
	t.Helper()
	if q.dryRun {
		return
	}
	i := slices.IndexFunc(olds, func(old map[string]any) bool { return nameOf(old) == q.name })
	resp := do(t, s, http.MethodGet, a.collection()+"/"+q.name, "", nil)
	if resp.Code == http.StatusNotFound {
		a.put(t, s, q.name, q.old)
		resp = do(t, s, http.MethodGet, a.collection()+"/"+q.name, "", nil)
	}
	olds[i] = object(t, resp, http.StatusOK)
}

// put writes an object to storage.
func (a *answering) put(t *testing.T, s *server.Server, name string, obj map[string]any) {
	t.Helper()
	obj = runtime.DeepCopyJSON(obj)
	delete(obj["metadata"].(map[string]any), "resourceVersion")
	if err := s.PutRaw(t.Context(), a.key(name), obj); err != nil {
		t.Fatal(err)
	}
}

// remove removes an object from storage, whatever its finalizers say.
func (a *answering) remove(t *testing.T, s *server.Server, name string) {
	t.Helper()
	if _, err := s.Etcd.Delete(t.Context(), a.key(name)); err != nil {
		t.Fatal(err)
	}
}

func (a *answering) validation(i int) prunert.FieldValidation {
	return []prunert.FieldValidation{"", prunert.FieldValidationIgnore, prunert.FieldValidationWarn, prunert.FieldValidationStrict}[i/2%4]
}

// body returns an object that is good, dirty or bad, by its number.
func (a *answering) body(i int) map[string]any {
	var obj map[string]any
	if len(a.seeds) > 0 && i%3 > 0 {
		obj = runtime.DeepCopyJSON(a.seeds[a.rng.IntN(len(a.seeds))])
		obj["apiVersion"], obj["kind"] = a.apiVersion(), a.crd.Names.Kind
		for range a.rng.IntN(3) {
			a.mutate(obj)
		}
	} else {
		opts := specimentest.Options{Size: 300, Rate: 0.02, APIVersion: a.apiVersion(), Kind: a.crd.Names.Kind, Name: "made"}
		flaws := []specimentest.Flaw{
			specimentest.None, specimentest.None, specimentest.Unknown, specimentest.WrongType | specimentest.Null, specimentest.Values, specimentest.MetadataValues,
			specimentest.MetadataUnknown | specimentest.Unknown, specimentest.Resources, specimentest.Keys | specimentest.Unknown,
			specimentest.MetadataMalformed, specimentest.All &^ (specimentest.MetadataMalformed | specimentest.Resources),
		}
		opts.Flaws = flaws[a.rng.IntN(len(flaws))]
		if opts.Flaws&(specimentest.MetadataValues|specimentest.MetadataMalformed) != 0 {
			opts.Rate = 0.2
		}
		obj = specimentest.Make(a.schema, a.rng.Uint64(), opts)
		if a.rng.IntN(3) > 0 {
			delete(obj, "metadata")
			obj["metadata"] = map[string]any{"name": "made"}
		}
	}
	a.dress(obj)
	return obj
}

// dress changes the metadata of some objects.
func (a *answering) dress(obj map[string]any) {
	metadata, ok := obj["metadata"].(map[string]any)
	if !ok {
		return
	}
	owner := map[string]any{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u"}
	other := map[string]any{"apiVersion": "v1", "kind": "Pod", "name": "q", "uid": "u", "controller": true}
	switch a.rng.IntN(24) {
	case 0:
		metadata["namespace"] = "other"
	case 1:
		metadata["namespace"] = namespace
	case 2:
		metadata["ownerReferences"] = []any{owner, runtime.DeepCopyJSON(owner), other, runtime.DeepCopyJSON(other)}
	case 3:
		metadata["finalizers"] = []any{"mine", "a.b", "a.b/c", "orphan", "mine"}
	case 4:
		metadata["finalizers"] = []any{"not/a/name", "", "orphan", "foregroundDeletion"}
	case 5:
		metadata["uid"], metadata["creationTimestamp"], metadata["generation"] = "mine", "2020-01-01T00:00:00Z", int64(12)
		metadata["deletionTimestamp"], metadata["deletionGracePeriodSeconds"] = "2020-01-01T00:00:00Z", int64(3)
		metadata["selfLink"] = "/x"
	case 6:
		metadata["labels"] = map[string]any{"a b": "c d", "ok": "ok"}
		metadata["annotations"] = map[string]any{"a b": "c d"}
	case 7:
		delete(metadata, "name")
		metadata["generateName"] = []string{"made-", "Made-", "a/b", strings.Repeat("m", 80)}[a.rng.IntN(4)]
	case 8:
		metadata["name"] = []string{"", "Made", "a/b", "made.", "..", strings.Repeat("m", 260)}[a.rng.IntN(6)]
	case 9:
		metadata["resourceVersion"] = []string{"0", "12", "x"}[a.rng.IntN(3)]
	case 10:
		metadata["managedFields"] = []any{map[string]any{"manager": "me", "operation": "Bogus"}}
	case 11:
		metadata["ownerReferences"] = []any{map[string]any{"apiVersion": "a/b/c", "kind": "", "name": "p", "uid": "u", "controller": true}, other}
	case 12:
		obj["kind"] = "Other"
	case 13:
		obj["apiVersion"] = []string{"other/v1", a.crd.Group + "/v99", "v1", "a/b/c", "", "/"}[a.rng.IntN(6)]
	case 14:
		delete(obj, []string{"kind", "apiVersion", "metadata"}[a.rng.IntN(3)])
	case 15:
		obj[[]string{"kind", "apiVersion", "metadata"}[a.rng.IntN(3)]] = []any{nil, int64(1), "", []any{}, map[string]any{}}[a.rng.IntN(5)]
	}
}

// mutate changes an object at one place.
func (a *answering) mutate(obj map[string]any) {
	var maps []map[string]any
	var lists [][]any
	visit(obj, "", func(_ string, v any) {
		switch v := v.(type) {
		case map[string]any:
			maps = append(maps, v)
		case []any:
			lists = append(lists, v)
		}
	})
	m := maps[a.rng.IntN(len(maps))]
	junk := []any{nil, "x", "", int64(-1), 1.5, true, map[string]any{"u": "v"}, []any{"w", map[string]any{"u": "v"}}, int64(3000000000)}[a.rng.IntN(9)]
	keys := sortedKeys(m, nil)
	keys = slices.DeleteFunc(keys, func(k string) bool {
		return k == "apiVersion" || k == "kind" || k == "metadata" || k == "name" || k == "generateName"
	})
	switch n := a.rng.IntN(6); {
	case n < 2:
		m["unknownField"] = junk
	case n == 2 && len(lists) > 0:
		if list := lists[a.rng.IntN(len(lists))]; len(list) > 1 {
			list[1] = runtime.DeepCopyJSONValue(list[0])
		}
	case len(keys) == 0:
	case n == 3:
		delete(m, keys[a.rng.IntN(len(keys))])
	default:
		m[keys[a.rng.IntN(len(keys))]] = junk
	}
}

// duplicateMark is in every document with a duplicate key.
const duplicateMark = `"again"`

// spoilText spoils some documents.
func (a *answering) spoilText(data []byte, i int) []byte {
	if i%5 > 0 {
		return data
	}
	text := string(data)
	switch a.rng.IntN(14) {
	case 0:
		return data[:a.rng.IntN(len(data))]
	case 1:
		return append(data, "}"...)
	case 2:
		return []byte([]string{"", "null", "[]", `"x"`, "1", "{}", "\xef\xbb\xbf{}", " ", "{", `{"kind":"x"}`}[a.rng.IntN(10)])
	case 3:
		return append([]byte("\n  "), append(data, " \n"...)...)
	case 4:
		return []byte(strings.Replace(text, `"kind":`, `"Kind":`, 1))
	case 5:
		return []byte(strings.Replace(text, `{"apiVersion":`, `{"APIVERSION":5,"apiVersion":`, 1))
	case 6:
		return []byte(strings.Replace(text, ":", `:1e400,"x":`, 1))
	case 7:
		return []byte(strings.Replace(text, `"spec":{`, `"spec":{"big":123456789012345678901234567890,"float":1.0,"exp":1e3,"zero":-0.0,`, 1))
	case 8:
		return bytes.Replace(data, []byte(`"name":"`), []byte("\"name\":\"\xff"), 1)
	}
	// Duplicate keys, in one place or in several.
	for range 1 + a.rng.IntN(3) {
		var at []int
		for from := 0; ; {
			j := strings.Index(text[from:], `{"`)
			if j < 0 {
				break
			}
			from += j + 2
			at = append(at, from-1)
		}
		if len(at) == 0 {
			return data
		}
		j := at[a.rng.IntN(len(at))]
		end := strings.Index(text[j+1:], `"`)
		key := text[j : j+1+end+1]
		text = text[:j] + key + `:{"again":1,"again":[{"again":2,"again":3}]},` + text[j:]
	}
	return []byte(text)
}

// stored puts objects into storage, good ones and ones that the server would not accept, and returns them as the server reads them.
func (a *answering) stored(t *testing.T, s *server.Server) []map[string]any {
	t.Helper()
	var all []map[string]any
	for i := 0; len(all) < 4 && i < 40; i++ {
		var obj map[string]any
		if len(a.seeds) > 0 && i%2 == 0 {
			obj = runtime.DeepCopyJSON(a.seeds[a.rng.IntN(len(a.seeds))])
			if i > 2 {
				a.mutate(obj)
			}
		} else {
			flaws := []specimentest.Flaw{specimentest.None, specimentest.Values, specimentest.WrongType | specimentest.Values}[a.rng.IntN(3)]
			obj = specimentest.Make(a.schema, a.rng.Uint64(), specimentest.Options{Size: 300, Rate: 0.02, Flaws: flaws})
		}
		obj["apiVersion"], obj["kind"] = a.apiVersion(), a.crd.Names.Kind
		name := fmt.Sprintf("stored-%d", i)
		metadata := map[string]any{
			"name": name, "uid": fmt.Sprintf("uid-%d", i), "creationTimestamp": "2020-01-01T00:00:00Z", "generation": int64(i),
			"finalizers": []any{"old", "example.com/finalizer"}, "labels": map[string]any{"a": "b"},
		}
		if a.namespace() != "" {
			metadata["namespace"] = a.namespace()
		}
		if i%4 == 3 {
			metadata["deletionTimestamp"], metadata["deletionGracePeriodSeconds"] = "2020-01-01T00:00:00Z", int64(30)
		}
		obj["metadata"] = metadata
		a.put(t, s, name, obj)
		if resp := do(t, s, http.MethodGet, a.collection()+"/"+name, "", nil); resp.Code == http.StatusOK {
			all = append(all, object(t, resp, http.StatusOK))
		}
	}
	if len(all) == 0 {
		t.Fatalf("%s %s: nothing can be stored", a.apiVersion(), a.crd.Names.Kind)
	}
	return all
}

// update returns a request to update one of the stored objects.
func (a *answering) update(t *testing.T, what string, olds []map[string]any, i int) *request {
	t.Helper()
	old := olds[a.rng.IntN(len(olds))]
	var obj map[string]any
	if i%4 == 3 {
		obj = a.body(i)
		metadata, ok := obj["metadata"].(map[string]any)
		if !ok {
			metadata = map[string]any{}
			if a.rng.IntN(3) > 0 {
				obj["metadata"] = metadata
			}
		}
		if a.rng.IntN(8) > 0 {
			metadata["name"], metadata["resourceVersion"] = nameOf(old), old["metadata"].(map[string]any)["resourceVersion"]
		}
	} else {
		obj = runtime.DeepCopyJSON(old)
		for range a.rng.IntN(3) {
			a.mutate(obj)
		}
		if i%4 == 2 {
			a.change(obj)
		}
		if i%4 == 1 {
			a.dressUpdate(obj)
		}
	}
	return &request{
		what: what, name: nameOf(old), old: old, body: a.spoilText(encode(t, obj), i+1), validation: a.validation(i), dryRun: i%3 > 0,
	}
}

// change gives an object another spec or status, from another object.
func (a *answering) change(obj map[string]any) {
	other := a.body(1)
	for _, k := range []string{"spec", "status"} {
		if v, ok := other[k]; ok && a.rng.IntN(2) == 0 {
			obj[k] = v
		}
	}
}

// dressUpdate changes the metadata of an object that is updated.
func (a *answering) dressUpdate(obj map[string]any) {
	metadata := obj["metadata"].(map[string]any)
	switch a.rng.IntN(16) {
	case 0:
		delete(metadata, "resourceVersion")
	case 1:
		metadata["resourceVersion"] = []string{"0", "1", "x"}[a.rng.IntN(3)]
	case 2:
		metadata["uid"] = "other"
	case 3:
		for _, k := range []string{"uid", "creationTimestamp", "generation", "managedFields", "deletionTimestamp", "deletionGracePeriodSeconds"} {
			delete(metadata, k)
		}
	case 4:
		metadata["deletionTimestamp"] = []string{"2021-01-01T00:00:00Z", "9999-12-31T23:59:59-23:00"}[a.rng.IntN(2)]
		metadata["deletionGracePeriodSeconds"] = int64(5)
	case 5:
		metadata["creationTimestamp"], metadata["generation"] = "2021-01-01T00:00:00Z", int64(-5)
	case 6:
		metadata["finalizers"] = []any{"old", "new", "a.b", "example.com/finalizer"}
	case 7:
		delete(metadata, "finalizers")
	case 8:
		metadata["generateName"] = []string{"a/b%c", "Ok-"}[a.rng.IntN(2)]
	case 9:
		metadata["name"] = "other"
	case 10:
		metadata["namespace"] = "other"
	case 11:
		metadata["labels"] = map[string]any{"a b": "c d"}
	case 12:
		metadata["selfLink"] = "/x"
	default:
		a.dress(obj)
	}
}
