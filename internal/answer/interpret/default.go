package interpret

import (
	"maps"
	"reflect"
	"slices"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
)

// Default fills in the fields that are missing in obj and have a default in s, as the API server does after it has pruned an object: in
// lists and maps, too, but not below a missing parent. A null where s is not nullable counts as missing. The defaults are copied, so that
// no two objects share one. They are those of PruneDefaults.
func (w *Work) Default(obj map[string]any, s *structural.Schema) {
	f := filling{w.Meter}
	f.below(obj, s)
}

// filling fills in the defaults of one object.
type filling struct{ meter *meter.Meter }

func (f *filling) below(v any, s *structural.Schema) {
	if s == nil || f.meter.Spent() {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		f.meter.Spend(len(s.Properties))
		for k, child := range s.Properties {
			if e, found := v[k]; child.Default != nil && (!found || isWrongNull(e, child)) && f.take(child.Default) {
				v[k] = jsonvalue.Copy(child.Default)
			}
		}
		for k, e := range v {
			child := s.Field(k)
			if isWrongNull(e, child) && s.Properties[k] == nil && f.take(child.Default) {
				v[k] = jsonvalue.Copy(child.Default) // null where there is no default
			}
			f.below(v[k], child)
		}
	case []any:
		for i, e := range v {
			if isWrongNull(e, s.Items) && f.take(s.Items.Default) {
				v[i] = jsonvalue.Copy(s.Items.Default)
			}
			f.below(v[i], s.Items)
		}
	}
}

// take counts a default, and reports whether it may be filled in.
func (f *filling) take(value any) bool {
	return f.meter == nil || !f.meter.Spent() && f.meter.SpendMemory(meter.CopiesOfDefault*memory(value))
}

// memory estimates how many bytes a value takes.
func memory(value any) int {
	n := 64
	switch v := value.(type) {
	case string:
		n += len(v)
	case []any:
		for _, e := range v {
			n += memory(e)
		}
	case map[string]any:
		for k, e := range v {
			n += len(k) + memory(e)
		}
	}
	return n
}

// isWrongNull reports whether v is a null that s does not allow.
func isWrongNull(v any, s *structural.Schema) bool {
	return v == nil && s != nil && !s.Nullable
}

// dropNulls drops nulls from objects if s neither allows them nor has a default. Nulls in lists stay.
func dropNulls(v any, s *structural.Schema) {
	if s == nil {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if child := s.Field(k); isWrongNull(e, child) && child.Default == nil {
				delete(v, k)
			} else {
				dropNulls(e, child)
			}
		}
	case []any:
		for _, e := range v {
			dropNulls(e, s.Items)
		}
	}
}

// PruneDefaults returns s, the schema of a resource, with its defaults pruned by s.
// The API server does this when it loads a schema. It is s itself where nothing has to change.
func PruneDefaults(s *structural.Schema) *structural.Schema {
	if s == nil {
		return nil
	}
	d := defaultPruner{root: s}
	return d.schema(s)
}

type defaultPruner struct {
	root *structural.Schema
	path []defaultStep // from the root to the schema that is looked at
}

// defaultStep leads from a schema to one below it.
type defaultStep struct {
	key   string // of an object; the API server takes * for the keys of a map
	items bool
}

// schema returns s with its defaults pruned: s itself where nothing changes.
func (d *defaultPruner) schema(s *structural.Schema) *structural.Schema {
	out := s
	// change returns the copy of s to change.
	change := func() *structural.Schema {
		if out == s {
			clone := *s
			clone.Properties = maps.Clone(s.Properties)
			out = &clone
		}
		return out
	}
	below := func(child *structural.Schema, step defaultStep) *structural.Schema {
		d.path = append(d.path, step)
		pruned := d.schema(child)
		d.path = d.path[:len(d.path)-1]
		return pruned
	}
	if s.Default != nil {
		if v := d.value(s.Default, d.path); !reflect.DeepEqual(v, s.Default) {
			change().Default = v
		}
	}
	if s.Items != nil {
		if items := below(s.Items, defaultStep{items: true}); items != s.Items {
			change().Items = items
		}
	}
	for k, child := range s.Properties {
		if pruned := below(child, defaultStep{key: k}); pruned != child {
			change().Properties[k] = pruned
		}
	}
	if was := s.Values(); was != nil {
		if values := below(was, defaultStep{key: "*"}); values != was {
			change().AdditionalProperties = &structural.SchemaOrBool{Schema: values, Bool: s.AdditionalProperties.Bool}
		}
	}
	return out
}

// value prunes a default as part of an object, at the end of path, because schemas above a value can affect how it is pruned.
func (d *defaultPruner) value(v any, path []defaultStep) any {
	v = jsonvalue.Copy(v)
	if len(path) == 0 {
		obj, ok := v.(map[string]any)
		if !ok {
			return v
		}
		d.prune(obj)
		return obj
	}
	var object any = v
	for _, step := range slices.Backward(path) {
		if step.items {
			object = []any{object}
		} else {
			object = map[string]any{step.key: object}
		}
	}
	root, ok := object.(map[string]any)
	if !ok {
		return v // no resource is a list
	}
	d.prune(root)
	object = root
	for _, step := range path {
		switch o := object.(type) {
		case map[string]any:
			object = o[step.key]
		case []any:
			object = o[0]
		}
	}
	return object
}

func (d *defaultPruner) prune(obj map[string]any) {
	c := coercer{dropMalformed: true}
	c.walk(obj, d.root.Resource(), nil)
	Prune(obj, d.root, PruneOptions{})
}

// DroppedFromDefault returns the sorted paths of the fields, except those of metadata, that pruning drops from the default of s.
func DroppedFromDefault(s *structural.Schema) []string {
	p := pruner{keepMetadata: true, objectMeta: &structural.Schema{}}
	p.walk(jsonvalue.Copy(s.Default), s, s.XPreserveUnknownFields, nil)
	slices.Sort(p.dropped)
	return p.dropped
}

// CoerceDefault returns the default of s with the metadata of resources in it as the API server reads it: without what is unknown,
// null or empty there.
func CoerceDefault(s *structural.Schema) any {
	v := jsonvalue.Copy(s.Default)
	new(coercer).walk(v, s, nil)
	return v
}

// ValidateDefault returns what the API server of a version finds wrong with a default of the schema s, as far as the meter allows.
func ValidateDefault(m *meter.Meter, by kubeversion.Version, v any, s *structural.JSONSchema) prunert.ErrorList {
	w := valueWalk{reading: readDefault, by: by, work: new(Work), meter: m}
	errs, _ := w.run(v, s, nil)
	return errs
}
