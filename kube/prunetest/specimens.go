package prunetest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/suite/specimen"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

// objectsEach is how many valid and how many invalid objects Objects makes of a version.
const objectsEach = 20

// Objects makes objects for property tests, of each version of a CRD that is served. Valid ones are created without losing a field.
// Invalid ones are refused with fieldValidation=Strict: values are beyond their bounds, of other types, null, missing or unknown. The
// same CRD and seed give the same objects. [load.CRD] reads a CRD.
//
// There are twenty of each for a version, and fewer invalid ones if its schema restricts little. Objects returns an error if it finds
// no valid object, for example because of a CEL rule that few objects satisfy.
func Objects(crd *structural.CRD, seed uint64) (valid, invalid []*unstructured.Unstructured, err error) {
	resources, err := dynamic.Compile(crd)
	if err != nil {
		return nil, nil, err
	}
	for i, v := range crd.Versions {
		if !v.Served {
			continue
		}
		schema, errs := structural.NewSchema(v.Schema, v.SchemaPath)
		if len(errs) > 0 {
			return nil, nil, errs[0]
		}
		s := specimens{resources[i], schema}
		for n := range uint64(objectsEach) {
			obj := s.valid(seed<<32+n, nil)
			if obj == nil {
				return nil, nil, fmt.Errorf("version %s: found no valid object", v.Name)
			}
			valid = append(valid, &unstructured.Unstructured{Object: obj})
		}
		for _, obj := range s.invalid(seed << 32) {
			invalid = append(invalid, &unstructured.Unstructured{Object: obj})
		}
	}
	return valid, invalid, nil
}

// specimens makes objects of a resource.
type specimens struct {
	resource prunert.Resource
	schema   *structural.Schema
}

// options returns those for objects that differ in their size.
func (s specimens) options(seed uint64) specimen.Options {
	return specimen.Options{
		Size: []int{200, 500, 1500}[seed%3], APIVersion: s.resource.APIVersion(), Kind: s.resource.Kind, Name: "object-" + strconv.FormatUint(seed%(1<<32), 10),
	}
}

// valid returns an object that is accepted, nil if none is found. The function change is called with the first object that is tried, if it is not nil.
func (s specimens) valid(seed uint64, change func(map[string]any)) map[string]any {
	obj, _ := specimen.Valid(s.schema, seed, s.options(seed), func(obj map[string]any) *prunert.Refusal {
		s.dress(obj)
		if change != nil {
			change(obj)
			change = nil
		}
		return s.refusal(obj)
	})
	return obj
}

// invalid returns objects that are refused.
func (s specimens) invalid(seed uint64) []map[string]any {
	violations := specimen.NewViolations(s.schema)
	var all []map[string]any
	for n := range uint64(5 * objectsEach) {
		var obj map[string]any
		if keywords := uint64(violations.Keywords()); n%2 == 0 && keywords > 0 {
			obj = violations.Make(int((seed+n/2)%keywords), seed+n)
			obj["metadata"] = map[string]any{"name": s.options(seed + n).Name}
		} else {
			obj = specimen.Make(s.schema, seed+n, s.options(seed+n))
			spoil(obj, rand.New(rand.NewPCG(seed, n)))
		}
		obj["apiVersion"], obj["kind"] = s.resource.APIVersion(), s.resource.Kind
		if s.dress(obj); s.refusal(obj) != nil {
			if all = append(all, obj); len(all) == objectsEach {
				break
			}
		}
	}
	return all
}

// spoil makes a value of an object null or one of another type, or adds an unknown field.
func spoil(obj map[string]any, rng *rand.Rand) {
	var places []func()
	add := func(set func(any)) {
		for _, other := range []any{nil, "text", int64(1), []any{"text"}, map[string]any{"unknown": "text"}} {
			places = append(places, func() { set(other) })
		}
	}
	var find func(v any)
	find = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				add(func(other any) { v[k] = other })
				find(v[k])
			}
			places = append(places, func() { v["unknown"] = "text" })
		case []any:
			for i, e := range v {
				add(func(other any) { v[i] = other })
				find(e)
			}
		}
	}
	find(obj)
	places[rng.IntN(len(places))]()
}

// dress keeps only the metadata that a client may send, and sets the namespace that a request without one means.
func (s specimens) dress(obj map[string]any) {
	metadata, ok := obj["metadata"].(map[string]any)
	if !ok {
		metadata = map[string]any{"name": "object"}
		obj["metadata"] = metadata
	}
	maps.DeleteFunc(metadata, func(k string, _ any) bool { return !slices.Contains([]string{"name", "labels", "annotations"}, k) })
	if s.resource.Namespaced {
		metadata["namespace"] = "default"
	}
}

// refusal returns why an object is not created as it is, nil if it is.
func (s specimens) refusal(obj map[string]any) *prunert.Refusal {
	return s.resource.Create(jsonvalue.Copy(obj), prunert.Request{FieldValidation: prunert.FieldValidationStrict}).Refusal
}
