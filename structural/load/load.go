// Package load reads CustomResourceDefinitions from YAML and JSON.
package load

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/structural"
)

// Options says how CRDs are read.
type Options struct {
	// Name is the name of the file, for findings and errors. It may be empty.
	Name string
	// Strict refuses CRDs that an API server would refuse. Without it, only CRDs that cannot be read are errors, so that programs can
	// read CRDs that a cluster of another version has accepted, to compare or print them. dynamic.Compile refuses their schemas even then.
	Strict bool
}

// CRDs reads every CRD in r: YAML with any number of documents, JSON, and the kinds List and CustomResourceDefinitionList. It skips
// objects of other kinds. The error is an *Error, and no CRDs are returned with it.
func CRDs(r io.Reader, o Options) ([]*structural.CRD, error) {
	f := crdread.Load(o.Name, r)
	lint.Refused(f)
	found := f.Findings
	for _, c := range f.CRDs {
		if o.Strict {
			found = append(found, lint.CRD(c)...)
		}
	}
	found = slices.DeleteFunc(found, func(f structural.Finding) bool { return f.Severity != structural.SeverityError })
	if len(found) > 0 {
		return nil, &Error{Findings: found}
	}
	return f.CRDs, nil
}

// CRD reads the only CRD in data.
func CRD(data []byte, o Options) (*structural.CRD, error) {
	all, err := CRDs(bytes.NewReader(data), o)
	if err != nil {
		return nil, err
	}
	if len(all) != 1 {
		return nil, fmt.Errorf("read the CustomResourceDefinition: there are %d, want one", len(all))
	}
	return all[0], nil
}

// Object reads a decoded CRD: the content of an unstructured object, for example.
func Object(obj map[string]any, o Options) (*structural.CRD, error) {
	data, err := json.Marshal(obj)
	if err != nil {
		return nil, fmt.Errorf("read the CustomResourceDefinition: %w", err)
	}
	c, err := CRD(data, o)
	if refused, ok := err.(*Error); ok {
		for i := range refused.Findings { // an object has no lines
			refused.Findings[i].Line, refused.Findings[i].Column = 0, 0
		}
	}
	return c, err
}

// Error says why CRDs cannot be read, or would be refused.
type Error struct {
	// Findings are the reasons, in the order of the text. There is at least one.
	Findings []structural.Finding
}

// Error returns all reasons in one line, with their places.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("read the CustomResourceDefinition: ")
	for i, f := range e.Findings {
		if i > 0 {
			b.WriteString("; ")
		}
		if f.File != "" {
			b.WriteString(f.File + ": ")
		}
		if f.Line > 0 {
			fmt.Fprintf(&b, "line %d: ", f.Line)
		}
		b.WriteString(f.Message)
	}
	return b.String()
}
