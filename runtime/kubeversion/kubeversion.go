// Package kubeversion says which versions of Kubernetes there are for prune-gen, and what changed from one to the next that its users
// can see. Nothing outside of this package compares versions: code asks whether a version has a change.
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
	// Oldest and Newest are the first and the last version whose API server is mirrored. What is not of the older ones is in Changes.
	Oldest Version = 33
	Newest Version = 37
	// OldestLinted is the first version of which lint knows what it refuses or ignores: the first that evaluates CEL rules.
	OldestLinted Version = 25
)

// Known returns the versions that are mirrored, oldest first.
func Known() []Version { return between(Oldest, Newest) }

func between(first, last Version) []Version {
	var all []Version
	for v := first; v <= last; v++ {
		all = append(all, v)
	}
	return all
}

// Parse parses a version that is mirrored, such as 1.34 or v1.34.2. An empty text is the newest.
func Parse(text string) (Version, error) {
	if text == "" {
		return Newest, nil
	}
	return parse(text, Oldest)
}

// ParseLinted parses a version of which lint knows what it refuses or ignores.
func ParseLinted(text string) (Version, error) { return parse(text, OldestLinted) }

// ParseRange parses a range of versions of which lint knows what they refuse or ignore: 1.31..1.34, or 1.31.. up to the newest. A version
// is a range, too.
func ParseRange(text string) (first, last Version, err error) {
	from, to, isRange := strings.Cut(text, "..")
	if first, err = ParseLinted(from); err != nil || !isRange {
		return first, first, err
	}
	last = Newest
	if to != "" {
		last, err = ParseLinted(to)
	}
	if err == nil && last < first {
		err = fmt.Errorf("%q is not a range of versions: %s is older than %s", text, last, first)
	}
	return first, last, err
}

func parse(text string, oldest Version) (Version, error) {
	parts := strings.Split(strings.TrimPrefix(text, "v"), ".")
	if len(parts) >= 2 && len(parts) <= 3 && parts[0] == "1" {
		if minor, err := strconv.Atoi(parts[1]); err == nil && slices.Contains(between(oldest, Newest), Version(minor)) {
			return Version(minor), nil
		}
	}
	return 0, fmt.Errorf("%q is not a version of Kubernetes that is known: they are %s to %s", text, oldest, Newest)
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
func (v Version) Has(c *Change) bool { return v.orNewest() >= c.Since }

// Alike reports whether two versions have the same changes of some kinds.
func Alike(a, b Version, kinds ...Kind) bool {
	return !slices.ContainsFunc(Changes(), func(c *Change) bool { return !c.NotMirrored && slices.Contains(kinds, c.Kind) && a.Has(c) != b.Has(c) })
}
