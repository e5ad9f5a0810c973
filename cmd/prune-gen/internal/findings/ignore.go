package findings

import (
	"bytes"
	"path"
	"strings"

	"github.com/prune-gen/prune-gen/structural"
)

// ignoreMark begins a comment that names the rules to ignore, on the line of a finding or in the comment above it:
//
//	# prune-gen:ignore loss/object,loss/elements the controller fills them in
const ignoreMark = "prune-gen:ignore"

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
	before, after, found := bytes.Cut(text, []byte(ignoreMark))
	if !found {
		return nil
	}
	before, isComment := bytes.CutSuffix(bytes.TrimRight(before, " \t"), []byte("#"))
	if !isComment || len(before) > 0 && !strings.ContainsRune(" \t", rune(before[len(before)-1])) {
		return nil
	}
	words := strings.Fields(string(after))
	if len(words) == 0 || !strings.ContainsRune(" \t", rune(after[0])) {
		return nil
	}
	return strings.Split(words[0], ",")
}
