package differ

import (
	"reflect"

	"github.com/prune-gen/prune-gen/structural"
)

// rules compares CEL rules. A rule is known by its expression; one that has the message of a rule that is gone has replaced it.
func (w *walker) rules(old, new []structural.ValidationRule, at *Place) {
	const keyword = "x-kubernetes-validations"
	gone := map[int]bool{}
	for i := range old {
		gone[i] = true
	}
	var unknown []structural.ValidationRule
	for _, rule := range new {
		i := indexOf(old, gone, func(r structural.ValidationRule) bool { return r.Rule == rule.Rule })
		if i < 0 {
			unknown = append(unknown, rule)
			continue
		}
		delete(gone, i)
		switch {
		case !reflect.DeepEqual(old[i].OptionalOldSelf, rule.OptionalOldSelf):
			w.add(RuleValidation, true, at, "optionalOldSelf of rule "+show(rule.Rule)+" has changed", "it is evaluated for other requests", keyword)
		case !reflect.DeepEqual(old[i], rule):
			w.add(RuleValidation, false, at, "what rule "+show(rule.Rule)+" says to people has changed", "the same values are refused", keyword)
		}
	}
	for _, rule := range unknown {
		i := indexOf(old, gone, func(r structural.ValidationRule) bool { return r.Message != "" && r.Message == rule.Message })
		if i < 0 {
			w.add(RuleValidation, true, at, "rule "+show(rule.Rule)+" is new", refusesMore, keyword)
			continue
		}
		delete(gone, i)
		w.add(RuleValidation, true, at, "rule "+show(old[i].Rule)+" has become "+show(rule.Rule), refusesMore, keyword)
	}
	for i, rule := range old {
		if gone[i] {
			w.add(RuleValidation, false, at, "rule "+show(rule.Rule)+" is gone", acceptsMore, keyword)
		}
	}
}

// indexOf returns the index of the first rule among those that match, -1 if there is none.
func indexOf(rules []structural.ValidationRule, among map[int]bool, matches func(structural.ValidationRule) bool) int {
	for i, r := range rules {
		if among[i] && matches(r) {
			return i
		}
	}
	return -1
}
