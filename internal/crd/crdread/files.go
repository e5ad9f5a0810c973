package crdread

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/structural"
)

// Files returns the CRDs in files, and in the manifests below directories, which need not contain CRDs. Only programs that run on their
// own CRDs, such as tests, read them so: the error has the place of everything that is wrong, and nothing else.
func Files(paths ...string) ([]*structural.CRD, error) {
	var all []*structural.CRD
	for _, path := range paths {
		err := filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || file != path && !IsManifest(file) {
				return err
			}
			named := slices.Contains(paths, file)
			crds, err := inFile(file, named)
			if err == nil && len(crds) == 0 && named {
				err = fmt.Errorf("%s: there is no CustomResourceDefinition", file)
			}
			all = append(all, crds...)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// inFile returns the CRDs in a file. One that is not named is skipped if it is a template, for example.
func inFile(file string, named bool) ([]*structural.CRD, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	loaded := Load(file, f)
	if named {
		loaded.Foreign = report.NotForeign
	}
	if loaded.Foreign.Whole() {
		return nil, nil
	}
	var errs []error
	found, _ := loaded.Foreign.Keep(loaded.Findings)
	for _, finding := range found {
		if finding.Severity == structural.SeverityError {
			errs = append(errs, fmt.Errorf("%s:%d: %s", file, finding.Line, finding.Message))
		}
	}
	return loaded.CRDs, errors.Join(errs...)
}
