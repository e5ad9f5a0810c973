package lower

import (
	"fmt"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// Rules is the pass that evaluates CEL rules. Its tree has the nodes with rules and those that lead to them.
var Rules = Pass{"rules", func(all *nodes, r Resource) *plan.Node {
	l := &ruling{nodes: all}
	table, exprs := celrules.Lower(celrules.Check(r.Schema, celrules.Stored(r.CRD.Kubernetes)))
	if table == nil {
		return all.intern(plan.Node{Do: plan.Evaluate{Of: r.CRD.Names.Kind, Nothing: true}, Rest: plan.RestKeep})
	}
	l.exprs = exprs
	n := l.node(table)
	n.Do = plan.Evaluate{Table: n.Do.(plan.Evaluate).Table, Of: r.CRD.Names.Kind, Kubernetes: r.Kubernetes}
	return l.intern(n)
}}

// ruling makes the tree of rules.
type ruling struct {
	*nodes
	exprs celrules.Expressions
}

func (l *ruling) lower(t *prunecel.Rules) *plan.Node { return l.intern(l.node(t)) }

func (l *ruling) node(t *prunecel.Rules) plan.Node {
	n := plan.Node{Rest: plan.RestKeep, Do: plan.Evaluate{Table: l.table(l.rules(t))}}
	for _, f := range t.Fields {
		n.Fields = append(n.Fields, plan.Field{Name: f.Name, Node: l.lower(f.Rules)})
	}
	if t.Values != nil {
		n.Rest, n.RestNode = plan.RestWalk, l.lower(t.Values)
	}
	if t.Items != nil {
		n.Elem = l.lower(t.Items)
	}
	return n
}

// rules returns the rules of a node, nil if it has none.
func (l *ruling) rules(t *prunecel.Rules) *plan.RuleTable {
	if len(t.Rules) == 0 && t.Items == nil {
		return nil
	}
	out := &plan.RuleTable{Type: t.Type}
	if t.Items != nil {
		out.Keys = t.Keys
	}
	if len(t.Rules) == 0 {
		if len(out.Keys) == 0 {
			return nil
		}
		return out
	}
	out.Self = t.Self
	for _, r := range t.Rules {
		rule := &plan.Rule{Of: r}
		if e := l.exprs.Of[r]; e != nil {
			rule.Code, rule.Why = compileRule(e, l.exprs.Self[t], r.OptionalOld)
		}
		out.Rules = append(out.Rules, rule)
	}
	return out
}

// nameRules names the functions of rules. In a file, rules of the same text and code share the one of the first node.
func nameRules(nodes []*plan.Node) {
	names, taken := map[string]string{}, map[string]bool{}
	for _, n := range nodes {
		rules, ok := n.Do.(plan.Evaluate)
		if !ok || rules.Table == nil {
			continue
		}
		count := len(rules.Table.Rules)
		rules.Funcs = &plan.RuleFuncs{Names: make([]string, count), Own: make([]bool, count)}
		for i, r := range rules.Table.Rules {
			if r.Code == nil {
				continue
			}
			key := fmt.Sprintf("%s %q %#v", n.Owner, r.Of.Rule, *r.Code)
			if names[key] == "" {
				names[key], rules.Funcs.Own[i] = ruleName(n, r.Of, taken), true
			}
			rules.Funcs.Names[i] = names[key]
		}
		n.Do = rules
	}
}
