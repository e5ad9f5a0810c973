package lower

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"strconv"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
)

// Validate is the pass that validates values. It follows the schema as the CRD has it: the API server validates by that one, not by the
// structural schema made from it.
var Validate = Pass{"validate", func(all *nodes, r Resource) *plan.Node {
	l := &validating{all, r.Kubernetes}
	s := written(r)
	n := l.node(s, outside, root(s))
	do := n.Do.(plan.Validate)
	do.Of = r.CRD.Names.Kind
	n.Do = do
	return l.intern(n)
}}

// root returns what the root of an object with the schema s is.
func root(s *structural.JSONSchema) plan.Resource {
	if s.XEmbeddedResource {
		return plan.ResourceRootTwice
	}
	return plan.ResourceRoot
}

// validating decides which keywords apply to which values.
type validating struct {
	*nodes
	by kubeversion.Version
}

// standing says whether a schema is part of a junctor.
type standing uint8

const (
	outside standing = iota // of all junctors
	inside                  // of a junctor, directly or further up
)

func (l *validating) lower(s *structural.JSONSchema, at standing) *plan.Node {
	if s == nil {
		s = &structural.JSONSchema{}
	}
	resource := plan.ResourceNone
	if s.XEmbeddedResource && at == outside {
		resource = plan.ResourceEmbedded
	}
	return l.intern(l.node(s, at, resource))
}

// node returns the node of a schema, not yet interned.
func (l *validating) node(s *structural.JSONSchema, at standing, resource plan.Resource) plan.Node {
	do := plan.Validate{Resource: resource, Types: validTypes(s), Format: l.formatOf(s), Counted: at == inside, Rules: l.rules(s, at)}
	n := plan.Node{Rest: plan.RestKeep}
	nothing := l.leaf(plan.Validate{Kind: plan.ValidateNothing})
	if ap := s.AdditionalProperties; ap != nil && ap.Schema == nil && !ap.Allows {
		n.Rest = plan.RestRefuse
	}
	values, items := s.Values(), s.Elements()
	addBelow(&n, s.Properties, values, items, nothing, func(s *structural.JSONSchema) *plan.Node { return l.lower(s, at) })
	requireFields(n.Fields, s.Required, nothing)
	n.Do = do
	l.branches(&n, &do, s)
	do.Kind = validateKind(&n, do)
	n.Do = do
	if do.Kind == plan.ValidateNothing {
		return plan.Node{Do: plan.Validate{Kind: plan.ValidateNothing}, Rest: plan.RestKeep}
	}
	if do.Kind == plan.ValidateIntOrString {
		do.Rules.IntOrString = false
		n.Do = do
	}
	if do.Kind == plan.ValidateWalk {
		n.Walk = validateWalk(&n)
	}
	return n
}

// requireFields marks the fields that are required, apart from those without rules.
func requireFields(fields []plan.Field, names []string, nothing *plan.Node) {
	required := make(map[string]bool, len(names))
	for _, name := range names {
		required[name] = true
	}
	for i, f := range fields {
		if f.Node != nothing && required[f.Name] {
			fields[i].Slot = plan.Presence{}
		}
	}
}

// validateKind returns how much there is to validate.
func validateKind(n *plan.Node, do plan.Validate) plan.ValidateKind {
	bare := do.Rules
	bare.IntOrString = false
	switch {
	case n.WalksObject() || n.Elem != nil || len(n.Branches) > 0 || bare != plan.Rules{}:
		return plan.ValidateWalk
	case do.Rules.IntOrString:
		return plan.ValidateIntOrString
	case do.Counted && do.Format != "":
		return plan.ValidateWalk
	case do.Types != 0 || do.Format != "" || do.Counted:
		return plan.ValidateLeaf
	}
	return plan.ValidateNothing
}

// branches adds the schemas of the junctors. The alternatives that x-kubernetes-int-or-string allows say what the types say
// already, for values that are valid, and are left to the runtime.
func (l *validating) branches(n *plan.Node, do *plan.Validate, s *structural.JSONSchema) {
	add := func(j plan.Junctor, all []*structural.JSONSchema) {
		for _, b := range all {
			n.Branches = append(n.Branches, plan.Branch{Junctor: j, Node: l.lower(b, inside)})
		}
	}
	if isIntOrString(s) && do.Format == "" && !do.Counted {
		do.Rules.IntOrString = true
	} else {
		add(plan.AnyOf, s.AnyOf)
	}
	add(plan.OneOf, s.OneOf)
	add(plan.AllOf, s.AllOf)
	if s.Not != nil {
		add(plan.Not, []*structural.JSONSchema{s.Not})
	}
}

// isIntOrString reports whether s is x-kubernetes-int-or-string with anyOf in the form that most CRDs have.
func isIntOrString(s *structural.JSONSchema) bool {
	if !s.XIntOrString || len(s.AnyOf) != 2 {
		return false
	}
	for i, typ := range []string{"integer", "string"} {
		if !reflect.DeepEqual(s.AnyOf[i], &structural.JSONSchema{Type: typ}) {
			return false
		}
	}
	return true
}

// validTypes returns the types a value may have. Kubernetes turns int-or-string into two types, whatever type says.
func validTypes(s *structural.JSONSchema) plan.Types {
	types := plan.TypeNamed(s.Type)
	if s.XIntOrString {
		types = plan.TypeInteger | plan.TypeString
	}
	if types != 0 && s.Nullable {
		types |= plan.TypeNull
	}
	return types
}

// rules returns the keywords of a schema. Those that no value can violate are left out.
func (l *validating) rules(s *structural.JSONSchema, at standing) plan.Rules {
	r := plan.Rules{
		MaxLength: atMost(s.MaxLength), MinLength: atLeast(s.MinLength), Pattern: pattern(s.Pattern),
		IsFormat: formatFunc(l.formatOf(s)),
		MaxItems: atMost(s.MaxItems), MinItems: atLeast(s.MinItems),
		MaxProperties: atMost(s.MaxProperties), MinProperties: atLeast(s.MinProperties),
		MultipleOf: l.bound(s.MultipleOf, false, s), Minimum: l.bound(s.Minimum, s.ExclusiveMinimum, s), Maximum: l.bound(s.Maximum, s.ExclusiveMaximum, s),
	}
	if len(s.Enum) > 0 {
		r.Enum = l.value(s.Enum)
	}
	if len(s.Required) > 0 {
		r.Required = l.value(anyStrings(s.Required))
	}
	if s.XListType != nil && at == outside {
		switch *s.XListType {
		case "set":
			r.Set = true
		case "map":
			r.ListMapKeys = l.value(anyStrings(s.XListMapKeys))
		}
	}
	return r
}

// anyStrings returns names as a JSON value, each once.
func anyStrings(names []string) []any {
	all := []any{}
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		if !seen[name] {
			seen[name] = true
			all = append(all, name)
		}
	}
	return all
}

func atMost(limit *int64) plan.Limit {
	if limit == nil {
		return plan.Limit{}
	}
	return plan.Limit{Set: true, To: *limit}
}

// atLeast returns a lower limit, none if nothing can be below it.
func atLeast(limit *int64) plan.Limit {
	if limit == nil || *limit <= 0 {
		return plan.Limit{}
	}
	return plan.Limit{Set: true, To: *limit}
}

// bound returns a limit for numbers. The API server requires that the limit itself has the type of the schema.
func (l *validating) bound(limit *float64, exclusive bool, s *structural.JSONSchema) plan.Bound {
	if limit == nil {
		return plan.Bound{}
	}
	b := plan.Bound{Set: true, To: *limit, Exclusive: exclusive}
	fits := true
	switch format := l.formatOf(s); {
	case !l.by.Has(kubeversion.NumericFormats):
	case s.XIntOrString:
	case s.Type == "integer" && format == "int32":
		fits = isInteger(*limit, 32)
	case s.Type == "integer":
		fits = isInteger(*limit, 64)
	case s.Type == "number" && format == "float":
		fits = !math.IsInf(float64(float32(*limit)), 0)
	}
	if !fits {
		b.Misfit = s.Type
		if format := l.formatOf(s); format != "" {
			b.Misfit += " " + format
		}
	}
	return b
}

// isInteger reports whether f is an integer of the given number of bits. The API server reads it from the shortest text for f. If f is the
// lowest integer of 64 bits, that text is a number below it.
func isInteger(f float64, bits int) bool {
	_, err := strconv.ParseInt(strconv.FormatFloat(f, 'f', -1, 64), 10, bits)
	return err == nil
}

// validateWalk chooses how the function for n goes through a value.
func validateWalk(n *plan.Node) plan.Walk {
	w := objectWalk(n, func(f plan.Field) bool {
		do := f.Node.Do.(plan.Validate)
		return do.Kind == plan.ValidateLeaf && !do.Counted
	})
	// Once the required fields are found, and as many others as the object has, the rest need not be looked up.
	slices.SortStableFunc(w.Groups, func(a, b plan.Group) int { return cmp.Compare(requiredLast(a), requiredLast(b)) })
	do := n.Do.(plan.Validate)
	rules := do.Rules
	numbers := rules.MultipleOf.Set || rules.Minimum.Set || rules.Maximum.Set
	walks := n.WalksObject()
	lists := n.Elem != nil || do.List()
	w.Form = plan.FormAny
	if len(n.Branches) > 0 || numbers || rules.Enum != nil || rules.IntOrString {
		return w
	}
	switch only := do.Types &^ plan.TypeNull; {
	case only == plan.TypeObject && do.Format == "" && !lists && !do.Text():
		w.Form = plan.FormObject
	case only == plan.TypeArray && do.Format == "" && !walks && !do.Text():
		w.Form = plan.FormList
	case only == plan.TypeString && do.Text() && !walks && !lists:
		w.Form = plan.FormText
	}
	return w
}

// requiredLast is less for fields that are required.
func requiredLast(g plan.Group) int {
	if g.Fields[0].Slot == (plan.Presence{}) {
		return 0
	}
	return 1
}
