package pruneimpl

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// fault is what is wrong with a value, as data: it is put into words when somebody wants to read it.
type fault struct {
	kind  faultKind
	want  Type   // for faultType
	found string // for faultType: the name of the type that was found
	value any    // for all others
	err   error  // for faultTime
	// For the faults of values.
	text  string
	names []string
	bound float64
	most  int64 // or least
	count int
}

type faultKind uint8

const (
	faultType         faultKind = iota // a value of another type than was wanted
	faultRange                         // a number that no int64 holds, where an integer was wanted
	faultTime                          // a string that is not a time, where one was wanted
	faultString                        // the apiVersion or the kind of a resource that is not a string
	faultGroupVersion                  // an apiVersion with more than one slash
	faultGiven                         // an error that is in words already; it is the value, a *prunert.Error

	firstValueFault // those from here on are in validate_faults.go
)

// fault records what is wrong with the value that is being walked.
func (r *Recorder) fault(f fault) int {
	if r == nil {
		return 1
	}
	return r.keep(f)
}

// keep is apart from fault so that nothing is allocated where nothing is recorded.
//
//go:noinline
func (r *Recorder) keep(f fault) int {
	return r.record(event{kind: leafFault, fault: &f})
}

// error returns the fault of the value at a path as the API server words it.
func (f *fault) error(at string) *prunert.Error {
	switch f.kind {
	case faultType:
		return &prunert.Error{
			Type:     prunert.ErrorTypeTypeInvalid,
			Field:    errorField(at),
			BadValue: f.found,
			Detail:   fmt.Sprintf("%s in body must be of type %s: %q", at, f.want, f.found),
		}
	case faultRange:
		// The API server has lost the path when it makes a field error of this.
		return &prunert.Error{
			Type:     prunert.ErrorTypeInvalid,
			Field:    errorField(""),
			BadValue: "",
			Detail:   "Checked value must be of type integer (default format) in " + at,
		}
	case faultTime:
		return &prunert.Error{Type: prunert.ErrorTypeInvalid, Field: errorField(at), BadValue: f.value, Detail: f.err.Error()}
	case faultString:
		return &prunert.Error{Type: prunert.ErrorTypeInvalid, Field: errorField(at), BadValue: f.value, Detail: "must be a string"}
	case faultGroupVersion:
		return &prunert.Error{Type: prunert.ErrorTypeInvalid, Field: errorField(at), BadValue: f.value, Detail: "unexpected GroupVersion string"}
	case faultGiven:
		e := *f.value.(*prunert.Error)
		e.Field = errorField(at)
		return &e
	}
	panic(fmt.Sprintf("pruneimpl: no words for fault %d", f.kind))
}

// Errors returns the recorded faults, sorted by text. Where the limits leave some out, the last one says how many.
func (r *Recorder) Errors() prunert.ErrorList {
	var list prunert.ErrorList
	bytes, more := 0, r.faults.more
	r.leaves(func(steps []event, _ int, leaf event) {
		switch {
		case leaf.kind != leafFault:
		case !r.fits(bytes):
			more++
		default:
			e := leaf.fault.error(leaf.fault.path(steps))
			e.Path = valuePath(steps)
			bytes += errorSize(e)
			list = append(list, e)
		}
	})
	list = sortByText(list)
	if more > 0 {
		list = append(list, &prunert.Error{
			Type: prunert.ErrorTypeOmitted, Field: errorField(""), Detail: fmt.Sprintf("%d more errors are not listed", more),
		})
	}
	return list
}

// errorSize returns about how long the text of an error is, which is made where somebody wants to read it.
func errorSize(e *prunert.Error) int {
	size := len(e.Field) + len(e.Detail)
	switch v := e.BadValue.(type) {
	case string:
		size += len(v)
	case interface{ textSize() int }:
		size += v.textSize()
	case map[string]any, []any:
		size = len(e.Error())
	}
	return size
}

// sortByText sorts a list and leaves each text in it once, the first of equal ones, as the API server does.
func sortByText(list prunert.ErrorList) prunert.ErrorList {
	all := make([]line, len(list))
	lines := make([]*line, len(list))
	for i, e := range list {
		all[i].err = e
		lines[i] = &all[i]
	}
	slices.SortStableFunc(lines, (*line).compare)
	lines = slices.CompactFunc(lines, func(a, b *line) bool { return a.compare(b) == 0 })
	for i, l := range lines {
		list[i] = l.err
	}
	return list[:len(lines)]
}

// line is an error and its text, which is made when it is first needed, and once: an object can be made to have thousands of
// errors, each with a text as long as the object.
type line struct {
	err  *prunert.Error
	text string
}

func (l *line) String() string {
	if l.text == "" {
		l.text = l.err.Error()
	}
	return l.text
}

// compare compares the texts of two lines. Most differ in their fields, which they begin with.
func (l *line) compare(other *line) int {
	a, b := l.err.Field, other.err.Field
	n := min(len(a), len(b))
	if c := strings.Compare(a[:n], b[:n]); c != 0 {
		return c
	}
	const next = ':' // what follows a field
	switch {
	case len(a) > n && a[n] != next:
		return cmp.Compare(a[n], next)
	case len(b) > n && b[n] != next:
		return cmp.Compare(next, b[n])
	}
	return strings.Compare(l.String(), other.String())
}

// path writes the path of the value. Of the apiVersion and the kind of an embedded resource the API server writes it with map
// keys in brackets; the schema validator does not.
func (f *fault) path(steps []event) string {
	if f.kind == faultString || f.kind == faultGroupVersion {
		return renderBrackets(steps, true)
	}
	return bodyPath(steps)
}

// valuePath returns the path of the value at the end of steps.
func valuePath(steps []event) prunert.Path {
	path := make(prunert.Path, 0, len(steps))
	for _, e := range steps {
		switch e.kind {
		case stepJunctor:
		case stepIndex:
			path = append(path, prunert.Step{Index: e.index})
		default:
			path = append(path, prunert.Step{Name: e.name, Index: -1})
		}
	}
	return path
}

// bodyPath writes a path as the API server's schema validator does, which begins a path again where it is empty: a field
// without a name leaves no trace at the root.
func bodyPath(steps []event) string {
	if slices.ContainsFunc(steps, func(e event) bool { return e.kind == stepMetadata }) {
		return render(steps) // the validator has no part in this
	}
	var buf [256]byte
	b := buf[:0]
	for _, e := range steps {
		switch {
		case e.kind == stepJunctor:
			continue
		case e.kind == stepIndex:
			b = append(b, '[')
			b = strconv.AppendInt(b, int64(e.index), 10)
			b = append(b, ']')
			continue
		case e.kind == stepKey || len(b) > 0:
			b = append(b, '.')
		}
		b = append(b, e.name...)
	}
	return string(b)
}

// errorField returns the field of an error at a path of the validator. The API server takes off a leading dot, and prints
// what is left of a path that it has lost.
func errorField(at string) string {
	if at == "" || at == "." {
		return "<nil>"
	}
	return strings.TrimPrefix(at, ".")
}
