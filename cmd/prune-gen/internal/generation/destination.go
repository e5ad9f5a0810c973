package generation

import (
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/output"
	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/internal/generate/target"
)

// The layouts of the output directory.
const (
	layoutAuto     = "auto"     // flat for one version, else versions
	layoutFlat     = "flat"     // one version in the directory itself
	layoutVersions = "versions" // a subdirectory for each version, below one for each group if there are several
	layoutGroups   = "groups"   // a subdirectory for each group, and below it one for each version
)

// distribute decides which inputs go to which package. The existing Go package decides what the flags leave open: its
// name or its marker is the version, its marker the group.
func (s *Session) distribute() error {
	chosen := s.selection
	if s.layout.Value != layoutVersions && s.layout.Value != layoutGroups {
		var err error
		if chosen, err = s.narrow(chosen); err != nil {
			return err
		}
	}
	selected, err := chosen.inputs(s.crds.all)
	if err != nil {
		return err
	}
	if s.layout.Value == layoutFlat && len(selected) > 1 {
		return fmt.Errorf("--layout flat takes one version: choose one with --crd-version: %s", thereAre(slices.Sorted(maps.Keys(selected))))
	}
	for _, name := range slices.Sorted(maps.Keys(selected)) {
		p := &Package{Version: name, sub: ".", inputs: selected[name]}
		if s.layout.Value == layoutVersions || s.layout.Value == layoutGroups || len(selected) > 1 {
			if err := output.CheckPackageDir(name); err != nil {
				return fmt.Errorf("version %w: generate it by itself, with --crd-version, into a directory of another name", err)
			}
			p.sub = name
		}
		p.Dir = filepath.Join(s.dir, p.sub)
		s.Packages = append(s.Packages, p)
	}
	switch {
	case s.layout.Value == layoutGroups:
		return s.splitGroups()
	case chosen.namesGroups():
		return nil
	}
	return s.separateGroups()
}

// splitGroups gives each group a directory, with its versions below it.
func (s *Session) splitGroups() error {
	var split []*Package
	for _, p := range s.Packages {
		for _, group := range groupsOf(p.inputs) {
			if err := output.CheckPackageDir(group); err != nil {
				return fmt.Errorf("group %w: generate it by itself, with --group, into a directory of another name", err)
			}
			sub := filepath.Join(group, p.Version)
			split = append(split, &Package{Version: p.Version, Dir: filepath.Join(s.dir, sub), sub: sub, inputs: ofGroup(p.inputs, group)})
		}
	}
	slices.SortStableFunc(split, func(a, b *Package) int { return strings.Compare(a.sub, b.sub) })
	s.Packages = split
	return nil
}

// narrow returns the selection with what the package in the output directory says about the group and the version.
func (s *Session) narrow(chosen selection) (selection, error) {
	there, _, err := s.findPackage(".")
	if err != nil {
		return chosen, nil // reported if anything is written there
	}
	marked, err := there.Markers()
	if err != nil {
		return chosen, err
	}
	if marked.Group != "" && !chosen.namesGroups() {
		all, err := selection{kinds: chosen.kinds}.inputs(s.crds.all)
		if err != nil {
			return chosen, err
		}
		if groups := groupsOf(slices.Concat(slices.Collect(maps.Values(all))...)); !slices.Contains(groups, marked.Group) {
			return chosen, fmt.Errorf("the package in %s has group %s, by its marker +groupName, but no CRD has it: %s; choose with --group%s",
				ShownDir(s.dir), marked.Group, thereAre(groups), s.ifLastKindIsGone())
		}
		chosen.groups = []string{marked.Group}
	}
	if len(chosen.versions) > 0 {
		return chosen, nil
	}
	name := marked.Version
	if name == "" {
		name = there.Name
	}
	all, err := chosen.inputs(s.crds.all)
	if err != nil {
		return chosen, err
	}
	switch {
	case all[name] != nil:
		chosen.versions = []string{name}
	case marked.Version != "" || target.IsVersionName(name):
		return chosen, fmt.Errorf("the package in %s is for version %s, but no CRD has it: %s; choose with --crd-version%s",
			ShownDir(s.dir), name, thereAre(slices.Sorted(maps.Keys(all))), s.ifLastKindIsGone())
	}
	return chosen, nil
}

// ifLastKindIsGone returns the end of an error about a package for which there is no CRD: what to do if there was one before.
// Generated files are not removed without a CRD that says what is wanted: the call may be wrong.
func (s *Session) ifLastKindIsGone() string {
	have, err := s.tree.List(".")
	if err != nil {
		return ""
	}
	for _, f := range have {
		if !f.Generated() {
			continue
		}
		call := "this call"
		if underGoGenerate() {
			call = fmt.Sprintf("the directive at %s:%s", os.Getenv("GOFILE"), os.Getenv("GOLINE"))
		}
		return fmt.Sprintf("; if its last kind is gone, remove %s and the files %s", call, filepath.Join(s.dir, generator.FilePrefix+"*"))
	}
	return ""
}

// separateGroups leaves each package the group that its marker names. Packages without one follow the others. It is an
// error if a package still has several groups.
func (s *Session) separateGroups() error {
	marked := make([]string, len(s.Packages))
	known := map[string]bool{}
	for i, p := range s.Packages {
		there, _, err := s.findPackage(p.sub)
		if err != nil {
			continue // prepare reports it
		}
		markers, err := there.Markers()
		if err != nil {
			return err
		}
		if marked[i] = markers.Group; markers.Group != "" {
			known[markers.Group] = true
		}
	}
	var all []generator.Input
	for _, p := range s.Packages {
		all = append(all, p.inputs...)
	}
	if s.layout.Value == layoutVersions && len(known) == 0 && len(groupsOf(all)) > 1 {
		return s.splitGroups()
	}
	for i, p := range s.Packages {
		group := marked[i]
		if group == "" && len(known) == 1 {
			group = slices.Collect(maps.Keys(known))[0]
		}
		if group != "" {
			p.inputs = ofGroup(p.inputs, group)
		}
		if groups := groupsOf(p.inputs); len(groups) > 1 {
			return fmt.Errorf("the CRDs for %s have %d groups: %s; choose with --group or --kind GROUP/KIND, "+
				"put the comment // +groupName=GROUP into the package, or give each group a directory with --layout groups", ShownDir(p.Dir), len(groups), listed(groups))
		}
	}
	s.Packages = slices.DeleteFunc(s.Packages, func(p *Package) bool { return len(p.inputs) == 0 })
	if len(s.Packages) == 0 {
		return fmt.Errorf("the packages below %s have group %s, by their markers +groupName, but no CRD has it: %s; choose with --group",
			ShownDir(s.dir), cli.OneOf(slices.Sorted(maps.Keys(known))), thereAre(groupsOf(all)))
	}
	return nil
}

// underGoGenerate reports whether go generate runs this program.
func underGoGenerate() bool { return os.Getenv("GOFILE") != "" && os.Getenv("GOLINE") != "" }

// findPackage returns the Go package in a subdirectory without its generated files, and these files.
func (s *Session) findPackage(sub string) (*target.Package, map[string]*output.Existing, error) {
	have, err := s.tree.List(sub)
	if err != nil {
		return nil, nil, err
	}
	there, err := target.Find(filepath.Join(s.dir, sub), target.FromEnvironment(), func(name string) bool { return have[name] != nil && !have[name].Foreign() })
	return there, have, err
}

// ShownDir returns the name of a directory for people: the current one, where go generate runs, as a path in its module.
func ShownDir(dir string) string {
	if filepath.Clean(dir) != "." {
		return filepath.Clean(dir)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	if root := target.FindRoot(abs); root != "" && root != abs {
		if rel, err := filepath.Rel(root, abs); err == nil {
			return rel
		}
	}
	return filepath.Base(abs)
}

// PackageName returns the name of the package for a version: that of the package there, else the one that --package asks
// for, else that of the generated files there, else $GOPACKAGE in the directory where go generate runs, else the version.
func PackageName(asked, version string, there *target.Package, have map[string]*output.Existing) (string, error) {
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
