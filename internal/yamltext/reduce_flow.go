package yamltext

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"
)

// cutFlow removes pairs of a map in flow style: {a: 1, b: 2}.
func (r *reducer) cutFlow(y *yaml.Node, pairs []pair) {
	data := r.src.data
	starts, ends := make([]int, len(pairs)), make([]int, len(pairs))
	kept := -1 // the last pair that is kept
	for i, p := range pairs {
		starts[i] = r.offset(r.at(p.key))
		ends[i] = starts[i] + flowEnd(data[starts[i]:])
		if !p.drop {
			kept = i
		}
		if i > 0 && starts[i] < ends[i-1] {
			return // the text is not understood, and stays as it is
		}
	}
	if kept < 0 {
		first, last := r.offset(r.at(y)), ends[len(ends)-1]
		if first > starts[0] {
			return
		}
		open, end := bytes.IndexByte(data[first:starts[0]], '{'), bytes.IndexByte(data[last:], '}')
		if open >= 0 && end >= 0 {
			r.cut(first+open+1, last+end, "")
		}
		return
	}
	for i, p := range pairs {
		switch {
		case !p.drop:
		case i < kept: // a pair follows that stays
			r.cut(starts[i], starts[i+1], "")
		default: // with the comma before it
			end := starts[i] + len(bytes.TrimRight(data[starts[i]:ends[i]], " \t\r\n"))
			if between := data[ends[i-1]:starts[i]]; bytes.IndexByte(between, '#') >= 0 {
				r.cut(ends[i-1], ends[i-1]+1, "")
				r.cut(starts[i], end, "")
			} else {
				r.cut(ends[i-1], end, "")
			}
		}
	}
}

// flowEnd returns where the pair ends that text begins with: at the comma or at the bracket after it.
func flowEnd(text []byte) int {
	depth, end := 0, len(text)
	eachPlain(text, func(i int) bool {
		switch text[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case ',':
			if depth == 0 {
				end = i
				return false
			}
		}
		if depth < 0 {
			end = i
			return false
		}
		return true
	})
	return end
}

// eachPlain calls visit with the index of each byte that is neither in quotes nor in a comment, until visit returns false. A quote
// counts where a scalar can begin, and not in the middle of one: it's. A comment counts with its first byte.
func eachPlain(text []byte, visit func(i int) bool) {
	begin := true // a scalar can begin here
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case begin && c == '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			begin = false
			continue
		case begin && c == '\'':
			for i++; i < len(text); i++ {
				if text[i] != '\'' {
					continue
				}
				if i+1 == len(text) || text[i+1] != '\'' {
					break
				}
				i++
			}
			begin = false
			continue
		}
		if !visit(i) {
			return
		}
		if c == '#' && (i == 0 || isSpace(text[i-1])) {
			for i+1 < len(text) && text[i+1] != '\n' && text[i+1] != '\r' {
				i++
			}
			continue
		}
		// Spaces do not end a plain scalar, but a quote after a colon, a bracket or a property begins one.
		begin = begin && isSpace(c) || strings.IndexByte("{}[],:", c) >= 0 || isSpace(c) && endsProperty(text[:i])
	}
}

// endsProperty reports whether text ends with an anchor, a tag or an indicator, after which a scalar begins.
func endsProperty(text []byte) bool {
	word := text[bytes.LastIndexAny(text, " \t\r\n{}[],")+1:]
	return len(word) > 0 && (strings.IndexByte("&!", word[0]) >= 0 || string(word) == "-" || string(word) == "?")
}
