package lintcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/internal/generate/gotypes"
	"github.com/prune-gen/prune-gen/internal/generate/target"
	"github.com/prune-gen/prune-gen/structural"
)

// goTypes is a Go package that --types names.
type goTypes struct {
	dir      string
	name     string // of the package
	markers  target.Markers
	types    *gotypes.Package
	compared int // how many kinds it has
}

// loadTypes loads the Go package in a directory. The findings say what could not be loaded.
func loadTypes(dir string) (*goTypes, []structural.Finding, error) {
	tags := target.FromEnvironment()
	there, err := target.Find(dir, tags, func(string) bool { return false })
	if err != nil {
		return nil, nil, err
	}
	if there.Name == "" {
		return nil, nil, fmt.Errorf("there is no Go package in %s", dir)
	}
	g := &goTypes{dir: dir, name: there.Name}
	if g.markers, err = there.Markers(); err != nil {
		return nil, nil, err
	}
	m := target.LoadModule(context.Background(), dir, tags, there.Imports)
	g.types = gotypes.Load(there, m)
	warn := func(id structural.ID, format string, args ...any) []structural.Finding {
		return []structural.Finding{{ID: id, File: dir, Severity: structural.SeverityWarning, Message: fmt.Sprintf(format, args...)}}
	}
	switch {
	case m.Root == "":
		return g, warn(findings.IDNoModule, "there is no go.mod here or above: types that the package imports are unknown"), nil
	case errors.Is(m.Err, target.ErrNoGo):
		return g, warn(findings.IDNoGo, "%v: types that the package imports are unknown", m.Err), nil
	case m.Err != nil:
		return g, warn(findings.IDModule, "types that the package imports are unknown: %v", m.Err), nil
	case g.types.Err != nil:
		return g, warn(target.IDBroken, "the package does not compile; types that are unknown because of that are not compared: %v", g.types.Err), nil
	}
	return g, nil, nil
}

// compare returns the differences between the types of the package and a CRD.
func (g *goTypes) compare(c *structural.CRD) []structural.Finding {
	v := g.version(c)
	if v == nil {
		return nil
	}
	found, ok := g.types.Compare(c, v)
	if ok {
		g.compared++
	}
	for i := range found {
		found[i].File = cli.ShortPath(found[i].File)
	}
	return found
}

// version returns the version of a CRD that the package is for: that of its marker, else that of its name, else the only one.
func (g *goTypes) version(c *structural.CRD) *structural.Version {
	if g.markers.Group != "" && g.markers.Group != c.Group {
		return nil
	}
	name := cmp.Or(g.markers.Version, g.name)
	i := slices.IndexFunc(c.Versions, func(v *structural.Version) bool { return v.Name == name })
	switch {
	case i >= 0:
		return c.Versions[i]
	case len(c.Versions) == 1 && !target.IsVersionName(name):
		return c.Versions[0]
	}
	return nil
}

// none warns of a package that has no type for any kind.
func (g *goTypes) none() []structural.Finding {
	if g.compared > 0 {
		return nil
	}
	return []structural.Finding{{
		ID: findings.IDNoTypes, File: g.dir, Severity: structural.SeverityWarning,
		Message: fmt.Sprintf("package %s has no type for a kind of these CRDs", g.name),
		Hint:    "a type has the name of its kind and embeds TypeMeta and ObjectMeta; the group of a package is its marker +groupName, its version is its name or its marker +versionName",
	}}
}
