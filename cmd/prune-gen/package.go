package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"slices"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/output"
	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/generator/target"
)

// canCall reports whether a new package can be called name. It must not be a program.
func canCall(name string) bool { return generator.IsPackageName(name) && name != "main" }

// packageName returns the name of the package for a version: that of the package in dir, else $GOPACKAGE in the directory
// where go generate runs, else the version.
func (g *generation) packageName(version, dir string, there *target.Package, have map[string]*output.Existing) (string, error) {
	if there.Name != "" {
		if g.pkg != "" && g.pkg != there.Name {
			return "", fmt.Errorf("the package in %s is called %s: leave out --package, or generate into another directory", dir, there.Name)
		}
		return there.Name, nil
	}
	if g.pkg != "" {
		return g.pkg, nil
	}
	if name := generatedPackageName(have); name != "" {
		return name, nil
	}
	if name := os.Getenv("GOPACKAGE"); canCall(name) && isCurrent(dir) {
		return name, nil
	}
	if !canCall(version) {
		return "", fmt.Errorf("%q cannot be the name of a Go package: choose one with --package", version)
	}
	return version, nil
}

// generatedPackageName returns the package name that all generated files have, "" if they disagree.
func generatedPackageName(have map[string]*output.Existing) string {
	names := map[string]bool{}
	for _, f := range have {
		if !f.Generated() {
			continue
		}
		if syntax, err := parser.ParseFile(token.NewFileSet(), "", f.Data, parser.PackageClauseOnly); err == nil {
			names[syntax.Name.Name] = true
		}
	}
	if all := slices.Collect(maps.Keys(names)); len(all) == 1 && canCall(all[0]) {
		return all[0]
	}
	return ""
}

// isCurrent reports whether dir is the current directory.
func isCurrent(dir string) bool {
	here, err := os.Stat(".")
	if err != nil {
		return false
	}
	there, err := os.Stat(dir)
	return err == nil && os.SameFile(here, there)
}
