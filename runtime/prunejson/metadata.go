package prunejson

// Metadata prunes the metadata of a resource at p as ObjectMeta says. Metadata that is not an object is left alone: it is
// wrong, but there is nothing in it to drop.
func (s *Scanner) Metadata(p Pos) Pos {
	if !s.IsAt(p, '{') {
		return s.Keep(p)
	}
	if s.report != nil {
		s.report.metadataAt(s.blanks(p))
	}
	return scanObjectMeta(s, p)
}

// IsAt reports whether the value at p begins with c.
func (s *Scanner) IsAt(p Pos, c byte) bool { return s.at(s.blanks(p)) == c }
