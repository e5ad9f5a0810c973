package output

import (
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/internal/generate/target"
	"github.com/prune-gen/prune-gen/structural"
)

// Leftovers warns of generated files in the directory and in its subdirectories for versions and groups, except those in subs,
// which this run writes to. An earlier run may have made them for a version that is gone, or when there was only one. They are not
// removed, because they may belong to another call of prune-gen.
func (t *Tree) Leftovers(subs []string) []structural.Finding {
	if t.root == nil {
		return nil
	}
	var dirs []string
	for _, pattern := range []string{".", "*", "*.*/*"} { // the groups of the API have dots
		matches, _ := fs.Glob(t.root.FS(), pattern)
		dirs = append(dirs, matches...)
	}
	slices.Sort(dirs)
	var found []structural.Finding
	for _, dir := range dirs {
		info, err := t.root.Lstat(dir)
		if err != nil || !info.IsDir() || dir != "." && !target.IsVersionName(path.Base(dir)) || slices.Contains(subs, filepath.FromSlash(dir)) {
			continue
		}
		files, err := t.List(dir)
		if err != nil {
			continue // this call does not write there
		}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			if files[name].Generated() {
				found = append(found, structural.Finding{
					ID: findings.IDLeftover, File: filepath.Join(t.dir, dir, name), Severity: structural.SeverityWarning,
					Message: "this file was generated, but not by this call, which writes to other directories",
					Hint:    "remove it if it is no longer wanted; if another call makes it, use --keep-stale",
				})
			}
		}
	}
	return found
}
