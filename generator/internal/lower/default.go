package lower

import (
	"maps"
	"slices"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/base/sorted"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
	"github.com/prune-gen/prune-gen/structural"
)

// Default is the pass that fills in defaults.
var Default = Pass{"default", func(all *nodes, r Resource) *plan.Node {
	l := &defaulting{all}
	root := l.node(pruneDefaults(r.Schema))
	return l.intern(root) // a function, even without any default
}}

// defaulting decides which defaults are filled in where.
type defaulting struct {
	*nodes
}

func (l *defaulting) lower(s *structural.Schema) *plan.Node {
	n := l.node(s)
	if len(n.Fields) == 0 && n.Rest == plan.RestKeep && n.Elem == nil {
		return l.leaf(plan.DefaultNone)
	}
	return l.intern(n)
}

func (l *defaulting) node(s *structural.Schema) plan.Node {
	n := plan.Node{Do: plan.DefaultWalk, Rest: plan.RestKeep}
	if s == nil {
		return n
	}
	none := l.leaf(plan.DefaultNone)
	for _, name := range sorted.Keys(s.Properties) {
		child := s.Properties[name]
		n.Fields = append(n.Fields, plan.Field{Name: name, Node: l.lower(child), Slot: l.nullSlot(child, preserveAll)})
	}
	if of := s.Values(); of != nil {
		if values, slot := l.lower(of), l.nullElemSlot(of); values != none || slot != nil {
			n.Rest, n.RestNode, n.RestSlot = plan.RestWalk, values, slot
		}
	}
	if n.Rest == plan.RestKeep { // otherwise a field without a default must not be taken for a value of the map
		n.Fields = slices.DeleteFunc(n.Fields, func(f plan.Field) bool { return f.Node == none && f.Slot == nil })
	}
	if s.Items != nil {
		if items, slot := l.lower(s.Items), l.nullElemSlot(s.Items); items != none || slot != nil {
			n.Elem, n.ElemSlot = items, slot
		}
	}
	return n
}

// pruneDefaults returns s, the schema of a resource, with defaults that hold only what s specifies in their place. The API server
// prunes them when it loads a schema.
func pruneDefaults(s *structural.Schema) *structural.Schema {
	if s == nil {
		return nil
	}
	root := s.Resource()
	return pruneDefaultsOf(s, func(v any) any {
		keepSpecified(v, root, root.XPreserveUnknownFields)
		return v
	})
}

// pruneDefaultsOf is pruneDefaults for a schema below the root. prune prunes a value of the schema, which also depends on the schemas above
// it.
func pruneDefaultsOf(s *structural.Schema, prune func(any) any) *structural.Schema {
	in := func(key string) func(any) any {
		return func(v any) any {
			obj, _ := prune(map[string]any{key: v}).(map[string]any)
			return obj[key]
		}
	}
	pruned := *s
	if s.Default != nil {
		pruned.Default = prune(jsonvalue.Copy(s.Default))
	}
	if s.Items != nil {
		pruned.Items = pruneDefaultsOf(s.Items, func(v any) any {
			list := []any{v}
			prune(list)
			return list[0]
		})
	}
	pruned.Properties = maps.Clone(s.Properties)
	for k, child := range s.Properties {
		pruned.Properties[k] = pruneDefaultsOf(child, in(k))
	}
	if of := s.Values(); of != nil {
		values := pruneDefaultsOf(of, in("*")) // as the API server calls a key of a map
		pruned.AdditionalProperties = &structural.SchemaOrBool{Schema: values, Bool: s.AdditionalProperties.Bool}
	}
	return &pruned
}

// keepSpecified drops the fields that s does not specify from v, unless s preserves unknown fields, and those that ObjectMeta does not have
// from metadata.
func keepSpecified(v any, s *structural.Schema, preserves bool) {
	if s == nil {
		s = &structural.Schema{}
	}
	switch v := v.(type) {
	case map[string]any:
		if s.XEmbeddedResource {
			drop := prunert.NormalizeOptions{Source: prunert.FromStorage} // and not refuse
			pruneimpl.Normalize(v, drop, func(_ any, rec *pruneimpl.Recorder) int { return pruneimpl.NormalizeEmbedded(v, rec) })
		}
		for k, e := range v {
			child, specified := s.Properties[k]
			if ap := s.AdditionalProperties; !specified && ap != nil {
				child, specified = ap.Schema, true
			}
			switch {
			case s.XEmbeddedResource && structural.IsMetaField(k):
			case specified:
				keepSpecified(e, child, child != nil && child.XPreserveUnknownFields)
			case !preserves:
				delete(v, k)
			}
		}
	case []any:
		for _, e := range v {
			keepSpecified(e, s.Items, preserves || s.Items != nil && s.Items.XPreserveUnknownFields)
		}
	}
}

// complete returns a copy of v, of the schema s, with the defaults of everything below it.
func complete(v any, s *structural.Schema) any {
	if s == nil {
		return jsonvalue.Copy(v)
	}
	if v == nil && !s.Nullable {
		v = s.Default
	}
	switch v := v.(type) {
	case map[string]any:
		all := map[string]any{}
		for k, e := range v {
			if s.Properties[k] == nil {
				all[k] = complete(e, s.Values())
			}
		}
		for k, child := range s.Properties {
			e, found := v[k]
			if !found {
				e = child.Default
			}
			if found || e != nil {
				all[k] = complete(e, child)
			}
		}
		return all
	case []any:
		all := make([]any, len(v))
		for i, e := range v {
			all[i] = complete(e, s.Items)
		}
		return all
	}
	return v
}
