package target

import (
	"fmt"
	"go/build"
	"go/build/constraint"
	"io"
	"os"
	"slices"
	"strings"
)

// Constraint is the expression of a //go:build line, with a choice of tags for which it holds.
type Constraint struct {
	// Expr is the expression as gofmt writes it, empty for none.
	Expr string
	// Tags are the tags to set so that it holds on this platform, sorted.
	Tags []string
	// Elsewhere says that it does not hold on this platform, whatever the tags.
	Elsewhere bool
}

// maxTags bounds the search for tags: every set of them is tried.
const maxTags = 12

// ParseConstraint reads the expression of a //go:build line. One that nothing can satisfy is an error: the files would
// never be built.
func ParseConstraint(text string) (Constraint, error) {
	if text == "" {
		return Constraint{}, nil
	}
	expr, err := constraint.Parse("//go:build " + text)
	if err != nil {
		return Constraint{}, err
	}
	free, fixed := split(expr)
	if len(free)+len(fixed) > maxTags {
		return Constraint{}, fmt.Errorf("more than %d tags", maxTags)
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

// satisfy returns the smallest set of free tags for which expr holds, given which of the others are set.
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

// split returns the tags of an expression, sorted: those that anybody may set, and those that the platform decides.
func split(expr constraint.Expr) (free, fixed []string) {
	expr.Eval(func(tag string) bool {
		if isPlatform(tag) {
			fixed = append(fixed, tag)
		} else {
			free = append(free, tag)
		}
		return true
	})
	// Eval looks at both sides of && and ||, so that all tags were seen.
	for _, tags := range []*[]string{&free, &fixed} {
		slices.Sort(*tags)
		*tags = slices.Compact(*tags)
	}
	return free, fixed
}

// isPlatform tells whether the go command sets a tag itself, or leaves it unset, by what it builds for and with.
func isPlatform(tag string) bool {
	switch tag {
	case "unix", "cgo", "gc", "gccgo":
		return true
	}
	// A file whose name ends in an operating system or an architecture is for that one alone.
	nowhere := build.Default
	nowhere.GOOS, nowhere.GOARCH = "nowhere", "nothing"
	return strings.HasPrefix(tag, "go1.") || !matches(nowhere, "x_"+tag+".go", "package x\n")
}

// isSet tells whether a tag that the platform decides is set here.
func isSet(tag string) bool {
	return matches(build.Default, "x.go", "//go:build "+tag+"\n\npackage x\n")
}

// matches tells whether a file is built.
func matches(context build.Context, name, text string) bool {
	context.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
	ok, err := context.MatchFile(".", name)
	return ok && err == nil
}

// FromEnvironment returns the tags that GOFLAGS sets for every go command.
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
