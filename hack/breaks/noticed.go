package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// noticedFile says how each break was noticed when it was last tried. What noticed it then is tried first, which
// spares the tests before it.
const noticedFile = "hack/breaks/noticed.txt"

// noticed maps the name of a break to how it was noticed.
type noticed map[string]string

func readNoticed(root string) (noticed, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(noticedFile)))
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	n := noticed{}
	for line := range strings.Lines(string(text)) {
		name, how, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok {
			return nil, fmt.Errorf("%s: no tab in %q", noticedFile, line)
		}
		n[name] = how
	}
	return n, nil
}

// write writes the file again, without breaks that the table no longer has.
func (n noticed) write(root string) error {
	var text strings.Builder
	known := map[string]bool{}
	for _, b := range table() {
		known[b.Name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(n)) {
		if known[name] {
			fmt.Fprintf(&text, "%s\t%s\n", name, n[name])
		}
	}
	return os.WriteFile(filepath.Join(root, filepath.FromSlash(noticedFile)), []byte(text.String()), 0o666)
}

// shortcut returns the stages that noticed a break before: the one test, after all that generates code for it. It returns nil if
// there is no such test among the stages.
func shortcut(all []stage, how string) []stage {
	pkg, test, _ := strings.Cut(how, " ")
	var short []stage
	for _, s := range all {
		switch {
		case !s.tests(pkg):
			if how == s.name || strings.HasPrefix(how, s.name+": ") {
				return append(short, s)
			}
			if !s.isTest() && !s.conformance {
				short = append(short, s)
			}
		case strings.HasPrefix(test, "Test"), strings.HasPrefix(test, "Fuzz"), strings.HasPrefix(test, "Example"):
			test, _, _ = strings.Cut(test, " ") // a panic comes after the test
			s.command = []string{"go", "test", "-vet=off", "-timeout", "10m", "-run", exactly(test),
				"./" + strings.TrimPrefix(strings.TrimPrefix(pkg, s.dir), "/")}
			s.large = true // the test may be one of those
			return append(short, s)
		default:
			return nil
		}
	}
	return nil
}

// exactly returns the regular expression that the go command takes for one test.
func exactly(test string) string {
	parts := strings.Split(test, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}
