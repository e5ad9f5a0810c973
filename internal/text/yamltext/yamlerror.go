package yamltext

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/internal/base/meter"
)

// yamlProblem returns an error of the YAML parser with the place that it is about, which the parser knows only in part.
func (src *source) yamlProblem(err error, in part) *Problem {
	n, message := splitLine(err)
	if !src.meter.Spend(meter.UnitsOfSeparator * countSeparators(in.text)) { // it is parsed again, for the line
		return Exceeded(src.meter, Pos{in.line, 1})
	}
	at := Pos{yamlErrorLine(n, message, in.text) + in.line - 1, 1}
	rule := RuleSyntax
	if name, ok := unknownAnchor(message); ok {
		at, rule = src.place(in.start+findAlias(in.text, name)), RuleAnchor
	} else if n == 0 {
		if offset := invalidByte(in.text); offset >= 0 {
			at = src.place(in.start + offset)
		}
	}
	if rule == RuleSyntax {
		if p := src.recognise(in, at.Line, message); p != nil {
			return p
		}
	}
	// The end of the text counts as a line of its own, which no editor shows.
	last, _ := src.lines.At(in.start + len(bytes.TrimRight(in.text, " \t\r\n")))
	at.Line = min(at.Line, last)
	if at.Column == 1 {
		at.Column = src.firstColumn(at.Line)
	}
	p := problemf(rule, at, "invalid YAML: %s", message)
	p.syntax = true
	if p.Hint = yamlHints[message]; rule == RuleAnchor {
		p.Hint = "if it is not an alias, put the value in quotes"
	}
	return p
}

// yamlHints has hints for common errors.
var yamlHints = map[string]string{
	"found a tab character that violates indentation":        "indent with spaces",
	"found character that cannot start any token":            "put the value in quotes; tabs cannot indent",
	"mapping values are not allowed in this context":         "check the indentation; a value with a colon in it needs quotes",
	"block sequence entries are not allowed in this context": "start the list on a line of its own",
	"did not find expected key":                              "check the indentation of this line",
	"did not find expected '-' indicator":                    "check the indentation of this line",
	"did not find expected alphabetic or numeric character":  "* begins an alias, and & an anchor: put the value in quotes",
	"could not find expected ':'":                            "a key needs a colon after it",
	"found unexpected end of stream":                         "the quotes that open here are never closed",
	"did not find expected ',' or ']'":                       "a list that opens above is not closed",
	"did not find expected ',' or '}'":                       "a map that opens above is not closed",
}

var lineInError = regexp.MustCompile(`^line (\d+): `)

// splitLine takes the line out of an error of a YAML parser; it is 0 where there is none.
func splitLine(err error) (int, string) {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	m := lineInError.FindStringSubmatch(message)
	if m == nil {
		return 0, message
	}
	n, _ := strconv.Atoi(m[1])
	return n, message[len(m[0]):]
}

// yamlErrorLine returns the line that an error is about. The parser names the line where the wrong block or scalar begins. That is the
// best place if something is never closed; for other errors, the older parser, which Kubernetes uses, names the line where it failed,
// though counted from 0 unless its scanner failed.
func yamlErrorLine(n int, message string, text []byte) int {
	switch message {
	case "could not find expected ':'", "found unexpected end of stream":
		return max(n, 1)
	}
	stumbled, older := olderError(text)
	if older != message {
		return max(n, 1)
	}
	switch message {
	case "did not find expected key", "did not find expected '-' indicator", "did not find expected node content",
		"did not find expected ',' or ']'", "did not find expected ',' or '}'", "did not find expected <document start>":
		stumbled++
	}
	return max(stumbled, 1)
}

// olderError returns the line and the text of the error that the older parser finds.
func olderError(text []byte) (line int, message string) {
	if _, err := toJSON(text); err != nil {
		return splitLine(err)
	}
	return 0, ""
}

// unknownAnchor returns the name of the anchor that an error says is missing.
func unknownAnchor(message string) (string, bool) {
	name, ok := strings.CutPrefix(message, "unknown anchor '")
	if !ok {
		return "", false
	}
	return strings.CutSuffix(name, "' referenced")
}

// findAlias returns where text has the first alias to name, 0 if it has none.
func findAlias(text []byte, name string) int {
	alias := []byte("*" + name)
	for from := 0; ; from += len(alias) {
		i := bytes.Index(text[from:], alias)
		if i < 0 {
			return 0
		}
		from += i
		before, after := byte(' '), byte(' ')
		if from > 0 {
			before = text[from-1]
		}
		if end := from + len(alias); end < len(text) {
			after = text[end]
		}
		if strings.IndexByte(" \t\r\n,[{:", before) >= 0 && strings.IndexByte(" \t\r\n,]}:", after) >= 0 {
			return from
		}
	}
}

// invalidByte returns where text has the first character that YAML does not allow anywhere, -1 if it has none.
func invalidByte(text []byte) int {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r == utf8.RuneError && size == 1,
			r < ' ' && r != '\t' && r != '\n' && r != '\r',
			0x7f <= r && r < 0xa0 && r != 0x85,
			r == 0xfeff && i > 0, r == 0xfffe, r == 0xffff:
			return i
		}
		i += size
	}
	return -1
}

// firstColumn returns the column of the first character on a line that is not a space.
func (src *source) firstColumn(line int) int {
	for i, c := range src.lines.Line(src.data, line) {
		if !isSpace(c) {
			return i + 1
		}
	}
	return 1
}
