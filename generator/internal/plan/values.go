package plan

// Values counts the JSON values that the functions of a node hold: those of enums and defaults, the names of required fields,
// and the keys of list maps.
func (n *Node) Values() int {
	count := 0
	switch do := n.Do.(type) {
	case Validate:
		count += do.Rules.Enum.count() + do.Rules.ListMapKeys.count() + do.Rules.Required.count()
	case Shape:
		count += do.Keys.count()
	}
	slot := func(s Slot) {
		if rule, ok := s.(NullRule); ok {
			count += rule.Default.count()
		}
	}
	for _, f := range n.Fields {
		slot(f.Slot)
	}
	slot(n.RestSlot)
	slot(n.ElemSlot)
	return count
}

// count counts the value and all values in it; it is 0 for nil.
func (v *Value) count() int {
	if v == nil {
		return 0
	}
	return countValues(v.JSON)
}

func countValues(v any) int {
	n := 1
	switch v := v.(type) {
	case map[string]any:
		for _, below := range v {
			n += countValues(below)
		}
	case []any:
		for _, below := range v {
			n += countValues(below)
		}
	}
	return n
}
