package yamltext

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"sort"
	"strings"
	"unicode/utf8"
)

// The functions below find one kind of mistake each. They return nil if the text has another one.

func findBytes(s *stumble) *mistake {
	at := invalidByte(s.text)
	if at < 0 {
		return nil
	}
	text := s.text[at:]
	line := sort.SearchInts(s.starts, at+1) - 1
	at -= s.starts[line]
	r, size := utf8.DecodeRune(text)
	switch {
	case bytes.IndexByte(s.text, 0) >= 0:
		return &mistake{line, at, "the file is not a text", "it may be compressed, or a program"}
	case r == utf8.RuneError && size == 1:
		return &mistake{line, at, fmt.Sprintf("the byte %#02x is not UTF-8", text[0]), "save the file as UTF-8"}
	}
	return &mistake{line, at, fmt.Sprintf("the character %U is not allowed", r), "remove it, or write it as an escape in double quotes"}
}

func findConflict(s *stumble) *mistake {
	for i, line := range s.lines {
		if strings.HasPrefix(line, "<<<<<<< ") || strings.HasPrefix(line, ">>>>>>> ") {
			return &mistake{i, 0, "a merge conflict is not resolved", ""}
		}
	}
	return nil
}

func findTab(s *stumble) *mistake {
	for _, i := range s.near() {
		if indent := indentOf(s.lines[i]); strings.HasPrefix(s.lines[i][indent:], "\t") {
			return &mistake{i, indent, "a tab indents this line", "indent with spaces"}
		}
	}
	return nil
}

func findSpace(s *stumble) *mistake {
	for _, i := range s.near() {
		indent := indentOf(s.lines[i])
		if r, _ := utf8.DecodeRuneInString(s.lines[i][indent:]); strings.ContainsRune("\u00a0\u2007\u200b\u202f\u3000", r) {
			return &mistake{i, indent, fmt.Sprintf("the space before the text is %U, not an ordinary one", r), "indent with spaces; it may come from a web page"}
		}
	}
	return nil
}

func findTypographic(s *stumble) *mistake {
	value, column := s.value(s.at)
	if r, _ := utf8.DecodeRuneInString(value); strings.ContainsRune("“”„‘’‚«", r) {
		return &mistake{s.at, column, fmt.Sprintf("%c is not a quote to YAML", r), `use " or '`}
	}
	return nil
}

func findReserved(s *stumble) *mistake {
	value, column := s.value(s.at)
	if value == "" || strings.IndexByte("@`%?,", value[0]) < 0 || value[0] == ',' && column == indentOf(s.lines[s.at]) { // it may belong to a list
		return nil
	}
	if keyed.MatchString(`"` + strings.Replace(value, ":", `":`, 1)) {
		return &mistake{s.at, column, fmt.Sprintf("a key cannot begin with %c", value[0]), "put the key in quotes"}
	}
	return &mistake{s.at, column, fmt.Sprintf("a value cannot begin with %c", value[0]), inQuotes(value)}
}

func findAliasStart(s *stumble) *mistake {
	value, column := s.value(s.at)
	switch {
	case strings.HasPrefix(value, "*"):
		return &mistake{s.at, column, "* begins an alias", inQuotes(value)}
	case strings.HasPrefix(value, "&"):
		return &mistake{s.at, column, "& begins an anchor", inQuotes(value)}
	}
	return nil
}

// inQuotes is the hint to write a value in quotes.
func inQuotes(value string) string {
	value = strings.TrimSpace(value)
	if len(value) > 60 || strings.ContainsAny(value, `"\`) || strings.Contains(value, " #") {
		return "put the value in quotes"
	}
	return `put the value in quotes: "` + value + `"`
}

// badEscape matches what is not an escape in double quotes.
var badEscape = regexp.MustCompile(`^(?:[^\\]|\\[0abtnvfre "/\\N_LPxuU\t])*?(\\[^0abtnvfre "/\\N_LPxuU\t])`)

func findEscape(s *stumble) *mistake {
	for i := s.at; i < len(s.lines); i++ {
		if m := badEscape.FindStringSubmatchIndex(s.lines[i]); m != nil {
			return &mistake{i, m[2], fmt.Sprintf(`%s is not an escape in double quotes`, s.lines[i][m[2]:m[3]]), `use single quotes, or write \\`}
		}
	}
	return nil
}

// closing returns where the quotes end that a value begins with, -1 if they do not, and whether there are any.
func closing(value string) (end int, quoted bool) {
	if value == "" || value[0] != '"' && value[0] != '\'' {
		return 0, false
	}
	for i := 1; i < len(value); i++ {
		switch {
		case value[i] == '\\' && value[0] == '"':
			i++
		case value[i] == value[0] && value[0] == '\'' && i+1 < len(value) && value[i+1] == '\'':
			i++
		case value[i] == value[0]:
			return i, true
		}
	}
	return -1, true
}

func findOpenQuote(s *stumble) *mistake {
	for i := s.at; i >= 0; i = s.before(i) { // upwards: an earlier one is closed by it
		value, column := s.value(i)
		if end, quoted := closing(value); quoted && end < 0 {
			if end = strings.IndexByte(s.lines[s.at], value[0]); i < s.at && end >= 0 && !keyed.MatchString(s.lines[s.at]) {
				return afterQuote(s.at, end, value[0])
			}
			return &mistake{i, column, "the quotes that open here are not closed", ""}
		}
		if keyed.MatchString(s.lines[i]) && i != s.at {
			break
		}
	}
	return nil
}

func findAfterQuote(s *stumble) *mistake {
	value, column := s.value(s.at)
	end, quoted := closing(value)
	if !quoted || end < 0 {
		return nil
	}
	rest := strings.TrimLeft(value[end+1:], " \t")
	if rest == "" || strings.IndexByte("#:,]}", rest[0]) >= 0 {
		return nil
	}
	return afterQuote(s.at, column+end, value[0])
}

func afterQuote(line, column int, quote byte) *mistake {
	hint := `in double quotes, write a quote as \"`
	if quote == '\'' {
		hint = "in single quotes, write an apostrophe as two"
	}
	return &mistake{line, column, "there is text after the quotes, which end here", hint}
}

// findOpenBracket finds a bracket that is open where a line with a key ends the value in it.
func findOpenBracket(s *stumble) *mistake {
	for i := 0; i <= s.at; i++ {
		value, column := s.value(i)
		if isNothing(s.lines[i]) || value == "" || value[0] != '[' && value[0] != '{' {
			continue
		}
		line, at, end := s.brackets(i, column)
		if i = end; at < 0 || end+1 < s.at {
			continue
		}
		if s.lines[line][at] == '{' {
			return &mistake{line, at, "the map that opens here is not closed", "add }"}
		}
		return &mistake{line, at, "the list that opens here is not closed", "add ]"}
	}
	return nil
}

// brackets follows a value that begins with a bracket to its last line. It returns the place of the innermost bracket that is not closed;
// the column is -1 if all are.
func (s *stumble) brackets(line, column int) (openLine, openColumn, last int) {
	type place struct{ line, column int }
	var open []place
	first, quote := content(s.lines[line]), byte(0)
	for last = line; last < len(s.lines); last++ {
		text := s.lines[last]
		if last > line && keyed.MatchString(text) && indentOf(text) <= first {
			break
		}
		for j := column; j < len(text); j++ {
			switch c := text[j]; {
			case quote == '"' && c == '\\', quote == '\'' && strings.HasPrefix(text[j:], "''"):
				j++
			case c == quote:
				quote = 0
			case quote != 0:
			case c == '#' && j > 0 && text[j-1] == ' ':
				j = len(text)
			case (c == '"' || c == '\'') && strings.IndexByte(" [{,:", text[max(0, j-1)]) >= 0:
				quote = c
			case c == '[' || c == '{':
				open = append(open, place{last, j})
			case c == ']' || c == '}':
				top := open[len(open)-1]
				if s.lines[top.line][top.column] == '[' != (c == ']') {
					return top.line, top.column, last
				}
				if open = open[:len(open)-1]; len(open) == 0 {
					return line, -1, last
				}
			}
		}
		column = 0
	}
	top := open[len(open)-1]
	return top.line, top.column, last - 1
}

// unopened matches a value with a bracket that nothing opens: the first character, or the one after a list or map.
var unopened = regexp.MustCompile(`^(?:\[[^"'#\[\]{}]*\]|\{[^"'#\[\]{}]*\})?[ \t]*([\]}])`)

func findUnopened(s *stumble) *mistake {
	value, column := s.value(s.at)
	m := unopened.FindStringSubmatchIndex(value)
	if m == nil {
		return nil
	}
	opens, closes := "[", "]"
	if value[m[2]] == '}' {
		opens, closes = "{", "}"
	}
	above := string(s.text[:s.starts[s.at]])
	if column == indentOf(s.lines[s.at]) && strings.Count(above, opens) > strings.Count(above, closes) {
		return nil // it may be opened above
	}
	return &mistake{s.at, column + m[2], "nothing opens this bracket", "remove it, or put the value in quotes"}
}

func findListAfterKey(s *stumble) *mistake {
	value, column := s.value(s.at)
	if m := keyed.FindStringSubmatch(s.lines[s.at]); m == nil || !strings.HasPrefix(value, "- ") {
		return nil
	}
	return &mistake{s.at, column, "a list cannot begin on the line of its key", "begin it on the next line"}
}

func findAfterIndicator(s *stumble) *mistake {
	value, column := s.value(s.at)
	if value == "" || value[0] != '|' && value[0] != '>' {
		return nil
	}
	return &mistake{s.at, column, fmt.Sprintf("the text after %c begins on the next line", value[0]), "to begin the value with " + value[:1] + ", put it in quotes"}
}

func findDash(s *stumble) *mistake {
	for _, i := range s.near() {
		text := strings.TrimLeft(s.lines[i], " ")
		if len(text) > 1 && text[0] == '-' && text[1] != '-' && text[1] != ' ' && !keyed.MatchString(s.lines[i]) {
			return &mistake{i, indentOf(s.lines[i]), "there is no space after the dash", "write - " + Shorten(text[1:])}
		}
	}
	return nil
}

func findUnindented(s *stumble) *mistake {
	before := s.before(s.at)
	if before < 0 || blockAfter([]byte(s.lines[before])) < 0 || indentOf(s.lines[s.at]) > content(s.lines[before]) {
		return nil
	}
	return &mistake{s.at, indentOf(s.lines[s.at]), "this line is not indented, so it does not belong to the text that begins above", "indent all lines of the text by more than its key"}
}

// joined matches a key and a value without a space between them. A colon in a URL is not one.
var joined = regexp.MustCompile(`^( *(?:- +)*)([A-Za-z_][\w.-]*):([^\s/:].*)$`)

func findNoSpace(s *stumble) *mistake {
	for _, i := range s.near() {
		if m := joined.FindStringSubmatchIndex(s.lines[i]); m != nil && !keyed.MatchString(s.lines[i]) {
			return &mistake{i, m[5], "there is no space after the colon", "write " + Shorten(s.lines[i][m[4]:m[5]]+": "+s.lines[i][m[6]:])}
		}
	}
	return nil
}

// bare matches a line with words and without a colon: the first word, and the others.
var bare = regexp.MustCompile(`^( *(?:- +)*)([A-Za-z_][\w./-]*)(?:[ \t]+([^:#]+?))?[ \t]*(?:#.*)?$`)

func findNoColon(s *stumble) *mistake {
	for _, i := range s.near() {
		m := bare.FindStringSubmatchIndex(s.lines[i])
		if m == nil || s.inBlock(i) {
			continue
		}
		if indent := indentOf(s.lines[i]); i != s.at && m[4] > indent && m[4] != indentOf(s.lines[s.at]) {
			continue // an element without keys
		}
		if before := s.before(i); before >= 0 && content(s.lines[i]) > content(s.lines[before]) {
			if value, _ := s.value(before); value != "" {
				continue // the value goes on
			}
		}
		hint := "write " + Shorten(s.lines[i][m[4]:m[5]]+":")
		if m[6] >= 0 {
			hint = "write " + Shorten(s.lines[i][m[4]:m[5]]+": "+s.lines[i][m[6]:m[7]])
		}
		return &mistake{i, m[4], "there is no colon in this line", hint}
	}
	return nil
}

// inBlock reports whether a line is in a block scalar.
func (s *stumble) inBlock(line int) bool {
	for i, low := line, indentOf(s.lines[line]); i >= 0 && low > 0; i = s.before(i) {
		if block := blockAfter([]byte(s.lines[i])); i != line && block >= 0 && block < low {
			return true
		}
		low = min(low, indentOf(s.lines[i]))
	}
	return false
}

func findColonInValue(s *stumble) *mistake {
	value, column := s.value(s.at)
	if m := keyed.FindStringSubmatch(s.lines[s.at]); m == nil || value == "" || strings.IndexByte("\"'[{|>&*!#", value[0]) >= 0 {
		return nil
	}
	if !strings.Contains(value, ": ") && !strings.HasSuffix(value, ":") {
		return nil
	}
	return &mistake{s.at, column, "the value has a colon in it", inQuotes(value)}
}

func findListBelowValue(s *stumble) *mistake {
	before := s.before(s.at)
	if before < 0 || !strings.HasPrefix(strings.TrimLeft(s.lines[s.at], " "), "- ") {
		return nil
	}
	value, _ := s.value(before)
	m := keyed.FindStringSubmatch(s.lines[before])
	if m == nil || value == "" || indentOf(s.lines[s.at]) < content(s.lines[before]) {
		return nil
	}
	return &mistake{s.at, indentOf(s.lines[s.at]), fmt.Sprintf("%s has a value already, and this line begins a list", Shorten(m[2])), ""}
}

// findIndentation finds a line that is indented like none of those that it could follow.
func findIndentation(s *stumble) *mistake {
	indent := indentOf(s.lines[s.at])
	before := s.before(s.at)
	if before < 0 {
		return nil
	}
	above := content(s.lines[before])
	value, _ := s.value(before)
	if indent > above {
		if m := keyed.FindStringSubmatch(s.lines[before]); m == nil || value == "" {
			return nil
		}
		return &mistake{s.at, indent, fmt.Sprintf("this line is indented by %d, and the line above it by %d", indent, above), "indent both alike: this line may be indented too much, or the one above it too little"}
	}
	var outer []string
	for i, low := before, math.MaxInt; i >= 0; i = s.before(i) {
		for _, n := range []int{content(s.lines[i]), indentOf(s.lines[i])} {
			if n == indent && n < low {
				return nil // it belongs there
			}
			if n < low {
				outer, low = append(outer, fmt.Sprint(n)), n
			}
		}
	}
	return &mistake{s.at, indent, fmt.Sprintf("this line is indented by %d, and the lines above it by %s", indent, strings.Join(outer[:min(len(outer), 4)], " or ")), "indent it like the line above that it belongs with"}
}
