package crdcover

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/base/keyword"
	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

// Constraint is something that a CRD says about values, with the cases that have seen it.
type Constraint struct {
	// Kind is a keyword, or one of Rule and ListType.
	Kind string `json:"kind"`
	// Path is where the values are in objects: spec.rules[].host, spec.env[*].value. It is empty for the object itself.
	Path string `json:"path"`
	// Text is what the keyword says: the rule, the pattern, the limit.
	Text string `json:"text,omitempty"`
	// File and Line are where the CRD says so. Line is 0 if only the file is known.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	// SatisfiedBy and ViolatedBy are the names of cases, sorted and without duplicates. The package comment says what they are for
	// defaults.
	SatisfiedBy []string `json:"satisfiedBy,omitempty"`
	ViolatedBy  []string `json:"violatedBy,omitempty"`

	// steps leads to the values: names, [] and [*].
	steps []string
}

// Steps returns what leads to the values: names, and [] and [*] for all elements of a list and all values of a map.
func (c Constraint) Steps() []string { return c.steps }

// Kinds of constraints whose names differ from their keywords, and those that are not keywords about a single value.
const (
	Rule     = "rule"
	ListType = "list type"
	Required = "required"
	Default  = "default"
)

// keywords are those about a single value. Of the keywords about strings, the API server reports only the first violated one, in this
// order.
var keywords = slices.DeleteFunc(slices.Clone(keyword.Of(reflect.TypeFor[structural.JSONSchema]())), func(k keyword.Keyword) bool { return k.Of == nil })

// restricts reports whether a keyword applies to the type of a value.
func restricts(k keyword.Keyword, v any) bool {
	return slices.ContainsFunc(k.Of, func(of string) bool { return of == "any" && isValue(v) || of == typeOf(v) })
}

func isValue(v any) bool { return v != nil }
func isList(v any) bool  { return typeOf(v) == "array" }

// typeOf returns the type of a value as a keyword names it.
func typeOf(v any) string {
	switch v.(type) {
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	case int64, float64:
		return "number"
	}
	return ""
}

// constraint is a Constraint with what is known about it.
type constraint struct {
	Constraint
	field    string // the name that is required
	is       func(v any) bool
	needsOld bool // it is a rule about updates
	filled   any  // what a default becomes, with the defaults inside of it
	rule     *prunecel.Rule
	held     []int // numbers of cases, in the order in which they were recorded
	broken   []int
}

// node is a node of a schema with constraints, or with such nodes below it.
type node struct {
	schema *structural.JSONSchema
	own    []*constraint // the rules first, in their order
	fields map[string]*node
	values *node // of a map
	items  *node
}

// builder makes nodes.
type builder struct {
	crd  *structural.CRD
	work *interpret.Work
	all  []*constraint
}

// node returns the node of a schema, nil without constraints.
func (b *builder) node(s *structural.JSONSchema, steps []string, at *structural.Path) *node {
	if s == nil {
		return nil
	}
	if s.XIntOrString {
		s = withoutTypes(s)
	}
	n := &node{schema: s}
	add := func(kind, text string, at *structural.Path) *constraint {
		c := &constraint{Constraint: Constraint{Kind: kind, Path: PathOf(steps), Text: text, steps: steps}}
		place := b.crd.Locate(at.Steps())
		c.File, c.Line = place.File, place.Line
		n.own = append(n.own, c)
		b.all = append(b.all, c)
		return c
	}
	for i, r := range s.XValidations {
		add(Rule, strings.TrimSpace(r.Rule), at.Child("x-kubernetes-validations").Index(i)).is = isValue
	}
	if s.Default != nil {
		add(Default, jsonvalue.Text(s.Default), at.Child("default")).filled = filled(s)
	}
	for _, k := range keywords {
		text, ok := textOf(s, k.Name)
		if ok && !isIdle(k.Name, text) && (k.Name != "format" || interpret.KnowsFormat(b.crd.Kubernetes, s)) {
			add(k.Name, text, at.Child(k.Name)).is = func(v any) bool { return restricts(k, v) }
		}
	}
	if t := s.XListType; t != nil && (*t == "set" || *t == "map") {
		add(ListType, strings.TrimSpace(*t+" "+strings.Join(s.XListMapKeys, ", ")), at.Child("x-kubernetes-list-type")).is = isList
	}
	for i, name := range s.Required {
		c := add(Required, "", at.Child(Required).Index(i))
		c.field, c.steps = name, extend(steps, name)
		c.Path = PathOf(c.steps)
	}
	for _, name := range sorted.Keys(s.Properties) {
		if f := b.node(s.Properties[name], extend(steps, name), at.Child("properties").Key(name)); f != nil {
			if n.fields == nil {
				n.fields = map[string]*node{}
			}
			n.fields[name] = f
		}
	}
	n.values = b.node(s.Values(), extend(steps, "[*]"), at.Child("additionalProperties"))
	n.items = b.node(s.Elements(), extend(steps, "[]"), at.Child("items"))
	if n.own == nil && n.fields == nil && n.values == nil && n.items == nil {
		return nil
	}
	return n
}

// isIdle reports whether a keyword has no effect on values of the type.
func isIdle(keyword, text string) bool {
	switch keyword {
	case "format":
		return text == "int64" || text == "double" || strings.ReplaceAll(text, "-", "") == "password"
	case "minLength", "minItems", "minProperties":
		return text == "0"
	}
	return false
}

// filled returns the default of s with the defaults inside of it.
func filled(s *structural.JSONSchema) any {
	const field = "field"
	made, _ := structural.NewSchema(s, nil)
	obj := map[string]any{}
	new(interpret.Work).Default(obj, &structural.Schema{Properties: map[string]*structural.Schema{field: made}})
	return obj[field]
}

// textOf returns what a keyword of s says, and whether s has it.
func textOf(s *structural.JSONSchema, name string) (string, bool) {
	value := keyword.Find(s, name)
	if value.IsZero() || value.Kind() == reflect.Slice && value.Len() == 0 {
		return "", false
	}
	switch v := value.Interface().(type) {
	case string:
		return v, true
	case []any:
		var words []string
		for _, e := range v {
			words = append(words, jsonvalue.Text(e))
		}
		return strings.Join(words, ", "), true
	case []*structural.JSONSchema:
		return fmt.Sprintf("%d schemas", len(v)), true
	case *structural.JSONSchema:
		return "", true
	}
	text := jsonvalue.Text(value.Elem().Interface())
	if name == "minimum" && s.ExclusiveMinimum || name == "maximum" && s.ExclusiveMaximum {
		text += " (exclusive)"
	}
	return text, true
}

// withoutTypes returns an int-or-string without the repetition of its types, in anyOf or in the anyOf of an element of allOf.
func withoutTypes(s *structural.JSONSchema) *structural.JSONSchema {
	repeats := func(n *structural.JSONSchema) bool {
		return slices.ContainsFunc(n.AnyOf, func(n *structural.JSONSchema) bool { return n.Type != "" })
	}
	out := *s
	if repeats(s) {
		out.AnyOf = nil
	}
	out.AllOf = nil
	for _, n := range s.AllOf {
		if !repeats(n) {
			out.AllOf = append(out.AllOf, n)
		}
	}
	return &out
}

// extend returns new steps: those of siblings must not share memory.
func extend(steps []string, step string) []string { return append(slices.Clip(steps), step) }

// PathOf writes steps as Constraint.Path.
func PathOf(steps []string) string {
	var b strings.Builder
	for i, s := range steps {
		if i > 0 && s != "[]" && s != "[*]" {
			b.WriteByte('.')
		}
		b.WriteString(s)
	}
	return b.String()
}
