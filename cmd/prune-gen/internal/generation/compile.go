package generation

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/output"
	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/internal/generate/gotypes"
	"github.com/prune-gen/prune-gen/internal/generate/target"
	"github.com/prune-gen/prune-gen/internal/generate/typecheck"
	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/structural"
)

// moduleName is the module of the runtime.
const moduleName = "github.com/prune-gen/prune-gen"

// Compile compiles the files that will be written: first by themselves, then together with the package in their directory.
// Files that have not changed were compiled when they were written.
func (s *Session) Compile() error {
	var changed []*Package
	for _, p := range s.Packages {
		if slices.ContainsFunc(p.Files, func(f *output.File) bool { return f.Change() != output.Keep }) {
			changed = append(changed, p)
		}
	}
	reported := map[*target.Module]bool{}
	for i, p := range changed {
		s.env.Progress.Show("compiling %s: %d of %d packages", ShownDir(p.Dir), i+1, len(changed))
		// Type-checking takes far more memory than source, so packages are checked one at a time.
		compiled, err := typecheck.Check(p.Made)
		if err != nil {
			return s.bug(err)
		}
		m := s.module(p)
		if !reported[m] {
			reported[m] = true
			s.Find(ModuleFindings(m, p.Dir))
		}
		s.Find(p.there.Compile(compiled, m))
	}
	if s.report.PartFailed() {
		return cli.ErrFindings
	}
	return nil
}

// module returns the module of a package, with what the packages in it import.
func (s *Session) module(p *Package) *target.Module {
	root := target.FindRoot(p.Dir)
	if m := s.modules[root]; m != nil {
		return m
	}
	var imports []string
	for _, other := range s.Packages {
		if target.FindRoot(other.Dir) == root {
			imports = append(imports, other.there.Imports...)
		}
	}
	s.modules[root] = target.LoadModule(context.Background(), p.Dir, target.FromEnvironment(), imports)
	return s.modules[root]
}

// ModuleFindings reports what a module lacks to build the generated code, and the command that adds it.
func ModuleFindings(m *target.Module, dir string) []structural.Finding {
	warn := func(id structural.ID, file, message, hint string) []structural.Finding {
		return []structural.Finding{{ID: id, File: file, Severity: structural.SeverityWarning, Message: message, Hint: hint}}
	}
	get, note := fmt.Sprintf("go get %s@%s", moduleName, cli.ReleaseVersion()), ""
	if cli.ReleaseVersion() == "" {
		// There is nothing to download: the module has no release yet, or this is not one.
		get = fmt.Sprintf("go mod edit -replace=%[1]s=CLONE && go get %[1]s@v0.0.0", moduleName)
		note = ", where CLONE is the path of a clone of prune-gen"
	}
	switch {
	case m.Root == "":
		return warn(findings.IDNoModule, dir, "there is no go.mod here or above, so the generated code is not part of a module yet",
			"run: go mod init example.com/your/module && "+get+note)
	case errors.Is(m.Err, target.ErrNoGo):
		return warn(findings.IDNoGo, dir, m.Err.Error()+": the generated code was compiled by itself, not with the package and the runtime of the module", "")
	case m.Err != nil:
		return warn(findings.IDModule, dir, "the module could not be loaded, so the package was not compiled with the generated code: "+m.Err.Error(), "")
	case m.RuntimeErr == nil:
		return nil
	case m.NotDownloaded():
		return warn(findings.IDRequire, cli.ShortPath(filepath.Join(m.Root, "go.mod")), "the runtime of generated code has not been downloaded yet",
			"run: go mod download "+moduleName)
	}
	if m.Vendored() {
		get += " && go mod vendor"
	}
	return warn(findings.IDRequire, cli.ShortPath(filepath.Join(m.Root, "go.mod")), "generated code needs its runtime: "+m.RuntimeErr.Error(), "run: "+get+note)
}

// findRules warns, once for each CRD, of CEL rules that generated validation leaves out.
func (s *Session) findRules() {
	var found []structural.Finding
	warned := map[*structural.CRD]int{} // the index of its finding
	for _, p := range s.Packages {
		if p.Plan == nil {
			continue
		}
		kinds := p.Plan.KindsWithoutRules()
		for _, in := range p.inputs {
			if !slices.Contains(kinds, in.CRD.Names.Kind) {
				continue
			}
			if i, known := warned[in.CRD]; known {
				found[i].Version = "" // it is about several
				continue
			}
			warned[in.CRD] = len(found)
			at := celrules.First(in.Version.Schema, in.Version.SchemaPath)
			f := report.Place(in.CRD, structural.Finding{ID: generator.IDNoCEL, Version: in.Version.Name, Severity: structural.SeverityWarning}, at)
			found = append(found, f.Saying(f.Path, "Validate does not evaluate CEL rules, and the CRD has "+findings.Count(celrules.Count(in.CRD), "rule")))
		}
	}
	s.Find(found)
}

// CompareTypes warns of differences between the Go types of the kinds, where the packages have them, and the schemas.
func (s *Session) CompareTypes() {
	for i, p := range s.Packages {
		kinds := map[string]bool{}
		for _, in := range p.inputs {
			kinds[in.CRD.Names.Kind] = true
		}
		// Loading a module takes time, and most packages of generated code have no types.
		if !p.there.Declares(kinds) {
			continue
		}
		s.env.Progress.Show("comparing types in %s: %d of %d packages", ShownDir(p.Dir), i+1, len(s.Packages))
		loaded := gotypes.Load(p.there, s.module(p))
		var all []structural.Finding
		for _, in := range p.inputs {
			found, _ := loaded.Compare(in.CRD, in.Version)
			all = append(all, found...)
		}
		for i := range all {
			all[i].Severity = structural.SeverityWarning
			all[i].File = cli.ShortPath(all[i].File)
		}
		s.Find(all)
	}
}
