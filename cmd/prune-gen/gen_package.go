package main

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"slices"

	"github.com/prune-gen/prune-gen/generator/target"
)

var errNotPackageName = errors.New("that cannot be the name of a Go package")

// isPackageName tells whether s can be the name of a package that is not a program.
func isPackageName(s string) bool {
	return token.IsIdentifier(s) && s != "_" && s != "main"
}

// packageName finds out what the package for a version is called: like the one that is there already, else $GOPACKAGE
// for the directory in which go generate calls us, else the version.
func (g *generation) packageName(version, dir string, there *target.Package, have map[string]*found) (string, error) {
	if there.Name != "" {
		if g.pkg != "" && g.pkg != there.Name {
			return "", fmt.Errorf("the package in %s is called %s: leave out --package, or generate into another directory", dir, there.Name)
		}
		return there.Name, nil
	}
	if g.pkg != "" {
		return g.pkg, nil
	}
	if name := ownPackageName(have); name != "" {
		return name, nil
	}
	if name := os.Getenv("GOPACKAGE"); isPackageName(name) && isCurrent(dir) {
		return name, nil
	}
	if !isPackageName(version) {
		return "", fmt.Errorf("%q cannot be the name of a Go package: choose one with --package", version)
	}
	return version, nil
}

// ownPackageName returns the name that the files of ours in a directory agree on.
func ownPackageName(have map[string]*found) string {
	names := map[string]bool{}
	for _, f := range have {
		if f.wrong != nil {
			continue
		}
		if syntax, err := parser.ParseFile(token.NewFileSet(), "", f.data, parser.PackageClauseOnly); err == nil {
			names[syntax.Name.Name] = true
		}
	}
	if all := slices.Collect(maps.Keys(names)); len(all) == 1 && isPackageName(all[0]) {
		return all[0]
	}
	return ""
}

// isCurrent tells whether dir is the directory that we were called in.
func isCurrent(dir string) bool {
	here, err := os.Stat(".")
	if err != nil {
		return false
	}
	there, err := os.Stat(dir)
	return err == nil && os.SameFile(here, there)
}
