package prunejson

import (
	"strconv"
	"strings"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// newSyntaxError says what is wrong with the document at p. %s in the message stands for the character there.
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
