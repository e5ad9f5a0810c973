package output

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/generator/target"
	"github.com/prune-gen/prune-gen/structural"
)

// Leftovers warns of generated files in the directory and in its subdirectories for versions and groups, except those in subs,
// which this run writes to. An earlier run may have made them for a version that is gone, or when there was only one. They are not
// removed, because they may belong to another call of prune-gen.
func (t *Tree) Leftovers(subs []string) []structural.Finding {
	var found []structural.Finding
	for _, sub := range t.versionDirs() {
		if slices.Contains(subs, sub) {
			continue
		}
		files, err := t.List(sub)
		if err != nil {
			continue // this call does not write there
		}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			if files[name].Generated() {
				found = append(found, structural.Finding{
					Rule: findings.RuleLeftover, File: filepath.Join(t.dir, sub, name), Severity: structural.SeverityWarning,
					Message: "this file was generated, but not by this call, which writes to other directories",
					Hint:    "remove it if it is no longer wanted; if another call makes it, use --keep-stale",
				})
			}
		}
	}
	return found
}

// versionDirs returns the directory itself and its subdirectories for versions, also those below directories for groups, sorted.
func (t *Tree) versionDirs() []string {
	names := []string{"."}
	for _, sub := range t.subdirs(".") {
		switch {
		case target.IsVersionName(sub):
			names = append(names, sub)
		case strings.Contains(sub, "."): // a group
			for _, below := range t.subdirs(sub) {
				if target.IsVersionName(filepath.Base(below)) {
					names = append(names, below)
				}
			}
		}
	}
	slices.Sort(names)
	return names
}

// subdirs returns the directories in a subdirectory.
func (t *Tree) subdirs(sub string) []string {
	entries, err := t.readDir(sub)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, filepath.Join(sub, e.Name()))
		}
	}
	return names
}
