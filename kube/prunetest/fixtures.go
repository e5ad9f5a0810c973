package prunetest

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/kube/manifest"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural/load"
)

// A FixtureOption changes what Fixtures expects.
type FixtureOption func(*fixtures)

// AllowUnknownFields lets fixtures have fields that the CRD does not specify and the server drops.
func AllowUnknownFields() FixtureOption {
	return func(f *fixtures) { f.validation = prunert.FieldValidationIgnore }
}

// Fixtures tests the manifests in two directories: each object of a file below dir/valid must be accepted when it is created,
// and each object of a file below dir/invalid must be refused. The first comment of an invalid file quotes the refusal, or a part
// of it:
//
//	# spec.replicas: Invalid value: 50: spec.replicas in body should be less than or equal to 10
//	apiVersion: stable.example.com/v1
//
// Unknown and duplicate fields are refused, as by fieldValidation=Strict, so that a field that the server would drop fails a
// valid fixture. Every object is a subtest with the path of its file as its name.
func Fixtures(t *testing.T, crds *CRDs, dir string, opts ...FixtureOption) {
	t.Helper()
	f := &fixtures{crds: crds, validation: prunert.FieldValidationStrict}
	for _, opt := range opts {
		opt(f)
	}
	tests, err := f.read(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if err := f.check(test); err != nil {
				t.Error(err)
			}
		})
	}
}

type fixtures struct {
	crds       *CRDs
	validation prunert.FieldValidation
}

// fixture is an object with what is to become of it.
type fixture struct {
	name string
	manifest.Object
	// refusal is a part of the text with which it is refused, empty for a valid one.
	refusal string
}

// read returns the fixtures below a directory.
func (f *fixtures) read(dir string) ([]fixture, error) {
	var all []fixture
	for _, verdict := range []string{"valid", "invalid"} {
		err := filepath.WalkDir(filepath.Join(dir, verdict), func(file string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil // one of the two is enough
			}
			if err != nil || d.IsDir() || !load.IsManifest(file) {
				return err
			}
			tests, err := f.readFile(file, verdict == "invalid")
			for i, test := range tests {
				test.name, _ = filepath.Rel(dir, file)
				test.name = filepath.ToSlash(test.name)
				if len(tests) > 1 {
					test.name += fmt.Sprintf("/%d", i+1)
				}
				all = append(all, test)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no manifests in %s/valid and %s/invalid", dir, dir)
	}
	return all, nil
}

// readFile returns the fixtures in a file.
func (f *fixtures) readFile(file string, invalid bool) ([]fixture, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	objects, err := manifest.Read(file, bytes.NewReader(data), f.crds.set.Resources()...)
	switch {
	case err != nil:
		return nil, err
	case len(objects) == 0:
		return nil, fmt.Errorf("%s: no object", file)
	}
	refusal := ""
	if invalid {
		if refusal = firstComment(string(data)); refusal == "" {
			return nil, fmt.Errorf("%s: the first line of an invalid fixture must be a comment that quotes the refusal", file)
		}
	}
	tests := make([]fixture, len(objects))
	for i, o := range objects {
		tests[i] = fixture{Object: o, refusal: refusal}
	}
	return tests, nil
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

// check returns how the verdict about a fixture differs from what it says.
func (f *fixtures) check(test fixture) error {
	answer := f.crds.set.CreateJSON(test.JSON, prunert.Request{FieldValidation: f.validation})
	refusal := answer.Refusal
	switch {
	case test.refusal == "" && refusal != nil:
		return fmt.Errorf("%s:%d: refused: %s", test.File, test.lineOf(refusal), refusal.Message)
	case test.refusal == "" || refusal != nil && strings.Contains(refusal.Message, test.refusal):
		return nil
	case refusal != nil:
		return fmt.Errorf("%s:%d: refused: %s\nwant: %s", test.File, test.lineOf(refusal), refusal.Message, test.refusal)
	}
	return fmt.Errorf("%s:%d: accepted\nwant a refusal: %s", test.File, test.Line, test.refusal)
}

// lineOf returns the line of the first error of a refusal.
func (test fixture) lineOf(r *prunert.Refusal) int {
	if len(r.Errors) == 0 {
		return test.Line
	}
	return test.LineOf(r.Errors[0].Path)
}
