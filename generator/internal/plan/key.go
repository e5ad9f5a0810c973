package plan

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Key writes a key of a schema so that it cannot be mistaken for anything else: as it is if it is plain.
func Key(s string) string {
	if PlainKey(s) {
		return s
	}
	const longest = 60
	if len(s) > longest {
		s = FirstBytes(s, longest) + "..."
	}
	return unquoted.Replace(strconv.QuoteToASCII(s))
}

// unquoted replaces what gofmt turns into typographic quotes when it stands in a comment.
var unquoted = strings.NewReplacer("`", `\x60`, "'", `\x27`)

// PlainKey reports whether a key needs no quotes.
func PlainKey(s string) bool {
	if s == "" || len(s) > 200 {
		return false
	}
	for _, r := range s {
		if r > unicode.MaxASCII || !(r == '-' || r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return false
		}
	}
	return true
}

// FirstBytes returns the first n bytes of s, or fewer where a rune would be cut.
func FirstBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// LastBytes returns the last n bytes of s, or fewer where a rune would be cut.
func LastBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	i := len(s) - n
	for i < len(s) && !utf8.RuneStart(s[i]) {
		i++
	}
	return s[i:]
}
