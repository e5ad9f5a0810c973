package output

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/structural"
)

// versionName matches the names that nearly all versions have.
var versionName = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

// Leftovers warns of generated files in the directory and in its subdirectories for versions, except those in subs, which
// this run writes to. An earlier run may have made them for a version that is gone, or when there was only one. They are not
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

// versionDirs returns the directory itself and its subdirectories for versions, sorted.
func (t *Tree) versionDirs() []string {
	names := []string{"."}
	entries, err := t.readDir(".")
	if err != nil {
		return names
	}
	for _, e := range entries {
		if e.IsDir() && versionName.MatchString(e.Name()) {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names
}
