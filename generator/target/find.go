// Package target knows the Go package that generated files become a part of: it finds the one that is there already, and
// type-checks it together with them before they are written.
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

// Package is the Go package in a directory, apart from the files that are to be replaced or removed. Its zero value, but
// for Dir, is a directory without one.
type Package struct {
	Dir  string
	Name string
	// Imports are the import paths of its files, sorted, without those of its tests.
	Imports []string

	files []string // as they are built here, sorted
	tests []string // those that are in the package itself
}

// Find returns the package in dir as it is built with the tags. Files that skip names are as good as not there. No file
// needs to compile, and the go command is not needed.
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
	// What else is wrong with a file, Check will say.
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
			continue // a link that leads nowhere is mostly an editor's lock, and a pipe would be waited for
		}
		infos = append(infos, info)
	}
	return infos, nil
}

func (p *Package) path(name string) string { return filepath.Join(p.Dir, name) }
