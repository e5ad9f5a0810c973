package input

import (
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// CheckPattern returns an error if a pattern can match no path.
func CheckPattern(pattern string) error {
	if strings.Trim(pattern, "/") == "" {
		return errors.New("the pattern is empty")
	}
	_, err := path.Match(pattern, "")
	return err
}

// excludes reports whether a pattern matches a part of a path: names of files or directories that follow one another.
func (a Args) excludes(name string) bool {
	names := strings.Split(filepath.ToSlash(filepath.Clean(name)), "/")
	return slices.ContainsFunc(a.Exclude, func(pattern string) bool {
		parts := strings.Split(path.Clean(filepath.ToSlash(pattern)), "/")
		for i := range names {
			if matchesStart(parts, names[i:]) {
				return true
			}
		}
		return false
	})
}

// matchesStart reports whether the parts of a pattern match the first of the names. The part ** matches any number of names.
func matchesStart(parts, names []string) bool {
	if len(parts) == 0 {
		return true
	}
	if parts[0] == "**" {
		for i := range len(names) + 1 {
			if matchesStart(parts[1:], names[i:]) {
				return true
			}
		}
		return false
	}
	if len(names) == 0 {
		return false
	}
	ok, err := path.Match(parts[0], names[0])
	return ok && err == nil && matchesStart(parts[1:], names[1:])
}
