package main

import (
	"path/filepath"
	"regexp"
	"slices"

	"github.com/prune-gen/prune-gen/structural"
)

// versionName is what versions are called, nearly always.
var versionName = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

// leftovers warns of generated files in places that are none of this call's business, but may have been that of an
// earlier one: a version may be gone, or there may be more than one now. Another call may have made them just as well,
// so that to remove them could be wrong.
func (s *session) leftovers() []structural.Finding {
	if s.keepStale {
		return nil
	}
	var findings []structural.Finding
	for _, sub := range slices.Concat([]string{"."}, s.tree.subdirectories(versionName.MatchString)) {
		if slices.ContainsFunc(s.outputs, func(o *output) bool { return o.sub == sub }) {
			continue
		}
		files, err := s.tree.list(sub)
		if err != nil {
			continue // whatever is there, we do not get in its way
		}
		for _, name := range sortedKeys(files) {
			if files[name].wrong == nil {
				findings = append(findings, structural.Finding{
					File: filepath.Join(s.dir, sub, name), Severity: structural.SeverityWarning,
					Message: "this file was generated, but not by this call, which writes to other directories",
					Hint:    "remove it if it is no longer wanted; if another call makes it, use --keep-stale",
				})
			}
		}
	}
	return findings
}

// subdirectories returns the names of those that match, sorted.
func (t *tree) subdirectories(match func(name string) bool) []string {
	if t.root == nil {
		return nil
	}
	dir, err := t.root.Open(".")
	if err != nil {
		return nil
	}
	defer dir.Close()
	entries, err := dir.ReadDir(-1)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() && match(e.Name()) {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names
}
