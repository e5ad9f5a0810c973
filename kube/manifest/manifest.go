// Package manifest reads manifests: files with objects as Kubernetes tools take them, in YAML or JSON, many in a file, in lists
// or not. Each object comes with its bytes as a client would send them, and with the lines on which its fields are.
package manifest

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/manifest"
	"github.com/prune-gen/prune-gen/internal/meter"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
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

	node *yamltext.Node
}

// LineOf returns the line of the value at a path, as a prunert.Error has it. Where the object does not have it, it is the line of the
// last one on the way.
func (o Object) LineOf(path prunert.Path) int {
	_, at, _ := structural.NewFinder(o.node).Find(path)
	return at.Line
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
// ends in List and has items, unless it is the kind of one of the resources. The name is used in messages only. The error joins an
// *Error for everything that is wrong; objects that can be read are returned with it. Of a key that is there twice the last one counts,
// as for the API server; JSON has both, so that a request with strict validation of fields is refused.
func Read(name string, r io.Reader, resources ...prunert.Resource) ([]Object, error) {
	data, err := io.ReadAll(io.LimitReader(r, meter.Bytes+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	m := &reader{file: name, resources: resources}
	yamltext.Parse(yamltext.Decode(data), m.document, func(p *yamltext.Problem) {
		message, _, _ := strings.Cut(p.Message, "; raise it with --limit") // which is a flag of the command
		m.wrong(p.Pos, "%s", message)
	})
	return m.objects, m.err()
}

// reader reads one manifest.
type reader struct {
	file      string
	resources []prunert.Resource
	objects   []Object
	errs      []*Error
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

func (m *reader) wrong(at yamltext.Pos, format string, args ...any) {
	m.errs = append(m.errs, &Error{m.file, at.Line, at.Column, fmt.Sprintf(format, args...)})
}

func (m *reader) document(doc *yamltext.Document) {
	isKind := func(apiVersion, kind string) bool {
		group, _ := manifest.Object{APIVersion: apiVersion}.Group()
		return slices.ContainsFunc(m.resources, func(r prunert.Resource) bool { return r.Kind == kind && r.Group == group })
	}
	manifest.Objects(doc, isKind, m.object, func(n *yamltext.Node) { m.wrong(n.Pos, "got %s, want an object", n.Describe()) })
}

func (m *reader) object(o manifest.Object) {
	data, ok := o.JSON(meter.Bytes)
	if !ok {
		m.wrong(o.Node.Pos, "the object is larger than %d MiB as JSON", meter.Bytes>>20)
		return
	}
	m.objects = append(m.objects, Object{File: m.file, Line: o.Node.Pos.Line, Object: o.Value(), JSON: data, node: o.Node})
}
