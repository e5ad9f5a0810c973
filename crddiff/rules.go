package crddiff

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/celrules"
	"github.com/prune-gen/prune-gen/internal/kept"
	"github.com/prune-gen/prune-gen/internal/meter"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

const validations = "x-kubernetes-validations"

// rules compares CEL rules. A rule is known by its expression, however it is written; one that has the message of a rule that is gone has
// replaced it.
func (w *walker) rules(old, new *structural.Schema, at *kept.Place) {
	gone := map[int]bool{}
	byRule, byMessage := map[string][]int{}, map[string][]int{}
	for i, r := range old.XValidations {
		gone[i] = true
		byRule[r.Rule] = append(byRule[r.Rule], i)
		byMessage[r.Message] = append(byMessage[r.Message], i)
	}
	var unknown []structural.ValidationRule
	for _, rule := range new.XValidations {
		i, found := first(byRule, rule.Rule, gone)
		if !found {
			unknown = append(unknown, rule)
			continue
		}
		delete(gone, i)
		w.sameRule(old.XValidations[i], rule, at)
	}
	if len(unknown) == 0 && len(gone) == 0 {
		return
	}
	byKey := map[string][]int{}
	for i, r := range old.XValidations {
		if gone[i] {
			if key := w.shape(r).Key; key != "" {
				byKey[key] = append(byKey[key], i)
			}
		}
	}
	for _, rule := range unknown {
		shape := w.shape(rule)
		if i, found := first(byKey, shape.Key, gone); found {
			delete(gone, i)
			w.sameRule(old.XValidations[i], rule, at)
			continue
		}
		what := "rule " + show(rule.Rule) + " is new"
		if i, found := first(byMessage, rule.Message, gone); found && rule.Message != "" {
			delete(gone, i)
			what = "rule " + show(old.XValidations[i].Rule) + " has become " + show(rule.Rule)
		}
		if why := w.holds(rule, shape, old, new, at); why != "" {
			w.add(ruleValidation, None, at, what, why, validations)
			continue
		}
		w.newRule(what, shape, w.missing(shape, old, new, at), at)
	}
	for i, rule := range old.XValidations {
		if gone[i] {
			w.add(ruleValidation, None, at, "rule "+show(rule.Rule)+" is gone", acceptsMore, validations)
		}
	}
}

// shape returns the shape of a rule, that of one that does not parse if the meter is spent.
func (w *walker) shape(r structural.ValidationRule) celrules.Shape {
	if !w.meter.Spend(meter.UnitsOfRuleByte * len(r.Rule)) {
		return celrules.Shape{}
	}
	return celrules.ShapeOf(r.Rule)
}

// holds returns for which values a new rule evidently holds, "" if not for all that satisfy an old schema. An object that is tolerated although
// an old rule does not hold for it is not one of them: the new rule can be an error, which is not tolerated.
func (w *walker) holds(rule structural.ValidationRule, shape celrules.Shape, old, new *structural.Schema, at *kept.Place) string {
	isThere := func(path []string, asked ...[]string) bool {
		return alwaysHas(old, path, asked...) == len(path) && alwaysHas(new, path, asked...) == len(path)
	}
	if celrules.HoldsWithout(rule.Rule, celrules.Without{
		IsMissing: func(path []string, asked [][]string) bool { // asking is an error where the values above are missing or null
			isMeta := at == nil && structural.IsMetaField(path[0])
			return !isMeta && !specifies(old, path) && isThere(path, append(slices.Clip(asked), path)...)
		},
		Never: func(path []string, text string, asked [][]string) bool {
			return isThere(path, asked...) && excludes(old, path, text)
		},
	}) {
		return "it holds for all values that could be accepted"
	}
	if rule.OptionalOldSelf != nil {
		return "" // fields of an optional value are optional
	}
	var others []string
	seen := map[string]bool{}
	for _, r := range old.XValidations {
		if seen[r.Rule] {
			continue
		}
		// Only rules that are evaluated for the same requests count.
		if seen[r.Rule] = true; w.shape(r).UsesOldSelf == shape.UsesOldSelf && r.OptionalOldSelf == nil {
			others = append(others, r.Rule)
		}
	}
	if w.meter.Spend(meter.UnitsOfRuleByte*len(rule.Rule)) && celrules.Implies(others, rule.Rule) && w.isCheap(rule, new, at) {
		return "it holds for all values for which the old rules hold"
	}
	return ""
}

// isCheap reports whether a rule never costs so much that its evaluation ends with an error.
func (w *walker) isCheap(rule structural.ValidationRule, s *structural.Schema, at *kept.Place) bool {
	t := celrules.NewType(s, at == nil || s.XEmbeddedResource)
	if t == nil {
		return false
	}
	c := celrules.NewChecker(celrules.Stored(w.by))
	defer c.Release()
	return c.Check(t, []structural.ValidationRule{rule})[0].MaxCost <= prunecel.CostLimit
}

// sameRule compares two rules with the same expression.
func (w *walker) sameRule(old, new structural.ValidationRule, at *kept.Place) {
	text := old.Rule
	old.Rule = new.Rule
	switch {
	case !reflect.DeepEqual(old.OptionalOldSelf, new.OptionalOldSelf):
		w.refuse(ruleValidation, at, at, "optionalOldSelf of rule "+show(new.Rule)+" has changed", "it is evaluated for other requests", validations)
	case !reflect.DeepEqual(old, new):
		w.add(ruleValidation, None, at, "what rule "+show(new.Rule)+" says to people has changed", "the same values are refused", validations)
	case text != new.Rule:
		w.add(ruleValidation, None, at, "rule "+show(new.Rule)+" is written in another way", "the same values are refused", validations)
	}
}

// missing returns a path that a new rule reads, and that not every value has that was accepted.
func (w *walker) missing(shape celrules.Shape, old, new *structural.Schema, at *kept.Place) string {
	for _, path := range shape.Reads {
		n := alwaysHas(new, path)
		if n == len(path) || alwaysHas(old, path) > n || at == nil && structural.IsMetaField(path[0]) {
			continue
		}
		missing := strings.Join(path[:n+1], ".")
		if !slices.ContainsFunc(old.XValidations, func(r structural.ValidationRule) bool { // which refuses such values, too
			return slices.ContainsFunc(w.shape(r).Reads, func(read []string) bool { return len(read) > n && slices.Equal(read[:n+1], path[:n+1]) })
		}) {
			return missing
		}
	}
	return ""
}

// isRead reports whether a rule above a field seems to read it, and does not ask whether it is there.
func (w *walker) isRead(field *structural.Schema, at *kept.Place) bool {
	name := strings.TrimRight(at.String(), "[]*")
	name = name[strings.LastIndexByte(name, '.')+1:]
	selected, _ := celrules.Escape(name)
	asks := regexp.MustCompile(`has\(\s*[\w.]+\.` + regexp.QuoteMeta(selected) + `\s*\)`)
	return slices.ContainsFunc(w.ruled, func(s *structural.Schema) bool {
		return s != field && slices.ContainsFunc(s.XValidations, func(r structural.ValidationRule) bool {
			return (strings.Contains(r.Rule, selected) || strings.Contains(r.Rule, name)) && w.meter.Spend(len(r.Rule)) && !asks.MatchString(r.Rule)
		})
	})
}

// alwaysHas returns how much of a path each value of a schema has that has what a rule asked for: the first fields that are required or
// have a default. Nothing is below a value that may be null.
func alwaysHas(s *structural.Schema, path []string, asked ...[]string) int {
	for i, selected := range path {
		if s == nil || i > 0 && s.Nullable {
			return i
		}
		name, child := propertyOf(s, selected)
		isThere := child != nil && (child.Default != nil || name == celrules.Element || slices.Contains(requiredOf(s), name))
		if !isThere && !slices.ContainsFunc(asked, func(a []string) bool { return slices.Equal(a, path[:i+1]) }) {
			return i
		}
		s = child
	}
	return len(path)
}

// newRule adds a rule that values of a schema did not have to satisfy.
func (w *walker) newRule(what string, shape celrules.Shape, missing string, at *kept.Place) {
	switch {
	case shape.UsesOldSelf && !shape.HoldsUnchanged:
		w.add(ruleValidation, Stored, at, what, "it is evaluated in every update, and may not hold for values that stay as they are", validations)
	case missing != "":
		w.add(ruleValidation, Stored, at, what, "no update of an object without "+show(missing)+" is accepted if the rule reads it", validations)
	case shape.UsesOldSelf && at != nil:
		w.add(ruleValidation, Requests, at, what, "updates that change the value can be refused", validations)
	case at == nil:
		w.refuse(ruleValidation, at, at, what, refusesMore, validations)
	default:
		w.add(ruleValidation, Requests, at, what, "new objects and changed values can be refused; values that stay as they are are tolerated", validations)
	}
}

// specifies reports whether values of a schema can have a field, or could.
func specifies(s *structural.Schema, path []string) bool {
	for _, name := range path {
		if s.XPreserveUnknownFields || s.XEmbeddedResource && structural.IsMetaField(name) {
			return true
		}
		if _, s = propertyOf(s, name); s == nil {
			return false
		}
	}
	return true
}

// excludes reports whether the enum of a field does not have a text.
func excludes(s *structural.Schema, path []string, text string) bool {
	for _, name := range path {
		_, s = propertyOf(s, name)
	}
	if s == nil {
		return false
	}
	enum := orNothing(s.ValueValidation).Enum
	return len(enum) > 0 && !slices.Contains(enum, any(text))
}

// propertyOf returns the property that a CEL rule selects, or the elements of a list, nil if the schema does not specify it.
func propertyOf(s *structural.Schema, selected string) (string, *structural.Schema) {
	if selected == celrules.Element {
		return selected, s.Items
	}
	if child := s.Properties[selected]; child != nil {
		return selected, child
	}
	for name, child := range s.Properties {
		if escaped, ok := celrules.Escape(name); ok && escaped == selected {
			return name, child
		}
	}
	return selected, valuesOf(s)
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
