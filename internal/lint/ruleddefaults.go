package lint

import (
	"strings"

	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

// ruledDefaults evaluates the CEL rules of a schema on its defaults, which share what the rules about one object may cost.
type ruledDefaults struct {
	checker *celrules.Checker
	by      kubeversion.Version // of the API server
	budget  int64
	stopped bool                         // the CEL rules cost too much: no further default is checked
	broken  map[*structural.Error]string // the CEL rules that do not compile, of the errors that say so
}

// validate returns what the CEL rules of s say about its default v: as an update that changes nothing, and if nothing is wrong with that,
// as a new value. The errors have no path. The boolean is false if there are more.
func (d *ruledDefaults) validate(s *structural.Schema, v any) ([]*structural.Error, bool) {
	part := d.checker.Part(s)
	if d.checker.Full() {
		return nil, false
	}
	if part == nil {
		return nil, true
	}
	below, expressions := celrules.Lower(part)
	if expressions.Incomplete {
		return nil, false
	}
	// The value is a field of an object, so that the paths of errors begin with the name of the field, whatever follows it.
	const field = "default"
	table := prunecel.Rules{Kubernetes: d.by, Fields: []prunecel.RulesField{{Name: field, Rules: below}}}
	obj := map[string]any{field: v}
	costs := prunecel.RequestCosts()
	costs.All = d.budget
	result := table.ValidateValue(obj, obj, nil, costs)
	spent := result.Spent
	if len(result.Errors) == 0 {
		result = table.ValidateValue(obj, nil, nil, costs)
		spent = max(spent, result.Spent)
	}
	d.budget -= spent
	d.stopped = result.Stopped

	broken := map[*prunert.Error]string{}
	for _, v := range result.Violations {
		if v.Of.Problem != "" {
			broken[v.Error] = v.Of.Rule
		}
	}
	var errs []*structural.Error
	for _, e := range result.Errors {
		if e.Type == prunert.ErrorTypeOmitted {
			return errs, false
		}
		errs = append(errs, &structural.Error{ID: idDefaultInvalid, Type: e.Type, BadValue: e.BadValue, Detail: e.Detail, Below: strings.TrimPrefix(e.Field, field)})
		if rule, ok := broken[e]; ok {
			last := errs[len(errs)-1]
			last.ID = IDCELExpression // nothing is wrong with the default
			d.broken[last] = rule
		}
	}
	return errs, true
}
