package input

import (
	"os"
	"path/filepath"
	"strings"
)

// hintForMissing returns what to do about a relative path that does not exist, "" if that is not known. In a go:generate
// directive, paths are relative to the directory of its file, and people count the steps up to the root wrong.
func hintForMissing(name string) string {
	if name == "" || filepath.IsAbs(name) {
		return ""
	}
	parts := strings.Split(filepath.ToSlash(filepath.Clean(name)), "/")
	ups := 0
	for ups < len(parts) && parts[ups] == ".." {
		ups++
	}
	if ups == len(parts) {
		return ""
	}
	below := filepath.Join(parts[ups:]...)
	const most = 8
	for n := range most {
		there := filepath.Join(strings.Repeat("../", n), below)
		if n == ups {
			continue
		}
		if _, err := os.Stat(there); err == nil {
			return "did you mean " + there + "?"
		}
	}
	if strings.HasSuffix(filepath.ToSlash(below), "config/crd/bases") {
		return "controller-gen writes it: run make manifests first"
	}
	return ""
}
