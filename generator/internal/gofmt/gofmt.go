// Package gofmt formats generated code as go/format does, and faster.
//
// go/format parses a file and prints it again, which is most of the work of generating one. But what it makes of a line does
// not depend on the names and literals in it, as long as the line stands by itself: then it is about spaces alone. And the
// functions of all kinds together have some hundred forms of lines:
//
//	if _,ok := obj ["spec"];ok {     if _, ok := obj["spec"]; ok {
//	if _,ok := obj ["kind"];ok {     if _, ok := obj["kind"]; ok {
//
// So go/format is shown each form once. From what it makes of a function, its lines are learnt, and a function whose lines are
// all known is put together from them. Whatever is not a plain function is left to go/format: declarations of variables, in
// which columns are aligned, function literals, and lists over several lines unless they are of strings.
package gofmt

import (
	"bytes"
	"go/format"
	"sync"
)

// Source returns what format.Source does. The source begins with preamble, which is comments.
func Source(source []byte, preamble string) ([]byte, error) {
	if bytes.HasPrefix(source, []byte(preamble)) {
		if out, ok := known.file(source, len(preamble)); ok {
			return out, nil
		}
	}
	return format.Source(source)
}

// known are the lines that were learnt so far. They depend on nothing but go/format.
var known = &learnt{lines: map[string][]byte{}}

// maxLearnt and maxLine bound what is learnt of CRDs that were made to have many forms of lines, or long ones.
const (
	maxLearnt = 20_000
	maxLine   = 1_000
)

// learnt holds what go/format makes of lines, by their forms.
type learnt struct {
	mu    sync.RWMutex
	lines map[string][]byte
}

// file formats a file whose first bytes are comments, unless it has something in it that cannot be told apart by lines.
func (l *learnt) file(source []byte, preamble int) ([]byte, bool) {
	out := make([]byte, 0, len(source)+len(source)/4)
	from := 0                // the start of what is left to go/format
	var clause, chunk []byte // what go/format needs in front of a part of the file
	slow := func(to int) bool {
		if len(bytes.TrimSpace(source[from:to])) == 0 {
			return true
		}
		chunk = append(append(chunk[:0], clause...), source[from:to]...)
		text, err := format.Source(chunk)
		if err != nil {
			return false
		}
		if len(clause) > 0 {
			out = append(out, '\n')
		}
		out = append(out, bytes.TrimPrefix(text, clause)...)
		return true
	}
	for d := range declarations(source, preamble) {
		switch {
		case d.odd:
			return nil, false
		case !d.plain:
			continue
		}
		if !slow(d.start) {
			return nil, false
		}
		clause = []byte("package p\n\n")
		out = append(out, '\n')
		var ok bool
		if out, ok = l.function(out, d); !ok {
			text, err := format.Source(append(append(chunk[:0], clause...), source[d.start:d.end]...))
			if err != nil {
				return nil, false
			}
			text = bytes.TrimPrefix(text, clause)
			l.learn(d, text)
			out = append(out, text...)
		}
		from = d.end
	}
	return out, slow(len(source))
}

// function appends a function to out. It reports whether all lines of it are known; if not, out is as it was.
func (l *learnt) function(out []byte, d declaration) ([]byte, bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	start := len(out)
	for i := range d.lines {
		line := &d.lines[i]
		if line.role == comment {
			out = append(append(out, line.text...), '\n')
			continue
		}
		made, ok := l.lines[string(line.form)]
		if !ok {
			return out[:start], false
		}
		for range line.indent {
			out = append(out, '\t')
		}
		out = append(line.fill(out, made), '\n')
	}
	return out, true
}

// learn learns the lines of a function, given what go/format made of it.
func (l *learnt) learn(d declaration, formatted []byte) {
	lines := bytes.Split(bytes.TrimSuffix(formatted, []byte("\n")), []byte("\n"))
	if len(lines) != len(d.lines) {
		return
	}
	made := make([][]byte, len(lines))
	for i, text := range lines {
		line := &d.lines[i]
		if line.role == comment {
			if !bytes.Equal(line.text, text) {
				return
			}
			continue
		}
		inner := bytes.TrimLeft(text, "\t")
		var again sourceLine
		// What comes of a line must be the line but for its spaces, and stand where it is expected.
		if len(text)-len(inner) != line.indent || !again.scan(inner) || !again.sameWords(line) ||
			!bytes.Equal(again.fill(nil, again.form), inner) {
			return
		}
		made[i] = again.form
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range d.lines {
		if line := &d.lines[i]; line.role != comment && len(line.text) <= maxLine && len(l.lines) < maxLearnt {
			l.lines[string(line.form)] = made[i]
		}
	}
}
