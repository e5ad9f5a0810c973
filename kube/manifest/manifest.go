// Package manifest reads manifests: files with objects as Kubernetes tools take them, in YAML or JSON, many in a file, in lists
// or not. Each object comes with its bytes as a client would send them, and with the lines on which its fields are.
package manifest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/structural/text"
)

// Object is an object of a manifest.
type Object struct {
	// File and Line say where the object begins. Lines count from 1.
	File string
	Line int
	// Object is the object as Kubernetes' decoders make it, the content of an unstructured.Unstructured. Integers are int64.
	Object map[string]any
	// JSON is the object as a client sends it, with the fields in the order of the manifest: what the functions on JSON take.
	JSON []byte

	node *text.Node
}

// Error is something wrong with a manifest.
type Error struct {
	File         string
	Line, Column int
	Message      string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// Read reads all objects of a manifest. Items of lists come as objects of their own: of the kind List, and of every kind that
// ends in List and has items. The name is used in messages only. The error joins an *Error for everything that is wrong,
// duplicate keys included; objects that can be read are returned with it.
func Read(name string, r io.Reader) ([]Object, error) {
	data, err := io.ReadAll(io.LimitReader(r, text.MaxSize+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	m := &reader{file: name}
	text.Parse(text.Decode(data), m.document, func(p *text.Problem) { m.wrong(p.Pos, "%s", p.Message) })
	return m.objects, m.err()
}

// reader reads one manifest.
type reader struct {
	file    string
	objects []Object
	errs    []*Error
}

// err returns all errors in the order of the file.
func (m *reader) err() error {
	slices.SortStableFunc(m.errs, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	var errs []error
	for _, e := range m.errs {
		errs = append(errs, e)
	}
	return errors.Join(errs...)
}

func (m *reader) wrong(at text.Pos, format string, args ...any) {
	m.errs = append(m.errs, &Error{m.file, at.Line, at.Column, fmt.Sprintf(format, args...)})
}

func (m *reader) document(doc *text.Document) {
	duplicates := 0
	for _, flaws := range doc.Flaws {
		for _, f := range flaws {
			if f.Rule == text.RuleDuplicateKey {
				duplicates++
				m.wrong(f.Pos, "key %q is already set on line %d", text.Shorten(f.Key), f.First.Line)
			}
		}
	}
	if duplicates == 0 {
		m.object(doc.Root, "", "")
	}
}

// object reads an object or the items of a list. An item may leave out apiVersion and kind where the list has a kind of its own.
func (m *reader) object(n *text.Node, apiVersion, kind string) {
	if n.Kind != text.Map {
		m.wrong(n.Pos, "got %s, want an object", n.Describe())
		return
	}
	items := n.Child("items")
	if k, isList := strings.CutSuffix(n.Child("kind").Str(), "List"); isList && items != nil && (items.Kind == text.List || items.IsNull()) {
		for _, item := range items.List {
			m.object(item, n.Child("apiVersion").Str(), k)
		}
		return
	}
	value, _ := n.Value().(map[string]any)
	o := Object{File: m.file, Line: n.Pos.Line, Object: value, node: n}
	var b bytes.Buffer
	b.WriteByte('{')
	if _, ok := value["apiVersion"]; !ok && kind != "" && value["kind"] == nil {
		value["apiVersion"], value["kind"] = apiVersion, kind
		fmt.Fprintf(&b, `"apiVersion":%s,"kind":%s`, quoted(apiVersion), quoted(kind))
		if len(n.Entries) > 0 {
			b.WriteByte(',')
		}
	}
	writeFields(&b, n)
	b.WriteByte('}')
	o.JSON = b.Bytes()
	m.objects = append(m.objects, o)
}

// writeFields writes the fields of a map as JSON.
func writeFields(b *bytes.Buffer, n *text.Node) {
	for i := range n.Entries {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(quoted(n.Entries[i].Key))
		b.WriteByte(':')
		write(b, n.Entries[i].Value)
	}
}

// write writes a value as JSON.
func write(b *bytes.Buffer, n *text.Node) {
	switch n.Kind {
	case text.Map:
		b.WriteByte('{')
		writeFields(b, n)
		b.WriteByte('}')
	case text.List:
		b.WriteByte('[')
		for i, e := range n.List {
			if i > 0 {
				b.WriteByte(',')
			}
			write(b, e)
		}
		b.WriteByte(']')
	default:
		b.Write(quoted(n.Value()))
	}
}

// quoted returns a scalar as JSON.
func quoted(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("manifest: the parser let %v in", v)) // infinities and the like are not in JSON, and refused
	}
	return data
}
