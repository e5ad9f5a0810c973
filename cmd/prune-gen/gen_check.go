package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/generator/target"
	"github.com/prune-gen/prune-gen/structural"
)

// moduleName is the module that the runtime is a part of.
const moduleName = "github.com/prune-gen/prune-gen"

// check type-checks what is to be written: first by itself, then as a part of the package that is there. What has not
// changed was checked when it was written.
func (s *session) check() error {
	var changed []*output
	for _, o := range s.outputs {
		if o.changed() {
			changed = append(changed, o)
		}
	}
	checked := make([]*generator.Checked, len(changed))
	packages := make([]*target.Package, len(changed))
	imports := map[string][]string{} // by the root of the module
	for i, o := range changed {
		s.progress.show("checking %s: %d of %d", o.version, i+1, len(changed))
		var err error
		if checked[i], err = generator.TypeCheck(o.made); err != nil {
			return s.bug(err)
		}
		// This time with those files of ours that stay as they are.
		if packages[i], err = target.Find(o.dir, s.tags(), o.replaces); err != nil {
			return err
		}
		root := target.FindRoot(o.dir)
		imports[root] = append(imports[root], packages[i].Imports...)
	}
	if s.constraint.Elsewhere {
		s.find([]structural.Finding{{
			File: s.dir, Severity: structural.SeverityWarning,
			Message: fmt.Sprintf("--build-tag %q does not hold on this platform: the package was not checked together with the new files", s.constraint.Expr),
		}})
		return nil
	}
	modules := map[string]*target.Module{}
	for i, o := range changed {
		s.progress.show("checking the package in %s: %d of %d", o.dir, i+1, len(changed))
		root := target.FindRoot(o.dir)
		if modules[root] == nil {
			modules[root] = target.LoadModule(context.Background(), o.dir, s.tags(), imports[root])
			s.find(moduleFindings(modules[root], o.dir))
		}
		s.find(packages[i].Compile(checked[i], modules[root]))
	}
	if s.report.failed() {
		return errFindings
	}
	return nil
}

// replaces tells whether a file in the directory of o will be written or removed.
func (o *output) replaces(name string) bool {
	name = filepath.Join(o.sub, name)
	_, found := slices.BinarySearchFunc(o.files, name, func(f *outputFile, name string) int { return strings.Compare(f.name, name) })
	return found
}

// moduleFindings says what is missing for the generated code to be built, and what to run.
func moduleFindings(m *target.Module, dir string) []structural.Finding {
	warn := func(file, message, hint string) []structural.Finding {
		return []structural.Finding{{File: file, Severity: structural.SeverityWarning, Message: message, Hint: hint}}
	}
	version := releaseVersion()
	if version == "" {
		version = "latest"
	}
	get := fmt.Sprintf("go get %s@%s", moduleName, version)
	switch {
	case m.Root == "":
		return warn(dir, "there is no go.mod here or above, so the generated code is not part of a module yet",
			"run: go mod init example.com/your/module && "+get)
	case m.Err != nil:
		return warn(dir, "the module could not be loaded, so the package was not checked together with the generated code: "+m.Err.Error(), "")
	case m.RuntimeErr == nil:
		return nil
	case m.NotDownloaded():
		return warn(shortPath(filepath.Join(m.Root, "go.mod")), "the runtime of generated code has not been downloaded yet",
			"run: go mod download "+moduleName)
	}
	if m.Vendored() {
		get += " && go mod vendor"
	}
	return warn(shortPath(filepath.Join(m.Root, "go.mod")), "generated code needs its runtime: "+m.RuntimeErr.Error(), "run: "+get)
}

// shortPath returns a path from here, where that is shorter.
func shortPath(path string) string {
	here, err := filepath.Abs(".")
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(here, path); err == nil && len(rel) < len(path) {
		return rel
	}
	return path
}
