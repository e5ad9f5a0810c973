package plan

import (
	"fmt"
	"strings"

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// Evaluate is the payload of the pass that evaluates CEL rules.
type Evaluate struct {
	// Table has the rules of the values of the node, nil for none.
	Table *RuleTable
	Funcs *RuleFuncs
	// Of is the kind whose root it is. Nothing says that the kind has no rules.
	Of      string
	Nothing bool
	// Kubernetes is the version of the API server whose errors are wanted, at the root.
	Kubernetes kubeversion.Version
}

// RuleFuncs has the names of the functions of the rules of a node, "" for a rule without code. Rules with the same code share one, and Own
// says which functions belong to the node.
type RuleFuncs struct {
	Names []string
	Own   []bool
}

// RuleTable is the rules of a node. Two of them are one if their texts are equal.
type RuleTable struct {
	// Type is the type of the values in the schema, and Self what rules can see of them, as the runtime writes it.
	Type string
	Self string
	// Keys tell the elements of a list map apart.
	Keys  []string
	Rules []*Rule
}

// Rule is a CEL rule.
type Rule struct {
	Of *prunecel.Rule
	// Code evaluates the rule; nil if only its program can, and Why says why.
	Code *RuleCode
	Why  string
}

// RuleCode is the code of a rule.
type RuleCode struct {
	Lets     []Let
	Value    GoValue
	Patterns []string
	Types    []string // as the runtime writes them
	// Cost bounds the cost of the code without its loops and texts, as the API server counts it, and Round that of one round of any of its
	// loops.
	Cost, Round int
}

// Text identifies a table.
func (t *RuleTable) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q %q %q", t.Type, t.Self, t.Keys)
	for _, rule := range t.Rules {
		r := rule.Of
		fmt.Fprintf(&b, "\n%q %q %q %q %q %t %t %q %q %q", r.Rule, r.Message, r.MessageExpression, r.Reason, r.FieldPath, r.UsesOld, r.OptionalOld, r.Program, r.MessageProgram, r.Problem)
	}
	return b.String()
}

func (r Evaluate) Func() bool { return !r.Nothing }

func (r Evaluate) String() string {
	switch {
	case r.Nothing:
		return "no rules"
	case r.Table == nil:
		return ""
	}
	var parts []string
	for _, rule := range r.Table.Rules {
		part := fmt.Sprintf("%q", rule.Of.Rule)
		if rule.Code == nil {
			part += " by its program: " + rule.Why
		}
		parts = append(parts, part)
	}
	if r.Table.Keys != nil {
		parts = append(parts, fmt.Sprintf("list map by %q", r.Table.Keys))
	}
	return strings.Join(parts, ", ")
}
