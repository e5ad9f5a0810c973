package prunecel

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
)

// Rules is a table of the CEL rules of a node of a schema, and of the nodes below it that have rules.
type Rules struct {
	// Rules are those of the values here, and Self is what the schema says about the values, as text. Type is their type in the schema.
	Rules []*Rule
	Self  string
	Type  string
	// Problem says why the rules cannot be evaluated.
	Problem string
	// AllOf has the rules in allOf.
	AllOf []*Rules
	// Fields are the fields with rules in or below them, sorted. Values is for the values of a map, Items for the elements of a list.
	Fields []RulesField
	Values *Rules
	Items  *Rules
	// Keys tell the elements of a list map apart, where rules about updates are below.
	Keys []string
	// Kubernetes is the version of the API server whose errors are wanted, at the root.
	Kubernetes kubeversion.Version

	self parsed[*Type]
}

// RulesField is a field of Rules.
type RulesField struct {
	Name  string
	Rules *Rules
}

// Rule is a CEL rule.
type Rule struct {
	// Check evaluates the rule, nil if only Program can. Cost bounds the cost of the code outside of its loops, and Round that of one round
	// of a loop.
	Check       func(Reader) Verdict `json:"-"`
	Cost, Round int64
	Program     string // the expression as text
	// Rule is the text of the rule. Message is what an error says instead.
	Rule    string
	Message string
	// MessageExpression is an expression whose value is a better message.
	MessageExpression string
	MessageProgram    string
	// Reason is the type of an error, Invalid if it is empty. FieldPath leads from the value to the field of an error.
	Reason    prunert.ErrorType
	FieldPath string
	// UsesOld says that the rule refers to the old value, OptionalOld that it is evaluated without one, too.
	UsesOld     bool
	OptionalOld bool
	// Problem says why the rule cannot be evaluated.
	Problem string

	program, messageProgram parsed[*program]
}

// Costs limits the cost of rules: of one call, and of all calls for an object.
type Costs struct{ Call, All int64 }

// RequestCosts are the limits for a request.
func RequestCosts() Costs { return Costs{Call: CostLimit, All: 10_000_000} }

// Result is the result of evaluating rules on a value.
type Result struct {
	Errors   prunert.ErrorList
	Warnings []string
	// Spent is the cost of the rules, or an upper bound of it. Stopped says that some were not evaluated because the others cost too much.
	Spent   int64
	Stopped bool
	// Violations are the rules behind the errors and the warnings.
	Violations []Violation
}

// Violation is a rule that is false for a value, or that cannot be evaluated on it.
type Violation struct {
	Of *Rule
	// Path leads to the value. That of Error leads to the rule's FieldPath.
	Path prunert.Path
	// Error is one of Result.Errors, nil if the rule is forgiven.
	Error *prunert.Error
}

// Validate evaluates the rules on an object, which replaces old; old is nil for a new object. If a value has not changed, failures of rules
// that do not refer to the old value are only warnings. The shape says which values of obj correspond to which of old.
func (n *Rules) Validate(obj, old map[string]any, shape *pruneimpl.Shape) (errs prunert.ErrorList, warnings []string) {
	w := ruleWalk{value: obj, shape: shape, costs: RequestCosts(), allOf: notInAllOf, kubernetes: n.Kubernetes}
	if old != nil {
		w.old = old
	}
	w.walk(n)
	return w.errs, w.warnings
}

// ValidateValue is Validate for a value of any type, and with limits of costs. Without a shape every failure is an error.
func (n *Rules) ValidateValue(v, old any, shape *pruneimpl.Shape, costs Costs) Result {
	w := ruleWalk{value: v, old: old, shape: shape, costs: costs, allOf: notInAllOf, kubernetes: n.Kubernetes, collects: true}
	w.walk(n)
	return Result{Errors: w.errs, Warnings: w.warnings, Spent: w.spent, Stopped: w.stopped, Violations: w.violations}
}

// ruleWalk evaluates rules on an object.
type ruleWalk struct {
	value, old any
	shape      *pruneimpl.Shape
	costs      Costs
	kubernetes kubeversion.Version
	visits     int
	// changes has the value that was asked for last and those around it, with what they replace.
	changes []change
	// allOf is the number of steps to the value that allOf is about, for rules in allOf.
	allOf int

	// spent is the cost of the rules so far, or an upper bound of it.
	spent   int64
	exact   bool
	stopped bool

	errs     prunert.ErrorList
	bytes    int
	more     int
	warnings []string
	// collects says that violations are wanted, which Validate has no use for.
	collects   bool
	violations []Violation
}

// notInAllOf is allOf for rules that are not in allOf.
const notInAllOf = -1

// walk evaluates the rules on the object and everything in it.
func (w *ruleWalk) walk(n *Rules) {
	w.node(n, w.value, w.old, &place{})
	if w.stopped {
		// What bounds the costs exceeds the budget, and the costs themselves may not; or something ended the walk, and which came
		// first depends on the costs.
		*w = ruleWalk{value: w.value, old: w.old, shape: w.shape, costs: w.costs, allOf: notInAllOf, kubernetes: w.kubernetes, exact: true, collects: w.collects}
		w.node(n, w.value, w.old, &place{})
	}
	if w.more > 0 {
		w.errs = append(w.errs, &prunert.Error{Type: prunert.ErrorTypeOmitted, Field: "<nil>", Detail: fmt.Sprintf("%d more errors are not listed", w.more)})
	}
}

// node evaluates the rules on a value that replaces old, nil for none, and on all values below.
func (w *ruleWalk) node(n *Rules, v, old any, at *place) {
	if v == nil || w.stopped {
		return
	}
	if len(n.Rules) > 0 || n.Problem != "" {
		w.rules(n, v, old, at)
	}
	if len(n.AllOf) > 0 {
		w.inAllOf(n, v, old, at)
	}
	switch v := v.(type) {
	case map[string]any:
		was, _ := old.(map[string]any)
		if n.Values != nil {
			w.values(n, v, was, at)
		}
		if len(n.Fields) > 0 {
			w.fields(n, v, was, at)
		}
	case []any:
		if n.Items != nil {
			was, _ := old.([]any)
			w.items(n, v, was, at)
		}
	}
}

// inAllOf evaluates the rules in allOf.
func (w *ruleWalk) inAllOf(n *Rules, v, old any, at *place) {
	for _, below := range n.AllOf {
		around := w.allOf
		if around == notInAllOf {
			w.allOf = at.depth()
		}
		w.node(below, v, old, at)
		w.allOf = around
	}
}

func (w *ruleWalk) fields(n *Rules, obj, old map[string]any, at *place) {
	below := place{around: at, step: stepField}
	for i := range n.Fields {
		f := &n.Fields[i]
		if v := obj[f.Name]; v != nil {
			below.name, below.visit = f.Name, w.visit()
			w.node(f.Rules, v, old[f.Name], &below)
		}
	}
}

func (w *ruleWalk) values(n *Rules, obj, old map[string]any, at *place) {
	var room [8]string
	keys := room[:0]
	for k := range obj {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	below := place{around: at, step: stepKey}
	for _, k := range keys {
		below.name, below.visit = k, w.visit()
		w.node(n.Values, obj[k], old[k], &below)
	}
}

func (w *ruleWalk) items(n *Rules, list, old []any, at *place) {
	before := pruneimpl.NewElements(old, n.Keys)
	below := place{around: at, step: stepIndex}
	for i, v := range list {
		var was any
		if len(old) > 0 && len(n.Keys) > 0 {
			was, _ = before.Like(v)
		}
		below.index, below.visit = i, w.visit()
		w.node(n.Items, v, was, &below)
	}
}

// visit returns the number of the next value.
func (w *ruleWalk) visit() int {
	w.visits++
	return w.visits
}

// rules evaluates the rules of one node.
func (w *ruleWalk) rules(n *Rules, v, old any, at *place) {
	if n.Problem != "" {
		w.add(at, n, nil, "rule compiler initialization error: "+n.Problem)
		return
	}
	if w.spent >= w.costs.All {
		w.outOfBudget(at, n)
		return
	}
	for _, r := range n.Rules {
		switch {
		case w.stopped:
			return
		case r.Problem != "":
			w.add(at, n, r, "rule compile error: "+r.Problem)
		case r.Program == "":
			// The rule is empty.
		case r.UsesOld && old == nil && !r.OptionalOld:
			// A rule about updates needs an old value.
		default:
			w.rule(n, r, v, old, at)
		}
	}
}

// rule evaluates a rule.
func (w *ruleWalk) rule(n *Rules, r *Rule, v, old any, at *place) {
	if r.Check != nil && !w.exact {
		is := r.Check(Reader{Self: v, Old: old, Spent: r.Cost, Round: r.Round})
		if is.Sure && is.Cost <= CostLimit {
			if w.spent += is.Cost; w.spent > w.costs.All {
				w.stopped = true
			} else if !is.Holds {
				w.failed(n, r, v, old, at)
			}
			return
		}
	}
	program, err := r.program.of(r.Program, newProgram)
	if err != nil {
		w.add(at, n, r, "rule compile error: "+err.Error())
		return
	}
	result, cost, err := program.evaluate(n.variables(v, old, r.OptionalOld), w.costs.Call)
	if w.spent += int64(cost); w.spent > w.costs.All {
		w.outOfBudget(at, n)
		return
	}
	switch {
	case err == nil && result == true:
	case err == nil:
		w.failed(n, r, v, old, at)
	case errors.Is(err, errCostLimit):
		w.add(at, n, r, fmt.Sprintf("'%v': no further validation rules will be run due to call cost exceeds limit for rule: %s", err, r.name()))
		w.stopped = true
	case errors.Is(err, errNoSuchOverload):
		w.add(at, n, r,
			fmt.Sprintf("'%v': call arguments did not match a supported operator, function or macro signature for rule: %s", err, r.name()))
	default:
		w.add(at, n, r, fmt.Sprintf("%v evaluating rule: %s", err, r.name()))
	}
}

// Evaluate evaluates a rule by its program on a value that replaces old, nil for none.
func (n *Rules) Evaluate(r *Rule, v, old any, limit int64) (value any, cost uint64, err error) {
	program, err := r.program.of(r.Program, newProgram)
	if err != nil {
		return nil, 0, err
	}
	return program.evaluate(n.variables(v, old, r.OptionalOld), limit)
}

// name returns how errors name the rule.
func (r *Rule) name() string {
	if r.Message != "" {
		return r.Message
	}
	return r.Rule
}

// variables returns what a rule about a value can refer to.
func (n *Rules) variables(v, old any, optional bool) variables {
	t, err := n.self.of(n.Self, parseType)
	if err != nil {
		return variables{Self: err, OldSelf: err, HasOld: true}
	}
	vars := variables{Self: t.Value(v), HasOld: old != nil || optional}
	if old != nil {
		vars.OldSelf = t.Value(old)
	}
	if optional {
		vars.OldSelf = Optional{Value: vars.OldSelf, Present: old != nil}
	}
	return vars
}

// usesOld reports whether a rule here is about updates. The API server has an old value for messages only then.
func (n *Rules) usesOld() bool {
	return slices.ContainsFunc(n.Rules, func(r *Rule) bool { return r.UsesOld })
}

// outOfBudget says that the rules cost too much, and stops.
func (w *ruleWalk) outOfBudget(at *place, n *Rules) {
	if w.exact {
		w.add(at, n, nil, "validation failed due to running out of cost budget, no further validation rules will be run")
	}
	w.stopped = true
}

// failed adds the error of a rule that is false.
func (w *ruleWalk) failed(n *Rules, r *Rule, v, old any, at *place) {
	e := &prunert.Error{Type: r.Reason, BadValue: v}
	e.Field, e.Path = at.field(r.FieldPath)
	switch {
	case !w.kubernetes.Has(kubeversion.RuleValues):
		e.BadValue = n.Type
	case n.Type == "object" || n.Type == "array":
		e.BadValue = prunert.OmittedValue{}
	}
	if e.Type == "" {
		e.Type = prunert.ErrorTypeInvalid
	}
	detail, ok := w.message(n, r, v, old)
	if !ok {
		e.Type, e.BadValue, e.Detail = prunert.ErrorTypeInvalid, n.Type, detail
	} else if e.Type != prunert.ErrorTypeDuplicate {
		e.Detail = detail
	}
	if e.Type == prunert.ErrorTypeRequired || e.Type == prunert.ErrorTypeForbidden {
		e.BadValue = "" // its text shows none
	}
	if !r.UsesOld && w.isUnchanged(at) {
		w.warnings = append(w.warnings, e.Error())
		w.collect(r, at, nil)
		return
	}
	w.keep(e, r, at)
}

// message returns the message of a rule that is false. It reports false for an error in the message that ends the walk.
func (w *ruleWalk) message(n *Rules, r *Rule, v, old any) (string, bool) {
	text := r.Message
	if text == "" {
		text = "failed rule: " + r.Rule
	}
	if r.MessageProgram == "" {
		return text, true
	}
	program, err := r.messageProgram.of(r.MessageProgram, newProgram)
	if err != nil {
		return text, true
	}
	vars := n.variables(v, old, false)
	vars.HasOld = vars.HasOld && n.usesOld()
	result, cost, err := program.evaluate(vars, w.costs.Call)
	if w.spent += int64(cost); w.spent > w.costs.All {
		w.stopped = true
		return "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run", false
	}
	if errors.Is(err, errCostLimit) {
		w.stopped = true
		return fmt.Sprintf("no further validation rules will be run due to call cost exceeds limit for messageExpression: %q", r.MessageExpression), false
	}
	const maxMessage = 5 << 10
	if made, ok := result.(string); ok {
		if made = strings.TrimSpace(made); made != "" && len(made) <= maxMessage && !strings.Contains(made, "\n") {
			return made, true
		}
	}
	return text, true
}

// add adds an error about the value at a path. The rule is nil for an error of none.
func (w *ruleWalk) add(at *place, n *Rules, r *Rule, detail string) {
	field, path := at.field("")
	w.keep(&prunert.Error{Type: prunert.ErrorTypeInvalid, Field: field, Path: path, BadValue: n.Type, Detail: detail}, r, at)
}

// keep adds an error of a rule, within the limits.
func (w *ruleWalk) keep(e *prunert.Error, r *Rule, at *place) {
	if limits := prunelimits.Current(); limits.Entries > 0 && len(w.errs) >= limits.Entries || limits.Bytes > 0 && w.bytes > limits.Bytes {
		w.more++
		return
	}
	w.bytes += len(e.Field) + len(e.Detail)
	w.errs = append(w.errs, e)
	w.collect(r, at, e)
}

// collect adds a violation of a rule, if they are wanted.
func (w *ruleWalk) collect(r *Rule, at *place, e *prunert.Error) {
	if w.collects && r != nil {
		_, path := at.field("")
		w.violations = append(w.violations, Violation{r, path, e})
	}
}
