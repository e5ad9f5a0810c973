package manifest

import (
	"strconv"
	"strings"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// named returns the path with which a warning of the API server begins, as it is written and as far as the object has it, and what follows
// a colon after it. The path is nil if there is none. Warnings are texts, also those of generated code and of the programs that answer for
// built-in kinds.
func (a *Judged) named(warning string) (about string, path prunert.Path, body string) {
	about, body, _ = strings.Cut(warning, " ")
	about, isAbout := strings.CutSuffix(about, ":")
	path = PathOf(about, a.written)
	for len(path) > 0 && !a.find(path).whole {
		path = path[:len(path)-1]
	}
	if !isAbout {
		body = ""
	}
	return about, path, body
}

// PathOf returns the path in a value that the API server writes as a text. A key of a map can have dots in it: of several readings, the
// one with the longest key that the map has is taken.
func PathOf(text string, in any) prunert.Path {
	var path prunert.Path
	for text != "" {
		var step string
		bracketed := text[0] == '['
		if end := strings.IndexByte(text, ']'); bracketed && end > 0 {
			step, text = text[1:end], text[end+1:]
		} else {
			step = nextField(text, in)
			text = text[len(step):]
		}
		text = strings.TrimPrefix(text, ".")
		if list, ok := in.([]any); ok && bracketed {
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(list) {
				return path
			}
			path, in = append(path, prunert.Step{Index: i}), list[i]
			continue
		}
		fields, _ := in.(map[string]any)
		path, in = append(path, prunert.Step{Name: step, Index: -1}), fields[step]
	}
	return path
}

// nextField returns the field of a value with which a path begins. Some texts of the API server have the name of the Go field, which
// begins with a capital letter.
func nextField(text string, in any) string {
	fields, _ := in.(map[string]any)
	var longest string
	for key := range fields {
		if n := len(key); n > len(longest) && n <= len(text) && strings.EqualFold(text[:n], key) && (n == len(text) || text[n] == '.' || text[n] == '[') {
			longest = key
		}
	}
	if longest != "" {
		return longest
	}
	if end := strings.IndexAny(text[1:], ".["); end >= 0 {
		return text[:end+1]
	}
	return text
}
