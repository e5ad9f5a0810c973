package gotypes

import (
	"cmp"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/prune-gen/prune-gen/internal/base/meter"
)

// field is a field of a struct in JSON.
type field struct {
	name   string // in JSON
	v      *types.Var
	owner  types.Type   // the struct that declares it, which may be embedded in another
	via    []*types.Var // the embedded fields that lead to it
	quoted bool         // it has the option string

	omitempty, omitzero bool // it has these options

	depth    int
	untagged int // 0 for a field whose tag has its name, else 1
}

// structFields holds the fields of a struct.
type structFields struct {
	all []field // sorted by name
	// open reports that there may be others: an embedded type is unknown.
	open bool
}

// get returns the field with a name, nil for none.
func (s *structFields) get(name string) *field {
	i, ok := slices.BinarySearchFunc(s.all, name, func(f field, name string) int { return cmp.Compare(f.name, name) })
	if !ok {
		return nil
	}
	return &s.all[i]
}

// fieldsOf returns the fields of a struct by the rules of encoding/json: those of embedded structs are its own, unless a tag
// names them; of several fields with a name, the one that is least deep counts, then the one with a tag; if that leaves two,
// there is none. A generic type can embed others without end: each costs more than the one before it.
func fieldsOf(t types.Type, m *meter.Meter) *structFields {
	s := &structFields{}
	type embedded struct {
		t     types.Type
		via   []*types.Var
		twice bool // then its fields hide each other
	}
	visited := map[types.Type]bool{}
	for level, depth := []embedded{{t: t}}, 0; len(level) > 0 && m.Spend(len(visited)*len(visited)); depth++ {
		var next []embedded
		for _, e := range level {
			if visited[e.t] {
				continue
			}
			visited[e.t] = true
			fields := e.t.Underlying().(*types.Struct)
			for i := range fields.NumFields() {
				v := fields.Field(i)
				name, options, ok := jsonTag(fields.Tag(i))
				inner := v.Type()
				if pointer, ok := types.Unalias(inner).(*types.Pointer); ok {
					inner = pointer.Elem()
				}
				inner = types.Unalias(inner)
				_, isStruct := inner.Underlying().(*types.Struct)
				switch {
				case !ok, !v.Exported() && !(v.Embedded() && isStruct):
				case v.Embedded() && name == "" && isStruct:
					if j := slices.IndexFunc(next, func(e embedded) bool { return types.Identical(e.t, inner) }); j >= 0 {
						next[j].twice = true
					} else {
						next = append(next, embedded{inner, append(slices.Clone(e.via), v), e.twice})
					}
				case v.Embedded() && name == "" && isUnknown(inner):
					s.open = true
				default:
					f := field{name: name, v: v, owner: e.t, via: e.via, depth: depth,
						quoted: slices.Contains(options, "string"), omitempty: slices.Contains(options, "omitempty"), omitzero: slices.Contains(options, "omitzero")}
					if name == "" {
						f.name, f.untagged = v.Name(), 1
					}
					s.all = append(s.all, f)
					if e.twice {
						s.all = append(s.all, f)
					}
				}
			}
		}
		level = next
	}
	s.all = dominant(s.all)
	return s
}

// dominant returns the fields that count, sorted by name.
func dominant(all []field) []field {
	slices.SortStableFunc(all, func(a, b field) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.depth, b.depth), cmp.Compare(a.untagged, b.untagged))
	})
	var counting []field
	for len(all) > 0 {
		first, n := all[0], 1
		for n < len(all) && all[n].name == first.name {
			n++
		}
		if n == 1 || all[1].depth != first.depth || all[1].untagged != first.untagged {
			counting = append(counting, first)
		}
		all = all[n:]
	}
	return counting
}

// jsonTag returns the name in a tag, "" for none, and the options. It is false for a field that has no part in JSON.
func jsonTag(tag string) (name string, options []string, ok bool) {
	value := reflect.StructTag(tag).Get("json")
	if value == "-" {
		return "", nil, false
	}
	parts := strings.Split(value, ",")
	if !isValidName(parts[0]) {
		parts[0] = ""
	}
	return parts[0], parts[1:], true
}

// isValidName reports whether encoding/json takes a name from a tag.
func isValidName(name string) bool {
	for _, r := range name {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return name != ""
}

// isUnknown reports whether a type could not be loaded.
func isUnknown(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.Invalid
}
