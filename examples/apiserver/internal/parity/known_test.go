package parity

import (
	"regexp"
	"strings"
)

// The two messages of a difference that is in them alone.
var messages = regexp.MustCompile(`^(?:- +"message": (.*)\n)+(?:\+ +"message": (.*)\n)+$`)

// undeclared is what the merge library says to unknown fields.
var undeclared = regexp.MustCompile(`^"failed to create typed patch object .*\): .*field not declared in schema`)

// ofResource is what generated code says to the fields that make an embedded resource one.
var ofResource = regexp.MustCompile(`(metadata|kind|apiVersion)[^ ]* in body must be of type`)

// bracketed is a key or an index in a path.
var bracketed = regexp.MustCompile(`\[([^\[\]]*)\]`)

// otherKind reports whether the answers to an object of another kind both refuse it for that, and theirs for more.
func otherKind(d difference) bool {
	if !strings.HasSuffix(d.request.Name, ": create another kind") || strings.Contains(d.text, " code ") || strings.Contains(d.text, " warning ") {
		return false
	}
	for line := range strings.Lines(d.text) {
		if strings.HasPrefix(line, "+") && !strings.Contains(line, `must be `) {
			return false
		}
	}
	return true
}

// known returns why the servers may differ here; nothing where they may not.
func (d difference) known() string {
	if otherKind(d) {
		return "an object of another kind is refused for that; their server goes on to look for embedded resources in it"
	}
	m := messages.FindStringSubmatch(d.text)
	if m == nil {
		return ""
	}
	theirs, ours := m[1], m[2]
	switch {
	case d.request.Type == Apply && undeclared.MatchString(theirs) && undeclared.MatchString(ours):
		return "the merge library names the unknown fields that it happens to meet first"
	case ofResource.MatchString(ours) &&
		(strings.Contains(theirs, ": json: cannot unmarshal") || strings.Contains(theirs, "must be a string")):
		return "malformed metadata of an embedded resource: generated code names every field and its type, their server one of them, any"
	case strings.Contains(ours, "must be a string") && bracketed.ReplaceAllString(theirs, ".$1") == bracketed.ReplaceAllString(ours, ".$1"):
		return "keys of maps on the way to the apiVersion or kind of an embedded resource: ours follow a dot, theirs are in brackets"
	}
	return ""
}
