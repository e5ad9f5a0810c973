package assist

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// site is a key or a scalar, or where one can be written.
type site struct {
	apiVersion, kind string // of the object; an item of a list can have those that the list implies
	known            bool   // the kind
	crd              *structural.CRD
	version          *structural.Version
	behavior         structural.Behavior
	path             prunert.Path     // from the object to the value, also for a key
	nodes            []*yamltext.Node // on the path, from the object on
	isKey            bool
	value            string // as it is read, "" for a number
	start, end       int    // with the quotes
}

// parent returns the map or the list that the key or the scalar is in.
func (s site) parent() *yamltext.Node { return s.nodes[len(s.path)-1] }

// reader asks the parser what is written at an offset of a text, or what could be, by writing it.
type reader struct {
	catalog       Catalog
	text          []byte // with spaces for tabs, and comments for template actions
	offset        int
	first, last   int    // the bounds of the document
	before, after []byte // what is parsed
	left          int    // how many more bytes are parsed
}

// maxParsed is how many bytes are parsed for an answer. Of documents that are larger than maxWhole, only a part is.
const maxParsed, maxWhole = 1 << 20, 64 << 10

// newReader returns a reader, nil for an offset about which nothing can be said.
func newReader(c Catalog, text []byte, offset int) *reader {
	if offset < 0 || offset > len(text) {
		return nil
	}
	r := &reader{catalog: c, text: bytes.Clone(text), offset: offset, left: maxParsed}
	for _, part := range yamltext.Parts(text) {
		if r.first, r.last = r.last, r.last+len(part); offset <= r.last {
			break
		}
	}
	plain(r.text[r.first:r.last])
	return r
}

var (
	restOfLine = regexp.MustCompile(`^.*[^,\s]`)
	restOfKey  = regexp.MustCompile(`^["']?[\w./-]*["']? *:|^[\w./-]*`)
)

// try asks for an answer in the document, and in what matters of it if it is broken: with the lines since a bracket that is open, and with
// only its own line. What follows in that is kept, or only what follows in a key.
func (r *reader) try(answer func() bool) {
	text, at := r.text[r.first:r.last], r.offset-r.first
	if r.before, r.after = text[:at], text[at:]; len(text) <= maxWhole {
		if answer() {
			return
		}
		if _, ok := r.parse(r.after, 0); ok {
			return
		}
	}
	open, _ := brackets(text[:at])
	for _, first := range slices.Compact([]int{lineStart(text[:open]), lineStart(text[:at])}) {
		before, after, ok := mended(text, first, at)
		for _, rest := range []*regexp.Regexp{restOfLine, restOfKey} {
			r.before, r.after = before, slices.Concat(rest.Find(text[at:]), after)
			if ok && answer() {
				return
			}
		}
	}
}

// parse returns the key or the scalar that begins last before an offset in what follows the text before, or the collection that has none
// there. It is false if the parser refuses the text.
func (r *reader) parse(after []byte, at int) (s site, ok bool) {
	all := slices.Concat(r.before, after)
	if r.left -= len(all); r.left < 0 {
		return s, false
	}
	at += len(r.before)
	lines := yamltext.NewLines(all)
	line, start := lines.At(at)
	pos := yamltext.Pos{Line: line, Column: utf8.RuneCount(all[start:at]) + 1}
	var doc *yamltext.Document
	ok = true
	yamltext.Parse(all, func(d *yamltext.Document) {
		if compare(d.Root.Pos, pos) <= 0 {
			doc = d
		}
	}, func(*yamltext.Problem) { ok = false })
	if !ok || doc == nil {
		return s, ok
	}
	s, pos = find(doc.Root, pos)
	if written, ok := doc.Written(pos); ok {
		s.value = written
	}
	s.start = r.offset - len(r.before) + lines.Offset(all, pos)
	s.identify(r.catalog, "", "")
	return s, true
}

func compare(a, b yamltext.Pos) int {
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}

// find returns the key or the scalar below a node that begins last before a place, and where it begins.
func find(n *yamltext.Node, at yamltext.Pos) (s site, pos yamltext.Pos) {
	for {
		pos = n.Pos
		s.nodes, s.value = append(s.nodes, n), n.Str()
		var next *yamltext.Node
		var step prunert.Step
		isNext := func(p yamltext.Pos) bool { return compare(pos, p) <= 0 && compare(p, at) <= 0 } // what an alias stands for is elsewhere
		for _, e := range n.Entries {
			if isNext(e.Pos) {
				next, pos, step = e.Value, e.Pos, prunert.Step{Name: e.Key, Index: -1}
			}
		}
		for i, e := range n.List {
			if isNext(e.Pos) {
				next, pos, step = e, e.Pos, prunert.Step{Index: i}
			}
		}
		if next == nil {
			return s, pos
		}
		s.path = append(s.path, step)
		if s.isKey = step.Index < 0 && (next.IsNull() || !isNext(next.Pos)); s.isKey {
			s.value = step.Name
			return s, pos
		}
		n = next
	}
}

// identify finds the object, which can be an item of a list that implies what it is. A list of a kind of its own has no such items.
func (s *site) identify(c Catalog, apiVersion, kind string) {
	s.apiVersion, s.kind = textOf(s.nodes[0], "apiVersion"), textOf(s.nodes[0], "kind")
	if s.apiVersion == "" && s.kind == "" && kind != "" {
		s.apiVersion, s.kind = apiVersion, kind
	}
	kind, isList := strings.CutSuffix(s.kind, "List")
	s.crd, s.version, s.behavior, s.known = c.Behavior(s.apiVersion, s.kind)
	if isList && !s.known && len(s.path) > 1 && s.path[0].Name == "items" && s.path[1].Index >= 0 {
		s.path, s.nodes = s.path[2:], s.nodes[2:]
		s.identify(c, s.apiVersion, kind)
	}
}

// textOf returns the text of a field. The mark can be in both.
func textOf(n *yamltext.Node, name string) string {
	for _, e := range n.Entries {
		if strings.Replace(e.Key, mark, "", 1) == name {
			return strings.Replace(e.Value.Str(), mark, "", 1)
		}
	}
	return ""
}

var (
	inQuotes = regexp.MustCompile(`^(?s:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')`)
	number   = regexp.MustCompile(`^[^\s,\[\]{}]*`)
	word     = regexp.MustCompile(`^[\w./-]*`)
)

// endOf returns the end of a key or a scalar, before a limit. Unless it is in quotes, the words that are read are in the text.
func (r *reader) endOf(s site, limit int) int {
	tail := r.text[s.start:limit]
	if length := len(inQuotes.Find(tail)); length > 0 {
		return s.start + length
	}
	length := 0
	for _, word := range strings.Fields(s.value) {
		if i := bytes.Index(tail[length:], []byte(word)); i >= 0 {
			length += i + len(word)
		}
	}
	return s.start + length
}

// locate returns the key or the scalar that is written at an offset of an object whose kind is known.
func locate(c Catalog, text []byte, offset int) (s site, ok bool) {
	r := newReader(c, text, offset)
	if r == nil {
		return s, false
	}
	r.try(func() bool {
		if s, _ = r.parse(r.after, 0); s.nodes == nil || s.start < r.first {
			return false
		}
		if s.end = r.endOf(s, r.last); s.end == s.start {
			s.end += len(number.Find(r.text[s.start:r.last]))
		}
		ok = s.start < s.end && offset <= s.end
		return ok
	})
	return s, ok && s.known
}

// mark is written at the offset to learn where that is. No keyboard has it.
const mark = "\ue000"

// with returns the key or the scalar that the mark is in if it is written at the offset, or after the quote there, with a text before it
// and one after its word.
func (r *reader) with(skip int, pre, post string) (s site, ok bool) {
	if skip > 0 && (len(r.after) == 0 || strings.IndexByte(`"'`, r.after[0]) < 0) {
		return s, false
	}
	tail := r.after[skip:]
	rest := word.Find(tail)
	s, _ = r.parse(slices.Concat(r.after[:skip], []byte(pre+mark), rest, []byte(post), tail[len(rest):]), skip+len(pre))
	if !strings.Contains(s.value, mark) || strings.HasPrefix(s.value, mark+" ") || s.start < r.first {
		return s, false
	}
	at := r.offset + skip
	s.start, s.value = min(s.start, at), strings.Replace(s.value, mark, "", 1)
	s.end = max(at, r.endOf(s, at+len(restOfLine.Find(r.text[at:r.last]))))
	return s, !strings.ContainsAny(string(r.text[s.start:s.end]), "\r\n")
}
