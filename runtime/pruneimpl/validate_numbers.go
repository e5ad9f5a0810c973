package pruneimpl

// Minimum checks that v, if it is a number, is not below a bound, which is cut to an integer for integers.
func Minimum(v any, rec *Recorder, bound float64) int {
	if order, ok := compare(v, bound); !ok || order >= 0 {
		return 0
	}
	return rec.fault(fault{kind: faultBound, value: v, text: "greater than or equal to", bound: bound})
}

// OverMinimum is Minimum with a bound that is itself too small.
func OverMinimum(v any, rec *Recorder, bound float64) int {
	if order, ok := compare(v, bound); !ok || order > 0 {
		return 0
	}
	return rec.fault(fault{kind: faultBound, value: v, text: "greater than", bound: bound})
}

// Maximum checks that v, if it is a number, is not above a bound, which is cut to an integer for integers.
func Maximum(v any, rec *Recorder, bound float64) int {
	if order, ok := compare(v, bound); !ok || order <= 0 {
		return 0
	}
	return rec.fault(fault{kind: faultBound, value: v, text: "less than or equal to", bound: bound})
}

// UnderMaximum is Maximum with a bound that is itself too large.
func UnderMaximum(v any, rec *Recorder, bound float64) int {
	if order, ok := compare(v, bound); !ok || order < 0 {
		return 0
	}
	return rec.fault(fault{kind: faultBound, value: v, text: "less than", bound: bound})
}

// compare compares a number with a bound; ok is false for everything else.
func compare(v any, bound float64) (order int, ok bool) {
	switch v := v.(type) {
	case int64:
		switch b := int64(bound); {
		case v < b:
			order = -1
		case v > b:
			order = 1
		}
		return order, true
	case float64:
		switch {
		case v < bound:
			order = -1
		case v > bound:
			order = 1
		}
		return order, true
	}
	return 0, false
}

// MultipleOf checks that v, if it is a number, is a multiple of a factor, which is cut to an integer for integers.
func MultipleOf(v any, rec *Recorder, factor float64) int {
	switch v := v.(type) {
	case int64:
		whole := int64(factor)
		switch {
		case whole <= 0:
			return rec.factor(whole)
		case v%whole == 0:
			return 0
		}
	case float64:
		times := v / factor
		if factor < 1 {
			times = 1 / factor * v
		}
		switch {
		case factor <= 0:
			return rec.factor(factor)
		case isWhole(times):
			return 0
		}
	default:
		return 0
	}
	return rec.fault(fault{kind: faultBound, value: v, text: "a multiple of", bound: factor})
}

func (r *Recorder) factor(factor any) int { return r.fault(fault{kind: faultFactor, value: factor}) }

// Misfit records, if v is a number, that its bound does not have the type that the schema wants of v. What is "Minimum boundary" or the
// like. The API server then compares floats: see Float.
func Misfit(v any, rec *Recorder, what, typ, format string) int {
	switch v.(type) {
	case int64, float64:
		return rec.fault(fault{kind: faultNumber, text: what, names: []string{typ, format}})
	}
	return 0
}

// Float returns v as a float if it is an integer.
func Float(v any) any {
	if i, ok := v.(int64); ok {
		return float64(i)
	}
	return v
}
