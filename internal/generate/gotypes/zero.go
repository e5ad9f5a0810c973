package gotypes

import (
	"go/types"
	"reflect"
	"slices"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// unknownZero is the zero value of a type whose JSON is not known.
type unknownZero struct{}

// written returns the schemas of a CRD as they are written, by what they were converted to: values are validated by the former.
func written(s *structural.Schema, as *structural.JSONSchema) map[*structural.Schema]*structural.JSONSchema {
	all := map[*structural.Schema]*structural.JSONSchema{}
	var add func(s *structural.Schema, as *structural.JSONSchema)
	add = func(s *structural.Schema, as *structural.JSONSchema) {
		if s == nil || as == nil {
			return
		}
		all[s] = as
		for name, p := range s.Properties {
			add(p, as.Properties[name])
		}
		add(s.Items, as.Elements())
		add(s.Values(), as.Values())
	}
	add(s, as)
	return all
}

// unset checks what becomes of a field that a program does not set or sets to its zero value. It has the schema s in objects with the schema
// parent. A required field of a status may be missing at first: controllers fill in a status step by step.
func (w *walker) unset(parent, s *structural.Schema, inStatus bool, at place) {
	f := at.field
	if !w.isOwn(f.v) || !w.meter.Spend(meter.UnitsOfType) {
		return
	}
	needed := s.Default == nil && requires(parent, f)
	value, sent := w.sends(f, s)
	switch zero := shapeOf(types.Unalias(f.v.Type())).zero; {
	case value == unknownZero{}:
	case sent && needed && !inStatus:
	case sent:
		if errs := w.refusals(value, s, f); len(errs) > 0 {
			w.find(IDZeroRefused, at, f.leaveOut(needed),
				"a program that does not set %s sends %s, which the API server refuses: %s", objectPath(at), short(value), errs[0])
		} else if s.Default != nil && !reflect.DeepEqual(w.filled(value, s), w.filled(s.Default, s)) {
			w.find(IDDefaultUnused, at, "make it a pointer with omitempty",
				"a program that does not set %s sends %s, so the default %s never applies", objectPath(at), short(value), short(s.Default))
		}
	case !f.omits(), zero == nil, zero == unknownZero{}, zero == "" && !slices.Contains(s.ValueValidation.Enum, zero), len(w.refusals(zero, s, f)) > 0:
		// An empty string says nothing, unless an enum has it.
	case needed:
		w.find(IDZeroMissing, at, "remove omitempty, make the field a pointer, or refuse the value in the schema",
			"a program cannot set %s to %s: it is left out, and the API server refuses objects without it", objectPath(at), short(zero))
	case s.Default != nil && !reflect.DeepEqual(zero, s.Default):
		w.find(IDZeroDefaulted, at, "make the field a pointer, or refuse the value in the schema",
			"a program cannot set %s to %s: it is left out, and the API server fills in the default %s", objectPath(at), short(zero), short(s.Default))
	}
}

// requires reports whether a field is required in objects with the schema s.
func requires(s *structural.Schema, f *field) bool {
	return slices.Contains(s.ValueValidation.Required, f.name)
}

// sends returns what a program sends for a field that it does not set, as the server decodes it. It is false for nothing, or for a null that the
// server takes for nothing.
func (w *walker) sends(f *field, s *structural.Schema) (value any, ok bool) {
	if f.omits() || slices.ContainsFunc(f.via, func(v *types.Var) bool { return isPointer(v.Type()) }) {
		return nil, false
	}
	value = w.zero(f.v.Type(), s)
	if f.quoted && value != nil {
		return unknownZero{}, true
	}
	return value, value != nil || s.Nullable
}

// zero returns the JSON of the zero value of a type, unknownZero for one that is not known. Objects are without fields that have a finding of
// their own.
func (w *walker) zero(t types.Type, s *structural.Schema) any {
	if isPointer(t) {
		return nil
	}
	have := shapeOf(types.Unalias(t))
	if have.writes&taken(s) == 0 {
		return unknownZero{} // the server refuses every value
	}
	if have.fields == nil || !w.meter.Spend(meter.UnitsOfType) {
		return have.zero
	}
	object := map[string]any{}
	fields := w.structFields(have.fields)
	for i := range fields.all {
		f := &fields.all[i]
		child, _ := property(s, f.name)
		if child == nil {
			continue
		}
		value, sent := w.sends(f, child)
		if value == (unknownZero{}) || fields.open {
			return unknownZero{}
		}
		if sent && (requires(s, f) || !w.isOwn(f.v) || len(w.refusals(value, child, f)) == 0) {
			object[f.name] = value
		}
	}
	return object
}

// filled returns a copy of a value with the defaults in it.
func (w *walker) filled(value any, s *structural.Schema) any {
	value = jsonvalue.Copy(value)
	if object, ok := value.(map[string]any); ok {
		w.work.Default(object, s)
	}
	return value
}

// refusals returns why the server would refuse a value of a field, with paths that begin at the field.
func (w *walker) refusals(value any, s *structural.Schema, f *field) prunert.ErrorList {
	errs, _ := w.work.ValidateValues(map[string]any{f.name: w.filled(value, s)},
		&structural.JSONSchema{Type: "object", Properties: map[string]*structural.JSONSchema{f.name: w.written[s]}})
	return errs
}

// omits reports whether encoding/json leaves out the zero value of a field because of its tag.
func (f *field) omits() bool {
	if !f.omitempty {
		return f.omitzero
	}
	switch u := f.v.Type().Underlying().(type) {
	case *types.Struct:
		return f.omitzero
	case *types.Array:
		return f.omitzero || u.Len() == 0
	}
	return true
}

// isPointer reports whether the zero value of a type is null whatever methods it has.
func isPointer(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return true
	}
	return false
}

// leaveOut returns a hint how to leave out a field that is not set.
func (f *field) leaveOut(isRequired bool) string {
	hint := "add omitempty"
	if _, ok := f.v.Type().Underlying().(*types.Struct); ok { // omitempty has no effect
		hint = "make it a pointer with omitempty, or add omitzero"
	}
	if isRequired {
		hint = "make the field optional, and " + hint
	}
	return hint
}

// short returns a value for people.
func short(v any) string { return yamltext.Shorten(jsonvalue.Text(v)) }
