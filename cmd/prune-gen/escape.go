package main

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// escape makes text from a CRD, a file name or the command line fit for a terminal and for a line of a log: whatever is
// not printable is written as in a Go string (\n, \x1b, \u202e), including line breaks, characters that change the
// direction of writing, and bytes that are not UTF-8.
func escape(s string) string {
	if !needsEscape(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteString(`\x`)
			b.WriteByte(hexDigits[s[i]>>4])
			b.WriteByte(hexDigits[s[i]&15])
		case strings.HasPrefix(s[i:], actionsPrefix):
			b.WriteString(`#\x23[`)
			n = len(actionsPrefix)
		case strconv.IsPrint(r):
			b.WriteRune(r)
		default:
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		i += n
	}
	return b.String()
}

const hexDigits = "0123456789abcdef"

// actionsPrefix starts a workflow command of GitHub Actions anywhere in a line of a log.
const actionsPrefix = "##["

func needsEscape(s string) bool {
	for i, r := range s {
		if !strconv.IsPrint(r) || r == utf8.RuneError || r == '#' && strings.HasPrefix(s[i:], actionsPrefix) {
			return true
		}
	}
	return false
}

// escapeJSON rewrites the characters in a JSON text that are not printable as \u escapes. encoding/json does so for
// those below U+0020 only, and a terminal acts on U+009B as well. Line breaks between tokens stay. A workflow command is
// taken apart, as escape does it.
func escapeJSON(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if bytes.HasPrefix(text, []byte(actionsPrefix)) {
			out = append(out, `#\u0023[`...)
			n = len(actionsPrefix)
		} else if r == '\n' || strconv.IsPrint(r) {
			out = append(out, text[:n]...)
		} else if r > 0xffff {
			r -= 0x10000
			out = appendU(out, 0xd800+r>>10)
			out = appendU(out, 0xdc00+r&0x3ff)
		} else {
			out = appendU(out, r)
		}
		text = text[n:]
	}
	return out
}

func appendU(out []byte, r rune) []byte {
	out = append(out, `\u`...)
	for shift := 12; shift >= 0; shift -= 4 {
		out = append(out, hexDigits[r>>shift&15])
	}
	return out
}
