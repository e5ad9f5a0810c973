package structural

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	k8syaml "sigs.k8s.io/yaml"
)

// yamlProblem returns an error of the YAML parser with the place that it is about, which the parser knows only in part;
// text begins at the given line of its file.
func yamlProblem(err error, text []byte, line int) *problem {
	n, message := splitLine(err)
	at := pos{line: yamlErrorLine(n, message, text), column: 1}
	if name, ok := unknownAnchor(message); ok {
		at = findAlias(text, name)
	} else if n == 0 {
		if offset := invalidByte(text); offset >= 0 {
			at = place(text, offset)
		}
	}
	// The end of the text counts as a line of its own; nobody finds that in an editor.
	at.line = min(at.line, 1+countLines(bytes.TrimRight(text, " \t\r\n")))
	if at.column == 1 {
		at.column = firstColumn(text, at.line)
	}
	at.line += line - 1
	p := problemf(at, "invalid YAML: %s", message)
	p.syntax = true
	p.hint = yamlHints[message]
	return p
}

// yamlHints says what is mostly meant by the errors that people make.
var yamlHints = map[string]string{
	"found a tab character that violates indentation":        "indent with spaces",
	"found character that cannot start any token":            "put the value in quotes; tabs cannot indent",
	"mapping values are not allowed in this context":         "check the indentation; a value with a colon in it needs quotes",
	"block sequence entries are not allowed in this context": "start the list on a line of its own",
	"did not find expected key":                              "check the indentation of this line",
	"did not find expected '-' indicator":                    "check the indentation of this line",
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

// yamlErrorLine returns the line that an error is about. The parser names the line where the block or the scalar begins
// that is wrong somewhere. That is the best place for what is never closed; for the rest the older parser, which
// Kubernetes uses, names the line where it stumbled, though counted from 0 where it was not the scanner that did.
func yamlErrorLine(n int, message string, text []byte) int {
	switch message {
	case "could not find expected ':'", "found unexpected end of stream":
		return max(n, 1)
	}
	stumbled, older := stumble(text)
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

// stumble returns the line and the text of the error that the older parser finds.
func stumble(text []byte) (line int, message string) {
	defer func() {
		if recover() != nil {
			line, message = 0, ""
		}
	}()
	if _, err := k8syaml.YAMLToJSON(text); err != nil {
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

// findAlias returns the place of the first alias to name.
func findAlias(text []byte, name string) pos {
	alias := []byte("*" + name)
	for from := 0; ; {
		i := bytes.Index(text[from:], alias)
		if i < 0 {
			return pos{line: 1, column: 1}
		}
		from += i
		before, after := byte(' '), byte(' ')
		if from > 0 {
			before = text[from-1]
		}
		if end := from + len(alias); end < len(text) {
			after = text[end]
		}
		from += len(alias)
		if strings.IndexByte(" \t\r\n,[{:-", before) >= 0 && strings.IndexByte(" \t\r\n,]}:", after) >= 0 {
			return place(text, from-len(alias))
		}
	}
}

// invalidByte returns where text has the first character that YAML does not allow anywhere, -1 where it has none.
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

// place returns the place of a byte of text.
func place(text []byte, offset int) pos {
	at := pos{line: 1}
	start := 0
	for {
		n := lineLength(text[start:])
		if start+n > offset || n == 0 || start+n == len(text) {
			break
		}
		start += n
		at.line++
	}
	at.column = utf8.RuneCount(text[start:offset]) + 1
	return at
}

// firstColumn returns the column of the first character on a line of text that is not a space.
func firstColumn(text []byte, line int) int {
	for ; line > 1 && len(text) > 0; line-- {
		text = text[lineLength(text):]
	}
	text = text[:lineLength(text)]
	column := 1
	for _, c := range text {
		if !isSpace(c) {
			return column
		}
		column++
	}
	return 1
}
