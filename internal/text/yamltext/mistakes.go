package yamltext

import (
	"regexp"
	"slices"
	"strings"
)

// The parser says what it expected, and where it gave up. People want to know what is wrong, and where. The mistakes below are the five
// most frequent: each is recognised by the text around the place of the parser, and has the place and the words of a colleague.

// stumble is a text that cannot be parsed.
type stumble struct {
	text    []byte
	lines   []string // without their ends, as shortLine returns them
	starts  []int    // where they begin
	at      int      // the line that the error is about, from 0
	message string   // of the parser
}

// mistake is what is wrong with a text.
type mistake struct {
	line, column  int // from 0, in bytes
	message, hint string
}

// recogniser recognises one kind of mistake.
type recogniser struct {
	name string
	// messages are those of the parser that the mistake leads to.
	messages []string
	find     func(s *stumble) *mistake
}

const (
	msgAlias    = "did not find expected alphabetic or numeric character"
	msgColon    = "could not find expected ':'"
	msgDash     = "did not find expected '-' indicator"
	msgEnd      = "found unexpected end of stream"
	msgKey      = "did not find expected key"
	msgMapping  = "mapping values are not allowed in this context"
	msgSequence = "block sequence entries are not allowed in this context"
	msgStart    = "found character that cannot start any token"
	msgTab      = "found a tab character that violates indentation"
)

// recognisers are asked in this order.
var recognisers = []recogniser{
	{"a tab", []string{msgTab, msgStart, msgColon, msgMapping, msgKey}, findTab},
	{"an alias", []string{msgAlias}, findAliasStart},
	{"quotes that are not closed", []string{msgEnd, msgKey, msgMapping, msgColon, "found unexpected document indicator"}, findOpenQuote},
	{"wrong indentation", []string{msgMapping, msgKey, msgDash, msgSequence}, findIndentation},
	{"a colon in a value", []string{msgMapping}, findColonInValue},
}

// recognise returns the mistake that leads to an error of the parser about a line of a part of the file, nil if it is not known.
func (src *source) recognise(in part, line int, message string) *Problem {
	s := &stumble{text: in.text, at: line - in.line, message: message}
	for n := in.line; src.lines.start(n) < in.start+len(in.text); n++ {
		s.lines, s.starts = append(s.lines, shortLine(src.lines.Line(src.data, n))), append(s.starts, src.lines.start(n)-in.start)
	}
	s.at = min(max(s.at, 0), len(s.lines)-1)
	m := s.recognise()
	if m == nil {
		return nil
	}
	p := problemf(IDSyntax, src.place(src.lines.start(m.line+in.line)+m.column), "invalid YAML: %s", m.message)
	p.Hint = m.hint
	return p
}

func (s *stumble) recognise() *mistake {
	for _, r := range recognisers {
		if slices.Contains(r.messages, s.message) {
			if m := r.find(s); m != nil {
				return m
			}
		}
	}
	return nil
}

var (
	// keyed matches a line with a key: its indentation and dashes, the key, and the value.
	keyed = regexp.MustCompile(`^( *(?:- +)*)("[^"]*"|'[^']*'|[^\s#:"'\[\]{},&*!|>%@-][^\s:]*(?: [^\s:#]+)*)[ \t]*:(?:[ \t]+(.*)|)$`)
	// item matches a line with an element that is not a key: its indentation and dashes, and the element.
	item = regexp.MustCompile(`^( *(?:- +)+)(.*)$`)
)

// shortLine returns a line, of a long one only its key, or its dashes.
func shortLine(line []byte) string {
	if len(line) <= maxLine {
		return string(line)
	}
	text := string(line[:maxLine])
	if key, _, _ := strings.Cut(text, ": "); keyed.MatchString(key + ":") {
		return key + ":"
	}
	return text[:content(text)] + "…"
}

// value returns the value on a line and where it begins, after dashes and a key. It is empty if there is none.
func (s *stumble) value(line int) (value string, column int) {
	text := s.lines[line]
	if m := keyed.FindStringSubmatchIndex(text); m != nil {
		if m[6] < 0 {
			return "", len(text)
		}
		return text[m[6]:], m[6]
	}
	if m := item.FindStringSubmatchIndex(text); m != nil {
		return text[m[4]:], m[4]
	}
	return strings.TrimLeft(text, " "), indentOf(text)
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// content returns how far the key or element of a line is indented, after dashes.
func content(line string) int {
	indent := indentOf(line)
	for strings.HasPrefix(line[indent:], "- ") {
		indent += 1 + indentOf(line[indent+1:])
	}
	return indent
}

// isNothing reports whether a line is empty or a comment.
func isNothing(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || strings.HasPrefix(line, "#")
}

// before returns the line before another one that is not empty, -1 if there is none.
func (s *stumble) before(line int) int {
	for line--; line >= 0 && isNothing(s.lines[line]); line-- {
	}
	return line
}

// near returns the line of the error and the one before it.
func (s *stumble) near() []int {
	if before := s.before(s.at); before >= 0 {
		return []int{before, s.at}
	}
	return []int{s.at}
}
