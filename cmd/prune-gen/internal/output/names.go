package output

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// IsSafeName reports whether a name from a CRD names a file or directory in the current directory.
func IsSafeName(name string) bool {
	return name != "" && name != "." && !strings.ContainsAny(name, `/\:`) && filepath.IsLocal(name) && filepath.Base(name) == name
}

// CheckPackageDir returns an error for a name that the directory of a Go package cannot have on this or another system:
// what is generated here is checked out elsewhere.
func CheckPackageDir(name string) error {
	why := ""
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	switch {
	case !IsSafeName(name):
		return fmt.Errorf("%q cannot be the name of a directory", name)
	case strings.HasPrefix(name, "_"), strings.HasPrefix(name, "."), stem == "testdata":
		why = "the go command skips such directories"
	case stem == "vendor":
		why = "the go command keeps copies of other modules there"
	case stem == "internal":
		why = "other modules cannot import packages below such a directory"
	case stem == "init":
		why = "a package cannot be imported under this name"
	case stem == "main":
		why = "a package of this name is a program"
	case slices.Contains(devices, stem):
		why = "it is a device on Windows"
	case strings.HasSuffix(name, "."), strings.HasSuffix(name, " "):
		why = "Windows drops a dot or a space at its end"
	default:
		return nil
	}
	return fmt.Errorf("%q cannot be the directory of a Go package: %s", name, why)
}

// devices are the names that mean a device on Windows, whatever extension they have.
var devices = []string{
	"con", "prn", "aux", "nul", "conin$", "conout$",
	"com0", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "com¹", "com²", "com³",
	"lpt0", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9", "lpt¹", "lpt²", "lpt³",
}
