package pruneimpl

import "reflect"

// Correlation is a value and the one that it replaces in an update.
type Correlation struct {
	is, was any
	shape   *Shape
	before  *Elements // those of a list map before the update
	// compared says that equal has been worked out.
	compared, equal bool
}

// NewCorrelation returns a value, such as an object, with the one that it replaces. The shape says which values in them correspond.
func NewCorrelation(obj, old any, shape *Shape) Correlation {
	return Correlation{is: obj, was: old, shape: shape}
}

// Field sets field to the field, or the value of the key, of that name. It reports false, and does not change field, if the schema or the
// old object does not have it.
func (c *Correlation) Field(name string, field *Correlation) bool {
	was, _ := c.was.(map[string]any)
	old, ok := was[name]
	if !ok {
		return false
	}
	is, _ := c.is.(map[string]any)
	v, ok := is[name]
	if !ok {
		return false
	}
	shape := c.shape.of(name)
	if shape == nil {
		return false
	}
	*field = Correlation{is: v, was: old, shape: shape}
	return true
}

// Element sets element to that element of a list map. It reports false for other lists, whose elements replace nothing.
func (c *Correlation) Element(i int, element *Correlation) bool {
	is, isList := c.is.([]any)
	was, wasList := c.was.([]any)
	if c.shape.Items == nil || !isList || !wasList {
		return false
	}
	if c.before == nil {
		before := NewElements(was, c.shape.Keys)
		c.before = &before
	}
	old, ok := c.before.Like(is[i])
	if !ok {
		return false
	}
	*element = Correlation{is: is[i], was: old, shape: c.shape.Items}
	return true
}

// IsEqual reports whether a value is unchanged. A value with a field that the schema does not have counts as changed, and the order of a
// list map does not matter.
func (c *Correlation) IsEqual() bool {
	if !c.compared {
		c.compared, c.equal = true, isEqual(c.is, c.was, c.shape)
	}
	return c.equal
}

// isEqual is IsEqual for a value and the one that it replaces. Without a shape, values are compared as they are.
func isEqual(is, was any, shape *Shape) bool {
	switch is := is.(type) {
	case map[string]any:
		was, ok := was.(map[string]any)
		if !ok || len(is) != len(was) || shape == nil && (is == nil) != (was == nil) {
			return false
		}
		for name, v := range is {
			var below *Shape
			if shape != nil {
				if below = shape.of(name); below == nil {
					return false
				}
			}
			if old, ok := was[name]; !ok || !isEqual(v, old, below) {
				return false
			}
		}
		return true
	case []any:
		was, ok := was.([]any)
		if !ok || len(is) != len(was) {
			return false
		}
		if shape == nil || shape.Items == nil {
			if (is == nil) != (was == nil) {
				return false
			}
			for i, v := range is {
				if !isEqual(v, was[i], nil) {
					return false
				}
			}
			return true
		}
		before := NewElements(was, shape.Keys)
		for _, v := range is {
			if old, ok := before.Like(v); !ok || !isEqual(v, old, shape.Items) {
				return false
			}
		}
		return true
	case string, int64, float64, bool, nil:
		return is == was
	}
	return reflect.DeepEqual(is, was)
}
