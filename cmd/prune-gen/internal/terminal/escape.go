package terminal

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// actionsPrefix starts a workflow command of GitHub Actions anywhere in a line of a log.
const actionsPrefix = "##["

// Escape makes text fit for a terminal and for one line of a log. Characters that are not printable become escapes as in
// a Go string (\n, \x1b, \u202e): line breaks, characters that change the direction of writing, and bytes that are not
// UTF-8.
func Escape(s string) string {
	if IsPrintable(s) {
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

// EscapeLine is Escape for a line of a file: it removes the end of the line, and tabs stay.
func EscapeLine(line string) string {
	parts := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
	for i, p := range parts {
		parts[i] = Escape(p)
	}
	return strings.Join(parts, "\t")
}

// IsPrintable reports whether Escape leaves s as it is.
func IsPrintable(s string) bool {
	for i, r := range s {
		if !strconv.IsPrint(r) || r == utf8.RuneError || r == '#' && strings.HasPrefix(s[i:], actionsPrefix) {
			return false
		}
	}
	return true
}

// WriteJSON writes v, indented and fit for a terminal.
func WriteJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(escapeJSON(b.Bytes()))
	return err
}

// escapeJSON rewrites the characters of a JSON text that are not printable as \u escapes, except for the line breaks
// between tokens. encoding/json escapes those below U+0020 only, and a terminal acts on U+009B, too.
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

const hexDigits = "0123456789abcdef"

func appendU(out []byte, r rune) []byte {
	out = append(out, `\u`...)
	for shift := 12; shift >= 0; shift -= 4 {
		out = append(out, hexDigits[r>>shift&15])
	}
	return out
}
