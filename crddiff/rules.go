package crddiff

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

const validations = "x-kubernetes-validations"

// ruleGroup is a CEL rule, and what it says to people, which can be several things if it is repeated.
type ruleGroup struct {
	structural.ValidationRule
	key      string // the same for the same expression
	optional bool   // optionalOldSelf
	says     map[string]bool
	paired   bool // with a new one
}

// groups returns CEL rules without repetitions.
func groups(rules []structural.ValidationRule, key func(string) string) (all []*ruleGroup) {
	type id struct {
		key      string
		optional bool
	}
	byID, keys := map[id]*ruleGroup{}, map[string]string{}
	for _, r := range rules {
		if _, known := keys[r.Rule]; !known {
			keys[r.Rule] = key(r.Rule)
		}
		of := id{keys[r.Rule], r.OptionalOldSelf != nil && *r.OptionalOldSelf}
		g := byID[of]
		if g == nil {
			g = &ruleGroup{ValidationRule: r, key: of.key, optional: of.optional, says: map[string]bool{}}
			all, byID[of] = append(all, g), g
		}
		r.Rule, r.OptionalOldSelf = "", nil
		said, _ := json.Marshal(r) // only strings are left
		g.says[string(said)] = true
	}
	return all
}

// rules compares CEL rules. A rule is identified by its expression, however it is formatted and however often it is repeated; a new rule
// with the message of a removed one has replaced it.
func (w *walker) rules(s *spot) {
	key := w.ruleKey
	if reflect.DeepEqual(s.old.XValidations, s.new.XValidations) {
		key = func(rule string) string { return rule }
	}
	olds := groups(s.old.XValidations, key)
	byKey, byMessage := map[string][]*ruleGroup{}, map[string][]*ruleGroup{}
	for _, old := range olds {
		byKey[old.key] = append(byKey[old.key], old)
		byMessage[old.Message] = append(byMessage[old.Message], old)
	}
	judge := &ruleJudge{walker: w, spot: s}
	defer judge.release()
	var unknown []*ruleGroup
	for _, rule := range groups(s.new.XValidations, key) {
		sameOptional := func(old *ruleGroup) bool { return old.optional == rule.optional }
		if i := slices.IndexFunc(byKey[rule.key], sameOptional); i >= 0 {
			byKey[rule.key][i].paired = true
			judge.sameRule(byKey[rule.key][i], rule)
		} else {
			unknown = append(unknown, rule)
		}
	}
	for _, rule := range unknown {
		what := "rule " + show(rule.Rule) + " is new"
		if old := unpaired(byKey, rule.key); old != nil {
			what = "optionalOldSelf of rule " + show(rule.Rule) + " has changed"
		} else if old := unpaired(byMessage, rule.Message); old != nil {
			what = "rule " + show(old.Rule) + " has become " + show(rule.Rule)
		}
		judge.newRule(rule.ValidationRule, what)
	}
	for _, old := range olds {
		if !old.paired {
			w.add(idValidation, None, s.place, "rule "+show(old.Rule)+" is gone", acceptsMore, validations)
		}
	}
}

// costs compares what CEL rules may cost together. If the old ones could already cost more than the API server spends on an object, nothing
// is said: estimates are about the largest objects, and those of large CRDs are above it from the start. It also says nothing
// if the run has no room to check the rules.
func (w *walker) costs(old, new *structural.Schema) {
	budget := uint64(prunecel.RequestCosts().All)
	isStored := func(c Change) bool { return c.ID == idValidation && c.Level == Stored } // perhaps for what it costs alone
	work := meter.UnitsOfRuleByte * (ruleBytes(old) + ruleBytes(new))
	if len(w.changes) == 0 || slices.ContainsFunc(w.changes, isStored) || int64(work) > w.meter.Left() || !w.meter.Spend(work) {
		return
	}
	env := celrules.Stored(w.by)
	is := celrules.Check(new, env).MaxCost()
	if is <= budget || celrules.Check(old, env).MaxCost() > budget {
		return
	}
	w.add(idValidation, Stored, nil, "CEL rules may cost more together than the API server spends on an object", fmt.Sprintf("in every update of a large object, they may cost up to %d, and %d is the limit", is, budget))
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

// ruleKey returns what identifies the expression of a rule: its text if it does not parse, or the meter is spent.
func (w *walker) ruleKey(rule string) string {
	if w.meter.Spend(meter.UnitsOfRuleByte * len(rule)) {
		return cmp.Or(celrules.KeyOf(rule), rule)
	}
	return rule
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
func (j *ruleJudge) sameRule(old, rule *ruleGroup) {
	new := rule.ValidationRule
	switch {
	case !maps.Equal(old.says, rule.says):
		j.add(idValidation, None, j.spot.place, "the message of rule "+show(new.Rule)+" has changed", "the same values are refused", validations)
	case old.Rule != new.Rule:
		j.add(idValidation, None, j.spot.place, "rule "+show(new.Rule)+" is written in another way", "the same values are refused", validations)
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
		j.add(idValidation, level, j.spot.place, what, why, validations)
	}
}

// newRule adds a rule that values did not have to satisfy.
func (j *ruleJudge) newRule(rule structural.ValidationRule, what string) {
	level, why := j.verdict(rule)
	j.add(idValidation, level, j.spot.place, what, why, validations)
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

// unpaired returns the first rule with a text that is not paired, which it then is; nil for none, or without a text.
func unpaired(byText map[string][]*ruleGroup, text string) *ruleGroup {
	for text != "" && len(byText[text]) > 0 {
		old := byText[text][0]
		if byText[text] = byText[text][1:]; !old.paired {
			old.paired = true
			return old
		}
	}
	return nil
}
