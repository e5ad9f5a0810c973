package structural

// Visit calls f for s and every schema below it, outside of value validation. f may change the schema it is called for.
func (s *Schema) Visit(f func(*Schema)) {
	if s == nil {
		return
	}
	f(s)
	s.Items.Visit(f)
	for _, p := range s.Properties {
		p.Visit(f)
	}
	s.Values().Visit(f)
}
