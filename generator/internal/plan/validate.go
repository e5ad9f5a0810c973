package plan

import (
	"fmt"
	"strings"
)

// Validate is the payload of the pass that validates values: their types, and everything else that a schema says about them.
type Validate struct {
	Kind ValidateKind
	// Types are the types that the value may have; none means any. Format is the format that takes part in the check of the
	// type, as the schema writes it; "" if there is none.
	Types  Types
	Format string
	// Counted says that the value is below a junctor. The function then counts how much of the schema matches: of several alternatives
	// that all fail, the one that matches most is reported.
	Counted bool
	// Resource says whether an object has apiVersion, kind and metadata. Of is the kind whose root it is: each kind has a root of
	// its own.
	Resource Resource
	Of       string
	Rules    Rules
}

// ValidateKind says how much there is to validate.
type ValidateKind uint8

const (
	ValidateWalk        ValidateKind = iota // a function of its own
	ValidateNothing                         // anything goes
	ValidateLeaf                            // the type counts, with its format, and nothing else
	ValidateIntOrString                     // an integer or a string, by its types and by anyOf
)

// Rules are the keywords that restrict a value. Each applies to values of one kind, whatever type the schema wants.
type Rules struct {
	Enum *Value // the list of the values; nil if there is none

	MaxLength, MinLength Limit
	Pattern              Pattern
	// IsFormat is the function of the runtime that knows the format of strings, after the name of its package where that is not
	// pruneimpl; "" if there is none.
	IsFormat string

	MultipleOf, Minimum, Maximum Bound

	MaxItems, MinItems Limit
	// ListMapKeys are the keys by which the elements of a list map are told apart; nil for other lists. Set is a list in which
	// each element stands once.
	ListMapKeys *Value
	Set         bool

	MaxProperties, MinProperties Limit
	// Required are the fields that an object must have, a list of strings; nil if there are none.
	Required *Value

	// IntOrString says that anyOf asks for an integer or a string, in the form that x-kubernetes-int-or-string allows.
	IntOrString bool
}

// Limit is a limit for a number of things.
type Limit struct {
	Set bool
	To  int64
}

// Bound is a limit for numbers.
type Bound struct {
	Set       bool
	To        float64
	Exclusive bool
	// Misfit is the type, and after a space the format, that the bound itself does not have, so that the API server refuses
	// every number; "" for all others.
	Misfit string
}

// Pattern is a regular expression.
type Pattern struct {
	Text string
	// Func is the function of the runtime that matches the same texts; "" if there is none.
	Func string
	// Error says why the pattern does not compile, so that the API server refuses every string; "" if it compiles.
	Error string
}

// Junctor is a keyword with schemas that all apply to the same value.
type Junctor uint8

const (
	AnyOf Junctor = iota
	OneOf
	AllOf
	Not
)

func (j Junctor) String() string { return [...]string{"anyOf", "oneOf", "allOf", "not"}[j] }

// Branch is one of the schemas of a junctor.
type Branch struct {
	Junctor Junctor
	Node    *Node
}

// Of returns the nodes of a junctor.
func (n *Node) Of(j Junctor) []*Node {
	var all []*Node
	for _, b := range n.Branches {
		if b.Junctor == j {
			all = append(all, b.Node)
		}
	}
	return all
}

// Presence is a slot of Validate: the field is required.
type Presence struct{}

func (Presence) String() string { return "required" }

func (v Validate) Func() bool { return v.Kind == ValidateWalk }

// List reports whether there are rules for a list as a whole.
func (v Validate) List() bool {
	r := v.Rules
	return r.MaxItems.Set || r.MinItems.Set || r.ListMapKeys != nil || r.Set
}

// Text reports whether there are rules for strings besides enum.
func (v Validate) Text() bool {
	r := v.Rules
	return r.MaxLength.Set || r.MinLength.Set || r.Pattern.Text != "" || r.IsFormat != ""
}

func (v Validate) String() string {
	if v.Kind == ValidateNothing {
		return "keep"
	}
	var words []string
	add := func(set bool, format string, args ...any) {
		if set {
			words = append(words, strings.TrimSpace(fmt.Sprintf(format, args...)))
		}
	}
	r := v.Rules
	add(v.Types != 0, "%s", v.Types)
	add(v.Format != "", "%s", Key(v.Format))
	limit := func(l Limit, name string) { add(l.Set, "%s %d", name, l.To) }
	bound := func(b Bound, name, exclusive string) {
		if b.Exclusive {
			name = exclusive
		}
		add(b.Set, "%s %v", name, b.To)
		add(b.Misfit != "", "which is not of type %s", b.Misfit)
	}
	value := func(x *Value, name string) {
		if x != nil {
			add(true, "%s %s", name, x.Text)
		}
	}
	value(r.Enum, "enum")
	limit(r.MaxLength, "maxLength")
	limit(r.MinLength, "minLength")
	add(r.Pattern.Text != "", "pattern %q", r.Pattern.Text)
	bound(r.MultipleOf, "multipleOf", "multipleOf")
	bound(r.Minimum, "minimum", "exclusive minimum")
	bound(r.Maximum, "maximum", "exclusive maximum")
	limit(r.MaxItems, "maxItems")
	limit(r.MinItems, "minItems")
	value(r.ListMapKeys, "list map by")
	add(r.Set, "set")
	limit(r.MaxProperties, "maxProperties")
	limit(r.MinProperties, "minProperties")
	value(r.Required, "required")
	add(r.IntOrString || v.Kind == ValidateIntOrString, "by anyOf")
	add(v.Resource == ResourceEmbedded, "resource")
	add(v.Resource == ResourceRoot || v.Resource == ResourceRootTwice, "root")
	add(v.Counted, "counted")
	return strings.Join(words, ", ")
}
