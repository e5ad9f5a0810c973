package schematree

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/crd/pruning"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// Node is a field, or the object itself at the root. Lists and maps are folded into the field that has them: its fields are those
// of the elements or values.
type Node struct {
	Name string `json:"name"`
	// Path is where the field is in objects: spec.rules[].host, spec.env[*].value
	Path string `json:"path"`
	// Type is a type as text: []object, map[string]integer, integer or string, any.
	Type string `json:"type"`
	// Facts is what else the schema says about values.
	Facts       []Fact  `json:"facts,omitempty"`
	Rules       []Rule  `json:"rules,omitempty"`
	Description string  `json:"description,omitempty"`
	Fields      []*Node `json:"fields,omitempty"`

	inner []inner // of lists and maps, from the outside to the inside
}

// FactKind says what a Fact is about.
type FactKind string

const (
	Required FactKind = "required"
	Default  FactKind = "default"
	Enum     FactKind = "enum"
	Limit    FactKind = "limit"
	Nullable FactKind = "nullable"
	ListType FactKind = "list"
	// Keeps says that unknown fields stay, Drops that pruning starts again below a place where they stay, and Empties that all fields are
	// unknown and dropped.
	Keeps   FactKind = "keeps"
	Drops   FactKind = "drops"
	Empties FactKind = "empties"
	// Metadata says what happens to the metadata of a resource.
	Metadata FactKind = "metadata"
)

// Fact is something that a schema says about values.
type Fact struct {
	Kind FactKind `json:"kind"`
	Text string   `json:"text"`
}

// Rule is a CEL rule.
type Rule struct {
	Rule    string `json:"rule"`
	Message string `json:"message,omitempty"`
}

// Of returns the outline of objects that behave like b. Without a schema it has only the fields that every object has.
func Of(b structural.Behavior) *Node {
	s := b.Schema.Resource()
	if b.Schema == nil {
		s.Type = "object"
	}
	o := outliner{opts: interpret.PruneOptions{PreserveUnknownFields: !b.Pruned, Semantics: b.Semantics}}
	root := &Node{}
	o.fill(root, s, place{preserve: s.XPreserveUnknownFields, isRoot: true})
	return root
}

// At returns the node of a path, with its number for an element of a list, without the fields below it. It is nil if the schema specifies
// nothing there.
func At(b structural.Behavior, path prunert.Path) *Node {
	s, p := b.Schema.Resource(), place{isRoot: true}
	if b.Schema == nil {
		s.Type = "object"
	}
	o := outliner{opts: interpret.PruneOptions{PreserveUnknownFields: !b.Pruned, Semantics: b.Semantics}, shallow: true}
	p.preserve = s.XPreserveUnknownFields
	n := &Node{}
	for i, step := range path {
		n = &Node{Name: step.Name, Path: path[:i+1].String()}
		if s.XEmbeddedResource && structural.IsMetaField(step.Name) {
			of := &Node{Path: path[:i].String()}
			of.meta(o, s, p)
			n, _ = of.child(step.Name)
			n, rest := n.Find(text(path[i+1:]))
			if rest != "" {
				return nil
			}
			return n
		}
		if step.Index < 0 && required(s, step.Name) {
			n.Facts = append(n.Facts, Fact{Required, "required"})
		}
		if s, p = o.below(s, p, step); s == nil {
			return nil
		}
	}
	o.fill(n, s, p)
	n.Fields = nil // those that every resource has
	return n
}

// text writes a path as Find takes it.
func text(path prunert.Path) string {
	var b strings.Builder
	for _, s := range path {
		if s.Index < 0 {
			b.WriteString(`["` + s.Name + `"]`)
		}
	}
	return b.String()
}

type outliner struct {
	opts    interpret.PruneOptions
	shallow bool // fields are left out
}

// place is what is known about a schema from what is above it.
type place struct {
	preserve bool // unknown fields stay here
	above    bool // and above
	isRoot   bool
	prefix   string // of the words about the elements of a list or the values of a map
}

// fill describes s in n.
func (o outliner) fill(n *Node, s *structural.Schema, p place) {
	n.Type += typeOf(s)
	if n.Description == "" {
		n.Description = s.Description
	}
	for _, f := range facts(s) {
		n.Facts = append(n.Facts, Fact{f.Kind, p.prefix + f.Text})
	}
	n.unknown(o, s, p)
	for _, r := range s.XValidations {
		n.Rules = append(n.Rules, Rule{r.Rule, r.Message})
	}
	if s.XEmbeddedResource {
		n.meta(o, s, p)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if o.shallow || s.XEmbeddedResource && structural.IsMetaField(name) {
			continue
		}
		child := &Node{Name: name, Path: strings.TrimPrefix(n.Path+"."+name, ".")}
		if required(s, name) {
			child.Facts = append(child.Facts, Fact{Required, "required"})
		}
		below, at := o.below(s, p, prunert.Step{Name: name, Index: -1})
		o.fill(child, below, at)
		n.Fields = append(n.Fields, child)
	}
	if s.AdditionalProperties != nil {
		values, at := o.values(s, p)
		n.inside("[*]", o, values, at)
	}
	if s.Items != nil {
		elements, at := o.below(s, p, prunert.Step{})
		n.inside("[]", o, elements, at)
	}
}

// below returns the schema one step below another one, nil if it specifies nothing there.
func (o outliner) below(s *structural.Schema, p place, step prunert.Step) (*structural.Schema, place) {
	switch field := s.Properties[step.Name]; {
	case step.Index >= 0 && s.Items == nil:
		return nil, p
	case step.Index >= 0:
		return s.Items, place{preserve: o.opts.Preserves(s.Items, p.preserve), above: p.preserve || p.above}
	case field != nil:
		return field, place{preserve: o.opts.Preserves(field, o.inherits(p)), above: p.preserve}
	case s.AdditionalProperties != nil:
		return o.values(s, p)
	}
	return nil, p
}

// values returns the schema of the values of a map.
func (o outliner) values(s *structural.Schema, p place) (*structural.Schema, place) {
	values := pruning.Values(s)
	return values, place{preserve: o.opts.Preserves(values, o.inherits(p)), above: p.preserve || p.above}
}

// inherits reports whether fields preserve unknown fields because the object with them does.
func (o outliner) inherits(p place) bool { return p.preserve && o.opts.Semantics == structural.KEP2332 }

// each begins what is said about the elements of a list or the values of a map.
const each = "each "

// inside describes the elements of a list or the values of a map in n.
func (n *Node) inside(step string, o outliner, s *structural.Schema, p place) {
	n.inner = append(n.inner, inner{step, len(n.Type), len(n.Facts), len(n.Rules)})
	path := n.Path
	n.Path += step
	p.prefix = each
	o.fill(n, s, p)
	n.Path = path
}

// typeOf returns the type of a schema. That of elements and values follows it.
func typeOf(s *structural.Schema) string {
	switch {
	case s.XIntOrString:
		return "integer or string"
	case s.Items != nil:
		return "[]"
	case s.AdditionalProperties != nil && len(s.Properties) == 0:
		return "map[string]"
	case s.Type == "":
		return "any"
	}
	return s.Type
}

func required(s *structural.Schema, name string) bool {
	return s.ValueValidation != nil && slices.Contains(s.ValueValidation.Required, name)
}

// unknown says what happens to unknown fields, if that is unexpected.
func (n *Node) unknown(o outliner, s *structural.Schema, p place) {
	add := func(kind FactKind, text string) { n.Facts = append(n.Facts, Fact{kind, p.prefix + text}) }
	isObject := s.Type == "object" || s.Type == ""
	switch {
	case o.opts.PreserveUnknownFields:
	case p.preserve && s.Type == "" && len(s.Properties) == 0 && s.Items == nil && s.AdditionalProperties == nil:
		add(Keeps, "keeps everything")
	case p.preserve && isObject:
		add(Keeps, "keeps unknown fields")
	case p.isRoot || !isObject || s.XIntOrString:
	case len(s.Properties) == 0 && s.AdditionalProperties == nil && !s.XEmbeddedResource:
		add(Empties, "drops everything in it")
	case p.above && s.AdditionalProperties == nil:
		add(Drops, "drops unknown fields again")
	}
}

// meta adds the fields that every resource has.
func (n *Node) meta(o outliner, s *structural.Schema, p place) {
	path := func(name string) string { return strings.TrimPrefix(n.Path+"."+name, ".") }
	for _, name := range []string{"apiVersion", "kind"} {
		n.Fields = append(n.Fields, &Node{Name: name, Path: path(name), Type: "string", Facts: []Fact{{Required, "required"}}})
	}
	m := &Node{Name: "metadata", Path: path("metadata"), Type: metaType}
	if !p.isRoot {
		n.Facts = append(n.Facts, Fact{Metadata, p.prefix + "embedded resource"})
	}
	if own := s.Properties["metadata"]; own != nil {
		// Its value validation counts, its structure does not.
		whole := &Node{Path: m.Path}
		o.fill(whole, own, place{preserve: true})
		m.Description, m.Rules = whole.Description, whole.Rules
		for _, f := range whole.Facts {
			if f.Kind != Keeps && f.Kind != Drops && f.Kind != Empties {
				m.Facts = append(m.Facts, f)
			}
		}
		for _, f := range whole.Fields {
			if len(f.Facts) > 0 || len(f.Rules) > 0 {
				m.Fields = append(m.Fields, f)
			}
		}
	}
	text := "rewritten: drops what ObjectMeta does not have"
	if p.isRoot {
		text += ", sets generation, times and identity"
	}
	m.Facts = append(m.Facts, Fact{Metadata, text})
	n.Fields = append(n.Fields, m)
}

// facts returns what s says about values.
func facts(s *structural.Schema) []Fact {
	var all []Fact
	add := func(kind FactKind, format string, args ...any) {
		all = append(all, Fact{kind, fmt.Sprintf(format, args...)})
	}
	if s.Default != nil {
		add(Default, "default %s", jsonvalue.Text(s.Default))
	}
	if s.Nullable {
		add(Nullable, "nullable")
	}
	if s.XListType != nil && *s.XListType == "map" {
		add(ListType, "map by %s", strings.Join(s.XListMapKeys, ", "))
	} else if s.XListType != nil {
		add(ListType, "%s", *s.XListType)
	}
	if s.XMapType != nil && *s.XMapType == "atomic" {
		add(ListType, "atomic")
	}
	v := s.ValueValidation
	if v == nil {
		return all
	}
	if len(v.Enum) > 0 {
		var words []string
		for _, e := range v.Enum {
			words = append(words, jsonvalue.Text(e))
		}
		add(Enum, "one of %s", strings.Join(words, ", "))
	}
	if v.Format != "" {
		add(Limit, "format %s", v.Format)
	}
	if v.Pattern != "" {
		add(Limit, "pattern %s", v.Pattern)
	}
	for _, b := range []struct {
		text  string
		value *float64
		open  bool
	}{{"min", v.Minimum, v.ExclusiveMinimum}, {"max", v.Maximum, v.ExclusiveMaximum}, {"multiple of", v.MultipleOf, false}} {
		if b.value == nil {
			continue
		}
		if b.open {
			b.text += " (exclusive)"
		}
		add(Limit, "%s %s", b.text, jsonvalue.Text(*b.value))
	}
	for _, keyword := range []string{"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"} {
		if value := reflect.ValueOf(v).Elem().FieldByName(strings.ToUpper(keyword[:1]) + keyword[1:]); !value.IsNil() {
			add(Limit, "%s %d", keyword, value.Elem().Int())
		}
	}
	if v.UniqueItems {
		add(Limit, "unique items")
	}
	for _, j := range []struct {
		name string
		n    int
	}{{"allOf", len(v.AllOf)}, {"anyOf", len(v.AnyOf)}, {"oneOf", len(v.OneOf)}} {
		if j.n > 0 && !s.XIntOrString {
			add(Limit, "%s %d alternatives", j.name, j.n)
		}
	}
	if v.Not != nil {
		add(Limit, "not everything")
	}
	return all
}
