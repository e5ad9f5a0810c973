package celrules

import (
	"maps"
	"slices"
	"strings"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

// Table returns the table of the rules that were checked, for the evaluation of each rule by its program. It is nil for nil.
func Table(n *Node) *prunecel.Rules {
	table, _ := Lower(n)
	return table
}

// Expressions are what the rules of a table say: the expression of each rule, and the types of the values at its nodes.
type Expressions struct {
	Of   map[*prunecel.Rule]*prunecel.Expr
	Self map[*prunecel.Rules]*prunecel.Type
	// Incomplete says that the table lacks a rule that compiles but cannot be evaluated, because it makes a message of protocol buffers.
	Incomplete bool
}

// Lower returns the table of the rules that were checked, with what the rules say.
func Lower(n *Node) (*prunecel.Rules, Expressions) {
	ts := &tables{schemaTypes{}, Expressions{Of: map[*prunecel.Rule]*prunecel.Expr{}, Self: map[*prunecel.Rules]*prunecel.Type{}}}
	return ts.node(n), ts.Expressions
}

// tables makes tables. Types are shared between nodes.
type tables struct {
	types schemaTypes
	Expressions
}

func (ts *tables) node(n *Node) *prunecel.Rules {
	if n == nil {
		return nil
	}
	out := &prunecel.Rules{Type: n.Schema.Type, Problem: n.Err, Items: ts.node(n.Items), Values: ts.node(n.AdditionalProperties)}
	if n.Schema.XListType != nil && *n.Schema.XListType == "map" && n.Items.usesOld() {
		out.Keys = n.Schema.XListMapKeys
	}
	for _, name := range slices.Sorted(maps.Keys(n.Properties)) {
		out.Fields = append(out.Fields, prunecel.RulesField{Name: name, Rules: ts.node(n.Properties[name])})
	}
	for _, below := range n.AllOf {
		out.AllOf = append(out.AllOf, ts.node(below))
	}
	if len(n.Rules) > 0 {
		ts.rules(out, n)
	}
	return out
}

// usesOld reports whether a rule of n or below it is about updates.
func (n *Node) usesOld() bool {
	return n != nil && (slices.ContainsFunc(n.Rules, func(c Checked) bool { return c.UsesOldSelf }) ||
		n.Items.usesOld() || n.AdditionalProperties.usesOld() || slices.ContainsFunc(n.AllOf, (*Node).usesOld) ||
		slices.ContainsFunc(slices.Collect(maps.Values(n.Properties)), (*Node).usesOld))
}

// rules adds the rules of n.
func (ts *tables) rules(out *prunecel.Rules, n *Node) {
	var exprs []*prunecel.Expr
	self := ts.types.of(n.Schema, n.IsResource)
	ts.Self[out] = self
	for _, c := range n.Rules {
		r := &prunecel.Rule{
			Rule: strings.TrimSpace(c.Rule.Rule), Message: strings.TrimSpace(c.Rule.Message), UsesOld: c.UsesOldSelf, OptionalOld: isTrue(c.Rule.OptionalOldSelf),
			Problem: c.Err,
		}
		if c.Rule.Reason != nil {
			r.Reason = prunert.ErrorType(*c.Rule.Reason)
		}
		if c.Rule.FieldPath != "" && c.MessageErr == "" {
			r.FieldPath = errorPath(c.Rule.FieldPath, n.Schema)
		}
		if c.AST != nil {
			e, err := lower(c.AST, self, r.OptionalOld)
			if err != nil {
				r.Problem, ts.Incomplete = err.Error(), true
			} else {
				exprs = append(exprs, e)
				ts.Of[r] = e
				r.Program = e.String()
			}
		}
		if c.Message != nil {
			if e, err := lower(c.Message, self, r.OptionalOld); err == nil {
				exprs = append(exprs, e)
				r.MessageExpression, r.MessageProgram = c.Rule.MessageExpression, e.String()
			}
		}
		out.Rules = append(out.Rules, r)
	}
	out.Self = prunecel.TrimType(self, exprs...).String()
}

func isTrue(b *bool) bool { return b != nil && *b }

// errorPath returns the path of a field of values of s as errors write it. It is empty for a path that leads to nothing: the API
// server ignores it.
func errorPath(path string, s *structural.Schema) string {
	at, _, err := FindField(path, WithBrackets, s, func(s *structural.Schema) Below[structural.Schema] {
		return Below[structural.Schema]{Properties: s.Properties, IsMap: s.AdditionalProperties != nil, Values: s.Values()}
	})
	if err != nil {
		return ""
	}
	return at.String()
}
