package lint

import (
	"fmt"
	"maps"
	"slices"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// maxFailing limits how many CEL rules whose evaluation can fail are listed for a schema.
const maxFailing = 10

// unitsOfRule is what a byte of a CEL rule, and a schema that the rule is about, cost.
const unitsOfRule = 10

// failingRules returns warnings about CEL rules whose evaluation may fail on objects that the schema accepts, and for which the other rules
// of the place hold. The API server then refuses to create or update such an object, and does not ratchet. The warning cannot say for
// which objects: && and || absorb the error of an operand if another one decides. Overflows, costs and texts that CEL cannot read although
// they have their format are left out: no realistic object has them.
func failingRules(s *structural.Schema, at *structural.Path, e celrules.Environment, m *meter.Meter) []*structural.Error {
	f := &failing{env: e, meter: m, sizes: map[*structural.Schema]int{}}
	f.node(celrules.Check(s, e), true, at)
	if f.more > 0 {
		f.all = append(f.all, &structural.Error{ID: idCELFails, Path: at, Detail: fmt.Sprintf("CEL rules whose evaluation may fail that are not listed: %d", f.more)})
	}
	return f.all
}

type failing struct {
	env   celrules.Environment
	meter *meter.Meter
	sizes map[*structural.Schema]int
	all   []*structural.Error
	more  int
}

func (f *failing) node(n *celrules.Node, isRoot bool, at *structural.Path) {
	if n == nil {
		return
	}
	if len(n.Rules) > 0 && f.meter.Spend(unitsOfRule*f.size(n.Schema)) {
		f.rules(n, isRoot, at.Child("x-kubernetes-validations"))
	}
	for _, name := range slices.Sorted(maps.Keys(n.Properties)) {
		f.node(n.Properties[name], false, at.Child("properties").Key(name))
	}
	f.node(n.Items, false, at.Child("items"))
	f.node(n.AdditionalProperties, false, at.Child("additionalProperties"))
}

// rules warns of the rules of a node.
func (f *failing) rules(n *celrules.Node, isRoot bool, at *structural.Path) {
	met := celrules.NewMet(n.Schema, n.Schema, isRoot)
	met.TrustFormats = true
	r := celrules.NewReasoner(met, f.env, f.meter)
	defer r.Release()
	for i, c := range n.Rules {
		if c.Err != "" || !f.meter.Spend(meter.UnitsOfRuleByte*len(c.Rule.Rule)) {
			continue
		}
		out := r.Rule(c.Rule, nil, c.UsesOldSelf)
		for k := 0; k < len(n.Rules) && out.Failure != nil && isTrap(out.Failure.Kind); k++ { // another rule may refuse what it fails for
			other := n.Rules[k]
			if k != i && !other.UsesOldSelf && other.Err == "" && f.meter.Spend(meter.UnitsOfRuleByte*(len(c.Rule.Rule)+len(other.Rule.Rule))) {
				out = r.Rule(c.Rule, []structural.ValidationRule{other.Rule}, c.UsesOldSelf)
			}
		}
		if out.Failure != nil && isTrap(out.Failure.Kind) {
			if len(f.all) == maxFailing {
				f.more++
				continue
			}
			f.all = append(f.all, &structural.Error{ID: idCELFails, Path: at.Index(i).Child("rule"),
				Detail: fmt.Sprintf("the evaluation of %s may fail: %s; an object for which it fails can be neither created nor updated", yamltext.Shorten(c.Rule.Rule), out.Failure.Text)})
		}
	}
}

// isTrap reports whether ordinary objects can make a rule fail.
func isTrap(k celrules.FailureKind) bool {
	switch k {
	case celrules.FailsMissing, celrules.FailsType, celrules.FailsConversion, celrules.FailsZero:
		return true
	}
	return false
}

// size returns the number of schemas in s, itself included.
func (f *failing) size(s *structural.Schema) int {
	if s == nil {
		return 0
	}
	n, ok := f.sizes[s]
	if !ok {
		n = 1 + f.size(s.Items) + f.size(s.Values())
		for _, p := range s.Properties {
			n += f.size(p)
		}
		f.sizes[s] = n
	}
	return n
}
