package objects

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/prune-gen/prune-gen/internal/text/yamltext"
)

// JSON returns the object as a client sends it, with the fields in the order of the manifest. If it has a key twice, the value that
// counts comes last. It is false if that takes more than limit bytes: with aliases, a small text can stand for a large object.
func (o Object) JSON(limit int) ([]byte, bool) {
	w := jsonWriter{flaws: o.Document.Flaws, limit: limit}
	w.out.WriteByte('{')
	first := true
	if o.Implied {
		fmt.Fprintf(&w.out, `"apiVersion":%s,"kind":%s`, scalar(o.APIVersion), scalar(o.Kind))
		first, w.implied = false, o.Node
	}
	w.fields(o.Node, first)
	w.out.WriteByte('}')
	return w.out.Bytes(), w.out.Len() <= limit
}

// IsSmall reports whether the object certainly has at most limit bytes as JSON, without writing it.
func (o Object) IsSmall(limit int) bool {
	return len(o.Document.Flaws) == 0 && !o.Implied && o.Node.MostJSON() <= limit
}

// Value returns the object as JSON values, as yamltext.Node.Value does, with apiVersion and kind.
func (o Object) Value() map[string]any {
	m, _ := o.Node.Value().(map[string]any)
	if o.Implied {
		m["apiVersion"], m["kind"] = o.APIVersion, o.Kind
	}
	return m
}

// jsonWriter writes nodes as JSON until there is more than the limit.
type jsonWriter struct {
	out   bytes.Buffer
	flaws map[*yamltext.Node][]yamltext.Flaw
	limit int
	// implied is the object if its list gives it its kind, nil if it has its own. Its fields apiVersion and kind can exist without naming
	// one.
	implied *yamltext.Node
}

// fields writes the fields of a map.
func (w *jsonWriter) fields(n *yamltext.Node, first bool) {
	field := func(key string, value *yamltext.Node) {
		if !first {
			w.out.WriteByte(',')
		}
		first = false
		w.out.Write(scalar(key))
		w.out.WriteByte(':')
		w.value(value)
	}
	for _, f := range w.flaws[n] {
		if w.out.Len() > w.limit {
			return
		}
		if f.ID == yamltext.IDDuplicateKey {
			field(f.Key, f.Value)
		}
	}
	for i := range n.Entries {
		if w.out.Len() > w.limit {
			return
		}
		if key := n.Entries[i].Key; n == w.implied && (key == "apiVersion" || key == "kind") {
			continue
		}
		field(n.Entries[i].Key, n.Entries[i].Value)
	}
}

func (w *jsonWriter) value(n *yamltext.Node) {
	switch n.Kind {
	case yamltext.Map:
		w.out.WriteByte('{')
		w.fields(n, true)
		w.out.WriteByte('}')
	case yamltext.List:
		w.out.WriteByte('[')
		for i, e := range n.List {
			if w.out.Len() > w.limit {
				return
			}
			if i > 0 {
				w.out.WriteByte(',')
			}
			w.value(e)
		}
		w.out.WriteByte(']')
	default:
		w.out.Write(scalar(n.Value()))
	}
}

// scalar returns a scalar as JSON.
func scalar(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("objects: the parser let %v in", v)) // JSON does not have infinities and the like, which are refused
	}
	return data
}
