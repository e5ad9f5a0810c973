package structural

import (
	"maps"
	"reflect"
	"slices"
)

// Default sets what is missing in obj and has a default in s, as the API server does after it has pruned an object: in
// lists and maps, too, but nothing below a parent that is missing. A null where s is not nullable counts as missing. The
// defaults are copied, so that no two objects share one. They are those of PruneDefaults.
func Default(obj map[string]any, s *Schema) {
	defaultBelow(obj, s)
}

func defaultBelow(v any, s *Schema) {
	if s == nil {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for k, child := range s.Properties {
			if e, found := v[k]; child.Default != nil && (!found || isWrongNull(e, child)) {
				v[k] = copyJSON(child.Default)
			}
		}
		for k, e := range v {
			child := fieldSchema(s, k)
			if isWrongNull(e, child) && s.Properties[k] == nil {
				v[k] = copyJSON(child.Default) // null where there is no default
			}
			defaultBelow(v[k], child)
		}
	case []any:
		for i, e := range v {
			if isWrongNull(e, s.Items) {
				v[i] = copyJSON(s.Items.Default)
			}
			defaultBelow(v[i], s.Items)
		}
	}
}

// fieldSchema returns the schema of key k in an object with the schema s, nil where there is none.
func fieldSchema(s *Schema, k string) *Schema {
	if s == nil {
		return nil
	}
	if child, ok := s.Properties[k]; ok {
		return child
	}
	if ap := s.AdditionalProperties; ap != nil {
		return ap.Schema
	}
	return nil
}

// isWrongNull reports whether v is a null that s does not allow.
func isWrongNull(v any, s *Schema) bool {
	return v == nil && s != nil && !s.Nullable
}

// dropNulls drops the nulls in objects that s does not allow and has no default for. Those in lists stay.
func dropNulls(v any, s *Schema) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if child := fieldSchema(s, k); isWrongNull(e, child) && child.Default == nil {
				delete(v, k)
			} else {
				dropNulls(e, child)
			}
		}
	case []any:
		if s != nil {
			for _, e := range v {
				dropNulls(e, s.Items)
			}
		}
	}
}

// DefaultOf returns a copy of the default of s in which the defaults of everything below it are filled in.
func DefaultOf(s *Schema) any {
	v := copyJSON(s.Default)
	defaultBelow(v, s)
	return v
}

// PruneDefaults returns s, the schema of a resource, with defaults that hold nothing but what s specifies where they stand.
// The API server does this when it loads a schema. It is s itself where nothing has to change.
func PruneDefaults(s *Schema) *Schema {
	if s == nil {
		return nil
	}
	d := defaultPruner{root: s}
	return d.schema(s)
}

type defaultPruner struct {
	root *Schema
	path []defaultStep // from the root to the schema that is looked at
}

// defaultStep leads from a schema to one below it.
type defaultStep struct {
	key   string // of an object; the API server takes * for the keys of a map
	items bool
}

// schema returns s with its defaults pruned: s itself where nothing changes.
func (d *defaultPruner) schema(s *Schema) *Schema {
	out := s
	// change returns what is to be changed instead of s.
	change := func() *Schema {
		if out == s {
			clone := *s
			clone.Properties = maps.Clone(s.Properties)
			out = &clone
		}
		return out
	}
	below := func(child *Schema, step defaultStep) *Schema {
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
	if ap := s.AdditionalProperties; ap != nil && ap.Schema != nil {
		if values := below(ap.Schema, defaultStep{key: "*"}); values != ap.Schema {
			change().AdditionalProperties = &SchemaOrBool{Schema: values, Bool: ap.Bool}
		}
	}
	return out
}

// value prunes a default in an object in which it stands where path leads, since what is above a value has a say in it.
func (d *defaultPruner) value(v any, path []defaultStep) any {
	v = copyJSON(v)
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
	root := *d.root
	root.XEmbeddedResource = true
	c := coercer{dropMalformed: true}
	c.walk(obj, &root, nil)
	Prune(obj, d.root, PruneOptions{})
}
