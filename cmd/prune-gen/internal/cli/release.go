package cli

import (
	"runtime/debug"
	"strings"
)

// BuildVersion returns the version of the module that this program was built from.
func BuildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

// ReleaseVersion returns the release that this program was built from, "" for none.
func ReleaseVersion() string { return releaseOf(BuildVersion()) }

// releaseOf returns the version if it is that of a release, else "".
func releaseOf(v string) string {
	if !strings.HasPrefix(v, "v") || strings.ContainsAny(v, "-+") {
		return ""
	}
	return v
}
