package main

import (
	"runtime/debug"
	"strings"
)

// buildVersion returns the version of the module that this program was built from.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

// releaseVersion returns the release that this program was built from, "" for none.
func releaseVersion() string {
	v := buildVersion()
	if !strings.HasPrefix(v, "v") || strings.ContainsAny(v, "-+") {
		return ""
	}
	return v
}
