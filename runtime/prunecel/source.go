package prunecel

import "sync"

// Source is an expression as text. It is compiled on first use.
type Source struct {
	Text string

	once    sync.Once
	program *Program
	err     error
}

// Program returns the program of the expression.
func (s *Source) Program() (*Program, error) {
	s.once.Do(func() {
		e, err := ParseExpr(s.Text)
		if err != nil {
			s.err = err
			return
		}
		s.program, s.err = newProgram(e)
	})
	return s.program, s.err
}

// TypeSource is a type as text.
type TypeSource struct {
	Text string

	once sync.Once
	typ  *Type
	err  error
}

// Type returns the type.
func (s *TypeSource) Type() (*Type, error) {
	s.once.Do(func() { s.typ, s.err = parseType(s.Text) })
	return s.typ, s.err
}
