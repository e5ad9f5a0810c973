package celrules

import (
	"math"

	"github.com/google/cel-go/common/ast"

	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

// The variables of rules.
const (
	Self    = "self"
	OldSelf = "oldSelf" // the value before an update, an optional value if the rule has optionalOldSelf
)

// Checked is a rule that was parsed and checked.
type Checked struct {
	Rule structural.ValidationRule
	// AST is the checked tree of the rule. It is nil if the rule is empty or Err is set.
	AST *ast.AST
	// Message is the checked tree of messageExpression. It is nil if there is none or MessageErr is set.
	Message *ast.AST
	// UsesOldSelf reports whether the rule refers to oldSelf: then it is about updates.
	UsesOldSelf bool
	// MaxCost and MessageMaxCost are the estimated maximum costs of the rule and its messageExpression.
	MaxCost, MessageMaxCost uint64
	// Err and MessageErr say what is wrong with the rule and its messageExpression in the words of the API server. A messageExpression is
	// checked only if its rule has no error.
	Err, MessageErr string
	// Undefined is the field that the error is about, if it selects one that does not exist.
	Undefined string
}

// Unsupported says which parts of the rule and its messageExpression the API server can evaluate and prune-gen cannot, "" for none.
func (c Checked) Unsupported() (rule, message string) {
	return unsupported(c.AST), unsupported(c.Message)
}

// Node is a node of a schema that has rules, or has such nodes below.
type Node struct {
	// Schema describes the values. Below allOf it is the schema outside of it.
	Schema *structural.Schema
	// Type is the type of the values, nil if they are not visible in rules: then the node has no rules that could be checked.
	Type *Type
	// IsResource reports whether the values are resources: the root or embedded ones.
	IsResource bool
	Rules      []Checked
	// Err says why no rule of the node could be checked, in the words of the API server.
	Err string

	Properties           map[string]*Node
	Items                *Node
	AdditionalProperties *Node
	AllOf                []*Node

	objects map[string]*Type
}

// Object returns the object type called name in the checked trees of n, nil if it is not a type of a schema.
func (n *Node) Object(name string) *Type {
	return n.objects[name]
}

// MaxCost returns the estimated maximum cost of the rules of n and below it for one object, or the greatest number if that is less.
func (n *Node) MaxCost() uint64 { return n.maxCost(1) }

// unbounded says that nothing but the size of a request limits how many values there are.
const unbounded = math.MaxUint64

// maxCost is MaxCost for an object with the given number of values of n.
func (n *Node) maxCost(values uint64) (cost uint64) {
	if n == nil {
		return 0
	}
	add := func(more uint64) { cost += min(more, math.MaxUint64-cost) }
	count := values
	if count == unbounded && n.Type != nil {
		count = n.Type.MaxCardinality()
	}
	for _, c := range n.Rules {
		add(Multiply(c.MaxCost, count))
		add(c.MessageMaxCost)
	}
	of := func(most *int64) uint64 {
		if most == nil {
			return unbounded
		}
		return Multiply(values, uint64(max(*most, 0)))
	}
	add(n.Items.maxCost(of(validation(n.Schema).MaxItems)))
	add(n.AdditionalProperties.maxCost(of(validation(n.Schema).MaxProperties)))
	for _, p := range n.Properties {
		add(p.maxCost(values))
	}
	for _, p := range n.AllOf {
		add(p.maxCost(values))
	}
	return cost
}

// Multiply returns the product, or the greatest number if that is less.
func Multiply(a, b uint64) uint64 {
	if a != 0 && math.MaxUint64/a < b {
		return math.MaxUint64
	}
	return a * b
}

// Check checks the rules of the schema s of a custom resource with the functions of e. It returns nil if s has none. The result leaves
// out nodes that the API server skips because rules cannot see their values.
func Check(s *structural.Schema, e Environment) *Node {
	if s == nil || !hasRules(s) {
		return nil
	}
	c := NewChecker(e)
	defer c.Release()
	return c.node(written(s), s, true, NewType(s, true))
}

// Part is Check for a part of the schema of a custom resource. Its values are resources if they are embedded ones.
func (c *Checker) Part(s *structural.Schema) *Node {
	if !hasRules(s) {
		return nil
	}
	return c.node(written(s), s, s.XEmbeddedResource, NewType(s, s.XEmbeddedResource))
}

// hasRules reports whether s has rules outside of its value validation.
func hasRules(s *structural.Schema) bool {
	if s == nil {
		return false
	}
	if len(s.XValidations) > 0 || hasRules(s.Items) || hasRules(s.Values()) {
		return true
	}
	for _, p := range s.Properties {
		if hasRules(p) {
			return true
		}
	}
	return false
}

// place is where rules are written: in the structure of a schema, or in the allOf of a node of it.
type place struct {
	rules  []structural.ValidationRule
	allOf  []*structural.NestedValueValidation
	schema *structural.Schema                // in the structure
	nested *structural.NestedValueValidation // in allOf
}

func written(s *structural.Schema) place {
	return place{rules: s.XValidations, allOf: validation(s).AllOf, schema: s}
}

func nested(v *structural.NestedValueValidation) place {
	return place{rules: v.XValidations, allOf: v.AllOf, nested: v}
}

// items returns the place of the elements, and whether there is one.
func (p place) items() (place, bool) {
	switch {
	case p.schema != nil && p.schema.Items != nil:
		return written(p.schema.Items), true
	case p.nested != nil && p.nested.Items != nil:
		return nested(p.nested.Items), true
	}
	return place{}, false
}

// additionalProperties returns the place of the values of a map, and whether there is one.
func (p place) additionalProperties() (place, bool) {
	switch {
	case p.schema.Values() != nil:
		return written(p.schema.Values()), true
	case p.nested != nil && p.nested.AdditionalProperties != nil:
		return nested(p.nested.AdditionalProperties), true
	}
	return place{}, false
}

// property returns the place of a property, and whether there is one.
func (p place) property(name string) (place, bool) {
	if p.schema != nil {
		s, ok := p.schema.Properties[name]
		if !ok {
			return place{}, false
		}
		return written(s), true
	}
	v, ok := p.nested.Properties[name]
	if !ok {
		return place{}, false
	}
	return nested(v), true
}

// node checks the rules written at p about the values of s, whose type is t, and those below.
func (c *Checker) node(p place, s *structural.Schema, isResource bool, t *Type) *Node {
	n := &Node{Schema: s, Type: t, IsResource: isResource}
	c.nodeRules(n, p.rules)

	var elem *Type
	if t != nil {
		elem = t.Elem
	}
	if items, ok := p.items(); ok && s.Items != nil {
		n.Items = c.node(items, s.Items, s.Items.XEmbeddedResource, elem)
	}
	for _, name := range sorted.Keys(s.Properties) {
		property := s.Properties[name]
		below, ok := p.property(name)
		if !ok {
			continue
		}
		ft := fieldType(t, name, property)
		if ft == nil {
			continue
		}
		if f := c.node(below, property, property.XEmbeddedResource, ft); f != nil {
			if n.Properties == nil {
				n.Properties = map[string]*Node{}
			}
			n.Properties[name] = f
		}
	}
	if ap := s.AdditionalProperties; ap != nil && ap.Schema != nil {
		if values, ok := p.additionalProperties(); ok {
			n.AdditionalProperties = c.node(values, ap.Schema, ap.Schema.XEmbeddedResource, elem)
		}
	}
	for _, v := range p.allOf {
		if below := c.node(nested(v), s, isResource, t); below != nil {
			n.AllOf = append(n.AllOf, below)
		}
	}
	if len(n.Rules) == 0 && n.Err == "" && n.Items == nil && n.AdditionalProperties == nil && len(n.Properties) == 0 && len(n.AllOf) == 0 {
		return nil
	}
	return n
}

// fieldType returns the type of the property name, whose schema is s, of objects of type t. It is nil for what rules do not see.
// A property whose name rules cannot write has a type, too: its own rules are checked.
func fieldType(t *Type, name string, s *structural.Schema) *Type {
	escaped, ok := prunecel.Escape(name)
	if !ok {
		return NewType(s, s.XEmbeddedResource)
	}
	if t == nil || t.Fields[escaped] == nil {
		return nil
	}
	return t.Fields[escaped].Type
}

// nodeRules checks the rules of n.
func (c *Checker) nodeRules(n *Node, rules []structural.ValidationRule) {
	if len(rules) == 0 {
		return
	}
	if n.Type == nil {
		n.Err = NotVisible
		return
	}
	n.Rules, n.objects = c.check(n.Type, rules)
}

// NotVisible is the API server's error about rules on values that have no type in CEL.
const NotVisible = "failed to convert to declType for CEL validation rules"
