package crddiff

import (
	"reflect"

	"github.com/prune-gen/prune-gen/internal/kept"
	"github.com/prune-gen/prune-gen/structural"
)

// rules compares CEL rules. A rule is known by its expression; one that has the message of a rule that is gone has replaced it.
func (w *walker) rules(old, new []structural.ValidationRule, at *kept.Place) {
	const keyword = "x-kubernetes-validations"
	gone := map[int]bool{}
	byRule, byMessage := map[string][]int{}, map[string][]int{}
	for i, r := range old {
		gone[i] = true
		byRule[r.Rule] = append(byRule[r.Rule], i)
		byMessage[r.Message] = append(byMessage[r.Message], i)
	}
	var unknown []structural.ValidationRule
	for _, rule := range new {
		i, found := first(byRule, rule.Rule, gone)
		if !found {
			unknown = append(unknown, rule)
			continue
		}
		delete(gone, i)
		switch {
		case !reflect.DeepEqual(old[i].OptionalOldSelf, rule.OptionalOldSelf):
			w.refuse(ruleValidation, at, at, "optionalOldSelf of rule "+show(rule.Rule)+" has changed", "it is evaluated for other requests", keyword)
		case !reflect.DeepEqual(old[i], rule):
			w.add(ruleValidation, None, at, "what rule "+show(rule.Rule)+" says to people has changed", "the same values are refused", keyword)
		}
	}
	for _, rule := range unknown {
		i, found := first(byMessage, rule.Message, gone)
		if rule.Message == "" || !found {
			w.refuse(ruleValidation, at, at, "rule "+show(rule.Rule)+" is new", refusesMore, keyword)
			continue
		}
		delete(gone, i)
		w.refuse(ruleValidation, at, at, "rule "+show(old[i].Rule)+" has become "+show(rule.Rule), refusesMore, keyword)
	}
	for i, rule := range old {
		if gone[i] {
			w.add(ruleValidation, None, at, "rule "+show(rule.Rule)+" is gone", acceptsMore, keyword)
		}
	}
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
