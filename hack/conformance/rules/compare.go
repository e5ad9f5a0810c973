package rules

import (
	"encoding/json"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/prune-gen/prune-gen/internal/specimen"
)

// Case is an object, with the one that it replaces; Old is nil for a new object.
type Case struct {
	Subject     *Subject
	Object, Old map[string]any
}

// Difference is a case on which the two sides disagree.
type Difference struct {
	Case
	Ours, Theirs Answer
}

// runs is how often Kubernetes is asked where the two sides differ. It reads maps in any order.
const runs = 100

// Outcome is what came of comparing a case.
type Outcome struct {
	// Errors and Warnings count what Kubernetes says.
	Errors, Warnings int
	// Unsteady says that Kubernetes does not always say the same, and that ours is not among what it was seen to say.
	Unsteady   bool
	Difference *Difference
}

// Compare compares what both sides say.
func (c Case) Compare() Outcome {
	theirs := c.Subject.Theirs(c.Object, c.Old)
	ours := c.ours()
	out := Outcome{Errors: len(theirs.Errors), Warnings: len(theirs.Warnings)}
	if ours.equal(theirs) {
		return out
	}
	steady := true
	for range runs {
		again := c.Subject.Theirs(c.Object, c.Old)
		if again.equal(ours) {
			return out
		}
		steady = steady && again.equal(theirs)
	}
	if !steady {
		out.Unsteady = true
		return out
	}
	out.Difference = &Difference{c, ours, theirs}
	return out
}

// ours is Ours with a panic as an error.
func (c Case) ours() (a Answer) {
	defer func() {
		if r := recover(); r != nil {
			a = Answer{Errors: []string{fmt.Sprintf("panic: %v\n%s", r, debug.Stack())}}
		}
	}()
	return c.Subject.Ours(c.Object, c.Old)
}

// differs reports whether the two sides disagree.
func (c Case) differs() bool { return c.Compare().Difference != nil }

// String writes the difference for a terminal, with objects that were made smaller.
func (d *Difference) String() string {
	small := shrink(d.Case)
	ours, theirs := small.ours(), small.Subject.Theirs(small.Object, small.Old)
	text := fmt.Sprintf("%s: differs from Kubernetes\n  object     %s\n", d.Subject.Name, show(small.Object))
	if small.Old != nil {
		text += fmt.Sprintf("  old        %s\n", show(small.Old))
	}
	for _, e := range only(ours.Errors, theirs.Errors) {
		text += fmt.Sprintf("  ours       %s\n", e)
	}
	for _, e := range only(theirs.Errors, ours.Errors) {
		text += fmt.Sprintf("  theirs     %s\n", e)
	}
	for _, e := range only(ours.Warnings, theirs.Warnings) {
		text += fmt.Sprintf("  ours       warning: %s\n", e)
	}
	for _, e := range only(theirs.Warnings, ours.Warnings) {
		text += fmt.Sprintf("  theirs     warning: %s\n", e)
	}
	if ours.Remaining != theirs.Remaining {
		text += fmt.Sprintf("  cost       ours leaves %d, theirs %d: ours costs %d more\n", ours.Remaining, theirs.Remaining, theirs.Remaining-ours.Remaining)
		for _, t := range small.Subject.Targets {
			if t.wasSeen(small) {
				text += fmt.Sprintf("  evaluated  %s\n             %s\n", t.Rule.Rule, t.Rule.Program.Text)
			}
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

// only returns what is in a and not in b.
func only(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
}

func show(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("%#v", v)
	}
	const most = 1500
	if len(data) > most {
		data = append(data[:most], "..."...)
	}
	return string(data)
}

// shrink returns a smaller case on which the two sides disagree.
func shrink(c Case) Case {
	const tries = 200
	c.Object = specimen.Shrink(c.Object, tries, func(obj map[string]any) bool { return Case{c.Subject, obj, c.Old}.differs() })
	if c.Old != nil {
		c.Old = specimen.Shrink(c.Old, tries, func(old map[string]any) bool { return Case{c.Subject, c.Object, old}.differs() })
	}
	return c
}
