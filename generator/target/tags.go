package target

import (
	"fmt"
	"go/build"
	"go/build/constraint"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/meter"
)

// Constraint is the expression of a //go:build line, with tags that satisfy it.
type Constraint struct {
	// Expr is the expression as gofmt writes it, "" for none.
	Expr string
	// Tags are the tags that satisfy it on this platform, sorted.
	Tags []string
	// Elsewhere reports that no tags satisfy it on this platform.
	Elsewhere bool
}

// ParseConstraint parses the expression of a //go:build line. An expression that nothing satisfies is an error: the
// files would never be built.
func ParseConstraint(text string) (Constraint, error) {
	if text == "" {
		return Constraint{}, nil
	}
	expr, err := constraint.Parse("//go:build " + text)
	if err != nil {
		return Constraint{}, err
	}
	free, fixed := split(expr)
	if len(free)+len(fixed) > meter.Tags {
		return Constraint{}, fmt.Errorf("more than %d tags", meter.Tags)
	}
	c := Constraint{Expr: expr.String()}
	if tags, ok := satisfy(expr, free, isSet); ok {
		c.Tags = tags
		return c, nil
	}
	// Perhaps another platform would do.
	if _, ok := satisfy(expr, slices.Concat(free, fixed), func(string) bool { return false }); !ok {
		return Constraint{}, fmt.Errorf("no tags satisfy it")
	}
	c.Elsewhere = true
	return c, nil
}

// satisfy returns the smallest set of free tags that satisfies expr, where set reports the value of the other tags.
func satisfy(expr constraint.Expr, free []string, set func(tag string) bool) ([]string, bool) {
	var best []string
	found := false
	for bits := range 1 << len(free) {
		var chosen []string
		for i, tag := range free {
			if bits>>i&1 != 0 {
				chosen = append(chosen, tag)
			}
		}
		if found && len(chosen) >= len(best) {
			continue
		}
		if expr.Eval(func(tag string) bool { return slices.Contains(chosen, tag) || !slices.Contains(free, tag) && set(tag) }) {
			best, found = chosen, true
		}
	}
	return best, found
}

// split returns the tags of an expression, sorted: free ones, and those fixed by the platform.
func split(expr constraint.Expr) (free, fixed []string) {
	expr.Eval(func(tag string) bool {
		if isPlatform(tag) {
			fixed = append(fixed, tag)
		} else {
			free = append(free, tag)
		}
		return true
	})
	// Eval evaluates both sides of && and ||, so it has visited all tags.
	for _, tags := range []*[]string{&free, &fixed} {
		slices.Sort(*tags)
		*tags = slices.Compact(*tags)
	}
	return free, fixed
}

// isPlatform reports whether the platform or the toolchain decides a tag.
func isPlatform(tag string) bool {
	switch tag {
	case "unix", "cgo", "gc", "gccgo":
		return true
	}
	// A file whose name ends in _GOOS or _GOARCH is built for that one alone.
	nowhere := build.Default
	nowhere.GOOS, nowhere.GOARCH = "nowhere", "nothing"
	return strings.HasPrefix(tag, "go1.") || !matches(nowhere, "x_"+tag+".go", "package x\n")
}

// isSet reports whether a platform tag is set on this platform.
func isSet(tag string) bool {
	return matches(build.Default, "x.go", "//go:build "+tag+"\n\npackage x\n")
}

// matches reports whether a file is built.
func matches(context build.Context, name, text string) bool {
	context.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
	ok, err := context.MatchFile(".", name)
	return ok && err == nil
}

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
