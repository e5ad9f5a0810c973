package cli

import "path/filepath"

// ShortPath returns the path relative to the current directory, if that is shorter.
func ShortPath(path string) string {
	here, err := filepath.Abs(".")
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(here, path); err == nil && len(rel) < len(path) {
		return rel
	}
	return path
}
