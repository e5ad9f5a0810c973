package crddiff

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/prune-gen/prune-gen/internal/celrules"
	"github.com/prune-gen/prune-gen/internal/meter"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

const validations = "x-kubernetes-validations"

// rules compares CEL rules. A rule is identified by its expression, however it is formatted; a new rule with the message of a removed one
// has replaced it.
func (w *walker) rules(s *spot) {
	old, new := s.old, s.new
	gone := map[int]bool{}
	byRule, byMessage := map[string][]int{}, map[string][]int{}
	for i, r := range old.XValidations {
		gone[i] = true
		byRule[r.Rule] = append(byRule[r.Rule], i)
		byMessage[r.Message] = append(byMessage[r.Message], i)
	}
	judge := &ruleJudge{walker: w, spot: s}
	defer judge.release()
	var unknown []structural.ValidationRule
	for _, rule := range new.XValidations {
		i, found := first(byRule, rule.Rule, gone)
		if !found {
			unknown = append(unknown, rule)
			continue
		}
		delete(gone, i)
		judge.sameRule(old.XValidations[i], rule)
	}
	if len(unknown) == 0 && len(gone) == 0 {
		return
	}
	byKey := map[string][]int{}
	for i, r := range old.XValidations {
		if gone[i] {
			if key := w.ruleKey(r); key != "" {
				byKey[key] = append(byKey[key], i)
			}
		}
	}
	for _, rule := range unknown {
		if i, found := first(byKey, w.ruleKey(rule), gone); found {
			delete(gone, i)
			judge.sameRule(old.XValidations[i], rule)
			continue
		}
		what := "rule " + show(rule.Rule) + " is new"
		if i, found := first(byMessage, rule.Message, gone); found && rule.Message != "" {
			delete(gone, i)
			what = "rule " + show(old.XValidations[i].Rule) + " has become " + show(rule.Rule)
		}
		judge.newRule(rule, what)
	}
	for i, rule := range old.XValidations {
		if gone[i] {
			w.add(ruleValidation, None, s.place, "rule "+show(rule.Rule)+" is gone", acceptsMore, validations)
		}
	}
}

// costs compares what CEL rules may cost together. If the old ones could already cost more than the API server spends on an object, nothing
// is said: estimates are about the largest objects, and those of large CRDs are above it from the start. It also says nothing
// if the run has no room to check the rules.
func (w *walker) costs(old, new *structural.Schema) {
	budget := uint64(prunecel.RequestCosts().All)
	isStored := func(c Change) bool { return c.Rule == ruleValidation && c.Level == Stored } // perhaps for what it costs alone
	work := meter.UnitsOfRuleByte * (ruleBytes(old) + ruleBytes(new))
	if len(w.changes) == 0 || slices.ContainsFunc(w.changes, isStored) || int64(work) > w.meter.Left() || !w.meter.Spend(work) {
		return
	}
	env := celrules.Stored(w.by)
	is := celrules.Check(new, env).MaxCost()
	if is <= budget || celrules.Check(old, env).MaxCost() > budget {
		return
	}
	w.add(ruleValidation, Stored, nil, "CEL rules may cost more together than the API server spends on an object", fmt.Sprintf("in every update of a large object, they may cost up to %d, and %d is the limit", is, budget))
}

// ruleBytes returns how long the CEL rules of a schema are.
func ruleBytes(s *structural.Schema) (n int) {
	if s == nil {
		return 0
	}
	for _, r := range s.XValidations {
		n += len(r.Rule)
	}
	n += ruleBytes(s.Items) + ruleBytes(valuesOf(s))
	for _, p := range s.Properties {
		n += ruleBytes(p)
	}
	return n
}

// ruleKey returns what identifies a rule, "" if the meter is spent.
func (w *walker) ruleKey(r structural.ValidationRule) string {
	if !w.meter.Spend(meter.UnitsOfRuleByte * len(r.Rule)) {
		return ""
	}
	return celrules.KeyOf(r.Rule)
}

// alike is whether rules see values in the same way by both schemas, and how many schemas there are.
type alike struct {
	is   bool
	size int
}

// alike compares how rules see the values of two schemas.
func (w *walker) alike(old, new *structural.Schema) alike {
	if old == nil || new == nil {
		return alike{old == new, 1}
	}
	pair := [2]*structural.Schema{old, new}
	if a, ok := w.alikes[pair]; ok || !w.meter.Spend(1) {
		return a
	}
	a := alike{celrules.SeenAlike(old, new) && len(old.Properties) == len(new.Properties), 1}
	add := func(old, new *structural.Schema) {
		if old != nil || new != nil {
			b := w.alike(old, new)
			a = alike{a.is && b.is, a.size + b.size}
		}
	}
	for name, is := range new.Properties {
		add(old.Properties[name], is)
	}
	add(old.Items, new.Items)
	add(valuesOf(old), valuesOf(new))
	w.alikes[pair] = a
	return a
}

// ruleJudge judges the rules of a spot.
type ruleJudge struct {
	*walker
	spot     *spot
	reasoner *celrules.Reasoner
	given    []structural.ValidationRule // old rules that see what they saw
	onCreate []structural.ValidationRule // those of them that do not refer to oldSelf, and are evaluated for new objects, too
}

func (j *ruleJudge) release() {
	if j.reasoner != nil {
		j.reasoner.Release()
	}
}

// reason returns what is known about a rule, given old rules that hold.
func (j *ruleJudge) reason(rule structural.ValidationRule, given []structural.ValidationRule, unchanged bool) celrules.Outcome {
	s := j.spot
	size := j.alike(s.old, s.new).size
	if !j.meter.Spend(meter.UnitsOfRuleByte * len(rule.Rule) * (1 + len(given))) {
		return celrules.Outcome{Failure: &celrules.Failure{Text: "the CRD is too large"}}
	}
	if j.reasoner == nil {
		if !j.meter.Spend(meter.UnitsOfSchemaPair * size) {
			return celrules.Outcome{Failure: &celrules.Failure{Text: "the CRD is too large"}}
		}
		j.reasoner = celrules.NewReasoner(celrules.NewMet(s.old, s.new, s.around == nil), celrules.Stored(j.by), j.meter)
		seen := map[string]bool{}
		for _, r := range s.old.XValidations {
			if !seen[r.Rule] && r.OptionalOldSelf == nil && j.meter.Spend(meter.UnitsOfRuleByte*len(r.Rule)) {
				if out := j.reasoner.Rule(r, nil, false); out.Err == "" && !out.Differs {
					if j.given = append(j.given, r); !out.UsesOldSelf {
						j.onCreate = append(j.onCreate, r)
					}
				}
			}
			seen[r.Rule] = true
		}
	}
	return j.reasoner.Rule(rule, given, unchanged)
}

// rulesFor returns the old rules that are evaluated for the same requests as a rule that refers to oldSelf, or one that does not.
func (j *ruleJudge) rulesFor(usesOldSelf bool) []structural.ValidationRule {
	if usesOldSelf {
		return j.given
	}
	return j.onCreate
}

// sameRule compares two rules with the same expression.
func (j *ruleJudge) sameRule(old, new structural.ValidationRule) {
	text := old.Rule
	old.Rule = new.Rule
	switch {
	case !reflect.DeepEqual(old.OptionalOldSelf, new.OptionalOldSelf):
		j.newRule(new, "optionalOldSelf of rule "+show(new.Rule)+" has changed")
		return
	case !reflect.DeepEqual(old, new):
		j.add(ruleValidation, None, j.spot.place, "the message of rule "+show(new.Rule)+" has changed", "the same values are refused", validations)
	case text != new.Rule:
		j.add(ruleValidation, None, j.spot.place, "rule "+show(new.Rule)+" is written in another way", "the same values are refused", validations)
	}
	if j.alike(j.spot.old, j.spot.new).is && j.loose() == "" {
		return
	}
	if out := j.reason(new, nil, false); out.Differs && !out.Refilled || out.UsesOldSelf && j.loose() != "" {
		j.affected(new)
	}
}

// loose returns why elements around the spot cannot be matched with old ones, "" if they can.
func (j *ruleJudge) loose() string {
	for _, on := range j.spot.chain() {
		if on.step == stepElements && isListMap(on.around.new) {
			if why := looseKeys(on.around.old, on.around.new); why != "" {
				return "elements of " + on.around.place.String() + " " + why
			}
		}
	}
	return ""
}

// affected adds a rule that stays but sees other values, unless it holds for them.
func (j *ruleJudge) affected(rule structural.ValidationRule) {
	what := "rule " + show(rule.Rule) + " sees what has changed"
	if level, why := j.verdict(rule); level > None {
		j.add(ruleValidation, level, j.spot.place, what, why, validations)
	}
}

// newRule adds a rule that values did not have to satisfy.
func (j *ruleJudge) newRule(rule structural.ValidationRule, what string) {
	level, why := j.verdict(rule)
	j.add(ruleValidation, level, j.spot.place, what, why, validations)
}

// verdict returns whom a rule breaks if it is evaluated on values that did not have to satisfy it.
func (j *ruleJudge) verdict(rule structural.ValidationRule) (Level, string) {
	out := j.reason(rule, nil, false)
	if out.Holds && out.Failure == nil {
		return j.holds(rule, out.UsesOldSelf, "it holds for all values that could be accepted")
	}
	clause := j.loose()
	if rule.OptionalOldSelf == nil {
		if out := j.reason(rule, j.rulesFor(out.UsesOldSelf && clause == ""), false); out.Holds && out.Failure == nil {
			return j.holds(rule, out.UsesOldSelf, "it holds for all values for which the old rules hold")
		}
	}
	// An update that changes nothing the rule sees.
	same := j.reason(rule, j.rulesFor(false), true)
	switch {
	case same.Failure != nil:
		return Stored, "in every update, its evaluation can fail: " + same.Failure.Text
	case out.UsesOldSelf && clause != "":
		return Stored, "it is evaluated in every update: " + clause
	case out.UsesOldSelf && !same.Holds:
		return Stored, "it is evaluated in every update, and may not hold for values that stay as they are"
	case out.UsesOldSelf:
		return Requests, "updates that change the value can be refused"
	}
	if clause := j.stuck(j.spot); clause != "" {
		return Stored, refusesMore + ", in every update: " + clause
	}
	return Requests, "new objects and changed values can be refused; values that stay as they are are tolerated"
}

// holds returns whom a rule breaks that holds for objects as they are read: nobody, unless it does not hold for new ones.
func (j *ruleJudge) holds(rule structural.ValidationRule, usesOldSelf bool, why string) (Level, string) {
	isOfUpdates := usesOldSelf && (rule.OptionalOldSelf == nil || !*rule.OptionalOldSelf)
	if !j.lacksDefault(j.spot) || isOfUpdates {
		return None, why
	}
	created := *j.spot.new
	created.Properties = maps.Clone(created.Properties)
	status := *created.Properties["status"]
	status.Default = nil
	created.Properties["status"] = &status
	at := *j.spot
	at.new = &created
	onCreate := &ruleJudge{walker: j.walker, spot: &at}
	defer onCreate.release()
	if out := onCreate.reason(rule, j.onCreate, false); !out.Holds || out.Failure != nil {
		return Requests, newLackStatus
	}
	return None, why
}

// first returns the first index of a key that is among some.
func first(indices map[string][]int, key string, among map[int]bool) (int, bool) {
	for len(indices[key]) > 0 {
		if i := indices[key][0]; among[i] {
			return i, true
		}
		indices[key] = indices[key][1:]
	}
	return 0, false
}
