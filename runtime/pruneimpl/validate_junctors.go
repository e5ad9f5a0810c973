package pruneimpl

import "fmt"

// For a value that none of several alternatives allows, the API server reports the errors of the alternative that the value matches most.
// Generated code first tries the alternatives without a recorder, which is cheap for a valid object. Only if that finds an error are they
// tried again, with a recorder that counts matches; alternatives below them are then tried only once. However deeply alternatives are
// nested, each is thus tried at most twice.

// Choosing reports whether alternatives are being compared already.
func (r *Recorder) Choosing() bool { return r != nil && r.choosing }

// Choice compares alternatives. It keeps only the events of the one that is chosen.
type Choice struct {
	r      *Recorder
	nested bool // in another choice
	base   int  // the matches before
	// The recorder before the first alternative, and after the one that is chosen so far.
	start, end state
	matches    int // of the one that is chosen so far
	tried      int
	valid      int
}

// state is what a Recorder goes back to.
type state struct {
	events int
	faults count
}

func (r *Recorder) state() state { return state{len(r.events), r.faults} }

func (r *Recorder) rollBack(to state) {
	clear(r.events[to.events:])
	r.events, r.faults = r.events[:to.events], to.faults
}

// Choose begins to compare alternatives.
func (r *Recorder) Choose() Choice {
	s := r.state()
	c := Choice{r: r, nested: r.choosing, base: r.matches, start: s, end: s}
	r.choosing, r.matches = true, 0
	return c
}

// Try compares the alternative that was just tried with those before it. Its events are in the recorder, as far as the limits left room.
func (c *Choice) Try(int) {
	r := c.r
	matches, now := r.matches, r.state()
	r.matches = 0
	first := c.tried == 0
	c.tried++
	switch {
	case now.faults == c.end.faults: // valid
		if c.valid++; c.valid == 1 {
			r.rollBack(c.start)
			c.end, c.matches = c.start, matches
		}
	case c.valid > 0 || !first && matches <= c.matches:
		r.rollBack(c.end)
	case first:
		c.end, c.matches = now, matches
	default:
		moved := copy(r.events[c.start.events:], r.events[c.end.events:])
		faults := count{now.faults.listed - c.end.faults.listed + c.start.faults.listed, now.faults.more - c.end.faults.more + c.start.faults.more}
		r.rollBack(state{c.start.events + moved, faults})
		c.end, c.matches = r.state(), matches
	}
}

// done ends the choice and returns the number of events that are left of it.
func (c *Choice) done() int {
	c.r.choosing, c.r.matches = c.nested, c.base+c.matches
	return c.end.events - c.start.events
}

// AnyOf ends a choice of which at least one alternative must be valid.
func (c *Choice) AnyOf() int {
	n := c.done()
	if c.valid > 0 {
		return n
	}
	return c.r.junctor(n, "must validate at least one schema (anyOf)")
}

// OneOf ends a choice of which one alternative must be valid, and no other.
func (c *Choice) OneOf() int {
	if c.valid > 1 {
		c.matches = 0
	}
	n := c.done()
	switch c.valid {
	case 0:
		return c.r.junctor(n, "must validate one and only one schema (oneOf). Found none valid")
	case 1:
		return n
	}
	return c.r.junctor(n, fmt.Sprintf("must validate one and only one schema (oneOf). Found %d valid alternatives", c.valid))
}

// One reports whether one of several numbers of faults is 0, and no other.
func One(faults ...int) bool {
	valid := 0
	for _, n := range faults {
		if n == 0 {
			valid++
		}
	}
	return valid == 1
}

// AllOf takes the numbers of events of schemas that must all be valid.
func AllOf(rec *Recorder, events ...int) (n int) {
	valid := 0
	for _, e := range events {
		n += e
		if e == 0 {
			valid++
		}
	}
	switch valid {
	case len(events):
		return n
	case 0:
		return rec.junctor(n, "must validate all the schemas (allOf). None validated")
	}
	return rec.junctor(n, "must validate all the schemas (allOf)")
}

// Not records that a schema matches that must not match.
func (r *Recorder) Not() int { return r.junctor(0, "must not validate the schema (not)") }

// junctor records an error about alternatives. The last n events are about one of them.
func (r *Recorder) junctor(n int, text string) int {
	if r == nil {
		return n + 1
	}
	n += r.keep(fault{kind: faultJunctor, text: text})
	if n == 0 {
		return 0
	}
	return r.step(stepJunctor, "", 0, n)
}

// MatchType checks that v, which stands below alternatives, is of one of the wanted types, if there are any.
func MatchType(v any, rec *Recorder, want Type) int {
	rec.Count(v, want, "")
	if want == 0 {
		return 0
	}
	return CheckType(v, rec, want)
}

// Count counts how much of a schema v matches, apart from what is below v, while alternatives are compared. The schema has these
// types and this format.
func (r *Recorder) Count(v any, want Type, format string) {
	if r != nil && r.choosing {
		r.matches += matches(v, want, format)
	}
}

func matches(v any, want Type, format string) int {
	if v == nil {
		if want == 0 || want&TypeNull != 0 {
			return 1
		}
		return 0
	}
	n := 4
	if want != 0 || format != "" {
		n++
		ok := false
		if format != "" {
			ok, _ = passesFormat(v, want, format)
		} else {
			ok = passes(v, want)
		}
		if ok {
			n++
		}
	}
	switch v.(type) {
	case string:
		n++
		if format != "" && typeOfFormat(format) == "" {
			n++
		}
	case int64, float64, []any:
		n += 2
	case map[string]any:
		n++
	}
	return n
}

// passes reports whether v passes for one of the wanted types.
func passes(v any, want Type) bool {
	is, _ := typeOf(v)
	f, isFloat := v.(float64)
	return is == anyType || is&want != 0 || want&TypeInteger != 0 && isFloat && isWhole(f)
}
