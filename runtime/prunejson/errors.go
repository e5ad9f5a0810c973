package prunejson

import (
	"strconv"
	"strings"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// newSyntaxError returns the error about the document at p. %s in the message stands for the character there.
func newSyntaxError(doc []byte, p Pos, message string) *prunert.SyntaxError {
	if p == len(doc) {
		message = "unexpected end of JSON input"
	} else {
		message = strings.Replace(message, "%s", quoteByte(doc[p]), 1)
	}
	return &prunert.SyntaxError{Offset: int64(p), Message: message}
}

// quoteByte writes a byte as a character in single quotes.
func quoteByte(c byte) string {
	switch c {
	case '\'':
		return `'\''`
	case '"':
		return `'"'`
	}
	s := strconv.Quote(string(rune(c)))
	return "'" + s[1:len(s)-1] + "'"
}

// wrongScalar says where what stands at p stops being a literal.
func (s *Scanner) wrongScalar(p Pos) Pos {
	for _, word := range [...]string{"true", "false", "null"} {
		if s.at(p) != word[0] {
			continue
		}
		i := 1
		for s.at(p+i) == word[i] { // not to the end: it is not the word
			i++
		}
		return s.fail(p+i, "invalid character %s in literal "+word)
	}
	return s.fail(p, "invalid character %s looking for the beginning of a value")
}
