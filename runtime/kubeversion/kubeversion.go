// Package kubeversion lists the versions of Kubernetes that prune-gen knows, and the changes between them that users can see.
// Nothing outside of this package compares versions: code asks whether a version has a change.
package kubeversion

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Version is a minor version of Kubernetes 1: 34 is Kubernetes 1.34. Zero is the newest.
type Version int

const (
	// Oldest and Newest are the first and the last version whose API server is mirrored, except for changes that are not Mirrored.
	Oldest Version = 33
	Newest Version = 37
	// OldestLinted is the first version that lint can answer for: the first that evaluates CEL rules by default.
	OldestLinted Version = 25
)

// Known returns the versions that are mirrored, oldest first.
func Known() []Version {
	var all []Version
	for v := Oldest; v <= Newest; v++ {
		all = append(all, v)
	}
	return all
}

// Parse parses a version that is mirrored, such as 1.34, or as a cluster names its own: v1.34.2-gke.1. An empty text is the newest.
func Parse(text string) (Version, error) {
	if text == "" {
		return Newest, nil
	}
	return parse(text, Oldest)
}

// ParseRange parses a range of versions that lint can answer for: 1.31..1.34, or 1.31.. up to the newest. A single version is a range, too,
// and an empty text is the newest.
func ParseRange(text string) (first, last Version, err error) {
	if text == "" {
		return Newest, Newest, nil
	}
	from, to, isRange := strings.Cut(text, "..")
	if first, err = parse(from, OldestLinted); err != nil || !isRange {
		return first, first, err
	}
	last = Newest
	if to != "" {
		last, err = parse(to, OldestLinted)
	}
	if err == nil && last < first {
		err = fmt.Errorf("%q is not a range of versions: %s is older than %s", text, last, first)
	}
	return first, last, err
}

func parse(text string, oldest Version) (Version, error) {
	number, _, _ := strings.Cut(strings.TrimPrefix(text, "v"), "-")
	number, _, _ = strings.Cut(number, "+")
	var parts []uint64
	for _, part := range strings.Split(number, ".") {
		n, err := strconv.ParseUint(part, 10, 16)
		if err != nil {
			parts = nil
			break
		}
		parts = append(parts, n)
	}
	if len(parts) == 2 || len(parts) == 3 {
		if v := Version(parts[1]); parts[0] == 1 && v >= oldest && v <= Newest {
			return v, nil
		}
	}
	return 0, fmt.Errorf("unknown version of Kubernetes %q: use %s to %s", text, oldest, Newest)
}

// String returns the version as in 1.34.
func (v Version) String() string { return "1." + strconv.Itoa(int(v.orNewest())) }

func (v Version) orNewest() Version {
	if v == 0 {
		return Newest
	}
	return v
}

// Before returns the version before v, with which v has to be compatible: v refuses new CRDs that the version before cannot evaluate.
func (v Version) Before() Version { return v.orNewest() - 1 }

// Has reports whether a version has a change.
func (v Version) Has(c Change) bool { return v.orNewest() >= c.Since() }

// Takes reports whether new CRDs may use what a change brought: see Change.TakenBy.
func (v Version) Takes(c Change) bool { return v.orNewest() >= c.TakenBy() }

// Alike reports whether two versions have the same changes of some kinds.
func Alike(a, b Version, kinds ...Kind) bool {
	return !slices.ContainsFunc(Changes(), func(c Change) bool { return c.Mirrored() && slices.Contains(kinds, c.Kind()) && a.Has(c) != b.Has(c) })
}
