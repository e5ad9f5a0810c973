package assist

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// span is a piece of the text.
type span struct{ start, end int }

func (s span) has(offset int) bool { return s.start <= offset && offset <= s.end }

func (s span) in(text []byte) string { return string(text[s.start:s.end]) }

// form is how the value of a node is written.
type form uint8

const (
	absent form = iota
	plain
	quoted
	block      // a block scalar
	collection // a list or a map
)

// node is an entry of a map, an element of a list, or the document.
type node struct {
	parent   *node
	step     prunert.Step // from the parent
	key      span         // of a map, with its quotes; the dash of an element
	colon    bool         // the key has one, or needs none
	value    span
	form     form
	isList   bool
	flow     bool // the collection is in brackets
	column   int  // of the children in block style
	ownLine  bool // nothing but dashes is before the value in its line
	children []*node
}

// last returns the last child of n. In broken texts, a collection can have none: then it gets one without a name.
func (n *node) last() *node {
	if len(n.children) == 0 {
		n.children = append(n.children, &node{parent: n, step: prunert.Step{Index: -1}})
	}
	return n.children[len(n.children)-1]
}

// scanner reads one document for the place of an offset. It takes a line at a time: in block style, the column of its first character says
// where it belongs, and brackets and quotes are followed to their ends. Whatever does not fit is put where it fits best. A place where
// something could be written, and nothing is, is a node of its own if the offset is there.
type scanner struct {
	text   []byte
	at     int // where the next line begins
	offset int
	doc    *node   // its only child is the root
	open   []*node // the collections in block style that the next line can add to, from the outside to the inside; the first is doc

	found   *node // the node at the offset
	isKey   bool  // the offset is in its key
	ownLine bool  // nothing is written in the line of the offset
	after   *node // the entry before the found one, if its list can begin in the same column

	plain    *node // its plain scalar can go on
	block    *node // its block scalar goes on in lines that are indented deeper than limit
	limit    int
	known    span // part of a line with its end
	resumes  bool // a line begins at s.at, and not the rest of one
	unclosed bool // a template action has no end
	dash     int  // how many columns deeper than its key the first list is, -1 before it
	odd      int  // keys that are not what is written
	ahead    int  // bytes that may still be read twice in search of the end of a quote
}

// scan reads the document around an offset.
func scan(text []byte, offset int) *scanner {
	start, end := document(text, offset)
	s := &scanner{text: text[:end], at: start, offset: offset, ahead: 4 * (end - start), dash: -1, known: span{-1, -1}}
	s.begin()
	for s.at <= end && (offset < end || end == len(text)) {
		s.line()
		if !s.resumes {
			s.at = s.lineEnd(s.at) + 1
		}
		s.resumes = false
	}
	return s
}

// begin begins a document.
func (s *scanner) begin() {
	s.doc = &node{isList: true, form: collection, column: -1}
	s.doc.children = []*node{{parent: s.doc}}
	s.open, s.plain, s.block = []*node{s.doc}, nil, nil
}

// document returns the part of a text between two lines that begin documents, or end them.
func document(text []byte, offset int) (start, end int) {
	isBorder := func(at int) bool {
		return len(text) >= at+3 && (at == 0 || isBreak(text[at-1])) && (string(text[at:at+3]) == "---" || string(text[at:at+3]) == "...") &&
			(len(text) == at+3 || isBlank(text[at+3]) || isBreak(text[at+3]))
	}
	for start = max(0, offset-3); start > 0 && !isBorder(start); start-- {
	}
	if isBorder(start) || bytes.HasPrefix(text[start:], []byte("\ufeff")) {
		start += 3
	}
	for end = start; end < len(text) && !isBorder(end); end++ {
	}
	return start, end
}

func isBreak(c byte) bool { return c == '\n' || c == '\r' }

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// lineEnd returns the end of the line that an offset is in. It looks for the end of each line once: all of a text can be in one.
func (s *scanner) lineEnd(at int) int {
	if at < s.known.start || at > s.known.end {
		s.known = span{at, at}
		for ; at < len(s.text) && !isBreak(s.text[at]); at++ {
		}
		s.known.end = at
	}
	return s.known.end
}

// skip returns the offset of the first character from at to end that is not blank.
func (s *scanner) skip(at, end int) int {
	for ; at < end && isBlank(s.text[at]); at++ {
	}
	return at
}

// columns returns the width of blanks. A tab, which YAML does not allow there, counts as two spaces.
func columns(blanks []byte) int { return len(blanks) + bytes.Count(blanks, []byte("\t")) }

// isEmpty reports whether nothing but a comment is from at to the end of a line.
func (s *scanner) isEmpty(at, end int) bool {
	return at >= end || s.text[at] == '#' && (at == 0 || isBlank(s.text[at-1]) || isBreak(s.text[at-1]))
}

// line reads the line that begins at s.at, with the lines after it that its value takes.
func (s *scanner) line() {
	start, end := s.at, s.lineEnd(s.at)
	s.at = end
	at := s.skip(start, end)
	column := columns(s.text[start:at])
	if s.block != nil && at < end {
		if column > s.limit {
			s.extend(s.block, end)
			return
		}
		s.block = nil
	}
	if s.isEmpty(at, end) {
		if start <= s.offset && s.offset <= at {
			s.empty(columns(s.text[start:s.offset]))
		}
		return
	}
	if s.isAction(at, end) {
		return
	}
	// A word that is being typed before dashes is a key, although YAML makes one scalar of all lines.
	isKey := func(p *node) bool {
		return p.ownLine && p.step.Index < 0 && p.value.has(s.offset) && s.isIndicator('-', at, end) && !bytes.ContainsAny(s.text[p.value.start:p.value.end], " \t\r\n")
	}
	if p := s.plain; p != nil && column > p.parent.column && !isKey(p) && !s.hasKey(at, end) {
		s.extend(p, s.plainEnd(at, end))
		return
	}
	s.plain = nil
	s.content(at, end, column)
}

// isAction reports whether a line has nothing but template actions, and passes the first of them.
func (s *scanner) isAction(at, end int) bool {
	if s.unclosed || !bytes.HasPrefix(s.text[at:end], []byte("{{")) {
		return false
	}
	length := bytes.Index(s.text[at:], []byte("}}"))
	if s.unclosed = length < 0; s.unclosed {
		return true
	}
	after := at + length + len("}}")
	end = s.lineEnd(after)
	if next := s.skip(after, end); !s.isEmpty(next, end) && !bytes.HasPrefix(s.text[next:end], []byte("{{")) {
		return false
	}
	s.at = after
	return true
}

// empty finds what could be written at the offset, which is in a column of a line without content. It changes no collection: what comes
// next does not depend on it.
func (s *scanner) empty(column int) {
	if s.block != nil && column > s.limit {
		s.found = s.block
		return
	}
	defer func(open []*node) { s.open = open }(slices.Clone(s.open))
	here := span{s.offset, s.offset}
	top := s.top(column)
	if top.isList && top.column == column && len(s.open) > 1 && s.open[len(s.open)-2].column == column {
		s.open = s.open[:len(s.open)-1] // a list in the column of its key
		top = s.top(column)
		s.after = top.last()
	} else if n := top.last(); top.column == column && !top.isList && n.form == absent {
		s.after = n
	}
	n := top.last()
	s.ownLine = true
	switch isWord := n.form == plain && n.ownLine; {
	case top.column == column && top != s.doc:
	case n.form == absent:
		n.value = here
		s.found, s.isKey = n, false
		return
	case n.form == collection && !n.flow, isWord && column == n.column:
		top = n
	default:
		return
	}
	s.found, s.isKey = &node{parent: top, key: here, value: here, step: prunert.Step{Index: -1}}, !top.isList
	if top.isList {
		s.found.step.Index = len(top.children)
	}
}

// content reads what begins in a column: dashes, a key, a value.
func (s *scanner) content(at, end, column int) {
	for s.isIndicator('-', at, end) || s.isIndicator('?', at, end) {
		if s.text[at] == '?' {
			at = s.skip(at+1, end)
			continue
		}
		list := s.collection(column, true)
		e := s.add(list, prunert.Step{Index: len(list.children)}, span{at, at + 1}, true)
		next := s.skip(at+1, end)
		if s.isEmpty(next, end) {
			s.absent(e, at+1, next)
			return
		}
		column += 1 + columns(s.text[at+1:next])
		at = next
	}
	if s.isIndicator(':', at, end) {
		e := s.collection(column, false).last()
		e.colon = true
		s.value(e, at+1, end)
		return
	}
	key, colon := s.key(at, end)
	if colon < 0 {
		s.bare(at, end, column)
		return
	}
	m := s.collection(column, false)
	s.value(s.add(m, s.field(key), key, true), colon+1, end)
}

// isIndicator reports whether c is at an offset, followed by a blank or the end of the line.
func (s *scanner) isIndicator(c byte, at, end int) bool {
	return at < end && s.text[at] == c && (at+1 == end || isBlank(s.text[at+1]))
}

// hasKey reports whether a key begins at an offset, or after dashes.
func (s *scanner) hasKey(at, end int) bool {
	for s.isIndicator('-', at, end) {
		at = s.skip(at+1, end)
	}
	_, colon := s.key(at, end)
	return colon >= 0
}

// key returns the key that begins at an offset, and the offset of its colon, -1 if there is none.
func (s *scanner) key(at, end int) (key span, colon int) {
	at = s.properties(at, end)
	if at == end {
		return span{}, -1
	}
	i := at
	switch c := s.text[at]; {
	case c == '"' || c == '\'':
		if i = s.closing(at, end); i < 0 {
			return span{}, -1
		}
		key = span{at, i}
		if i = s.skip(i, end); s.isIndicator(':', i, end) {
			return key, i
		}
		return span{}, -1
	case bytes.HasPrefix(s.text[at:end], []byte("{{")):
		if length := bytes.Index(s.text[at:end], []byte("}}")); length >= 0 {
			i = at + length + 2
		}
	case strings.IndexByte("[{#|>%@`", c) >= 0:
		return span{}, -1
	}
	for ; i < end; i++ {
		if s.isIndicator(':', i, end) {
			return span{at, at + len(bytes.TrimRight(s.text[at:i], " \t"))}, i
		}
		if s.isEmpty(i, end) {
			break
		}
	}
	return span{}, -1
}

// properties skips anchors and tags.
func (s *scanner) properties(at, end int) int {
	for at < end && (s.text[at] == '&' || s.text[at] == '!') {
		for at < end && !isBlank(s.text[at]) {
			at++
		}
		at = s.skip(at, end)
	}
	return at
}

// field returns the step to the field with a key as written.
func (s *scanner) field(key span) prunert.Step {
	written := key.in(s.text)
	name := unquoted(written)
	if isPlain := name == written; s.odd < maxOdd && (isPlain || strings.HasPrefix(written, `"`) && strings.Contains(name, `\`)) {
		if name = yamltext.Key(written); name != written || strings.Trim(written, "+-.0123456789") == "" {
			s.odd++
		}
	}
	return prunert.Step{Name: name, Index: -1}
}

// maxOdd is how many keys of a document are read as YAML does which are not simply what is written: that takes long.
const maxOdd = 1000

// unquoted returns the text of a scalar as written.
func unquoted(written string) string {
	if len(written) > 1 && written[0] == '\'' {
		return strings.ReplaceAll(strings.TrimSuffix(written[1:], "'"), "''", "'")
	}
	if !strings.HasPrefix(written, `"`) {
		return written
	}
	var text string
	if json.Unmarshal([]byte(written), &text) == nil {
		return text
	}
	return strings.TrimSuffix(written[1:], `"`)
}

// closing returns the offset after the quote that ends the one at an offset, -1 if there is none before end.
func (s *scanner) closing(at, end int) int {
	q := s.text[at]
	for i := at + 1; i < end; i++ {
		switch {
		case q == '"' && s.text[i] == '\\', q == '\'' && s.text[i] == q && i+1 < end && s.text[i+1] == q:
			i++
		case s.text[i] == q:
			return i + 1
		}
	}
	return -1
}

// quote returns the end of the scalar in quotes that begins at an offset. A quote that is open at the end of its line is closed in a later
// one only if what follows can follow a scalar; otherwise it is being typed, and ends before the blanks and brackets at the end of its line.
func (s *scanner) quote(at int, brackets string) int {
	end := s.lineEnd(at)
	if i := s.closing(at, end); i >= 0 {
		return i
	}
	if i := s.closing(at, min(len(s.text), at+s.ahead)); i >= 0 {
		s.ahead -= i - at
		next := s.skip(i, len(s.text))
		if next == len(s.text) || isBreak(s.text[next]) || strings.IndexByte(",]}:#", s.text[next]) >= 0 {
			return i
		}
	} else {
		s.ahead = 0
	}
	return max(at+1, at+len(bytes.TrimRight(s.text[at:end], " \t"+brackets)))
}

// collection returns the collection in block style whose children begin in a column. It may be new.
func (s *scanner) collection(column int, isList bool) *node {
	top := s.top(column)
	if top.isList && !isList && top.column == column {
		s.open = s.open[:len(s.open)-1] // a list in the column of its key has ended
		top = s.top(column)
	}
	if top.column == column && top.isList == isList {
		return top
	}
	n := top.last()
	if n.form == plain && n.ownLine {
		s.toEntry(n)
		return s.collection(column, isList)
	}
	if isList && s.dash < 0 && n.parent != s.doc && !n.parent.isList {
		s.dash = min(column-n.parent.column, 8)
	}
	n.form, n.isList, n.column, n.flow = collection, isList, column, false
	s.open = append(s.open, n)
	return n
}

// top closes the collections whose children are indented deeper than a column, and returns the innermost one that is left.
func (s *scanner) top(column int) *node {
	for len(s.open) > 1 && s.open[len(s.open)-1].column > column {
		s.open = s.open[:len(s.open)-1]
	}
	return s.open[len(s.open)-1]
}

// toEntry makes the scalar of n, which has turned out to be a key without a colon, the first entry of a map.
func (s *scanner) toEntry(n *node) {
	e := &node{parent: n, step: s.field(n.value), key: n.value}
	n.children = append(n.children, e)
	if s.found == n && !s.isKey {
		s.found, s.isKey = e, true
	}
	n.form, n.isList, n.flow = collection, false, false
	s.open = append(s.open, n)
}

// add adds a child.
func (s *scanner) add(to *node, step prunert.Step, key span, colon bool) *node {
	n := &node{parent: to, step: step, key: key, colon: colon}
	to.children = append(to.children, n)
	if key.end > key.start && key.has(s.offset) {
		s.found, s.isKey = n, step.Index < 0
	}
	return n
}

// bare reads a value that has neither a key nor a dash in front of it in its line, and a word that may be a key without a colon.
func (s *scanner) bare(at, end, column int) {
	start := s.properties(at, end)
	if s.isEmpty(start, end) {
		return
	}
	if strings.IndexByte(`"'[{|>`, s.text[start]) < 0 || bytes.HasPrefix(s.text[start:end], []byte("{{")) {
		s.word(span{start, s.plainEnd(start, end)}, column)
		return
	}
	top := s.top(column)
	n := top.last()
	if top == s.doc && n.form == collection && n.flow { // another object of JSON
		if s.found != nil {
			s.at = len(s.text)
			return
		}
		s.begin()
		top, n = s.doc, s.doc.last()
	}
	switch {
	case top.column == column && top.isList:
		n = s.add(top, prunert.Step{Index: len(top.children)}, span{}, true)
	case top.column == column:
		if s.text[start] == '"' || s.text[start] == '\'' {
			s.at = s.quote(start, "")
			s.add(top, s.field(span{start, s.at}), span{start, s.at}, false)
		}
		return
	case n.form != absent:
		return
	}
	n.ownLine = true
	s.value(n, at, end)
}

// word reads a word: a key without a colon, an element without a dash, or a value.
func (s *scanner) word(w span, column int) {
	top := s.top(column)
	if top.isList && top.column == column && s.open[len(s.open)-2].column == column {
		s.open = s.open[:len(s.open)-1] // a list in the column of its key
		top = s.top(column)
	}
	n := top.last()
	if top.column < column && n.form == collection && !n.flow {
		n.column = column
		s.open = append(s.open, n)
		top = n
	}
	switch {
	case top.column == column && top.isList:
		n = s.add(top, prunert.Step{Index: len(top.children)}, span{w.start, w.start}, false)
	case top.column == column:
		s.add(top, s.field(w), w, false)
		return
	case n.form == plain && n.ownLine && n.column == column:
		s.toEntry(n)
		s.word(w, column)
		return
	case n.form != absent:
		return
	}
	n.ownLine, n.column = true, column
	s.scalar(n, w, plain)
	s.plain = n
}

// scalar sets the value of a node.
func (s *scanner) scalar(n *node, value span, how form) {
	n.value, n.form = value, how
	if value.has(s.offset) {
		s.found, s.isKey = n, false
	}
}

// extend moves the end of a scalar.
func (s *scanner) extend(n *node, end int) {
	was := n.value.end
	n.value.end = end
	if s.offset > was && s.offset <= end {
		s.found, s.isKey = n, false
	}
}

// absent finds the place of a value that is not written.
func (s *scanner) absent(n *node, from, to int) {
	if (span{from, to}).has(s.offset) && (from < s.offset || !s.isKey) {
		n.value = span{s.offset, s.offset}
		s.found, s.isKey = n, false
	}
}

// plainEnd returns the end of the plain scalar that begins at an offset: it has no comment.
func (s *scanner) plainEnd(at, end int) int {
	i := at
	for i < end && !(s.text[i] == '#' && i > at && isBlank(s.text[i-1])) {
		i++
	}
	return at + len(bytes.TrimRight(s.text[at:i], " \t"))
}

// value reads the value of n, from after its colon or dash on.
func (s *scanner) value(n *node, from, end int) {
	at := s.skip(from, end)
	if s.isEmpty(at, end) {
		s.absent(n, from, at)
		return
	}
	if at = s.properties(at, end); s.isEmpty(at, end) {
		return
	}
	switch c := s.text[at]; {
	case c == '"' || c == '\'':
		s.at = s.quote(at, "")
		s.scalar(n, span{at, s.at}, quoted)
	case (c == '[' || c == '{') && !bytes.HasPrefix(s.text[at:end], []byte("{{")):
		s.at = s.brackets(n, at)
	case c == '|' || c == '>':
		s.block, s.limit = n, n.parent.column
		s.scalar(n, span{at, end}, block)
	default:
		s.scalar(n, span{at, s.plainEnd(at, end)}, plain)
		s.plain = n
	}
}
