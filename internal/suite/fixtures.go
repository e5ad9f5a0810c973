package suite

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// ReadFile reads the cases of a file from a text that yamltext.Decode has returned: a suite, or a manifest below a directory valid or
// invalid. It returns nil for any other file, and for a file of old objects, which is read together with the one that updates them.
// The findings say what is wrong with the file; the suite must not be used then.
func (vs *Variants) ReadFile(m *meter.Meter, file string, text []byte) (*Suite, []structural.Finding) {
	verdict, old := verdict(filepath.ToSlash(file)), oldFile(file)
	switch {
	case verdict == "" && isSuite(text):
		return Read(m, file, text)
	case verdict == "" || old == "":
		return nil, nil
	}
	r := manifestReader{meter: m, variants: vs, report: report.Report{File: file, Meter: m}}
	s := r.read(file, text, verdict == "invalid")
	if data, err := os.ReadFile(old); err == nil {
		r.updates(s, old, yamltext.Decode(data))
	} else if !errors.Is(err, fs.ErrNotExist) {
		r.wrong(yamltext.Pos{Line: 1, Column: 1}, "%v", err)
	}
	return s, r.report.Sorted()
}

// isSuite reports whether a text looks like a suite.
func isSuite(text []byte) bool { return hasKey(text, "crdName:") && hasKey(text, "tests:") }

func hasKey(text []byte, key string) bool {
	return bytes.HasPrefix(text, []byte(key)) || bytes.Contains(text, []byte("\n"+key))
}

// verdict returns the name of the last directory valid or invalid that a file is in, "" if it is in none.
func verdict(file string) string {
	for dir := path.Dir(file); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if base := path.Base(dir); base == "valid" || base == "invalid" {
			return base
		}
	}
	return ""
}

// oldFile returns the name of the file with the objects that those of a manifest update: name.old.yaml for name.yaml. It is empty for a
// file that has such a name itself.
func oldFile(file string) string {
	ext := filepath.Ext(file)
	name := strings.TrimSuffix(file, ext)
	if filepath.Ext(name) == ".old" {
		return ""
	}
	return name + ".old" + ext
}

// manifestReader reads a manifest.
type manifestReader struct {
	meter    *meter.Meter
	variants *Variants
	report   report.Report
}

func (r *manifestReader) wrong(at yamltext.Pos, format string, args ...any) {
	r.report.Add(structural.Finding{ID: IDSuite, Line: at.Line, Column: at.Column, Severity: structural.SeverityError, Message: fmt.Sprintf(format, args...)})
}

// read returns a case for each object of a manifest. Unknown fields are errors, so that a misspelled field of a valid object is noticed.
// A valid manifest can have objects of other groups, such as a namespace.
func (r *manifestReader) read(file string, text []byte, invalid bool) *Suite {
	s := &Suite{File: file}
	refusal := ""
	if invalid {
		if refusal = firstComment(string(text)); refusal == "" {
			r.wrong(yamltext.Pos{Line: 1, Column: 1}, "the first line of an invalid fixture must be a comment that quotes the refusal")
		}
	}
	for _, o := range r.objects(text) {
		group, _ := o.Group()
		if !invalid && !slices.ContainsFunc(r.variants.All, func(v *Variant) bool { return v.CRD.Group == group }) {
			s.Passed++
			continue
		}
		s.Cases = append(s.Cases, &Case{
			Name: o.String(), Line: o.Node.Pos.Line, Initial: asSent(o), ExpectedError: refusal, FieldValidation: prunert.FieldValidationStrict, isManifest: true,
		})
	}
	if len(s.Cases)+s.Passed == 0 {
		r.wrong(yamltext.Pos{Line: 1, Column: 1}, "no object")
	}
	return s
}

// updates makes the cases of a manifest updates of the objects in another one, which have the same names. If both have one object, the
// names do not matter.
func (r *manifestReader) updates(s *Suite, old string, text []byte) {
	olds := r.objects(text)
	for _, c := range s.Cases {
		i := slices.IndexFunc(olds, func(o objects.Object) bool { return o.String() == c.Name || len(olds) == 1 && len(s.Cases) == 1 })
		if i < 0 {
			r.wrong(c.Initial.node.Pos, "there is no %s in %s", c.Name, filepath.Base(old))
			continue
		}
		c.Initial, c.Updated = asSent(olds[i]), c.Initial
	}
}

// objects returns the objects of a manifest.
func (r *manifestReader) objects(text []byte) []objects.Object {
	var all []objects.Object
	reader := objects.Reader{
		Meter: r.meter, Problem: r.report.Problem, Keeps: true,
		IsKind: func(apiVersion, kind string) bool {
			return slices.ContainsFunc(r.variants.All, func(v *Variant) bool { return v.is(apiVersion, kind) })
		},
		Visit: func(o objects.Object) { all = append(all, o) },
		Other: func(n *yamltext.Node) { r.wrong(n.Pos, "got %s, want an object", n.Describe()) },
	}
	reader.Read(objects.NewText("", text)) // what is in memory can be read
	return all
}

// asSent returns an object of a manifest as a client sends it.
func asSent(o objects.Object) *Object {
	data, _ := o.JSON(meter.Bytes)
	return &Object{Line: o.Node.Pos.Line, apiVersion: o.APIVersion, kind: o.Kind, node: o.Node, json: data}
}

// firstComment returns the text of the comment with which a manifest begins.
func firstComment(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line == "---" {
			continue
		}
		comment, ok := strings.CutPrefix(line, "#")
		if !ok {
			return ""
		}
		return strings.TrimSpace(comment)
	}
	return ""
}
