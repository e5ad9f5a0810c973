package structural

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"unicode/utf16"
)

// Limits on what is read. They are far beyond any CRD that an API server would take (its requests end at 3 MiB) and leave
// room for all the CRDs of a cluster in one file.
const (
	maxFileSize = 64 << 20
	// maxDepth is how deeply a document may be nested. The corpus of public CRDs stays below 100.
	maxDepth = 512
	// maxAliasNodes is how many nodes all the aliases of a file may stand for: as many as the YAML parser of Kubernetes
	// allows for one document.
	maxAliasNodes = 400_000
	// maxSeparators is how many characters there may be that can stand between two values. It bounds the number of nodes,
	// and with it the memory, before anything is parsed. 60 MB of CRDs have two million.
	maxSeparators = 3_000_000
	// maxDirectives is how many lines a document may have that begin with a percent sign: the parser looks through all of
	// them at each one.
	maxDirectives = 100
)

// problem is something wrong with the text of a document, before anything is known about its meaning.
type problem struct {
	pos     pos
	message string
	hint    string
	syntax  bool // the text is not in the language at all; otherwise it is, but there is something that is refused
}

func problemf(at pos, format string, args ...any) *problem {
	return &problem{pos: at, message: fmt.Sprintf(format, args...)}
}

// document is one document of a file.
type document struct {
	root *node
	// flaws holds what is wrong with single maps. It is kept apart from the nodes because it is nearly always empty, and
	// said only about documents that turn out to be CRDs.
	flaws map[*node][]flaw
}

// flaw is a key that is written twice in one map.
type flaw struct {
	kind       flawKind
	key        string
	pos, first pos
}

type flawKind uint8

const (
	flawDuplicate flawKind = iota // a key is there twice
	flawMerged                    // a merge key replaces a key that is written out above it
)

func (d *document) flaw(n *node, f flaw) {
	if d.flaws == nil {
		d.flaws = map[*node][]flaw{}
	}
	d.flaws[n] = append(d.flaws[n], f)
}

// source is a file while it is parsed.
type source struct {
	// aliasNodes is what is left of maxAliasNodes.
	aliasNodes int
}

// parseDocuments parses all documents in data, one at a time, and calls visit for each of them that is not empty. A
// document that does not parse is left out, with its problem reported, and the ones after it are read all the same.
func parseDocuments(data []byte, visit func(*document), report func(*problem)) {
	if p := checkLimits(data); p != nil {
		report(p)
		return
	}
	src := &source{aliasNodes: maxAliasNodes}
	line := 1
	for len(data) > 0 {
		text := data[:documentEnd(data)]
		var docs []*document
		var p *problem
		if !isBlank(text) {
			docs, p = src.parse(text, line)
		}
		for _, doc := range docs {
			if !doc.root.isNull() {
				visit(doc)
			}
		}
		if p != nil {
			report(p)
		}
		line += countLines(text)
		data = data[len(text):]
	}
}

// checkLimits returns why data is too much to be read.
func checkLimits(data []byte) *problem {
	p := problemf(pos{line: 1, column: 1}, "the file is larger than %d MiB", maxFileSize>>20)
	p.hint = "split it into several files"
	if len(data) > maxFileSize {
		return p
	}
	n := 0
	for _, c := range []byte(",:-?[{\n\r") {
		n += bytes.Count(data, []byte{c})
	}
	if n > maxSeparators {
		p.message = fmt.Sprintf("the file has more than %d separators between values", maxSeparators)
		return p
	}
	return nil
}

// parse returns the documents in text, which begins at the given line of the file, and the problem that ended it. A text
// is nearly always one document: several JSON objects in a row and YAML documents that end with "..." are the exceptions.
func (src *source) parse(text []byte, line int) ([]*document, *problem) {
	docs, p := src.parseEither(text, line)
	if p != nil && p.syntax && bytes.Contains(text, []byte("{{")) {
		p.hint = "this looks like a template: render it first, for example with helm template"
	}
	return docs, p
}

// parseEither reads JSON where text starts like it, and YAML otherwise.
func (src *source) parseEither(text []byte, line int) ([]*document, *problem) {
	start := contentStart(text)
	if !bytes.HasPrefix(text[start:], []byte("{")) || bytes.HasPrefix(text[start:], []byte("{{")) {
		return src.parseYAML(text, line)
	}
	docs, p := parseJSON(text, start, line)
	if p == nil || !p.syntax {
		return docs, p
	}
	// What starts with a brace may well be YAML: comments, trailing commas and bare keys are fine there. Where neither
	// works, the reading that came further is the one that was meant.
	yamlDocs, yamlProblem := src.parseYAML(text, line)
	if yamlProblem == nil || !yamlProblem.syntax || yamlProblem.pos.line > p.pos.line {
		return yamlDocs, yamlProblem
	}
	return docs, p
}

func tooDeep(at pos) *problem {
	return problemf(at, "nested more than %d levels deep", maxDepth)
}

// documentEnd returns where the document at the start of data ends: before the next line that starts a document. Nothing
// else in YAML can start a line with three dashes, and no line within JSON does.
func documentEnd(data []byte) int {
	content := false // there is more than comments and directives, which stand before the dashes of their own document
	for at := 0; at < len(data); {
		line := data[at : at+lineLength(data[at:])]
		switch {
		case isDocumentStart(line):
			if content {
				return at
			}
			content = true
		case !content:
			trimmed := bytes.TrimSpace(line)
			content = len(trimmed) > 0 && trimmed[0] != '#' && line[0] != '%'
		}
		at += len(line)
	}
	return len(data)
}

// contentStart returns where text has its first byte that is neither space nor the line that starts the document.
func contentStart(text []byte) int {
	at := 0
	if isDocumentStart(text) {
		at = 3
	}
	for at < len(text) && isSpace(text[at]) {
		at++
	}
	return at
}

// isBlank tells whether there are only comments in text.
func isBlank(text []byte) bool {
	for at := contentStart(text); at < len(text); at += lineLength(text[at:]) {
		line := bytes.TrimSpace(text[at : at+lineLength(text[at:])])
		if len(line) > 0 && line[0] != '#' {
			return false
		}
	}
	return true
}

func isDocumentStart(line []byte) bool {
	return bytes.HasPrefix(line, []byte("---")) && (len(line) == 3 || isSpace(line[3]))
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\r' || c == '\n'
}

// lineLength returns the length of the first line of data with the break that ends it: \n, \r\n or \r.
func lineLength(data []byte) int {
	for i, c := range data {
		switch {
		case c == '\n':
			return i + 1
		case c == '\r' && (i+1 == len(data) || data[i+1] != '\n'):
			return i + 1
		}
	}
	return len(data)
}

// countLines returns the number of line breaks in text.
func countLines(text []byte) int {
	n := bytes.Count(text, []byte{'\n'})
	if carriageReturns := bytes.Count(text, []byte{'\r'}); carriageReturns > 0 {
		n += carriageReturns - bytes.Count(text, []byte("\r\n"))
	}
	return n
}

// decodeUTF16 returns data as UTF-8 where it begins with the byte order mark of UTF-16, as some shells write it.
func decodeUTF16(data []byte) []byte {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		order = binary.LittleEndian
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		order = binary.BigEndian
	default:
		return data
	}
	units := make([]uint16, 0, len(data)/2)
	for i := 2; i+1 < len(data); i += 2 {
		units = append(units, order.Uint16(data[i:]))
	}
	return []byte(string(utf16.Decode(units)))
}
