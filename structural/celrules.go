package structural

// CountRules returns the number of CEL rules in the schemas of c.
func CountRules(c *CRD) int {
	n := 0
	counted := map[*JSONSchema]bool{}
	for _, v := range c.Versions {
		if v.Schema == nil || counted[v.Schema] {
			continue
		}
		counted[v.Schema] = true
		v.Schema.Any(func(s *JSONSchema) bool {
			n += len(s.XValidations)
			return false
		})
	}
	return n
}

// HasRules reports whether s has CEL rules.
func HasRules(s *JSONSchema) bool {
	return s != nil && s.Any(func(s *JSONSchema) bool { return len(s.XValidations) > 0 })
}
