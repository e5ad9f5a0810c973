package answer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"strings"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// scale is a Scale of autoscaling/v1.
type scale struct {
	APIVersion string         `json:"apiVersion"`
	Kind       string         `json:"kind"`
	Metadata   map[string]any `json:"metadata"`
	Spec       struct {
		Replicas int32 `json:"replicas,omitempty"`
	} `json:"spec"`
	Status struct {
		Replicas int32  `json:"replicas"`
		Selector string `json:"selector,omitempty"`
	} `json:"status"`
}

// updateScale answers an update of a scale: it is an update of the stored object, in which only the replicas change. It does not warn of unknown
// fields, and does not look for fields in the metadata of a scale that are unknown, wrong or duplicate.
func updateScale(r prunert.Resource, body []byte, stored map[string]any, req prunert.Request) prunert.Answer {
	badRequest := func(message string) prunert.Answer {
		return prunert.Answer{Refusal: &prunert.Refusal{Code: 400, Reason: "BadRequest", Message: message}}
	}
	var sent scale
	d := json.NewDecoder(bytes.NewReader(body))
	if req.FieldValidation == prunert.FieldValidationStrict {
		d.DisallowUnknownFields()
	}
	if d.Decode(&sent) != nil || cmp.Or(sent.APIVersion, "autoscaling/v1") != "autoscaling/v1" || cmp.Or(sent.Kind, "Scale") != "Scale" {
		return badRequest(`no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:…"`) // whatever is wrong
	}
	for _, f := range []struct {
		path string
		want any
	}{{r.Scale.SpecReplicasPath, int64(0)}, {r.Scale.StatusReplicasPath, int64(0)}, {r.Scale.LabelSelectorPath, ""}} {
		if v := valueAt(stored, f.path); v != nil && reflect.TypeOf(v) != reflect.TypeOf(f.want) {
			why := fmt.Sprintf("%s accessor error: %v is of the type %T, expected %T", f.path, v, v, f.want)
			return prunert.Answer{Refusal: &prunert.Refusal{Code: 500, Message: why}}
		}
	}
	if sent.Spec.Replicas == math.MinInt32 {
		return badRequest(fmt.Sprintf("the spec replicas field %q cannot be empty", r.Scale.SpecReplicasPath))
	}
	obj := maps.Clone(stored)
	metadata, _ := stored["metadata"].(map[string]any)
	metadata = maps.Clone(metadata)
	delete(metadata, "name")
	for _, k := range []string{"name", "namespace", "uid", "resourceVersion"} {
		if v, ok := sent.Metadata[k]; ok {
			metadata[k] = v
		}
	}
	obj["metadata"] = metadata
	at := obj
	path := strings.Split(strings.TrimPrefix(r.Scale.SpecReplicasPath, "."), ".")
	for _, name := range path[:len(path)-1] {
		below, _ := at[name].(map[string]any)
		if below = maps.Clone(below); below == nil {
			below = map[string]any{}
		}
		at[name] = below
		at = below
	}
	at[path[len(path)-1]] = int64(sent.Spec.Replicas)
	req.Subresource = ""
	said := r.Update(obj, stored, req)
	if said.Object != nil {
		said.Object = scaleOf(r, said.Object)
	}
	return said
}

// scaleOf returns the scale of an object.
func scaleOf(r prunert.Resource, obj map[string]any) map[string]any {
	s := scale{APIVersion: "autoscaling/v1", Kind: "Scale", Metadata: map[string]any{}}
	all, _ := obj["metadata"].(map[string]any)
	for _, k := range []string{"name", "namespace", "uid", "resourceVersion", "creationTimestamp"} {
		if v, ok := all[k]; ok {
			s.Metadata[k] = v
		}
	}
	replicas, _ := valueAt(obj, r.Scale.SpecReplicasPath).(int64)
	has, _ := valueAt(obj, r.Scale.StatusReplicasPath).(int64)
	s.Spec.Replicas, s.Status.Replicas = int32(replicas), int32(has)
	s.Status.Selector, _ = valueAt(obj, r.Scale.LabelSelectorPath).(string)
	text, _ := json.Marshal(s)
	var fields map[string]any
	json.Unmarshal(text, &fields)
	return fields
}

func valueAt(v any, path string) any {
	for _, name := range strings.Split(strings.TrimPrefix(path, "."), ".") {
		fields, _ := v.(map[string]any)
		v = fields[name]
	}
	return v
}
