package prunejson

// Kind is what the runtime has to know about a kind.
type Kind struct {
	APIVersion, Kind, ListKind string
	// Scan prunes the object at a position and returns the position behind it.
	Scan func(*Scanner, Pos) Pos
}

// IsList reports whether the object at p is a list of objects: one of listKind, or a List.
func (s *Scanner) IsList(p Pos, listKind string) bool {
	ahead := *s
	k, p, _ := ahead.Object(p)
	for k[0] == '"' {
		if string(k[:7]) == `"kind":` {
			return ahead.isText(p+7, listKind) || ahead.isText(p+7, "List")
		}
		k, p = ahead.Next(ahead.Keep(ahead.behindKey(p)))
	}
	return false
}

// KeepKind is Keep for the kind of a resource.
func (s *Scanner) KeepKind(p Pos) Pos {
	if s.depth == 1 {
		s.kinds++
	}
	return s.Keep(p)
}

// Prune prunes a document that may be a list.
func (k Kind) Prune(dst, src []byte) ([]byte, error) { panic("TODO") }

// isText reports whether the value at p is the string text.
func (s *Scanner) isText(p Pos, text string) bool {
	p = s.blanks(p)
	return p+len(text)+2 <= s.end && s.buf[p] == '"' && string(s.buf[p+1:p+1+len(text)]) == text && s.buf[p+1+len(text)] == '"'
}
