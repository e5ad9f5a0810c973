package target

import (
	"os"
	"slices"
	"strings"
)

// FromEnvironment returns the build tags in GOFLAGS.
func FromEnvironment() []string {
	var tags []string
	for _, flag := range goFlags() {
		if list, ok := strings.CutPrefix(flag, "-tags="); ok {
			tags = strings.Split(list, ",")
		}
	}
	return slices.DeleteFunc(tags, func(tag string) bool { return tag == "" })
}

// goFlags returns the flags in GOFLAGS, each with one dash.
func goFlags() []string {
	flags := strings.Fields(os.Getenv("GOFLAGS"))
	for i, flag := range flags {
		if strings.HasPrefix(flag, "--") {
			flags[i] = flag[1:]
		}
	}
	return flags
}
