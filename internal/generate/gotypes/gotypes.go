// Package gotypes compares the Go types of kinds with the schemas of their CRDs. A Go field that a schema does not have is
// dropped by the API server, a field of a schema that the Go type does not have is dropped by clients that use the type, and a
// field with another type on each side is refused by one of them. A field that a program does not set can be refused, too, or lack its default,
// and some fields cannot be set to zero.
//
// The JSON of a Go type is that of encoding/json. Types with their own MarshalJSON or UnmarshalJSON are opaque: nothing is
// reported about them or below them, unless they are types of Kubernetes whose JSON is known.
package gotypes

import (
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"github.com/prune-gen/prune-gen/internal/generate/target"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/structural"
)

var ids structural.IDTable

// The rules of the findings.
var (
	IDDropped       = ids.Add("types/dropped", "Every field of a Go type is in the schema.")
	IDLost          = ids.Add("types/lost", "Every field of the schema is in the Go type.")
	IDMismatch      = ids.Add("types/mismatch", "The schema accepts the JSON of a Go field.")
	IDNarrow        = ids.Add("types/narrow", "A Go field can hold every value that the schema accepts.")
	IDWide          = ids.Add("types/wide", "The API server can hold every integer of a Go field.")
	IDZeroRefused   = ids.Add("types/zero-refused", "The schema accepts what is sent for a Go field that is not set.")
	IDZeroMissing   = ids.Add("types/zero-missing", "A required Go field is sent even if it is zero.")
	IDZeroDefaulted = ids.Add("types/zero-defaulted", "A Go field can be zero although its default is not.")
	IDDefaultUnused = ids.Add("types/default-unused", "The default of a Go field applies if the field is not set.")
	IDMore          = ids.Add("types/more", "Only the first differences between a Go type and a schema are shown.")
)

// Rules returns the rules and their summaries.
func IDs() []structural.IDInfo { return ids }

// Package is a Go package that has types of kinds.
type Package struct {
	// Err is the first reason why the package does not compile, nil for none. What is unknown because of it is opaque.
	Err error

	types  *types.Package
	fset   *token.FileSet
	parsed map[string]bool // the files whose columns are known
	root   string          // of the module
}

// Load returns the types of a package, with what its module provides.
func Load(p *target.Package, m *target.Module) *Package {
	loaded := &Package{root: m.Root, parsed: map[string]bool{}}
	loaded.types, loaded.fset, loaded.Err = p.Types(m)
	for _, file := range p.Files() {
		loaded.parsed[file] = true
	}
	return loaded
}

// Compare compares the Go type of a kind with the schema of a version. It reports whether the package has such a type: a struct
// with the name of the kind that has the fields of a resource.
//
// Findings are about places in Go files: that of the field or, for a missing field, that of the type. A finding is an error if the server
// would drop or refuse what a Go program writes.
func (p *Package) Compare(c *structural.CRD, v *structural.Version) (found []structural.Finding, ok bool) {
	obj, isType := p.types.Scope().Lookup(c.Names.Kind).(*types.TypeName)
	if !isType || v.Schema == nil {
		return nil, false
	}
	w := newWalker(p, c, v)
	if !w.isResource(obj.Type()) {
		return nil, false
	}
	schema := c.Structural(v)
	if schema == nil || len(lint.Refusals(c, v)) > 0 {
		return nil, true // lint reports it
	}
	w.root(obj, schema)
	return append(w.found(), report.TooLarge(c, w.meter.Err())...), true
}

// position returns the place of an object. It is false for an object outside of the module, whose source is not the user's.
func (p *Package) position(pos token.Pos) (token.Position, bool) {
	at := p.fset.PositionFor(pos, false)
	if p.parsed[at.Filename] {
		return at, true
	}
	at.Column = 0 // export data has only lines
	rel, err := filepath.Rel(p.root, at.Filename)
	if err != nil || !filepath.IsAbs(at.Filename) || !filepath.IsLocal(rel) || strings.HasPrefix(filepath.ToSlash(rel), "vendor/") {
		return token.Position{}, false
	}
	return at, true
}

// name returns the name of a type for people: without a package if it is in p, else with the last element of its path.
func (p *Package) name(t types.Type) string {
	return types.TypeString(t, func(other *types.Package) string {
		if other == p.types {
			return ""
		}
		return other.Name()
	})
}
