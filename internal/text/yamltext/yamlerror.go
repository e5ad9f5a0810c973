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
	e := readYAMLError(err)
	if !src.meter.Spend(meter.UnitsOfSeparator * countSeparators(in.text)) { // it is parsed again, for the line
		return Exceeded(src.meter, Pos{in.line, 1})
	}
	at := Pos{e.place(in.text) + in.line - 1, 1}
	id := IDSyntax
	if e.anchor != "" {
		at, id = src.place(in.start+findAlias(in.text, e.anchor)), IDAnchor
	} else if e.line == 0 {
		if offset := invalidByte(in.text); offset >= 0 {
			at = src.place(in.start + offset)
		}
	}
	if id == IDSyntax {
		if p := src.recognise(in, at.Line, e.message); p != nil {
			return p
		}
	}
	// The end of the text counts as a line of its own, which no editor shows.
	last, _ := src.lines.At(in.start + len(bytes.TrimRight(in.text, " \t\r\n")))
	at.Line = min(at.Line, last)
	if at.Column == 1 {
		at.Column = src.firstColumn(at.Line)
	}
	p := problemf(id, at, "invalid YAML: %s", e.message)
	p.syntax = true
	if p.Hint = e.hint; id == IDAnchor {
		p.Hint = "if it is not an alias, put the value in quotes"
	}
	return p
}

// yamlError is an error of a YAML parser.
type yamlError struct {
	line    int // 0 if the parser does not know it
	message string
	anchor  string // that is missing, "" for another error
	known
}

// known is what is known about an error by its message: the parser has nothing else to tell errors apart.
type known struct {
	hint string
	// opens says that something is never closed: then the line where it begins is the best place.
	opens bool
	// before says that the older parser counts lines from 0.
	before bool
}

var yamlErrors = map[string]known{
	"found a tab character that violates indentation":        {hint: "indent with spaces"},
	"found character that cannot start any token":            {hint: "put the value in quotes; tabs cannot indent"},
	"mapping values are not allowed in this context":         {hint: "check the indentation; a value with a colon in it needs quotes"},
	"block sequence entries are not allowed in this context": {hint: "start the list on a line of its own"},
	"did not find expected key":                              {hint: "check the indentation of this line", before: true},
	"did not find expected '-' indicator":                    {hint: "check the indentation of this line", before: true},
	"did not find expected alphabetic or numeric character":  {hint: "* begins an alias, and & an anchor: put the value in quotes"},
	"could not find expected ':'":                            {hint: "a key needs a colon after it", opens: true},
	"found unexpected end of stream":                         {hint: "the quotes that open here are never closed", opens: true},
	"did not find expected ',' or ']'":                       {hint: "a list that opens above is not closed", before: true},
	"did not find expected ',' or '}'":                       {hint: "a map that opens above is not closed", before: true},
	"did not find expected node content":                     {before: true},
	"did not find expected <document start>":                 {before: true},
}

var (
	lineInError   = regexp.MustCompile(`^line (\d+): `)
	unknownAnchor = regexp.MustCompile(`^unknown anchor '(.*)' referenced$`)
)

// readYAMLError reads an error of a YAML parser.
func readYAMLError(err error) (e yamlError) {
	e.message = strings.TrimPrefix(err.Error(), "yaml: ")
	if m := lineInError.FindStringSubmatch(e.message); m != nil {
		e.line, _ = strconv.Atoi(m[1])
		e.message = e.message[len(m[0]):]
	}
	if m := unknownAnchor.FindStringSubmatch(e.message); m != nil {
		e.anchor = m[1]
	}
	e.known = yamlErrors[e.message]
	return e
}

// place returns the line of a text that an error is about. The parser names the line where the wrong block or scalar begins. That is the
// best place if something is never closed; for other errors, the older parser, which Kubernetes uses, names the line where it failed,
// though counted from 0 unless its scanner failed.
func (e yamlError) place(text []byte) int {
	if e.opens {
		return max(e.line, 1)
	}
	_, err := toJSON(text)
	if err == nil {
		return max(e.line, 1)
	}
	older := readYAMLError(err)
	switch {
	case older.message != e.message:
		return max(e.line, 1)
	case e.before:
		older.line++
	}
	return max(older.line, 1)
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
