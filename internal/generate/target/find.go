// Package target finds the Go package in a directory and compiles it together with generated files before they are
// written there.
package target

import (
	"errors"
	"fmt"
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Package is the Go package in a directory, without the files that will be replaced or removed. A directory without a
// package has a Package with only Dir set.
type Package struct {
	Dir  string
	Name string
	// Imports are the import paths of its files, sorted. Those of its tests are not among them.
	Imports []string

	files []string // sorted, without those that are not built on this platform
	tests []string // without those of the package Name_test
}

// Find returns the package in dir as it is built with the tags, without the files that skip reports. No file needs to
// compile, and the go command is not needed.
func Find(dir string, tags []string, skip func(name string) bool) (*Package, error) {
	p := &Package{Dir: dir}
	switch info, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		return p, nil
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, fmt.Errorf("%s is not a directory", dir)
	}
	context := build.Default
	context.BuildTags = tags
	context.ReadDir = func(dir string) ([]fs.FileInfo, error) { return readDir(dir, skip) }
	found, err := context.ImportDir(dir, 0)
	var none *build.NoGoError
	var multiple *build.MultiplePackageError
	switch {
	case errors.As(err, &none):
		return p, nil
	case errors.As(err, &multiple):
		return nil, fmt.Errorf("%s has two packages: %s in %s, %s in %s", dir,
			multiple.Packages[0], multiple.Files[0], multiple.Packages[1], multiple.Files[1])
	case err != nil && found.Name == "":
		return nil, fmt.Errorf("find the package in %s: %w", dir, err)
	}
	// Compile reports what else is wrong with a file.
	p.Name = found.Name
	p.Imports = slices.DeleteFunc(found.Imports, func(path string) bool { return path == "C" })
	p.files = slices.Concat(found.GoFiles, found.CgoFiles, found.InvalidGoFiles)
	slices.Sort(p.files)
	p.files = slices.Compact(p.files)
	p.tests = found.TestGoFiles
	return p, nil
}

func readDir(dir string, skip func(name string) bool) ([]fs.FileInfo, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var infos []fs.FileInfo
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".go" || skip(e.Name()) {
			continue
		}
		info, err := os.Stat(filepath.Join(dir, e.Name()))
		if err != nil || !info.Mode().IsRegular() {
			continue // a dangling link is mostly an editor's lock, and reading a pipe could block
		}
		infos = append(infos, info)
	}
	return infos, nil
}

func (p *Package) path(name string) string { return filepath.Join(p.Dir, name) }
