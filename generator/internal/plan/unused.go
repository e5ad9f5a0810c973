package plan

// WithoutUnused returns code without the variables that nothing refers to, which Go does not allow.
func (c Code) WithoutUnused() Code {
	used := map[string]bool{}
	c.visit(used)
	return c.without(used)
}

func (c Code) without(used map[string]bool) Code {
	var out Code
	for _, s := range c {
		switch s := s.(type) {
		case Let:
			names, any := make([]string, len(s.Names)), false
			for i, name := range s.Names {
				names[i] = "_"
				if used[name] {
					names[i], any = name, true
				}
			}
			if any {
				out = append(out, Let{names, s.Value.without(used)})
			}
		case Must:
			if !used[s.Name] {
				s.Name = ""
			}
			out = append(out, Must{s.Name, s.Ok, s.Value.without(used), s.Otherwise})
		case Set:
			out = append(out, Set{s.Name, s.Value.without(used)})
		case If:
			out = append(out, If{s.Cond.without(used), s.Then.without(used), s.Otherwise.without(used)})
		case Range:
			if !used[s.Key] {
				s.Key = ""
			}
			out = append(out, Range{s.Key, s.Elem, s.Over, s.Body.without(used)})
		default:
			out = append(out, s)
		}
	}
	return out
}

// visit notes the variables that code refers to.
func (c Code) visit(used map[string]bool) {
	for _, s := range c {
		switch s := s.(type) {
		case Let:
			s.Value.visit(used)
		case Must:
			s.Value.visit(used)
			s.Otherwise.visit(used)
		case Set:
			used[s.Name] = true
			s.Value.visit(used)
		case If:
			s.Cond.visit(used)
			s.Then.visit(used)
			s.Otherwise.visit(used)
		case Range:
			s.Over.visit(used)
			s.Body.visit(used)
		case Return:
			for _, v := range s.Values {
				v.visit(used)
			}
		case Increment:
			used[s.Name] = true
		}
	}
}
