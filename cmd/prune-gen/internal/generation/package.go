package generation

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

// packageName returns the name of the package for a version: that of the package there, else the one that --package asks
// for, else that of the generated files there, else $GOPACKAGE in the directory where go generate runs, else the version.
func packageName(asked, version string, there *target.Package, have map[string]*output.Existing) (string, error) {
	if there.Name != "" {
		if asked != "" && asked != there.Name {
			return "", fmt.Errorf("the package in %s is called %s: leave out --package, or generate into another directory", there.Dir, there.Name)
		}
		return there.Name, nil
	}
	if asked != "" {
		return asked, nil
	}
	if name := generatedPackageName(have); name != "" {
		return name, nil
	}
	if name := os.Getenv("GOPACKAGE"); generator.IsLibraryName(name) && output.IsCurrent(there.Dir) {
		return name, nil
	}
	if !generator.IsLibraryName(version) {
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
	if all := slices.Collect(maps.Keys(names)); len(all) == 1 && generator.IsLibraryName(all[0]) {
		return all[0]
	}
	return ""
}
