package objects

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/prunejson"
)

// Source is where a text is read from.
type Source struct {
	Name   string // in findings
	Reader io.Reader
	// Listed says that the file was found in a directory, where not every file is a manifest.
	Listed bool
	// Again returns a reader that begins at the start again. It is nil for what can be read only once.
	Again func() (io.ReadCloser, error)
}

// Text is a text that is known to be JSON, one object after the other, or YAML.
type Text struct {
	Source
	// Data is the text as UTF-8, without a byte order mark. It is nil for a text that is too large to be held.
	Data []byte
	// Mark is the byte order mark with which the file begins, "" if it has none or is not UTF-8.
	Mark string
	// IsUTF16 says that the file is UTF-16.
	IsUTF16 bool

	size            int // of what is held, and at least that of the file
	isJSON, counted bool
}

// Open begins to read a text. One that begins like JSON is JSON if all of it is. If it is larger than an object can be, it is not held:
// then it has to be JSON, which is checked when its objects are read. All other texts are YAML and are held, as far as the meter has room
// for them.
func Open(m *meter.Meter, src Source) (*Text, error) {
	limit := prunert.MaxStreamObject(src.Reader)
	head, err := io.ReadAll(io.LimitReader(src.Reader, int64(limit)+1))
	if err != nil {
		return nil, err
	}
	if len(head) <= limit {
		return held(src, head), nil
	}
	if data := bytes.TrimPrefix(head, []byte(mark)); beginsLikeJSON(data) {
		t := &Text{Source: src, isJSON: true, Mark: string(head[:len(head)-len(data)])}
		t.Reader = io.MultiReader(bytes.NewReader(data), src.Reader)
		return t, nil
	}
	rest, err := io.ReadAll(m.Reader(src.Reader))
	return held(src, append(head, rest...)), err
}

// Count counts the bytes of a text that is held, once. It returns a problem if the run exceeds a limit.
func (t *Text) Count(m *meter.Meter) *yamltext.Problem {
	if t.IsHeld() && !t.counted {
		t.counted = true
		m.SpendText(t.size)
	}
	return yamltext.Exceeded(m, yamltext.Pos{Line: 1, Column: 1})
}

// Hold reads a text that is not held into memory, as far as the meter has room for it.
func (t *Text) Hold(m *meter.Meter) error {
	if t.IsHeld() {
		return nil
	}
	rest, err := io.ReadAll(m.Reader(t.Reader))
	*t = *held(t.Source, append([]byte(t.Mark), rest...))
	return err
}

// NewText returns a text that is in memory.
func NewText(name string, raw []byte) *Text { return held(Source{Name: name}, raw) }

func held(src Source, raw []byte) *Text {
	src.Reader = nil // all of it is read
	t := &Text{Source: src, Data: yamltext.Decode(raw), IsUTF16: yamltext.IsUTF16(raw)}
	t.size = max(len(raw), len(t.Data)) // UTF-8 can take half as much again as UTF-16
	t.isJSON = beginsLikeJSON(t.Data) && isJSON(t.Data)
	if bytes.HasPrefix(raw, []byte(mark)) {
		t.Mark = mark
	}
	return t
}

// From returns the text as one that is not held, from a reader that begins at its start.
func (t *Text) From(r io.Reader) *Text {
	src := t.Source
	in := bufio.NewReader(r)
	if t.Mark != "" {
		in.Discard(len(t.Mark))
	}
	src.Reader = in
	return &Text{Source: src, Mark: t.Mark, isJSON: true}
}

// mark is the byte order mark of UTF-8.
const mark = "\ufeff"

// IsHeld reports whether the text is in memory.
func (t *Text) IsHeld() bool { return t.Reader == nil }

// IsJSON reports whether the text is JSON, or, if it is not held, has to be.
func (t *Text) IsJSON() bool { return t.isJSON }

// reader returns a reader of JSON.
func (t *Text) reader() io.Reader {
	if t.IsHeld() {
		return bytes.NewReader(t.Data)
	}
	return t.Reader
}

// Mentions reports whether the text has one of the words in it, or may have. A text that is not held is read again.
func (t *Text) Mentions(m *meter.Meter, words []string) bool {
	if t.IsHeld() {
		return mentions(m, t.Data, words)
	}
	if t.Again == nil {
		return true
	}
	r, err := t.Again()
	if err != nil {
		return true
	}
	defer r.Close()
	const piece, longest = 1 << 20, 1 << 10 // no group is longer
	buf := make([]byte, 0, piece+longest)
	for {
		n, err := io.ReadFull(r, buf[len(buf):len(buf)+piece])
		if buf = buf[:len(buf)+n]; mentions(nil, buf, words) {
			return true
		}
		if err != nil {
			return !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF)
		}
		buf = buf[:copy(buf, buf[len(buf)-longest:])]
	}
}

func mentions(m *meter.Meter, data []byte, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		return !m.Spend(1+len(data)/meter.ScannedBytes) || bytes.Contains(data, []byte(word))
	})
}

// beginsLikeJSON reports whether a text begins with an object of JSON. YAML can begin so, too.
func beginsLikeJSON(text []byte) bool {
	rest, isObject := bytes.CutPrefix(bytes.TrimLeft(text, blanks), []byte("{"))
	rest = bytes.TrimLeft(rest, blanks)
	return isObject && len(rest) > 0 && (rest[0] == '"' || rest[0] == '}')
}

const blanks = " \t\r\n"

// isJSON reports whether a text is objects of JSON, one after the other.
func isJSON(text []byte) bool {
	err := prunejson.PruneStream(io.Discard, bytes.NewReader(text), checker{})
	var size *prunert.ObjectSizeError
	var late *prunert.LateKindError
	return err == nil || errors.As(err, &size) || errors.As(err, &late) // it is reported when the objects are read
}

// checker looks at JSON, and at nothing in it.
type checker struct{}

func (checker) Document(dst, src []byte) ([]byte, error) {
	var o prunejson.Object
	return dst, o.Read(src)
}

func (checker) List(prunejson.Identity) (prunejson.Identity, bool) { return prunejson.Identity{}, true }

func (checker) Item(dst, src []byte, _ prunejson.Identity) ([]byte, bool, error) {
	return dst, false, readItem(&prunejson.Object{}, src)
}

func (checker) Passed([]byte) {}
