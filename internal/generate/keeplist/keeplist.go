// Package keeplist reads lists of the fields that a cache keeps: the paths of fields, one to a line, as the function Fields of generated code
// writes them.
//
//	spec.nodeName
//	spec.containers[].image
//	-metadata.labels         # nobody selects by them
//
// A path keeps everything below it, and * keeps everything. A path after a dash takes away what other lines keep, and everything below it. The
// order of lines does not matter. Some metadata is always kept. A comment begins with # at the beginning of a line or after a space.
package keeplist

import (
	"bytes"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/internal/text/spelling"
)

// List is what a file says.
type List struct {
	File    string
	Meter   *meter.Meter // of what Keep takes
	entries []entry
	at      map[string]says
}

type entry struct {
	path string // "" for *
	line int
	away bool
}

// says is what lines say about a place: to keep it or take it away, or something below it.
type says struct{ keep, away, keepBelow, awayBelow bool }

// Error is what is wrong with a line.
type Error struct {
	File    string
	Line    int
	Message string
}

// Errors are all that is wrong with a list.
type Errors []*Error

func (errs Errors) Error() string {
	lines := make([]string, len(errs))
	for i, e := range errs {
		lines[i] = fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
	}
	return strings.Join(lines, "\n")
}

// Read reads a file.
func Read(file string) (*List, error) {
	text, err := os.ReadFile(file)
	return Parse(file, text), err
}

// Parse returns the list in a text.
func Parse(file string, text []byte) *List {
	l := &List{File: file}
	n := 0
	for line := range bytes.Lines(bytes.TrimPrefix(text, []byte("\ufeff"))) {
		n++
		line, _, _ := strings.Cut(" "+strings.ReplaceAll(string(line), "\t", " "), " #")
		path, away := strings.CutPrefix(strings.TrimSpace(line), "-")
		if path = strings.TrimSpace(path); path == "" && !away {
			continue
		}
		if path = strings.Trim(path, "."); path == "*" {
			path = ""
		}
		l.entries = append(l.entries, entry{path, n, away})
	}
	return l
}

// Keep says what is kept of a place.
type Keep uint8

const (
	None Keep = iota // nothing
	Some             // what is listed below it
	Most             // what is not taken away below it
	All
)

// Keep returns what the list keeps of the place with a path.
func (l *List) Keep(path string) Keep {
	if l.at == nil {
		l.at = map[string]says{}
		for _, always := range alwaysKept {
			l.say(always, false)
		}
		for _, e := range l.entries {
			l.say(e.path, e.away)
		}
	}
	whole := false
	for above := range beginnings(path) {
		at, ok := l.at[above]
		if !ok {
			break // nor does any line say something about what begins with it
		}
		if at.away {
			return None
		}
		whole = whole || at.keep
	}
	switch at := l.at[path]; {
	case whole && at.awayBelow:
		return Most
	case whole:
		return All
	case at.keepBelow:
		return Some
	}
	return None
}

// say notes what a line says.
func (l *List) say(path string, away bool) {
	for above := range beginnings(path) {
		if !l.Meter.SpendMemory(len(above)) {
			return
		}
		at := l.at[above]
		at.keep, at.away = at.keep || !away && above == path, at.away || away && above == path
		at.keepBelow, at.awayBelow = at.keepBelow || !away, at.awayBelow || away
		l.at[above] = at
	}
}

// IsKept reports whether the place with a path is kept whatever a list says.
func IsKept(path string) bool {
	return slices.ContainsFunc(alwaysKept, func(always string) bool { return always != mayGo && Covers(always, path) })
}

// Covers reports whether a path is another one, or the beginning of it.
func Covers(path, of string) bool {
	rest, ok := strings.CutPrefix(of, path)
	return ok && (rest == "" || path == "" || rest[0] == '.' || rest[0] == '[')
}

// beginnings returns the paths that cover a path, the shortest first.
func beginnings(path string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range len(path) {
			if (i == 0 || path[i] == '.' || path[i] == '[') && !yield(path[:i]) {
				return
			}
		}
		yield(path)
	}
}

// Line returns the line that takes away a place, 0 if no other line keeps it.
func (l *List) Line(path string) int {
	for _, e := range l.entries {
		if e.away && (Covers(e.path, path) || Covers(path, e.path)) {
			return e.line
		}
	}
	return 0
}

// alwaysKept are the fields that are kept without being listed.
var alwaysKept = []string{
	"apiVersion", "kind", "metadata.creationTimestamp", "metadata.deletionTimestamp", "metadata.finalizers", "metadata.generation", "metadata.labels",
	"metadata.name", "metadata.namespace", "metadata.ownerReferences", "metadata.resourceVersion", "metadata.uid",
}

// mayGo is the one of them that a line can take away.
const mayGo = "metadata.labels"

// Check returns what is wrong with the list, as Errors, for objects that have places with these paths. A leaf is kept or dropped whole.
func (l *List) Check(isLeaf map[string]bool) error {
	var errs Errors
	var places []string // sorted, for hints
	for i := range l.entries {
		e := &l.entries[i]
		report := func(format string, args ...any) {
			errs = append(errs, &Error{l.File, e.line, fmt.Sprintf(format, args...)})
		}
		for _, suffix := range []string{"[]", "[*]"} { // the elements of a list of strings
			if whole, ok := strings.CutSuffix(e.path, suffix); ok && isLeaf[whole] {
				e.path = whole
			}
		}
		if len(errs) == 100 {
			report("there are more errors")
			break
		}
		if _, known := isLeaf[e.path]; !known {
			if places == nil {
				places = sorted.Keys(isLeaf)
			}
			report("%s", unknown(e.path, isLeaf, places))
			continue
		}
		if e.away && strings.HasSuffix(e.path, "]") && !strings.HasSuffix(e.path, `"]`) {
			report("elements cannot be taken away: take away %s", e.path[:strings.LastIndex(e.path, "[")])
		}
		for _, always := range alwaysKept {
			if e.away && always != mayGo && (Covers(e.path, always) || Covers(always, e.path)) {
				report("%s is always kept", always)
				break
			}
		}
	}
	if len(errs) == 0 && l.Keep("") == All {
		all := slices.IndexFunc(l.entries, func(e entry) bool { return e.path == "" })
		errs = append(errs, &Error{l.File, l.entries[all].line, "the list keeps whole objects: nothing would be dropped"})
	}
	if len(errs) > 0 {
		return errs
	}
	return nil
}

// unknown says that no place has a path, and which one may be meant.
func unknown(path string, isLeaf map[string]bool, places []string) string {
	at := "" // the part of the path that is known
	for _, p := range places {
		if len(p) > len(at) && Covers(p, path) {
			at = p
		}
	}
	if at != "" && isLeaf[at] {
		return fmt.Sprintf("%s is kept or dropped whole: it has no %s to choose", at, strings.TrimLeft(path[len(at):], "."))
	}
	message := "there is no field " + path
	var below []string
	for _, p := range places {
		if step := next(p, at); step != "" && p == at+step {
			below = append(below, step)
		}
	}
	step := next(path, at)
	near := spelling.Nearest(step, below)
	switch {
	case near != "":
	case len(below) == 1 && below[0][0] == '[':
		near, step = below[0], "" // a list or map in between
	default:
		return message
	}
	if meant := at + near + path[len(at)+len(step):]; slices.Contains(places, meant) {
		return message + ": did you mean " + meant + "?"
	}
	return message + ": did you mean " + at + near + "?"
}

// next returns the step of a path that follows a part of it, "" if there is none.
func next(path, at string) string {
	if !Covers(at, path) || len(path) == len(at) {
		return ""
	}
	step := path[len(at):]
	if end := strings.IndexAny(step[1:], ".["); end >= 0 {
		step = step[:end+1]
	}
	return step
}
