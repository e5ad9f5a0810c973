package celrules

import (
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

// schemaTypes makes the types of schemas as an evaluation needs them, each once.
type schemaTypes map[schemaNode]*prunecel.Type

type schemaNode struct {
	schema     *structural.Schema
	isResource bool
}

// of returns the type of the values of a schema. Unlike NewType it has a type for everything: values that rules do not see are
// compared with each other, too.
func (types schemaTypes) of(s *structural.Schema, isResource bool) *prunecel.Type {
	node := schemaNode{s, isResource}
	if t, ok := types[node]; ok {
		return t
	}
	t := &prunecel.Type{Name: s.Type, Nullable: s.Nullable}
	types[node] = t
	t.Kind = kindOf(s, isResource)
	switch t.Kind {
	case prunecel.KindObject:
		properties := s.Properties
		if isResource {
			properties = withMetadata(s)
		}
		t.Fields = make(map[string]*prunecel.Type, len(properties))
		t.Always = map[string]bool{}
		for name, p := range properties {
			t.Fields[name] = types.of(p, p.XEmbeddedResource)
			if p.Default != nil {
				t.Always[name] = true
			}
		}
		for _, name := range validation(s).Required {
			t.Always[name] = true
		}
		if isResource {
			t.Always["apiVersion"], t.Always["kind"], t.Always["metadata"] = true, true, true
			if metadata := t.Fields["metadata"]; metadata.Always != nil {
				metadata.Always["name"] = true
			}
		}
	case prunecel.KindMap:
		values := s.Values()
		t.Elem = types.of(values, values.XEmbeddedResource)
	case prunecel.KindList:
		types.list(t, s)
	}
	return t
}

func (types schemaTypes) list(t *prunecel.Type, s *structural.Schema) {
	if s.Items != nil {
		t.Elem = types.of(s.Items, s.Items.XEmbeddedResource)
	}
	if s.XListType == nil {
		return
	}
	switch *s.XListType {
	case "set":
		t.List = prunecel.SetList
	case "map":
		t.List = prunecel.MapList
		for _, k := range s.XListMapKeys {
			if escaped, ok := prunecel.Escape(k); ok {
				k = escaped // the server looks for the escaped name in the object
			}
			t.Keys = append(t.Keys, k)
		}
	}
}

// kindOf returns the kind of the values of a schema.
func kindOf(s *structural.Schema, isResource bool) prunecel.Kind {
	if s.XIntOrString {
		return prunecel.KindIntOrString
	}
	switch s.Type {
	case "object":
		switch {
		case isResource || s.Properties != nil:
			return prunecel.KindObject
		case s.Values() != nil:
			return prunecel.KindMap
		}
		return prunecel.KindOpaque
	case "array":
		return prunecel.KindList
	case "string":
		switch validation(s).Format {
		case "byte":
			return prunecel.KindBytes
		case "duration":
			return prunecel.KindDuration
		case "date":
			return prunecel.KindDate
		case "date-time":
			return prunecel.KindDateTime
		}
		return prunecel.KindString
	case "number":
		return prunecel.KindDouble
	case "integer":
		return prunecel.KindInt
	case "boolean":
		return prunecel.KindBool
	}
	if s.XPreserveUnknownFields {
		return prunecel.KindPreserved
	}
	return prunecel.KindNone
}
