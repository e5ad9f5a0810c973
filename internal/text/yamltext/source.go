package yamltext

import (
	"bytes"
	"fmt"
	"sort"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/internal/base/meter"
)

func tooDeep(at Pos) *Problem {
	return problemf(IDTooDeep, at, "nested more than %d levels deep", meter.Depth)
}

// Document is one document of a file.
type Document struct {
	Root *Node
	// Last is the last line that the document can have.
	Last int
	// Flaws holds what is wrong with single maps. It is kept apart from the nodes because it is nearly always empty, and
	// worth reporting only for documents that are used.
	Flaws map[*Node][]Flaw
	// written has the texts of keys and scalars that are not what they are read as, by their places: yes, 0644 and 1.0, for example.
	written map[Pos]string
}

// Written returns the text of the key or the scalar at a place that is read as something else. It is false for others.
func (d *Document) Written(at Pos) (string, bool) {
	if d == nil {
		return "", false
	}
	text, ok := d.written[at]
	return text, ok
}

// KeyHint says what YAML made of the key at a place, "" if it is what is written there.
func (d *Document) KeyHint(at Pos, key string) string {
	written, ok := d.Written(at)
	if !ok {
		return ""
	}
	return fmt.Sprintf("YAML reads the key %s as %s: put it in quotes", Shorten(written), key)
}

// write records the text of a key or a scalar if that is not what it is read as.
func (d *Document) write(src *source, at Pos, text string, as any) {
	if _, isString := as.(string); as == nil || isString && text == as || !isString && (text == fmt.Sprint(as)) {
		return
	}
	if d.written == nil {
		d.written = map[Pos]string{}
	}
	d.written[at] = text
	src.meter.SpendMemory(len(text))
}

// duplicate replaces an entry of n by a later one with the same key, as decoders do.
func (d *Document) duplicate(n *Node, first *Entry, e Entry) {
	d.flaw(n, Flaw{ID: IDDuplicateKey, Key: e.Key, Pos: e.Pos, First: first.Pos, Value: first.Value})
	*first = e
}

func (d *Document) flaw(n *Node, f Flaw) {
	if d.Flaws == nil {
		d.Flaws = map[*Node][]Flaw{}
	}
	d.Flaws[n] = append(d.Flaws[n], f)
}

// source is a file while it is parsed.
type source struct {
	data    []byte
	lines   *Lines
	meter   *meter.Meter
	held    int               // units that are refunded after the part that is parsed
	scalars map[string]scalar // what was resolved already, by the question
	columns map[int][]int     // where some of the characters of long lines are
	short   [1]int            // the same for a short line
	base    Place             // where the file is in a larger one
}

func newSource(data []byte, m *meter.Meter) *source {
	return &source{
		data: data, lines: NewLines(data), meter: m, scalars: map[string]scalar{}, columns: map[int][]int{},
	}
}

// part is a piece of the file that is parsed on its own. It is nearly always one document: several JSON objects in a row
// and YAML documents that end with "..." are the exceptions.
type part struct {
	text  []byte
	start int // its offset in the file
	line  int // the line it begins with
}

// markEvery is how many characters there are from one mark of a line to the next. A line can be long, and have many values.
const markEvery = 256

// marks returns the offsets of every markEvery-th character of a line, from the first on.
func (src *source) marks(line int) []int {
	start, end := src.lines.start(line), src.lines.start(line+1)
	if end-start <= markEvery {
		src.short[0] = start
		return src.short[:]
	}
	marks, known := src.columns[line]
	if !known {
		for n := 0; start < end; n++ {
			if n%markEvery == 0 {
				marks = append(marks, start)
			}
			_, size := utf8.DecodeRune(src.data[start:])
			start += size
		}
		src.columns[line] = marks
	}
	return marks
}

// place returns the place of a byte of the file. Only JSON has a base: places of YAML are made of lines.
func (src *source) place(offset int) Pos {
	line, _ := src.lines.At(offset)
	marks := src.marks(line)
	last := sort.SearchInts(marks, offset+1) - 1
	return src.base.of(Pos{line, last*markEvery + utf8.RuneCount(src.data[marks[last]:offset]) + 1})
}

// offset returns the offset of a place, the end of a line that ends before the column.
func (src *source) offset(at Pos) int {
	marks, end, column := src.marks(at.Line), src.lines.start(at.Line+1), at.Column-1
	if column/markEvery >= len(marks) {
		return end
	}
	offset := marks[column/markEvery]
	for i := 0; i < column%markEvery && offset < end; i++ {
		_, size := utf8.DecodeRune(src.data[offset:])
		offset += size
	}
	return offset
}

// contentStart returns the offset of the first byte that is neither space nor part of the line that starts the document.
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

func isDocumentStart(line []byte) bool {
	return bytes.HasPrefix(line, []byte("---")) && (len(line) == 3 || isSpace(line[3]))
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\r' || c == '\n'
}
