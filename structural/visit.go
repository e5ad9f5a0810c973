package structural

// visit calls f for s and every schema below it, outside of value validation. f may change the schema it is called for.
func (s *Schema) visit(f func(*Schema)) {
	if s == nil {
		return
	}
	f(s)
	s.visitBelow(f)
}

// visitBelow is visit without s itself.
func (s *Schema) visitBelow(f func(*Schema)) {
	s.Items.visit(f)
	for _, p := range s.Properties {
		p.visit(f)
	}
	if s.AdditionalProperties != nil {
		s.AdditionalProperties.Schema.visit(f)
	}
}
