package terminal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
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
			fmt.Fprintf(&b, `\x%02x`, s[i])
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
		} else {
			for _, unit := range utf16.Encode([]rune{r}) {
				out = fmt.Appendf(out, `\u%04x`, unit)
			}
		}
		text = text[n:]
	}
	return out
}

// Cells returns the number of columns that s takes on a terminal.
func Cells(s string) int {
	n := 0
	for _, r := range s {
		n += cellsOf(r)
	}
	return n
}

// cellsOf is an approximation: a combining mark takes no column, the scripts and symbols that are set in squares take two.
func cellsOf(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case r >= 0x1100 && r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3, r >= 0xf900 && r <= 0xfaff,
		r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60, r >= 0xffe0 && r <= 0xffe6, r >= 0x1f300 && r <= 0x1faff,
		r >= 0x20000 && r <= 0x3fffd:
		return 2
	}
	return 1
}

// cut shortens s to a number of columns.
func cut(s string, width int) string {
	if Cells(s) <= width {
		return s
	}
	n := 0
	for i, r := range s {
		if n += cellsOf(r); n > width-1 {
			return s[:i] + "…"
		}
	}
	return s
}

// Size returns a number of bytes for people.
func Size(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	size, units := float64(n)/1000, []string{"kB", "MB", "GB"}
	for size >= 1000 && len(units) > 1 {
		size, units = size/1000, units[1:]
	}
	return fmt.Sprintf("%.1f %s", size, units[0])
}
