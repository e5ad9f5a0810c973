package interpretjson

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// jsonText reads a JSON text from its first byte to its last. Every method that reads something begins at pos, leaves pos
// after what it has read, and returns a *prunert.SyntaxError if it finds something else.
type jsonText struct {
	src   []byte
	pos   int
	depth int   // how many objects and lists pos is in
	base  int64 // where src begins, for offsets in errors
}

// fail returns an error about the byte at pos, or about the end of the text.
func (t *jsonText) fail(wanted string) error {
	found := "end of the document"
	if t.pos < len(t.src) {
		if c := t.src[t.pos]; c < 0x80 {
			found = strconv.QuoteRune(rune(c))
		} else {
			found = fmt.Sprintf(`'\x%02x'`, c)
		}
	}
	return t.failAt(t.pos, "unexpected "+found+", want "+wanted)
}

func (t *jsonText) failAt(pos int, message string) error {
	return &prunert.SyntaxError{Offset: t.base + int64(pos), Message: message}
}

// peek returns the byte at pos, and 0 at the end. No text is right with a 0 in it, either.
func (t *jsonText) peek() byte {
	if t.pos < len(t.src) {
		return t.src[t.pos]
	}
	return 0
}

// blanks skips blanks, if there are any.
func (t *jsonText) blanks() {
	for t.pos < len(t.src) && isBlank(t.src[t.pos]) {
		t.pos++
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// end makes sure that nothing but blanks is left.
func (t *jsonText) end() error {
	t.blanks()
	if t.pos < len(t.src) {
		return t.fail("nothing after the document")
	}
	return nil
}

// enter reads the bracket that opens an object or a list.
func (t *jsonText) enter() error {
	if t.depth++; t.depth > prunert.MaxDepth {
		return t.failAt(t.pos, "nesting deeper than "+strconv.Itoa(prunert.MaxDepth)+" levels")
	}
	t.pos++
	return nil
}

// leave reads the bracket that closes an object or a list.
func (t *jsonText) leave() {
	t.depth--
	t.pos++
}

// jsonMember is a member of an object.
type jsonMember struct {
	key   string // decoded
	comma int    // where the comma before it is; for the first member, there is none
	begin int    // where the key begins
}

// object reads an object. It calls read for each member, to read the value.
func (t *jsonText) object(read func(m jsonMember) error) error {
	if err := t.enter(); err != nil {
		return err
	}
	if t.blanks(); t.peek() == '}' {
		t.leave()
		return nil
	}
	for comma := -1; ; {
		t.blanks()
		m := jsonMember{comma: comma, begin: t.pos}
		var err error
		if m.key, err = t.key(); err != nil {
			return err
		}
		if err := read(m); err != nil {
			return err
		}
		switch t.blanks(); t.peek() {
		case ',':
			comma = t.pos
			t.pos++
		case '}':
			t.leave()
			return nil
		default:
			return t.fail("a comma or the } of the object")
		}
	}
}

// key reads the key of a member, and the colon and the blanks after it.
func (t *jsonText) key() (string, error) {
	if t.peek() != '"' {
		return "", t.fail("the quoted key of a member")
	}
	begin := t.pos
	if err := t.text(); err != nil {
		return "", err
	}
	key := unquote(t.src[begin:t.pos])
	t.blanks()
	if t.peek() != ':' {
		return "", t.fail("a colon after the key")
	}
	t.pos++
	t.blanks()
	return key, nil
}

// list reads a list. It calls read for each element, to read it.
func (t *jsonText) list(read func(i int) error) error {
	if err := t.enter(); err != nil {
		return err
	}
	if t.blanks(); t.peek() == ']' {
		t.leave()
		return nil
	}
	for i := 0; ; i++ {
		t.blanks()
		if err := read(i); err != nil {
			return err
		}
		switch t.blanks(); t.peek() {
		case ',':
			t.pos++
		case ']':
			t.leave()
			return nil
		default:
			return t.fail("a comma or the ] of the list")
		}
	}
}

// skip reads a value of any kind.
func (t *jsonText) skip() error {
	switch t.peek() {
	case '{':
		return t.object(func(jsonMember) error { return t.skip() })
	case '[':
		return t.list(func(int) error { return t.skip() })
	}
	return t.scalar()
}

// scalar reads a value that is neither an object nor a list.
func (t *jsonText) scalar() error {
	switch c := t.peek(); {
	case c == '"':
		return t.text()
	case c == '-' || isDigit(c):
		return t.number()
	case c == 't':
		return t.literal("true")
	case c == 'f':
		return t.literal("false")
	case c == 'n':
		return t.literal("null")
	}
	return t.fail("a value")
}

func (t *jsonText) literal(word string) error {
	for i := range len(word) {
		if t.peek() != word[i] {
			return t.fail(word)
		}
		t.pos++
	}
	return nil
}

// text reads a string, with its quotes.
func (t *jsonText) text() error {
	t.pos++
	for {
		switch c := t.peek(); {
		case t.pos == len(t.src) || c < 0x20:
			return t.fail(`the " at the end of the string`)
		case c == '"':
			t.pos++
			return nil
		case c == '\\':
			t.pos++
			if err := t.escape(); err != nil {
				return err
			}
		default:
			t.pos++
		}
	}
}

// escape reads what follows a backslash.
func (t *jsonText) escape() error {
	c := t.peek()
	if c == 0 || !strings.ContainsRune(`"\/bfnrtu`, rune(c)) {
		return t.fail(`one of "\/bfnrtu after the backslash`)
	}
	t.pos++
	if c == 'u' {
		for range 4 {
			if c := t.peek(); !isDigit(c) && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') {
				return t.fail("a hexadecimal digit")
			}
			t.pos++
		}
	}
	return nil
}

// number reads a number: a sign, an integer without leading zeros, a fraction, an exponent.
func (t *jsonText) number() error {
	if t.peek() == '-' {
		t.pos++
	}
	if t.peek() == '0' {
		t.pos++
	} else if err := t.digits(); err != nil {
		return err
	}
	if t.peek() == '.' {
		t.pos++
		if err := t.digits(); err != nil {
			return err
		}
	}
	if c := t.peek(); c == 'e' || c == 'E' {
		t.pos++
		if c := t.peek(); c == '+' || c == '-' {
			t.pos++
		}
		return t.digits()
	}
	return nil
}

// digits reads one digit or more.
func (t *jsonText) digits() error {
	if !isDigit(t.peek()) {
		return t.fail("a digit")
	}
	for isDigit(t.peek()) {
		t.pos++
	}
	return nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// decode reads a value of any kind and returns it.
func (t *jsonText) decode() (any, error) {
	switch t.peek() {
	case '{':
		m := map[string]any{}
		err := t.object(func(member jsonMember) (err error) {
			m[member.key], err = t.decode()
			return err
		})
		return m, err
	case '[':
		l := []any{}
		err := t.list(func(int) error {
			v, err := t.decode()
			l = append(l, v)
			return err
		})
		return l, err
	}
	return t.decodeScalar()
}

// decodeScalar reads a value that is neither an object nor a list, and returns it as Kubernetes' decoder does.
func (t *jsonText) decodeScalar() (any, error) {
	begin := t.pos
	if err := t.scalar(); err != nil {
		return nil, err
	}
	switch text := t.src[begin:t.pos]; text[0] {
	case 'n':
		return nil, nil
	case 't', 'f':
		return text[0] == 't', nil
	case '"':
		return unquote(text), nil
	default:
		// Kubernetes keeps integers: what has an exponent is none, even where its value is.
		if i, err := strconv.ParseInt(string(text), 10, 64); err == nil {
			return i, nil
		}
		f, err := strconv.ParseFloat(string(text), 64)
		if err != nil {
			return nil, t.failAt(begin, "number out of the range of a float64")
		}
		return f, nil
	}
}

// unquote returns the value of a string that has been read. What is no UTF-8 in it, or half a surrogate pair, is U+FFFD.
func unquote(quoted []byte) string {
	if !slices.ContainsFunc(quoted, func(c byte) bool { return c == '\\' || c >= 0x80 }) {
		return string(quoted[1 : len(quoted)-1])
	}
	var s string
	if err := json.Unmarshal(quoted, &s); err != nil {
		panic(fmt.Sprintf("structural: string %q has been read and is none: %v", quoted, err))
	}
	return s
}
