package prunetest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/suite"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
)

// Suite tests the suites of tests in files and directories, in the format of openshift/api, and the manifests below directories valid and
// invalid. Each object of a file below valid must be accepted when it is created, and each below invalid must be refused. The first comment
// of an invalid file quotes the refusal, or a part of it:
//
//	# spec.replicas: Invalid value: 50: spec.replicas in body should be less than or equal to 10
//	apiVersion: stable.example.com/v1
//
// The objects of a file name.yaml update those of the file name.old.yaml beside it, if there is one. Unknown and duplicate fields are refused, as by
// fieldValidation=Strict, so that a field that the server would drop fails a valid manifest.
//
// Every file is a subtest, and every case one of it. The command prune-gen test runs the same tests.
func Suite(t *testing.T, crds *CRDs, paths ...string) {
	t.Helper()
	suites, err := crds.suites(paths...)
	switch {
	case err != nil:
		t.Fatal(err)
	case len(suites) == 0:
		t.Fatalf("no tests in %q: a suite has crdName and tests, a fixture is below a directory valid or invalid", paths)
	}
	for _, s := range suites {
		crds.run(t, s)
	}
}

// suites reads the tests in files and directories.
func (c *CRDs) suites(paths ...string) ([]*suite.Suite, error) {
	var suites []*suite.Suite
	var errs []error
	for _, path := range paths {
		errs = append(errs, filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
			if err == nil && (d.IsDir() || !crdread.IsManifest(file)) {
				return nil
			}
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			s, wrong := c.variants.ReadFile(meter.New(1), file, yamltext.Decode(data))
			for _, f := range wrong {
				errs = append(errs, fmt.Errorf("%s:%d: %s%s", file, f.Line, f.Message, hint(f.Hint)))
			}
			if s != nil && len(wrong) == 0 {
				suites = append(suites, s)
			}
			return nil
		}))
	}
	return suites, errors.Join(errs...)
}

// run runs the cases of a suite.
func (c *CRDs) run(t *testing.T, s *suite.Suite) {
	t.Helper()
	t.Run(filepath.ToSlash(s.File), func(t *testing.T) {
		for _, r := range c.variants.Runs(s) {
			t.Run(r.Case.Name, func(t *testing.T) {
				r.Do(c.observe)
				for _, f := range r.Failures {
					t.Errorf("%s:%d: %s%s\n%s", s.File, f.Line, f.Message, hint(f.Hint), f.Diff)
				}
			})
		}
	})
}

// hint returns a hint as it follows a message.
func hint(text string) string {
	if text == "" {
		return ""
	}
	return "\nhint: " + text
}
