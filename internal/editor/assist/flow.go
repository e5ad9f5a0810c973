package assist

import (
	"strings"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// flow reads a collection in brackets, and those in it.
type flow struct {
	*scanner
	outer *node // what the collection is the value of
	in    *node // the innermost collection that is open
	entry *node // the last entry or element of it, nil after a bracket or a comma
}

// brackets reads the collection in brackets that is the value of n, and returns the offset after it. If it is not closed, it ends before a
// line that continues the block around it.
func (s *scanner) brackets(n *node, at int) int {
	f := &flow{scanner: s, outer: n}
	f.push(n, at)
	for at++; f.in != n.parent; {
		next, resumes := f.blanks(at)
		f.place(at, next)
		if at = next; resumes || at >= len(s.text) {
			s.resumes = resumes
			break
		}
		switch c := s.text[at]; {
		case c == '{' || c == '[':
			f.push(f.slot(), at)
			at++
		case c == '}' || c == ']':
			at++
			f.in.value.end = at
			f.in, f.entry = f.in.parent, f.in
		case c == ',':
			f.entry = nil
			at++
		case c == ':' && f.endsKey(at):
			if f.entry != nil {
				f.entry.colon = true
			}
			at++
		default:
			at = f.token(at)
		}
	}
	for in := f.in; in != n.parent; in = in.parent {
		in.value.end = at
	}
	return at
}

// push opens a collection.
func (f *flow) push(n *node, at int) {
	n.form, n.flow, n.isList, n.value = collection, true, f.text[at] == '[', span{at, at}
	n.column = f.outer.parent.column
	f.in, f.entry = n, nil
}

// slot returns the node that the next value belongs to. If a comma is missing, it is a new one.
func (f *flow) slot() *node {
	if !f.in.isList && f.entry != nil && f.entry.colon && f.entry.form == absent {
		return f.entry
	}
	step := prunert.Step{Index: len(f.in.children)}
	if !f.in.isList {
		step = prunert.Step{Index: -1} // a key is missing, too
	}
	f.entry = f.add(f.in, step, span{}, true)
	return f.entry
}

// blanks returns the offset of the first character from at that is neither blank nor a comment. It stops before a line that cannot be in
// the brackets: one that is not indented deeper than the block around them, and begins like a part of that.
func (f *flow) blanks(at int) (next int, resumes bool) {
	for at < len(f.text) {
		c := f.text[at]
		switch {
		case isBreak(c):
			end := f.lineEnd(at + 1)
			first := f.skip(at+1, end)
			column := columns(f.text[at+1 : first])
			if first < end && column <= f.outer.parent.column && strings.IndexByte("\"'{}[],", f.text[first]) < 0 &&
				(f.isIndicator('-', first, end) || f.hasKey(first, end)) {
				return at + 1, true
			}
		case c == '#' && at > 0 && (isBlank(f.text[at-1]) || isBreak(f.text[at-1])):
			at = f.lineEnd(at)
			continue
		case !isBlank(c):
			return at, false
		}
		at++
	}
	return at, false
}

// place finds what could be written at the offset, if that is between two tokens: a key, an element, or a value before a bracket or a
// comma.
func (f *flow) place(from, to int) {
	if f.offset < from || f.offset > to || f.offset == to && to < len(f.text) && strings.IndexByte(",]}", f.text[to]) < 0 {
		return
	}
	if line := f.text[from:f.offset]; strings.IndexByte(string(line), '#') >= 0 {
		if hash := strings.LastIndexByte(string(line), '#'); !strings.ContainsAny(string(line[hash:]), "\r\n") {
			return // in a comment
		}
	}
	here := span{f.offset, f.offset}
	switch e := f.entry; {
	case e == nil:
		f.found = &node{parent: f.in, key: here, value: here, step: prunert.Step{Index: -1}}
		f.isKey = !f.in.isList
		if f.in.isList {
			f.found.step.Index, f.found.colon = len(f.in.children), true
		}
	case !f.in.isList && e.colon && e.form == absent && (to == len(f.text) || strings.IndexByte(",]}", f.text[to]) >= 0):
		e.value = here
		f.found, f.isKey = e, false
	}
}

// endsKey reports whether a colon ends a key: after quotes it always does.
func (f *flow) endsKey(at int) bool {
	return f.entry != nil && !f.in.isList && !f.entry.colon || f.separates(at)
}

// separates reports whether what follows a colon shows that it is not part of a plain scalar.
func (f *flow) separates(at int) bool {
	return at+1 >= len(f.text) || isBlank(f.text[at+1]) || isBreak(f.text[at+1]) || strings.IndexByte(",[]{}", f.text[at+1]) >= 0
}

// token reads a scalar, an anchor or a tag.
func (f *flow) token(at int) int {
	var t span
	how := plain
	switch c := f.text[at]; c {
	case '&', '!':
		for at < len(f.text) && !isBlank(f.text[at]) && !isBreak(f.text[at]) && strings.IndexByte(",[]{}", f.text[at]) < 0 {
			at++
		}
		return at
	case '"', '\'':
		t, how = span{at, f.quote(at, ",]}")}, quoted
	default:
		end := f.lineEnd(at)
		i := at
		for i < end && strings.IndexByte(",[]{}", f.text[i]) < 0 && !(f.text[i] == ':' && f.separates(i)) {
			i++
		}
		t = span{at, f.plainEnd(at, i)}
		if t.end == t.start { // a colon that no key is before
			return at + 1
		}
	}
	next, _ := f.blanks(t.end)
	isKey := next < len(f.text) && f.text[next] == ':' && (how == quoted || f.separates(next))
	switch e := f.entry; {
	case e != nil && !isKey && how == plain && e.form == plain:
		f.extend(e, t.end)
	case !f.in.isList && (e == nil || isKey || !e.colon || e.form != absent):
		f.entry = f.add(f.in, f.field(t), t, false)
	default:
		f.scalar(f.slot(), t, how)
	}
	return t.end
}
