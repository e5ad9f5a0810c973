package interpret

// Work is what interpreting schemas may still take, for all objects of a run. A nil Work has no limits beyond those for one object.
type Work struct {
	// Steps is about how many keywords may still be applied to values, and fields looked at for defaults.
	Steps int
	// Filled is about how many bytes defaults may still have that are filled in.
	Filled int
	// Texts is about how many bytes errors may still have.
	Texts int
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

// take counts steps.
func (w *Work) take(steps int) {
	if w != nil {
		w.Steps -= steps
	}
}

// say counts the bytes of an error.
func (w *Work) say(size int) {
	if w != nil {
		w.Texts -= size
	}
}

// mayFill counts a default of some size, and reports whether it may be filled in.
func (w *Work) mayFill(size int) bool {
	const asValue = 64 // bytes that a value takes in a map
	if w != nil {
		w.Filled -= size + asValue
	}
	return !w.Exceeded()
}
