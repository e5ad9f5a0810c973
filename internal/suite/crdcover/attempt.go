package crdcover

import (
	"slices"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// Attempt is a request that is not recorded, with what it shows.
type Attempt struct {
	// Answer is that to the request.
	Answer prunert.Answer
	// Violations are the violated constraints if the request was refused, and the applied defaults if it was accepted.
	Violations []Violation
}

// Violation is a constraint that a value violates.
type Violation struct {
	// Number is the index of the constraint in Constraints, -1 for an error that does not belong to one.
	Number int
	// Path leads to the value. It is empty for a default.
	Path prunert.Path
}

// Try sends a request to the resource that New was called with. Neither object is changed.
func (k *Kind) Try(sent, old map[string]any, req prunert.Request) Attempt {
	var a Attempt
	obj := jsonvalue.Copy(sent)
	var rules violatedRules
	a.Answer, rules = k.send(obj, old, req)
	if a.Answer.Refusal == nil {
		var seen seen
		k.accepted(&seen, a.Answer.Object, sent, old, req.Subresource)
		for _, c := range seen.broken {
			a.Violations = append(a.Violations, Violation{Number: slices.Index(k.all, c)})
		}
		return a
	}
	var junctors []prunert.Path
	for _, e := range a.Answer.Refusal.Errors {
		if e.Type == prunert.ErrorTypeOmitted || e.RulesNotChecked() {
			continue
		}
		path := e.Path
		if v, ok := rules[e]; ok {
			path = v.Path
		}
		found := k.violated(e, rules, obj)
		for _, c := range found {
			a.Violations = append(a.Violations, Violation{slices.Index(k.all, c), path})
			if c.isJunctor() {
				junctors = append(junctors, path)
			}
		}
		if len(found) == 0 || rules[e].Error == nil && k.hasWrongType(e.Path, obj) {
			a.Violations = append(a.Violations, Violation{-1, path})
		}
	}
	// The schemas of a junctor have errors of their own below its place, which belong to it. At its place, only a wrong type has no constraint.
	a.Violations = slices.DeleteFunc(a.Violations, func(v Violation) bool {
		return v.Number < 0 && slices.ContainsFunc(junctors, func(above prunert.Path) bool {
			return len(v.Path) > len(above) && slices.Equal(v.Path[:len(above)], above)
		})
	})
	return a
}

// Rule returns the CEL rule of the constraint with an index in Constraints, nil for other constraints.
func (k *Kind) Rule(number int) *prunecel.Rule {
	k.rules()
	return k.all[number].rule
}

func (c *constraint) isJunctor() bool {
	return slices.Contains([]string{"allOf", "anyOf", "oneOf", "not"}, c.Kind)
}
