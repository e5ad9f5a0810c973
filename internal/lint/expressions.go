package lint

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/internal/text/spelling"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

// The limits on the estimated cost of CEL rules when a CRD is created: of one rule, multiplied by the number of values
// it is evaluated on, and of all rules of a version. The API server names the most expensive rules that take at least a
// hundredth of the second.
const (
	maxRuleCost    = 10_000_000
	maxVersionCost = 100_000_000
	dearRules      = 4
)

// ruleErrors returns what the API server refuses about the CEL rules of a structural schema whose defaults are valid, in its words
// and sorted by text: expressions that do not compile, oldSelf on values that have no old value, estimated costs over the limits.
// The two schemas are the same one, converted and as written. A CEL rule is not checked if SchemaErrors has an error at its schema
// or below.
//
// unsupported is what the API server evaluates and prune-gen cannot.
func ruleErrors(s *structural.Schema, written *structural.JSONSchema, at *structural.Path, e celrules.Environment) (refused, unsupported structural.Errors) {
	return checkRules(s, written, at, e, nil)
}

// checkRules is ruleErrors. It adds what expressions use to uses, by their paths, unless that is nil.
func checkRules(s *structural.Schema, written *structural.JSONSchema, at *structural.Path, e celrules.Environment, uses map[string][]celrules.Use) (refused, unsupported structural.Errors) {
	if s == nil || !structural.HasRules(written) {
		return structural.Errors{}, structural.Errors{}
	}
	checker := celrules.NewChecker(e)
	defer checker.Release()
	r := schemaRules{expressions: &expressionRules{checker: checker, uses: uses}}
	root := &ruleNode{schema: s, written: written, visible: len(written.XValidations) > 0, cardinality: 1, bounded: true}
	r.schema(written, schemaPlace{root: true, node: root}, at)
	r.expressions.total(at)
	sorted.ByText(r.expressions.Errs)
	return r.expressions.Errors, r.expressions.unsupported
}

// ruleNode is what the CEL rules of a schema depend on.
type ruleNode struct {
	parent  *ruleNode
	schema  *structural.Schema
	written *structural.JSONSchema
	// visible reports whether a schema at or above this one has CEL rules. Types are made only for those.
	visible bool
	// fromParent returns the type of the values, given the type of what they are part of. The boolean is false if there
	// is none.
	fromParent func(*celrules.Type) (*celrules.Type, bool)

	// cardinality bounds the number of values in one object if bounded is true.
	cardinality uint64
	bounded     bool

	known   bool // the type was asked for
	typ     *celrules.Type
	problem string
}

// typeOf returns the type of the values, or why there is none.
func (n *ruleNode) typeOf() (*celrules.Type, string) {
	if !n.known {
		n.known = true
		n.typ, n.problem = n.makeType()
	}
	return n.typ, n.problem
}

// makeType takes the type from the parent's where that has one, as the API server does: the metadata of a resource has another
// type there than on its own.
func (n *ruleNode) makeType() (*celrules.Type, string) {
	if n.parent != nil && n.parent.visible {
		t, problem := n.parent.typeOf()
		if problem != "" {
			return nil, problem
		}
		if t, ok := n.fromParent(t); ok {
			return t, ""
		}
	}
	t := celrules.NewType(n.schema, n.parent == nil || n.written.XEmbeddedResource)
	if t == nil {
		return nil, "unable to convert structural schema to CEL declarations"
	}
	return t, ""
}

// property returns the node of a property, nil if n is nil.
func (n *ruleNode) property(name string, written *structural.JSONSchema) *ruleNode {
	if n == nil || n.schema.Properties[name] == nil {
		return nil
	}
	return n.child(n.schema.Properties[name], written, func(t *celrules.Type) (*celrules.Type, bool) {
		escaped, ok := prunecel.Escape(name)
		if !ok || t == nil || t.Fields[escaped] == nil {
			return nil, false
		}
		return t.Fields[escaped].Type, true
	})
}

// items returns the node of the elements of a list, nil if n is nil or they have no schema.
func (n *ruleNode) items(written *structural.JSONSchema) *ruleNode {
	if n == nil || n.schema.Items == nil || written == nil {
		return nil
	}
	return n.child(n.schema.Items, written, elemOf)
}

// values returns the node of the values of a map, nil if n is nil or they have no schema.
func (n *ruleNode) values(written *structural.JSONSchema) *ruleNode {
	if n == nil || n.schema.Values() == nil || written == nil {
		return nil
	}
	return n.child(n.schema.Values(), written, elemOf)
}

func elemOf(t *celrules.Type) (*celrules.Type, bool) {
	if t == nil {
		return nil, true
	}
	return t.Elem, true
}

func (n *ruleNode) child(s *structural.Schema, written *structural.JSONSchema, fromParent func(*celrules.Type) (*celrules.Type, bool)) *ruleNode {
	c := &ruleNode{parent: n, schema: s, written: written, fromParent: fromParent, visible: n.visible || len(written.XValidations) > 0}
	if most, ok := maxElements(n.written); ok && n.bounded {
		c.cardinality, c.bounded = celrules.Multiply(n.cardinality, most), true
	}
	return c
}

// maxElements returns how many values a schema has for each schema below it. The boolean is false if nothing limits them.
func maxElements(s *structural.JSONSchema) (uint64, bool) {
	limit := (*int64)(nil)
	switch {
	case s.Type == "array":
		limit = s.MaxItems
	case s.Type == "object" && s.AdditionalProperties != nil:
		limit = s.MaxProperties
	default:
		return 1, true
	}
	if limit == nil {
		return 0, false
	}
	return uint64(max(*limit, 0)), true
}

// expressionRules collects what is refused about the expressions of CEL rules, and what they cost.
type expressionRules struct {
	structural.Errors
	unsupported structural.Errors
	checker     *celrules.Checker
	uses        map[string][]celrules.Use // by path, nil if nobody asks
	cost        uint64                    // of all CEL rules
	costs       []expressionCost
}

// expressionCost is the estimated cost of a CEL rule or a messageExpression.
type expressionCost struct {
	at   *structural.Path
	cost uint64
	hint string // "" for that of the id
}

// check compiles the CEL rules of a schema, which stand at a path.
func (r *expressionRules) check(all []structural.ValidationRule, place schemaPlace, at *structural.Path) {
	t, problem := place.node.typeOf()
	switch {
	case problem != "":
		problem = "internal error: failed to construct type information for x-kubernetes-validations rules: " + problem
	case t == nil:
		problem = celrules.NotVisible
	}
	if problem != "" {
		r.Add(&structural.Error{ID: IDCELExpression, Path: at, Detail: "Internal error: " + problem,
			Hint: "give the schema a type, or remove its CEL rules: they do not see values without a type"})
		return
	}
	for i, c := range r.checker.Check(t, all) {
		if r.Full {
			return
		}
		r.rule(c, t, place, at.Index(i))
	}
}

// rule reports what is wrong with a CEL rule.
func (r *expressionRules) rule(c celrules.Checked, t *celrules.Type, place schemaPlace, at *structural.Path) {
	cardinality := t.MaxCardinality()
	if place.node.bounded {
		cardinality = place.node.cardinality
	}
	if r.uses != nil {
		r.uses[at.Child("rule").String()] = celrules.Uses(c.AST)
		r.uses[at.Child("messageExpression").String()] = celrules.Uses(c.Message)
	}
	r.observe("estimated rule cost", at.Child("rule"), celrules.Multiply(c.MaxCost, cardinality), c.Rule.Rule)
	if c.Err != "" {
		r.doesNotCompile(at.Child("rule"), c, c.Err, t)
	}
	if c.MessageErr != "" {
		r.doesNotCompile(at.Child("messageExpression"), c, c.MessageErr, t)
	}
	rule, message := c.Unsupported()
	if rule != "" {
		r.unsupported.Add(&structural.Error{ID: idCELUnsupported, Path: at.Child("rule"), Detail: rule})
	}
	if message != "" {
		r.unsupported.Add(&structural.Error{ID: idCELUnsupported, Path: at.Child("messageExpression"), Detail: message})
	}
	if c.Message != nil {
		r.observe("estimated messageExpression cost", at.Child("messageExpression"), c.MessageMaxCost, c.Rule.MessageExpression)
	}
	switch {
	case c.UsesOldSelf && place.uncorrelated != nil:
		r.Invalid(idCELOldSelf, at.Child("rule"), c.Rule.Rule,
			"oldSelf cannot be used on the uncorrelatable portion of the schema within "+place.uncorrelated.String())
	case !c.UsesOldSelf && c.Rule.OptionalOldSelf != nil:
		r.Add(&structural.Error{ID: idCELOldSelf, Type: prunert.ErrorTypeInvalid, Path: at.Child("optionalOldSelf"), BadValue: *c.Rule.OptionalOldSelf,
			Detail: "may not be set if oldSelf is not used in rule", Hint: "remove optionalOldSelf"})
	}
}

// doesNotCompile reports an error of the compiler, with the field that is spelled nearly like one that does not exist.
func (r *expressionRules) doesNotCompile(at *structural.Path, c celrules.Checked, text string, t *celrules.Type) {
	e := &structural.Error{ID: IDCELExpression, Type: prunert.ErrorTypeInvalid, Path: at, BadValue: c.Rule, Detail: text}
	if c.Undefined != "" {
		names := fieldsBelow(t, nil)
		if near := spelling.Nearest(c.Undefined, names); near != "" && !slices.Contains(names, c.Undefined) {
			e.Hint = "did you mean " + near + "?"
		}
	}
	r.Add(e)
}

// fieldsBelow appends the names of fields at and below a type, up to a number.
func fieldsBelow(t *celrules.Type, names []string) []string {
	const most = 1000
	if t == nil || len(names) > most {
		return names
	}
	for _, name := range slices.Sorted(maps.Keys(t.Fields)) {
		names = fieldsBelow(t.Fields[name].Type, append(names, name))
	}
	return fieldsBelow(t.Elem, names)
}

// observe adds up what expressions cost, and reports one that costs too much.
func (r *expressionRules) observe(what string, at *structural.Path, cost uint64, expression string) {
	hint := ""
	if strings.Contains(expression, "string(") {
		hint = "string() counts as a text of any length, even of a number: do without it, or " + ids.Hint(idCELCost)
	}
	if cost > maxRuleCost {
		r.Add(&structural.Error{ID: idCELCost, Type: prunert.ErrorTypeForbidden, Path: at, Detail: costText(what, cost, maxRuleCost), Hint: hint})
	}
	r.cost += min(cost, math.MaxUint64-r.cost)
	if cost < maxVersionCost/100 {
		return
	}
	r.costs = append(r.costs, expressionCost{at, cost, hint})
	slices.SortStableFunc(r.costs, func(a, b expressionCost) int { return cmp.Compare(b.cost, a.cost) })
	r.costs = r.costs[:min(len(r.costs), dearRules)]
}

// total reports that all CEL rules of the schema at a path cost too much together.
func (r *expressionRules) total(at *structural.Path) {
	if r.cost <= maxVersionCost {
		return
	}
	for _, c := range r.costs {
		r.Add(&structural.Error{ID: idCELCost, Type: prunert.ErrorTypeForbidden, Path: c.at, Hint: c.hint,
			Detail: "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema"})
	}
	r.Forbidden(idCELCost, at, costText("x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema", r.cost, maxVersionCost))
}

func costText(what string, cost, limit uint64) string {
	factor := float64(cost) / float64(limit)
	text := fmt.Sprintf("%.1fx", factor)
	switch {
	case factor > 100:
		text = "more than 100x"
	case factor < 1.5:
		text = fmt.Sprintf("%fx", factor) // 1.0x would not say that it is too much
	}
	return what + " exceeds budget by factor of " + text + " (try simplifying the rule, or adding maxItems, maxProperties, and " +
		"maxLength where arrays, maps, and strings are declared)"
}
