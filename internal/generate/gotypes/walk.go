package gotypes

import (
	"cmp"
	"go/types"
	"maps"
	"slices"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/internal/crd/origin"
	"github.com/prune-gen/prune-gen/internal/text/spelling"
	"github.com/prune-gen/prune-gen/structural"
)

// walker walks a Go type and a schema side by side.
type walker struct {
	*account
	pruned bool // whether the server drops unknown fields
	fields map[types.Type]*structFields
	seen   map[pair]bool
	meter  *meter.Meter

	written map[*structural.Schema]*structural.JSONSchema
	work    *interpret.Work // of validation
}

// pair is a type and the schema that it was compared with.
type pair struct {
	t                  types.Type
	s                  *structural.Schema
	preserving, quoted bool
}

// place is where a walk is.
type place struct {
	schema *structural.Path // in the CRD
	object *structural.Path // in an object
	field  *field           // the last field on the way, nil at the root
	anchor types.Object     // the last field or type on the way whose source is the user's

	// preserving reports that a list above keeps the unknown fields of its elements.
	preserving bool
	// quoted reports that the field has the option string.
	quoted bool
}

func newWalker(p *Package, c *structural.CRD, v *structural.Version) *walker {
	return &walker{
		account: newAccount(p, c, v), pruned: v.Pruned,
		fields: map[types.Type]*structFields{}, seen: map[pair]bool{}, meter: origin.Limits(c), work: &interpret.Work{Kubernetes: c.Kubernetes},
	}
}

// structFields returns the fields of a struct.
func (w *walker) structFields(t types.Type) *structFields {
	if w.fields[t] == nil {
		w.fields[t] = fieldsOf(t, w.meter)
	}
	return w.fields[t]
}

// isResource reports whether a type has the fields of a resource.
func (w *walker) isResource(t types.Type) bool {
	t = types.Unalias(t)
	if shapeOf(t).fields == nil {
		return false
	}
	fields := w.structFields(t)
	return fields.get("apiVersion") != nil && fields.get("kind") != nil && fields.get("metadata") != nil
}

// root compares the type of a kind with the schema of a version.
func (w *walker) root(kind *types.TypeName, s *structural.Schema) {
	w.written = written(s, w.version.Schema)
	w.object(types.Unalias(kind.Type()), s, true, place{schema: w.version.SchemaPath, anchor: kind})
}

// value compares a type with a schema.
func (w *walker) value(t types.Type, s *structural.Schema, at place) {
	t = pointed(t)
	key := pair{t, s, at.preserving, at.quoted}
	if w.seen[key] || !w.meter.Spend(meter.UnitsOfType) {
		return
	}
	w.seen[key] = true
	have, takes := shapeOf(t), taken(s)
	if at.quoted {
		have = quotedShape(have)
	}
	switch {
	case have.writes&takes == 0:
		w.mismatch(t, have, takes, at)
		return
	case takes != isAny && takes&^have.reads != 0:
		w.narrow(t, takes, at)
	case takes == isInteger && have.writes == isInteger:
		w.width(t, s, at)
	}
	switch {
	case have.fields != nil && takes&isObject != 0:
		w.object(t, s, s.XEmbeddedResource, at)
	case have.elem != nil && have.writes == isList && s.Items != nil:
		// If a list preserves unknown fields, its elements do, too.
		at.schema, at.object = at.schema.Child("items"), at.object.Key("")
		at.preserving, at.quoted = at.preserving || s.XPreserveUnknownFields, false
		w.value(have.elem, s.Items, at)
	case have.elem != nil && have.writes == isObject:
		w.mapping(have.elem, s, at)
	}
}

// mapping compares a map of values of type t with a schema.
func (w *walker) mapping(t types.Type, s *structural.Schema, at place) {
	if w.keepsNothing(s, at) {
		w.droppedWhole(at)
		return
	}
	for _, name := range sorted.Keys(s.Properties) {
		w.value(t, s.Properties[name], at.below(name))
	}
	if values := s.Values(); values != nil {
		w.value(t, values, at.values())
	}
}

// object compares the fields of a struct with a schema.
func (w *walker) object(t types.Type, s *structural.Schema, isResource bool, at place) {
	fields := w.structFields(t)
	if !isResource && w.keepsNothing(s, at) {
		if len(fields.all) > 0 {
			w.droppedWhole(at)
		}
		return
	}
	if named, ok := t.(*types.Named); ok && w.isOwn(named.Obj()) {
		at.anchor = named.Obj()
	}
	// Whoever writes a schema for metadata chooses the fields that make sense in this place.
	isChoice := qualified(t) == metaPath+".ObjectMeta"
	isMeta := func(name string) bool { return isResource && structural.IsMetaField(name) }
	missing := slices.DeleteFunc(sorted.Keys(s.Properties), func(name string) bool { return fields.get(name) != nil || isMeta(name) })
	if !fields.open {
		for _, name := range missing {
			w.lost(t, at.below(name))
		}
	}
	// Errors of this struct are reported before those below it: a finding names the first place.
	var members []func()
	foreign := map[*types.TypeName][]place{}
	for i := range fields.all {
		f := &fields.all[i]
		if isMeta(f.name) {
			continue
		}
		below := at.below(f.name)
		below.field, below.quoted = f, f.quoted
		for _, v := range append(slices.Clone(f.via), f.v) {
			if w.isOwn(v) {
				below.anchor = v
			}
		}
		child, kept := property(s, f.name)
		switch {
		case child != nil:
			if s.Properties[f.name] == nil {
				below.schema = at.values().schema
			}
			// Nobody creates an object without its spec, and the server drops the status of a new object if it is a subresource.
			if at.object != nil || f.name == "status" && !w.version.HasStatus {
				w.unset(s, child, w.version.HasStatus && at.object.String() == "status", below)
			}
			members = append(members, func() { w.value(f.v.Type(), child, below) })
		case w.pruned && !kept && !at.preserving && !isChoice:
			if owner, ok := f.owner.(*types.Named); ok && !w.isOwn(f.v) {
				foreign[owner.Obj()] = append(foreign[owner.Obj()], below)
			} else {
				w.dropped(spelling.Nearest(f.name, missing), below)
			}
		}
	}
	for _, fields := range slices.SortedFunc(maps.Values(foreign), func(a, b []place) int { return cmp.Compare(a[0].field.name, b[0].field.name) }) {
		w.droppedForeign(fields, at)
	}
	for _, member := range members {
		member()
	}
}

// property returns the schema of a field, nil for none, and reports whether objects keep the field.
func property(s *structural.Schema, name string) (child *structural.Schema, kept bool) {
	if child := s.Properties[name]; child != nil {
		return child, true
	}
	if ap := s.AdditionalProperties; ap != nil {
		return ap.Schema, ap.Schema != nil || ap.Bool || s.XPreserveUnknownFields
	}
	return nil, s.XPreserveUnknownFields
}

// keepsNothing reports whether the server drops everything in an object.
func (w *walker) keepsNothing(s *structural.Schema, at place) bool {
	return w.pruned && !at.preserving && s.Type == "object" && !s.XPreserveUnknownFields && !s.XEmbeddedResource &&
		len(s.Properties) == 0 && s.AdditionalProperties == nil
}

// below returns the place of a property.
func (at place) below(name string) place {
	at.schema, at.object, at.preserving, at.quoted = at.schema.Child("properties").Key(name), at.object.Child(name), false, false
	return at
}

// values returns the place of the values of a map.
func (at place) values() place {
	at.schema, at.object, at.preserving, at.quoted = at.schema.Child("additionalProperties"), at.object.Child("*"), false, false
	return at
}
