package parity

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Media types of bodies.
const (
	JSON       = "application/json"
	YAML       = "application/yaml"
	MergePatch = "application/merge-patch+json"
	JSONPatch  = "application/json-patch+json"
	Apply      = "application/apply-patch+yaml"
)

// Sample is an object to derive requests from.
type Sample struct {
	// Collection is the path of the objects of its kind.
	Collection string
	Object     map[string]any
	// Status says that the kind has a status subresource.
	Status bool
}

// spoiled are values of all types; most of them are of the wrong one wherever they are put.
var spoiled = []any{"text", int64(-7), 1.5, true, nil, []any{}, []any{"a", nil}, map[string]any{}, map[string]any{"odd": map[string]any{}}}

// maxSpoiled is how many values of an object are replaced by others, one after the other.
const maxSpoiled = 24

// derive returns the requests that a life of the object consists of, good and bad: it is created, read, listed, changed in
// every way there is, spoiled in many places, and deleted.
func derive(title, name string, s Sample) []Request {
	obj := s.object(name)
	path := s.Collection + "/" + name
	var script []Request
	add := func(what, method, path, mediaType, body string) {
		script = append(script, Request{Name: title + ": " + what, Method: method, Path: path, Type: mediaType, Body: body})
	}
	post := func(what, query string, body any) { add(what, "POST", s.Collection+query, JSON, encode(body)) }

	generated := s.object(name)
	meta := generated["metadata"].(map[string]any)
	delete(meta, "name")
	meta["generateName"] = name + "-"
	post("try with a generated name", "?dryRun=All", generated)
	post("create strictly", "?dryRun=All&fieldValidation=Strict", obj)
	post("create without a word", "?dryRun=All&fieldValidation=Ignore", obj)
	post("create with warnings", "?dryRun=All&fieldValidation=Warn", obj)
	post("create with an unknown fieldValidation", "?dryRun=All&fieldValidation=Sometimes", obj)
	odd := s.object(name)
	odd["odd"], odd["metadata"].(map[string]any)["odd"] = map[string]any{"a": int64(1)}, "x"
	post("create with unknown fields, strictly", "?fieldValidation=Strict", odd)
	add("create twice the same field", "POST", s.Collection+"?dryRun=All", JSON, `{"kind":"Nothing",`+strings.TrimPrefix(encode(obj), "{"))
	wrong := s.object(name)
	wrong["kind"] = "Nothing"
	post("create another kind", "", wrong)
	wrong = s.object(name)
	wrong["apiVersion"] = "other.example.com/v1"
	post("create another group", "", wrong)
	wrong = s.object(name)
	delete(wrong, "kind")
	post("create without a kind", "", wrong)
	wrong = s.object("Not A Name")
	post("create with a bad name", "", wrong)
	wrong = s.object(name)
	wrong["metadata"].(map[string]any)["labels"] = map[string]any{"a": int64(1)}
	post("create with a bad label", "", wrong)
	wrong["metadata"].(map[string]any)["labels"] = map[string]any{"a": "not a label!"}
	post("create with an invalid label", "", wrong)
	wrong = s.object(name)
	wrong["metadata"].(map[string]any)["finalizers"] = []any{"nodomain", "with.domain", "fine.example.com/x"}
	post("create with badly named finalizers", "?dryRun=All", wrong)
	add("create nonsense", "POST", s.Collection, JSON, `{"a":`)
	add("create a list", "POST", s.Collection, JSON, `[]`)

	post("create", "", odd)
	post("create again", "", obj)
	add("get", "GET", path, "", "")
	add("list", "GET", s.Collection+"?limit=1", "", "")
	add("list by name", "GET", s.Collection+"?fieldSelector=metadata.name%3D"+name, "", "")
	add("list by a bad field", "GET", s.Collection+"?fieldSelector=spec.nothing%3D1", "", "")
	script = append(script, Request{Name: title + ": table", Method: "GET", Path: path, Accept: "application/json;as=Table;v=v1;g=meta.k8s.io"})
	script = append(script, Request{Name: title + ": metadata", Method: "GET", Path: path, Accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"})
	script = append(script, Request{Name: title + ": as YAML", Method: "GET", Path: path, Accept: "text/plain"})

	updated := s.object(name)
	add("update without a resource version", "PUT", path, JSON, encode(updated))
	updated["metadata"].(map[string]any)["resourceVersion"] = "${rv:" + name + "}"
	add("update to the same", "PUT", path, JSON, encode(updated))
	updated["metadata"].(map[string]any)["resourceVersion"] = "1"
	add("update an old one", "PUT", path, JSON, encode(updated))
	updated["metadata"].(map[string]any)["resourceVersion"] = "${rv:" + name + "}"
	updated["odd"] = true
	updated["metadata"].(map[string]any)["annotations"] = map[string]any{"a": "b"}
	add("update with an unknown field", "PUT", path, JSON, encode(updated))
	add("update with an unknown field, strictly", "PUT", path+"?fieldValidation=Strict", JSON, encode(updated))
	add("update another name", "PUT", s.Collection+"/other", JSON, encode(updated))

	add("patch with an unknown field", "PATCH", path, MergePatch, `{"odd":{"a":1},"metadata":{"labels":{"l":"1"}}}`)
	add("patch with an unknown field, strictly", "PATCH", path+"?fieldValidation=Strict", MergePatch, `{"odd":{"a":1}}`)
	add("patch nothing", "PATCH", path, MergePatch, `{}`)
	add("patch with nonsense", "PATCH", path, MergePatch, `[1]`)
	add("JSON patch", "PATCH", path, JSONPatch, `[{"op":"add","path":"/metadata/annotations","value":{"p":"q"}}]`)
	add("JSON patch with an unknown field", "PATCH", path+"?fieldValidation=Strict", JSONPatch, `[{"op":"add","path":"/odd","value":1}]`)
	add("JSON patch of nothing", "PATCH", path, JSONPatch, `[{"op":"remove","path":"/nothing"}]`)
	add("strategic patch", "PATCH", path, "application/strategic-merge-patch+json", `{}`)
	for i, p := range patches(obj) {
		add("spoil "+p, "PATCH", path+"?dryRun=All", MergePatch, p)
		if i%4 == 0 {
			add("spoil strictly "+p, "PATCH", path+"?dryRun=All&fieldValidation=Strict", MergePatch, p)
		}
	}

	applied := s.object(name)
	add("apply", "PATCH", path+"?fieldManager=parity&force=true", Apply, encode(applied))
	add("apply with a conflict", "PATCH", path+"?fieldManager=other", Apply, encode(change(applied)))
	applied["odd"] = true
	add("apply an unknown field", "PATCH", path+"?fieldManager=parity&force=true", Apply, encode(applied))
	add("apply without a manager", "PATCH", path, Apply, encode(applied))
	if s.Status {
		add("get status", "GET", path+"/status", "", "")
		status := `{"status":` + encode(obj["status"]) + `,"spec":{"odd":1}}`
		add("patch status", "PATCH", path+"/status", MergePatch, status)
		add("patch status to text", "PATCH", path+"/status", MergePatch, `{"status":"text"}`)
		add("patch status with an unknown field", "PATCH", path+"/status?fieldValidation=Strict", MergePatch, `{"status":{"odd":1}}`)
	}
	add("get scale", "GET", path+"/scale", "", "")
	add("get nothing of it", "GET", path+"/nothing", "", "")
	add("delete with a wrong uid", "DELETE", path, JSON, `{"kind":"DeleteOptions","apiVersion":"v1","preconditions":{"uid":"wrong"}}`)
	add("delete, if only", "DELETE", path+"?dryRun=All", "", "")
	add("delete", "DELETE", path, "", "")
	add("get after that", "GET", path, "", "")
	add("delete again", "DELETE", path, "", "")
	add("patch after that", "PATCH", path, MergePatch, `{}`)
	return script
}

// object returns a copy of the sample with another name.
func (s Sample) object(name string) map[string]any {
	var obj map[string]any
	if err := json.Unmarshal([]byte(encode(s.Object)), &obj); err != nil {
		panic(err) // it was encoded a moment ago
	}
	meta, ok := obj["metadata"].(map[string]any)
	if !ok {
		meta = map[string]any{}
		obj["metadata"] = meta
	}
	meta["name"] = name
	delete(meta, "generateName")
	delete(meta, "namespace")
	return obj
}

// change returns obj with one text of its spec changed.
func change(obj map[string]any) map[string]any {
	spec, _ := obj["spec"].(map[string]any)
	for _, k := range slices.Sorted(maps.Keys(spec)) {
		if s, ok := spec[k].(string); ok {
			return map[string]any{"apiVersion": obj["apiVersion"], "kind": obj["kind"], "spec": map[string]any{k: s + "x"}}
		}
	}
	return map[string]any{"apiVersion": obj["apiVersion"], "kind": obj["kind"]}
}

// patches returns merge patches that each replace one value of obj, outside of its metadata, by one of another type.
func patches(obj map[string]any) []string {
	var paths [][]string
	var walk func(v any, path []string)
	walk = func(v any, path []string) {
		if len(path) > 0 {
			paths = append(paths, slices.Clone(path))
		}
		m, _ := v.(map[string]any)
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if len(path) == 0 && (k == "apiVersion" || k == "kind" || k == "metadata") {
				continue
			}
			walk(m[k], append(path, k))
		}
	}
	walk(obj, nil)
	var all []string
	for i := 0; i < maxSpoiled && len(paths) > 0; i++ {
		path, value := paths[i%len(paths)], spoiled[(i+i/len(paths))%len(spoiled)]
		patch := encode(value)
		for _, k := range slices.Backward(path) {
			patch = fmt.Sprintf("{%s:%s}", encode(k), patch)
		}
		all = append(all, patch)
	}
	return all
}

func encode(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // all of it came from JSON
	}
	return string(data)
}
