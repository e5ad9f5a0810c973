package compare

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

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

// values returns the first difference between two JSON values, in the order of their keys; nil where there is none.
func values(at string, ours, theirs any) *Difference {
	if equal(ours, theirs) {
		return nil
	}
	return difference(at, ours, theirs)
}

// equal reports whether two JSON values are the same, the types of numbers included.
func equal(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) || (a == nil) != (b == nil) {
			return false
		}
		for k, v := range a {
			if other, ok := b[k]; !ok || !equal(v, other) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, equal)
	}
	switch b.(type) {
	case map[string]any, []any:
		return false
	}
	return a == b
}

// difference is values for values that are not equal.
func difference(at string, ours, theirs any) *Difference {
	switch o := ours.(type) {
	case map[string]any:
		t, ok := theirs.(map[string]any)
		if !ok || (o == nil) != (t == nil) {
			break
		}
		keys := slices.Collect(maps.Keys(o))
		for k := range t {
			if _, ok := o[k]; !ok {
				keys = append(keys, k)
			}
		}
		slices.Sort(keys)
		for _, k := range keys {
			ov, inOurs := o[k]
			tv, inTheirs := t[k]
			below := join(at, k)
			switch {
			case !inOurs:
				return differ(below, "absent", show(tv))
			case !inTheirs:
				return differ(below, show(ov), "absent")
			}
			if d := values(below, ov, tv); d != nil {
				return d
			}
		}
	case []any:
		t, ok := theirs.([]any)
		if !ok || len(o) != len(t) {
			break
		}
		for i := range o {
			if d := values(fmt.Sprintf("%s[%d]", at, i), o[i], t[i]); d != nil {
				return d
			}
		}
	}
	return differ(at, show(ours), show(theirs))
}

func join(at, key string) string {
	if at == "" {
		return key
	}
	return at + "." + key
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

// show writes v as JSON, not too long.
func show(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("%#v", v)
	}
	const most = 400
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
