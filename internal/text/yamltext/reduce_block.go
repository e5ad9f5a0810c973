package yamltext

import (
	"bytes"
	"slices"
)

// cutBlock removes pairs of a map in block style. The text after the map begins at limit.
func (r *reducer) cutBlock(pairs []pair, limit int) {
	first := r.offset(r.at(pairs[0].key))
	inline := len(bytes.TrimLeft(r.src.data[r.lineStart(r.at(pairs[0].key)):first], " \t")) > 0 // after a dash
	if !slices.ContainsFunc(pairs, func(p pair) bool { return !p.drop }) {
		r.emptyBlock(pairs, limit, inline)
		return
	}
	for i := 0; i < len(pairs); i++ {
		if !pairs[i].drop {
			continue
		}
		if i == 0 && inline {
			for i++; pairs[i].drop; {
				i++
			}
			// The next pair takes the place after the dash, with the comment above it.
			next := r.commentsAbove(r.at(pairs[i].key), r.at(pairs[i-1].key).Line)
			r.cut(first, next+len(spaces(r.src.data[next:])), "")
			continue
		}
		end := limit
		if i+1 < len(pairs) {
			end = r.lineStart(r.at(pairs[i+1].key))
		}
		after := 0
		if i > 0 {
			after = r.at(pairs[i-1].key).Line
		}
		at := r.at(pairs[i].key)
		r.cutLines(r.commentsAbove(at, after), r.pairEnd(at, end))
	}
}

// cutLines removes whole lines, and a blank line after them if there is another one before them.
func (r *reducer) cutLines(start, end int) {
	data := r.src.data
	if line, at := r.src.lines.At(max(start-1, 0)); start > 0 && isBlankLine(data[at:start]) && line > 0 && end < len(data) {
		next, _ := r.src.lines.At(end)
		if to := r.src.lines.start(next + 1); isBlankLine(data[end:to]) {
			end = to
		}
	}
	r.cut(start, end, "")
}

// commentsAbove returns where the line of the key at a place begins, or the first of the comments directly above it that are
// indented as it is. Lines up to the given one belong to something else.
func (r *reducer) commentsAbove(at Pos, after int) int {
	start := r.lineStart(at)
	for line := at.Line - 1; line > after; line-- {
		above := r.src.lines.start(line)
		text := r.src.data[above:start]
		indent := len(spaces(text))
		if indent != at.Column-1 || indent >= len(text) || text[indent] != '#' {
			break
		}
		start = above
	}
	return start
}

// pairEnd returns where the lines of the pair whose key is at a place end. The next thing begins at limit, but blank lines and comments
// before that are not part of the pair unless they are indented deeper than the key.
func (r *reducer) pairEnd(at Pos, limit int) int {
	data := r.src.data
	// A document can end before the text does.
	for line := at.Line + 1; ; line++ {
		start := r.src.lines.start(line)
		if start >= limit {
			break
		}
		if text := data[start:r.src.lines.start(line+1)]; isDocumentStart(text) || isDocumentEnd(text) {
			limit = start
		}
	}
	for {
		line, start := r.src.lines.At(max(limit-1, 0))
		if line <= at.Line {
			return limit
		}
		text := data[start:limit]
		indent := len(spaces(text))
		isComment := indent < len(text) && text[indent] == '#' && indent < at.Column
		if !isComment && !isBlankLine(text) {
			return limit
		}
		limit = start
	}
}

func isDocumentEnd(line []byte) bool {
	return bytes.HasPrefix(line, []byte("...")) && (len(line) == 3 || isSpace(line[3]))
}

func isBlankLine(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }

// spaces returns the spaces that text begins with.
func spaces(text []byte) []byte { return text[:len(text)-len(bytes.TrimLeft(text, " "))] }

// emptyBlock removes all pairs of a map and writes {} in its place.
func (r *reducer) emptyBlock(pairs []pair, limit int, inline bool) {
	first, last := r.at(pairs[0].key), r.at(pairs[len(pairs)-1].key)
	end := r.pairEnd(last, limit)
	inPlace := func() {
		start := r.offset(first)
		r.cut(start, r.contentEnd(start, max(start, end)), "{}")
	}
	if inline {
		inPlace()
		return
	}
	// The {} goes to the end of the line above that has something in it, before a comment.
	line := first.Line - 1
	for ; line > 0; line-- {
		text := bytes.TrimSpace(r.src.data[r.src.lines.start(line):r.src.lines.start(line+1)])
		if len(text) > 0 && text[0] != '#' {
			break
		}
	}
	if line == 0 { // the document itself
		inPlace()
		return
	}
	start, next := r.src.lines.start(line), r.src.lines.start(line+1)
	at := start + lineContent(r.src.data[start:next])
	r.cut(at, at, " {}")
	r.cut(next, end, "")
}

// contentEnd returns where the last line before end ends, without its break.
func (r *reducer) contentEnd(start, end int) int {
	return start + len(bytes.TrimRight(r.src.data[start:end], " \t\r\n"))
}

// lineContent returns the length of a line without a comment at its end, and the spaces before that.
func lineContent(line []byte) int {
	end := len(line)
	eachPlain(line, func(i int) bool {
		if line[i] == '#' && (i == 0 || isSpace(line[i-1])) {
			end = i
			return false
		}
		return true
	})
	return len(bytes.TrimRight(line[:end], " \t\r\n"))
}
