package compare

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/prune-gen/prune-gen/hack/conformance/known"
)

// Difference is the first point on which the two sides disagree.
type Difference struct {
	// At is the path in the object, for people: dots between keys, whatever is in them.
	At string
	// Ours and Theirs are what the two sides make of it.
	Ours, Theirs string
	// Known names the difference where it is a known and wanted one.
	Known known.Name
}

func differ(at, ours, theirs string) *Difference {
	return &Difference{At: at, Ours: ours, Theirs: theirs}
}

// values returns the first difference between two JSON values, in the order of their keys; nil if there is none. The types of
// numbers matter.
func values(at string, ours, theirs any) *Difference {
	d := First(ours, theirs)
	if d != nil {
		d.At = strings.TrimPrefix(at+"."+d.At, ".")
	}
	return d
}

// First returns the first difference between two values of the same type, nil if there is none. An empty list or map differs
// from an absent one: Kubernetes tells them apart in places.
func First(ours, theirs any, opts ...cmp.Option) *Difference {
	if reflect.DeepEqual(ours, theirs) { // which is faster
		return nil
	}
	var f first
	cmp.Equal(ours, theirs, append(opts, cmp.Reporter(&f))...)
	return f.found
}

// first notes the first difference that cmp reports.
type first struct {
	path  cmp.Path
	found *Difference
}

func (f *first) PushStep(s cmp.PathStep) { f.path = append(f.path, s) }
func (f *first) PopStep()                { f.path = f.path[:len(f.path)-1] }

func (f *first) Report(r cmp.Result) {
	if r.Equal() || f.found != nil {
		return
	}
	at := ""
	for _, s := range f.path {
		switch s := s.(type) {
		case cmp.StructField:
			at += "." + s.Name()
		case cmp.MapIndex:
			at += "." + s.Key().String()
		case cmp.SliceIndex:
			at += fmt.Sprintf("[%d]", max(s.SplitKeys()))
		}
	}
	ours, theirs := f.path.Last().Values()
	f.found = differ(strings.TrimPrefix(at, "."), showValue(ours), showValue(theirs))
}

func showValue(v reflect.Value) string {
	if !v.IsValid() {
		return "absent"
	}
	return Show(v.Interface())
}

// lists returns the first difference between two sorted lists of texts.
func lists(what string, ours, theirs []string) *Difference {
	for i := range max(len(ours), len(theirs)) {
		o, t := "absent", "absent"
		if i < len(ours) {
			o = fmt.Sprintf("%q", ours[i])
		}
		if i < len(theirs) {
			t = fmt.Sprintf("%q", theirs[i])
		}
		if o != t {
			return differ(fmt.Sprintf("%s %d of %d and %d", what, i+1, len(ours), len(theirs)), o, t)
		}
	}
	return nil
}

// Show writes v as JSON, not too long.
func Show(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("%#v", v)
	}
	const most = 1500
	text := string(data)
	if len(text) > most {
		text = text[:most] + "..."
	}
	switch v.(type) {
	case int64, float64:
		text += fmt.Sprintf(" (%T)", v)
	}
	return text
}
