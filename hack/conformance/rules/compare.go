// Package rules compares what CEL rules say about objects with what Kubernetes says: errors, warnings and costs.
package rules

import (
	"fmt"
	"runtime/debug"

	"github.com/prune-gen/prune-gen/hack/conformance/compare"
	"github.com/prune-gen/prune-gen/hack/conformance/known"
	"github.com/prune-gen/prune-gen/internal/suite/specimen"
)

// Case is an object, with the one that it replaces; Old is nil for a new object.
type Case struct {
	Subject     *Subject
	Object, Old map[string]any
}

// Outcome is what both sides say about a case.
type Outcome struct {
	Case
	Ours, Theirs Answer
	// Differs says that they disagree, Unsteady that Kubernetes does not always give the same answer, and ours is not one of those that
	// were seen.
	Differs, Unsteady bool
	// Known names a difference from an older version that is known. Then Differs is false.
	Known known.Name
}

// runs is how often Kubernetes is asked where the two sides differ. It reads maps in any order.
const runs = 100

// Compare compares what both sides say.
func (c Case) Compare() Outcome {
	out := Outcome{Case: c, Ours: c.ours(), Theirs: c.Subject.Theirs(c.Object, c.Old)}
	if out.Ours.equal(out.Theirs) {
		return out
	}
	if out.Known = c.known(); out.Known != "" {
		return out
	}
	for range runs {
		again := c.Subject.Theirs(c.Object, c.Old)
		if again.equal(out.Ours) {
			out.Unsteady = false
			return out
		}
		out.Unsteady = out.Unsteady || !again.equal(out.Theirs)
	}
	out.Differs = !out.Unsteady
	return out
}

// note counts the outcome.
func (o Outcome) note(t *compare.Tally) {
	t.Count(0, 1, len(o.Theirs.Errors))
	if o.Unsteady {
		t.CountUnsteady()
	}
	if o.Differs || o.Known != "" {
		t.Note(o.Known, o.String)
	}
}

func (c Case) ours() Answer {
	return recovered(func() Answer { return c.Subject.Ours(c.Object, c.Old) })
}

// recovered calls ask, with a panic as an error.
func recovered(ask func() Answer) (a Answer) {
	defer func() {
		if r := recover(); r != nil {
			a = Answer{Errors: []string{fmt.Sprintf("panic: %v\n%s", r, debug.Stack())}}
		}
	}()
	return ask()
}

// String writes the outcome for a terminal, with objects that were made smaller.
func (o Outcome) String() string {
	c := shrink(o.Case)
	ours, theirs := c.ours(), c.Subject.Theirs(c.Object, c.Old)
	text := fmt.Sprintf("%s: differs from Kubernetes\n  object     %s\n  old        %s\n", c.Subject.Name, compare.Show(c.Object), compare.Show(c.Old))
	text += unlike("ours", ours, "theirs", theirs)
	if ours.Remaining != theirs.Remaining {
		text += fmt.Sprintf("  cost       ours leaves %d, theirs %d: ours costs %d more\n", ours.Remaining, theirs.Remaining, theirs.Remaining-ours.Remaining)
		for _, t := range c.Subject.Targets {
			if t.wasSeen(c) {
				text += fmt.Sprintf("  evaluated  %s\n             %s\n", t.Rule.Rule, t.Rule.Program)
			}
		}
	}
	return text
}

// unlike returns what one of two sides says and not the other.
func unlike(name string, a Answer, otherName string, b Answer) (text string) {
	for _, side := range []struct {
		name string
		a, b Answer
	}{{name, a, b}, {otherName, b, a}} {
		for _, e := range compare.Only(side.a.Errors, side.b.Errors) {
			text += fmt.Sprintf("  %-10s %s\n", side.name, e)
		}
		for _, e := range compare.Only(side.a.Warnings, side.b.Warnings) {
			text += fmt.Sprintf("  %-10s warning: %s\n", side.name, e)
		}
	}
	return text
}

// wasSeen reports whether the rule is evaluated on a case.
func (t *Target) wasSeen(c Case) bool {
	before := t.True + t.False + t.Failed
	c.ours()
	return t.True+t.False+t.Failed > before
}

// shrink returns a smaller case on which the two sides disagree.
func shrink(c Case) Case {
	const tries = 200
	c.Object = specimen.Shrink(c.Object, tries, func(obj map[string]any) bool { return Case{c.Subject, obj, c.Old}.Compare().Differs })
	if c.Old != nil {
		c.Old = specimen.Shrink(c.Old, tries, func(old map[string]any) bool { return Case{c.Subject, c.Object, old}.Compare().Differs })
	}
	return c
}
