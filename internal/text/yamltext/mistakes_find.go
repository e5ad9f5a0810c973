package yamltext

import (
	"fmt"
	"math"
	"strings"
)

// The functions below find one kind of mistake each. They return nil if the text has another one.

func findTab(s *stumble) *mistake {
	for _, i := range s.near() {
		if indent := indentOf(s.lines[i]); strings.HasPrefix(s.lines[i][indent:], "\t") {
			return &mistake{i, indent, "a tab indents this line", "indent with spaces"}
		}
	}
	return nil
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

// isOpen reports whether the quotes that a value begins with do not end in it.
func isOpen(value string) bool {
	if value == "" || value[0] != '"' && value[0] != '\'' {
		return false
	}
	for i := 1; i < len(value); i++ {
		switch {
		case value[i] == '\\' && value[0] == '"', value[0] == '\'' && strings.HasPrefix(value[i:], "''"):
			i++
		case value[i] == value[0]:
			return false
		}
	}
	return true
}

func findOpenQuote(s *stumble) *mistake {
	for i := s.at; i >= 0; i = s.before(i) { // upwards: an earlier one is closed by it
		value, column := s.value(i)
		if isOpen(value) {
			return &mistake{i, column, "the quotes that open here are not closed", ""}
		}
		if keyed.MatchString(s.lines[i]) && i != s.at {
			break
		}
	}
	return nil
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
