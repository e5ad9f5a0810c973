package gofmt

import (
	"bytes"
	"iter"
)

// declaration is a declaration in a source, with the comment above it.
type declaration struct {
	start, end int
	lines      []sourceLine
	// plain reports that it is a function that can be formatted line by line.
	plain bool
	// odd reports that this is not a declaration, but something that was not understood.
	odd bool
}

// declarations yields the declarations of a source after the preamble, the package clause among them. The lines of one are
// valid until the next.
func declarations(source []byte, preamble int) iter.Seq[declaration] {
	return func(yield func(declaration) bool) {
		var lines []sourceLine // to be used again, with what is in them
		used, start, depth, apart := 0, preamble, 0, false
		for at := preamble; at < len(source); {
			text, _, _ := bytes.Cut(source[at:], []byte("\n"))
			next := min(at+len(text)+1, len(source))
			if len(bytes.TrimSpace(text)) == 0 && used == 0 {
				at, start, apart = next, next, true
				continue
			}
			if used == len(lines) {
				lines = append(lines, sourceLine{})
			}
			line := &lines[used]
			used++
			if !line.scan(text) {
				yield(declaration{odd: true})
				return
			}
			at, depth = next, depth+line.net
			if depth > 0 || line.role == comment {
				continue
			}
			d := declaration{start: start, end: at, lines: lines[:used], odd: depth < 0}
			// An empty line comes before a function with a comment, and not before others.
			d.odd = d.odd || !apart && d.lines[0].isFunction()
			d.plain = !d.odd && isPlain(d.lines)
			if !yield(d) {
				return
			}
			used, start, apart = 0, at, false
		}
	}
}

// role is what a line is in a function.
type role uint8

const (
	other      role = iota // a line that does not stand by itself
	comment                // a comment and nothing else
	plain                  // a statement
	opening                // the start of a block: if, for, switch
	closing                // the end of a block
	between                // both
	label                  // case or default
	header                 // the first line of a function
	listing                // a call, or case, whose list goes on in the next lines
	element                // a string in such a list
	lastOfCase             // the last one after case
	endOfCall              // the end of such a call
)

// sourceLine is a line of source.
type sourceLine struct {
	text []byte
	form []byte // the text with placeholders for the words in it
	role role
	// words are the names and literals, one after the other, and ends where each of them ends.
	words []byte
	ends  []int
	// net is how many brackets are open at the end that were not at the start.
	net    int
	indent int
}

// The placeholders in a form. A source has no such bytes.
const (
	nameWord   = 1
	numberWord = 2
	stringWord = 3
	lastWord   = stringWord
)

// scan reads a line. It reports whether it understood it.
func (l *sourceLine) scan(text []byte) bool {
	text = bytes.TrimSpace(text)
	*l = sourceLine{text: text, form: l.form[:0], words: l.words[:0], ends: l.ends[:0]}
	if bytes.HasPrefix(text, []byte("//")) {
		l.role = comment
		return true
	}
	functions, lowest, first, ascii := 0, 0, text[:0], true
	for i := 0; i < len(text); {
		c := text[i]
		end := i + 1
		switch {
		case c == ' ':
			if n := len(l.form); text[i-1] != ' ' && n > 0 {
				l.form = append(l.form, ' ')
			}
		case isLetter(c):
			for end < len(text) && (isLetter(text[end]) || isDigit(text[end])) {
				end++
			}
			word := text[i:end]
			ascii = ascii && isASCII(word)
			if isKeyword(word) {
				if i == 0 {
					first = word
				}
				if string(word) == "func" {
					functions++
				}
				l.form = append(l.form, word...)
			} else {
				l.word(nameWord, word)
			}
		case isDigit(c):
			for end < len(text) && (isDigit(text[end]) || isLetter(text[end]) || text[end] == '.' || isSign(text[end]) && text[end-1] == 'e') {
				end++
			}
			if !isPlainNumber(text[i:end]) {
				return false
			}
			l.word(numberWord, text[i:end])
		case c == '"', c == '\'', c == '`':
			if end = endOfString(text, i); end < 0 {
				return false
			}
			l.word(stringWord, text[i:end])
		case c < ' ', c == '/' && i+1 < len(text) && (text[i+1] == '/' || text[i+1] == '*'), c == '.' && i+1 < len(text) && isDigit(text[i+1]):
			return false // a tab, a comment after something else, a number such as .5
		default:
			switch c {
			case '(', '[', '{':
				l.net++
			case ')', ']', '}':
				l.net--
				lowest = min(lowest, l.net)
			}
			l.form = append(l.form, c)
		}
		i = end
	}
	if ascii { // other names are rare, and not every one is valid
		l.role = l.roleOf(string(first), functions, lowest)
	}
	return true
}

// roleOf returns the role of a line that was read. It starts with the keyword first, if with any; functions is how often it
// has the keyword func, and lowest how many brackets it closes that it has not opened.
func (l *sourceLine) roleOf(first string, functions, lowest int) role {
	opens := bytes.HasSuffix(l.text, []byte("{"))
	switch {
	case first == "func" && opens && l.net == 1 && lowest == 0:
		return header
	case functions > 0:
		return other
	case len(l.text) == 1 && l.net == -1 && l.text[0] == '}':
		return closing
	case len(l.text) == 1 && l.net == -1 && l.text[0] == ')':
		return endOfCall
	case string(l.form) == string(rune(stringWord))+",":
		return element
	case string(l.form) == string(rune(stringWord))+":":
		return lastOfCase
	case bytes.HasPrefix(l.text, []byte("} else ")) && opens && l.net == 0 && lowest == -1:
		return between
	case lowest < 0:
		return other
	}
	switch first {
	case "if", "for", "switch":
		if opens && l.net == 1 {
			return opening
		}
		return other
	case "case", "default":
		switch {
		case l.net == 0 && bytes.HasSuffix(l.text, []byte(":")):
			return label
		case len(l.text) == len("case"):
			return listing
		}
		return other
	case "", "return", "var", "break", "continue", "goto", "fallthrough":
		switch {
		case l.net == 0 && len(l.form) > 0 && endsStatement(l.form):
			return plain
		case l.net == 1 && bytes.HasSuffix(l.text, []byte(",")):
			return listing
		}
	}
	return other
}

// endsStatement reports whether a statement can end like a form: a line that ends otherwise goes on in the next one, or is a
// label.
func endsStatement(form []byte) bool {
	switch c := form[len(form)-1]; c {
	case ')', ']', '}':
		return true
	case '+', '-':
		return len(form) > 1 && form[len(form)-2] == c
	default:
		return c <= lastWord || isLetter(c) // a keyword
	}
}

// isPlain reports whether lines are a function that can be formatted line by line, and indents them.
func isPlain(lines []sourceLine) bool {
	depth, inside := 0, false
	var end role // of the list that the line is in, or other
	for i := range lines {
		l := &lines[i]
		l.indent = depth
		if end != other {
			switch {
			case l.role == element && end == endOfCall:
				l.indent++
			case l.role == element:
			case l.role == end && lines[i-1].role == element: // go/format joins the lines of a list without one
				end = other
			default:
				return false
			}
			continue
		}
		switch l.role {
		case comment:
			// In a function it would move with what follows it.
			if inside || !isPlainComment(l.text) {
				return false
			}
		case header:
			if inside {
				return false
			}
			inside = true
			depth++
		case opening:
			depth++
		case closing:
			depth--
			l.indent = depth
		case between, label:
			l.indent = depth - 1
		case listing:
			if end = endOfCall; l.net == 0 {
				end = lastOfCase
				l.indent--
			}
		case plain:
		default:
			return false
		}
		if l.role != comment && !inside {
			return false
		}
	}
	return inside && depth == 0 && end == other
}

// isPlainComment reports whether a line of a doc comment is one that go/format leaves alone: no list, heading, link or code,
// and no quotes that it would replace.
func isPlainComment(text []byte) bool {
	words, ok := bytes.CutPrefix(text, []byte("// "))
	words = bytes.TrimPrefix(words, []byte(".")) // a path can begin with one
	return ok && len(words) > 0 && words[0] < 0x80 && isLetter(words[0]) &&
		!bytes.ContainsAny(text, "\t\r\v\f") && !bytes.Contains(text, []byte("``")) && !bytes.Contains(text, []byte("''"))
}

// isFunction reports whether a function without a comment begins with the line.
func (l *sourceLine) isFunction() bool { return bytes.HasPrefix(l.text, []byte("func ")) }

func (l *sourceLine) word(placeholder byte, text []byte) {
	l.form = append(l.form, placeholder)
	l.words = append(l.words, text...)
	l.ends = append(l.ends, len(l.words))
}

// sameWords reports whether two lines have the same words.
func (l *sourceLine) sameWords(m *sourceLine) bool {
	if len(l.ends) != len(m.ends) || !bytes.Equal(l.words, m.words) {
		return false
	}
	for i, end := range l.ends {
		if end != m.ends[i] {
			return false
		}
	}
	return true
}

// fill appends a form to out, with the words of the line in place of its placeholders.
func (l *sourceLine) fill(out, form []byte) []byte {
	next, from := 0, 0
	for _, c := range form {
		if c > lastWord {
			out = append(out, c)
			continue
		}
		out = append(out, l.words[from:l.ends[next]]...)
		from = l.ends[next]
		next++
	}
	return out
}

// endOfString returns where a string or character ends that begins at i, -1 if it does not on this line.
func endOfString(text []byte, i int) int {
	quote := text[i]
	for i++; i < len(text); i++ {
		switch {
		case text[i] == quote:
			return i + 1
		case text[i] == '\\' && quote != '`':
			i++
		case text[i] == '\r':
			return -1
		}
	}
	return -1
}

// isPlainNumber reports whether a number is a decimal one, as go/format writes it.
func isPlainNumber(text []byte) bool {
	for _, c := range text {
		if !isDigit(c) && !isSign(c) && c != '.' && c != 'e' {
			return false
		}
	}
	return true
}

// isKeyword reports whether a word is a keyword of Go.
func isKeyword(word []byte) bool {
	switch string(word) {
	case "break", "case", "chan", "const", "continue", "default", "defer", "else", "fallthrough", "for", "func", "go", "goto",
		"if", "import", "interface", "map", "package", "range", "return", "select", "struct", "switch", "type", "var":
		return true
	}
	return false
}

func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}

func isASCII(word []byte) bool {
	for _, c := range word {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isSign(c byte) bool  { return c == '+' || c == '-' }
