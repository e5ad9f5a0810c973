package findings

import (
	"bytes"
	"path"
	"regexp"
	"strings"

	"github.com/prune-gen/prune-gen/structural"
)

// ignoring matches a comment that names the rules to ignore, on the line of a finding or in the comment above it:
//
//	# prune-gen:ignore loss/object,loss/elements the controller fills them in
var ignoring = regexp.MustCompile(`(?:^|[ \t])#[ \t]*prune-gen:ignore[ \t]+([^ \t]+)`)

// MatchesRule reports whether a pattern, such as loss/object or loss/*, matches a rule.
func MatchesRule(pattern string, rule structural.Rule) bool {
	ok, err := path.Match(pattern, string(rule))
	return ok && err == nil
}

// ignoredAt returns the rules that comments ignore in the nth line: on the line itself, or alone on the lines above it.
func ignoredAt(line func(n int) []byte, n int) []string {
	rules := ignoredIn(line(n))
	for n--; n > 0; n-- {
		text := bytes.TrimSpace(line(n))
		if !bytes.HasPrefix(text, []byte("#")) {
			break
		}
		rules = append(rules, ignoredIn(text)...)
	}
	return rules
}

// ignoredIn returns the rules that a comment at the end of a line ignores.
func ignoredIn(text []byte) []string {
	if found := ignoring.FindSubmatch(text); found != nil {
		return strings.Split(string(found[1]), ",")
	}
	return nil
}
