package interpret

// Work is what interpreting schemas may still take, for all objects of a run. A nil Work has no limits beyond those for one object. A
// Work must not be used by several goroutines at once.
type Work struct {
	// Steps is about how many keywords may still be applied to values, and fields looked at for defaults.
	Steps int
	// Filled is about how many bytes defaults may still take that are filled in, and FilledInObject the same for one object.
	Filled, FilledInObject int
	// Texts is about how many bytes errors may still have.
	Texts int

	patterns map[string]pattern
}

// Exceeded reports whether something was left out: values that were not validated, or defaults that were not filled in.
func (w *Work) Exceeded() bool { return w != nil && (w.Steps < 0 || w.Filled < 0 || w.Texts < 0) }

// steps returns how many steps there are for one object.
func (w *Work) steps() int {
	if w == nil {
		return maxValueSteps
	}
	return min(maxValueSteps, w.Steps)
}

// sharedPatterns returns the patterns that objects share, nil if they share none.
func (w *Work) sharedPatterns() map[string]pattern {
	if w == nil {
		return nil
	}
	if w.patterns == nil {
		w.patterns = map[string]pattern{}
	}
	return w.patterns
}

// takeSteps counts steps.
func (w *Work) takeSteps(n int) {
	if w != nil {
		w.Steps -= n
	}
}

// takeText counts the bytes of an error.
func (w *Work) takeText(n int) {
	if w != nil {
		w.Texts -= n
	}
}
