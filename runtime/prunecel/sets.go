package prunecel

// setsContains is sets.contains: it reports whether a list has all elements of another.
func setsContains(list, sub any) (bool, error) {
	items, err := itemsOf(sub)
	if err != nil {
		return false, err
	}
	for _, v := range items {
		if err, ok := v.(error); ok {
			return false, err
		}
		if found, err := contains(list, v); err != nil || !found {
			return false, err
		}
	}
	return true, nil
}

// setsEquivalent is sets.equivalent: it reports whether each of two lists has all elements of the other.
func setsEquivalent(a, b any) (bool, error) {
	if contains, err := setsContains(a, b); !contains {
		return false, err
	}
	return setsContains(b, a)
}

// setsIntersects is sets.intersects: it reports whether two lists have an element in common.
func setsIntersects(a, b any) (bool, error) {
	items, err := itemsOf(a)
	if err != nil {
		return false, err
	}
	for _, v := range items {
		if found, _ := contains(b, v); found {
			return true, nil
		}
	}
	return false, nil
}

func setFunctions() []Function {
	row := func(name, overload string, f func(a, b any) (bool, error), times float64) Function {
		return standard(name, overload, "list(A) list(A)", call2e(f), costPairs(times), nil)
	}
	return []Function{
		row("sets.contains", "list_sets_contains_list", setsContains, 1),
		row("sets.equivalent", "list_sets_equivalent_list", setsEquivalent, 2),
		row("sets.intersects", "list_sets_intersects_list", setsIntersects, 1),
	}
}
