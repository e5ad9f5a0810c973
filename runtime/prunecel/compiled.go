package prunecel

// Functions that only compiled code calls. They are sure of a value only if it has the type in the schema.

// asNumber returns a number of the resource.
func asNumber(raw any) (n float64, sure bool) {
	switch v := raw.(type) {
	case float64:
		return v, v == v // what is not a number has no order
	case int64:
		return float64(v), true
	}
	return 0, false
}

func isIntOrString(raw any) bool {
	switch raw.(type) {
	case string, int64:
		return true
	}
	return false
}

// equal reports whether two values of the resource are equal, as == does. It is sure if they have the type, and if the order of elements
// does not matter.
func (s *TypeSource) equal(a, b any) (equal, sure bool) {
	t, err := s.typ.of(s.Text, parseType)
	if err != nil {
		return false, false
	}
	return t.equalRaw(a, b)
}

func (t *Type) equalRaw(a, b any) (equal, sure bool) {
	switch t.Kind {
	case KindString:
		return equalAs[string](a, b)
	case KindInt:
		return equalAs[int64](a, b)
	case KindBool:
		return equalAs[bool](a, b)
	case KindIntOrString:
		return a == b, isIntOrString(a) && isIntOrString(b)
	case KindDouble:
		x, ok1 := asNumber(a)
		y, ok2 := asNumber(b)
		return x == y, ok1 && ok2
	case KindObject, KindMap:
		return t.equalObjects(a, b)
	case KindList:
		return t.equalLists(a, b)
	}
	return false, false
}

func equalAs[T comparable](a, b any) (equal, sure bool) {
	x, ok1 := a.(T)
	y, ok2 := b.(T)
	return x == y, ok1 && ok2
}

func (t *Type) equalObjects(a, b any) (equal, sure bool) {
	x, ok1 := a.(map[string]any)
	y, ok2 := b.(map[string]any)
	if !ok1 || !ok2 {
		return false, false
	}
	if len(x) != len(y) {
		return false, true
	}
	equal = true
	for k, v := range x {
		field := t.field(k)
		other, ok := y[k]
		if field == nil || v == nil || ok && other == nil {
			return false, false // what null means depends on more
		}
		if !ok {
			equal = false
			continue
		}
		eq, sure := field.equalRaw(v, other)
		if !sure {
			return false, false
		}
		equal = equal && eq
	}
	return equal, true
}

func (t *Type) equalLists(a, b any) (equal, sure bool) {
	x, ok1 := a.([]any)
	y, ok2 := b.([]any)
	if !ok1 || !ok2 || t.Elem == nil {
		return false, false
	}
	if len(x) != len(y) {
		return false, true
	}
	equal = true
	for i := range x {
		eq, sure := t.Elem.equalRaw(x[i], y[i])
		if !sure {
			return false, false
		}
		equal = equal && eq
	}
	// Where the order does not matter, lists in another order may be equal, and duplicate elements count once.
	return equal, t.List == AtomicList || equal && len(x) < 2
}
