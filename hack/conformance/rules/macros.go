package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/cel-go/common/types"
)

// macro returns an expression that begins with a macro.
func (e *expressions) macro(t *types.Type, depth int) (string, bool) {
	switch {
	case t.Kind() == types.BoolKind:
		return e.boolMacro(depth), true
	case t.Kind() == types.ListKind:
		elem := t.Parameters()[0]
		switch e.rng.IntN(4) {
		case 0:
			return e.over(listOf(elem), depth, "filter", types.BoolType), true
		case 1:
			return e.over(e.collection(), depth, "map", elem), true
		case 2:
			return e.over(e.collection(), depth, "map", types.BoolType, elem), true
		}
		return e.overPairs(e.collection(), depth, "transformList", e.withFilter(elem)...), true
	case t.Kind() == types.MapKind:
		key, value := t.Parameters()[0], t.Parameters()[1]
		if e.oneIn(2) {
			return e.overPairs(types.NewMapType(key, pick(e.rng, simple)), depth, "transformMap", e.withFilter(value)...), true
		}
		text := e.overPairs(e.collection(), depth, "transformMapEntry", e.withFilter(types.NewMapType(key, value))...)
		return text, strings.Contains(text, "{") // its last argument must be a literal
	case t.TypeName() == "optional_type":
		from := pick(e.rng, simple)
		if e.oneIn(2) {
			return e.over(types.NewOptionalType(from), depth, "optMap", t.Parameters()[0]), true
		}
		return e.over(types.NewOptionalType(from), depth, "optFlatMap", t), true
	}
	return "", false
}

func (e *expressions) withFilter(t *types.Type) []*types.Type {
	if e.oneIn(2) {
		return []*types.Type{types.BoolType, t}
	}
	return []*types.Type{t}
}

// collection returns the type of a list or a map.
func (e *expressions) collection() *types.Type {
	return pick(e.rng, []*types.Type{
		listOf(types.StringType), listOf(types.StringType), listOf(types.IntType), listOf(types.DynType), listOf(types.NewObjectType("ml")), listOf(types.NewObjectType("lo")),
		listOf(types.DurationType), mapOf(types.StringType), mapOf(types.IntType), mapOf(types.NewObjectType("mo")), types.NewMapType(types.IntType, types.StringType),
	})
}

func (e *expressions) boolMacro(depth int) string {
	switch e.rng.IntN(6) {
	case 0:
		return e.has()
	case 1, 2, 3:
		return e.over(e.collection(), depth, pick(e.rng, []string{"all", "exists", "exists_one"}), types.BoolType)
	}
	if e.plain {
		return e.has()
	}
	return e.overPairs(e.collection(), depth, pick(e.rng, []string{"all", "exists", "existsOne"}), types.BoolType)
}

// has returns a test for a field.
func (e *expressions) has() string {
	v := pick(e.rng, e.scope)
	for v.typ.Kind() != types.StructKind || len(fields[v.typ.TypeName()]) == 0 {
		v = e.scope[0]
	}
	of := fields[v.typ.TypeName()]
	name := pick(e.rng, sortedKeys(of))
	text := v.name + "." + name
	switch f := of[name]; {
	case f.Kind() == types.StructKind && len(fields[f.TypeName()]) > 0 && e.oneIn(2):
		text += "." + pick(e.rng, sortedKeys(fields[f.TypeName()]))
	case f.Kind() == types.MapKind && e.oneIn(2):
		text += ".key" + strconv.Itoa(e.rng.IntN(4))
	}
	return "has(" + text + ")"
}

// over returns a call of a macro with one variable.
func (e *expressions) over(t *types.Type, depth int, name string, args ...*types.Type) string {
	over := e.Expr(t, depth-1)
	elem := t.Parameters()[0]
	return fmt.Sprintf("%s.%s(%s)", over, name, e.body(depth, []*types.Type{elem}, args))
}

// overPairs returns a call of a macro with two variables.
func (e *expressions) overPairs(t *types.Type, depth int, name string, args ...*types.Type) string {
	over := e.Expr(t, depth-1)
	key, value := types.IntType, t.Parameters()[0]
	if t.Kind() == types.MapKind {
		key, value = t.Parameters()[0], t.Parameters()[1]
	}
	if name == "transformMapEntry" {
		return fmt.Sprintf("%s.%s(%s)", over, name, e.entryBody(depth, key, value, args))
	}
	return fmt.Sprintf("%s.%s(%s)", over, name, e.body(depth, []*types.Type{key, value}, args))
}

// body returns the variables of a macro and its arguments.
func (e *expressions) body(depth int, vars, args []*types.Type) string {
	outer := e.scope
	defer func() { e.scope = outer }()
	var texts []string
	for _, t := range vars {
		e.names++
		name := "v" + strconv.Itoa(e.names)
		if e.oneIn(3) && len(vars) == 1 {
			name = "v" // which may be the name of another around it
			e.scope = slices.DeleteFunc(slices.Clone(e.scope), func(v variable) bool { return v.name == name })
		}
		e.scope = append(e.scope[:len(e.scope):len(e.scope)], variable{name, t})
		texts = append(texts, name)
	}
	for _, t := range args {
		texts = append(texts, e.Expr(t, depth-1))
	}
	return strings.Join(texts, ", ")
}

// entryBody is body for transformMapEntry, whose last argument is a map with one entry.
func (e *expressions) entryBody(depth int, key, value *types.Type, args []*types.Type) string {
	entry := args[len(args)-1]
	outer := e.scope
	defer func() { e.scope = outer }()
	e.names += 2
	k, v := "v"+strconv.Itoa(e.names-1), "v"+strconv.Itoa(e.names)
	e.scope = append(e.scope[:len(e.scope):len(e.scope)], variable{k, key}, variable{v, value})
	texts := []string{k, v}
	if len(args) == 2 {
		texts = append(texts, e.Expr(args[0], depth-1))
	}
	return strings.Join(append(texts, "{"+e.Expr(entry.Parameters()[0], depth-1)+": "+e.Expr(entry.Parameters()[1], depth-1)+"}"), ", ")
}
