package prunecel

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Semver is a semantic version. Its build metadata does not affect the order, and is not kept.
type Semver struct {
	Major, Minor, Patch uint64
	pre                 []prerelease
}

// prerelease is an identifier after the dash: a number, or a text if it is not empty.
type prerelease struct {
	text   string
	number uint64
}

// parseSemver is semver(string).
func parseSemver(s string) (Semver, error) {
	if s == "" {
		return Semver{}, errors.New("Version string empty")
	}
	parts := strings.SplitN(s, ".", 3)
	if len(parts) != 3 {
		return Semver{}, errors.New("No Major.Minor.Patch elements found")
	}
	patch, build, hasBuild := strings.Cut(parts[2], "+")
	patch, pre, hasPre := strings.Cut(patch, "-")

	var v Semver
	var err error
	for _, number := range []struct {
		to         *uint64
		name, text string
	}{{&v.Major, "major", parts[0]}, {&v.Minor, "minor", parts[1]}, {&v.Patch, "patch", patch}} {
		if *number.to, err = parseVersionNumber(number.name, number.text); err != nil {
			return Semver{}, err
		}
	}
	if hasPre {
		for _, text := range strings.Split(pre, ".") {
			p, err := parsePrerelease(text)
			if err != nil {
				return Semver{}, err
			}
			v.pre = append(v.pre, p)
		}
	}
	if hasBuild {
		for _, text := range strings.Split(build, ".") {
			if text == "" {
				return Semver{}, errors.New("Build meta data is empty")
			}
			if !isVersionWord(text) {
				return Semver{}, fmt.Errorf("Invalid character(s) found in build meta data %q", text)
			}
		}
	}
	return v, nil
}

func parseVersionNumber(name, text string) (uint64, error) {
	if !isDigits(text) {
		return 0, fmt.Errorf("Invalid character(s) found in %s number %q", name, text)
	}
	if hasLeadingZeros(text) {
		return 0, fmt.Errorf("%s number must not contain leading zeroes %q", strings.ToUpper(name[:1])+name[1:], text)
	}
	return strconv.ParseUint(text, 10, 64)
}

func parsePrerelease(text string) (prerelease, error) {
	switch {
	case text == "":
		return prerelease{}, errors.New("Prerelease is empty")
	case isDigits(text):
		if hasLeadingZeros(text) {
			return prerelease{}, fmt.Errorf("Numeric PreRelease version must not contain leading zeroes %q", text)
		}
		number, err := strconv.ParseUint(text, 10, 64)
		return prerelease{number: number}, err
	case !isVersionWord(text):
		return prerelease{}, fmt.Errorf("Invalid character(s) found in prerelease %q", text)
	}
	return prerelease{text: text}, nil
}

func hasLeadingZeros(s string) bool { return len(s) > 1 && s[0] == '0' }

func isDigits(s string) bool {
	_, rest := cutDigits(s)
	return rest == ""
}

// isVersionWord reports whether s consists of letters and digits of ASCII and dashes.
func isVersionWord(s string) bool {
	for i := range len(s) {
		if c := s[i]; !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-') {
			return false
		}
	}
	return true
}

// parseSemverNormalized is semver(string, bool): with normalize a leading v, leading zeros and missing numbers are allowed.
func parseSemverNormalized(s string, normalize bool) (Semver, error) {
	if !normalize {
		return parseSemver(s)
	}
	parts := strings.SplitN(strings.TrimPrefix(s, "v"), ".", 3)
	for i, part := range parts {
		if len(part) > 1 {
			part = strings.TrimLeft(part, "0")
			if part == "" || part[0] < '0' || part[0] > '9' {
				part = "0" + part
			}
			parts[i] = part
		}
	}
	if len(parts) < 3 && strings.ContainsAny(parts[len(parts)-1], "+-") {
		return Semver{}, errors.New("short version cannot contain PreRelease/Build meta data")
	}
	for len(parts) < 3 {
		parts = append(parts, "0")
	}
	return parseSemver(strings.Join(parts, "."))
}

// isSemver reports whether s is a semantic version.
func isSemver(s string) bool {
	_, err := parseSemver(s)
	return err == nil
}

// isSemverNormalized is isSemver(string, bool).
func isSemverNormalized(s string, normalize bool) bool {
	_, err := parseSemverNormalized(s, normalize)
	return err == nil
}

// compare returns -1, 0 or 1.
func (v Semver) compare(o Semver) int {
	for _, order := range [...]int{compare(v.Major, o.Major), compare(v.Minor, o.Minor), compare(v.Patch, o.Patch)} {
		if order != 0 {
			return order
		}
	}
	switch {
	case len(v.pre) == 0 || len(o.pre) == 0:
		return compare(int64(len(o.pre)), int64(len(v.pre))) // a release is after its prereleases
	}
	for i := range min(len(v.pre), len(o.pre)) {
		if order := v.pre[i].compare(o.pre[i]); order != 0 {
			return order
		}
	}
	return compare(int64(len(v.pre)), int64(len(o.pre)))
}

// compare orders numbers before texts.
func (p prerelease) compare(o prerelease) int {
	if p.text == "" && o.text == "" {
		return compare(p.number, o.number)
	}
	return strings.Compare(p.text, o.text)
}

func semverFunctions() []Function {
	return []Function{
		kubernetes("semver(string) kubernetes.Semver", "string_to_semver", call1e(parseSemver), costTraversal).estimated(EstimateRead),
		kubernetes("semver(string, bool) kubernetes.Semver", "string_bool_to_semver", call2e(parseSemverNormalized), costTraversal).estimated(EstimateRead),
		kubernetes("isSemver(string) bool", "is_semver_string", call1(isSemver), costTraversal).estimated(EstimateRead),
		kubernetes("isSemver(string, bool) bool", "is_semver_string_bool", call2(isSemverNormalized), costTraversal).estimated(EstimateRead),
		kubernetes("kubernetes.Semver.isGreaterThan(kubernetes.Semver) bool", "semver_is_greater_than", call2(func(a, b Semver) bool { return a.compare(b) > 0 })),
		kubernetes("kubernetes.Semver.isLessThan(kubernetes.Semver) bool", "semver_is_less_than", call2(func(a, b Semver) bool { return a.compare(b) < 0 })),
		kubernetes("kubernetes.Semver.compareTo(kubernetes.Semver) int", "semver_compare_to", call2(func(a, b Semver) int64 { return int64(a.compare(b)) })),
		kubernetes("kubernetes.Semver.major() int", "semver_major", call1(func(v Semver) int64 { return int64(v.Major) })),
		kubernetes("kubernetes.Semver.minor() int", "semver_minor", call1(func(v Semver) int64 { return int64(v.Minor) })),
		kubernetes("kubernetes.Semver.patch() int", "semver_patch", call1(func(v Semver) int64 { return int64(v.Patch) })),
	}
}
