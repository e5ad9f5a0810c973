package main

import (
	"errors"
	"go/parser"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/prune-gen/prune-gen/internal/testsize"
)

// Code that does not compile shows nothing about the tests. Each break is type-checked in its package, in memory.
func TestBrokenCodeCompiles(t *testing.T) {
	testsize.Large(t, "type-checks a thousand packages")
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	byModule := map[string][]Break{}
	for _, b := range table() {
		byModule[b.module()] = append(byModule[b.module()], b)
	}
	checked := 0
	for module, breaks := range byModule {
		checked += typeCheckAll(t, root, filepath.Join(root, module), breaks)
	}
	if checked != len(table()) {
		t.Errorf("%d of %d breaks were type-checked", checked, len(table()))
	}
}

// typeCheckAll type-checks the breaks of the module in a directory, and returns how many there were.
func typeCheckAll(t *testing.T, root, module string, breaks []Break) (checked int) {
	t.Helper()
	byPackage := map[string][]Break{}
	for _, b := range breaks {
		byPackage[b.pkg()] = append(byPackage[b.pkg()], b)
	}
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedSyntax | packages.NeedTypes |
			packages.NeedTypesSizes | packages.NeedImports | packages.NeedModule,
		Dir: module,
	}, slices.Sorted(maps.Keys(byPackage))...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range loaded {
		if len(p.Errors) > 0 || len(p.CompiledGoFiles) == 0 {
			t.Errorf("%s: %v", p.PkgPath, p.Errors)
			continue
		}
		dir, err := filepath.Rel(module, filepath.Dir(p.CompiledGoFiles[0]))
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range byPackage["./"+filepath.ToSlash(dir)] {
			checked++
			if err := typeCheck(p, filepath.Join(root, filepath.FromSlash(b.File)), b); err != nil {
				t.Errorf("%s (%s): %v", b.Name, b.File, err)
			}
		}
	}
	return checked
}

// typeCheck type-checks a package in which one file is broken.
func typeCheck(p *packages.Package, name string, b Break) error {
	source, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	broken, err := b.apply(source)
	if err != nil {
		return err
	}
	file, err := parser.ParseFile(p.Fset, name, broken, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	i := slices.Index(p.CompiledGoFiles, name)
	if i < 0 {
		return errors.New("the file is not built here")
	}
	files := slices.Clone(p.Syntax)
	files[i] = file
	config := types.Config{Importer: packageImporter{p}, Sizes: p.TypesSizes}
	if p.Module != nil && p.Module.GoVersion != "" {
		config.GoVersion = "go" + p.Module.GoVersion
	}
	_, err = config.Check(p.PkgPath, p.Fset, files, nil)
	return err
}

// packageImporter finds what a package imports among what was loaded with it.
type packageImporter struct{ *packages.Package }

func (i packageImporter) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p := i.Imports[path]; p != nil && p.Types != nil {
		return p.Types, nil
	}
	return nil, errors.New("no package " + path)
}
