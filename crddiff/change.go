package crddiff

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/crd/kept"
	"github.com/prune-gen/prune-gen/structural"
)

var (
	ids    structural.IDTable
	levels = map[structural.ID][]Level{}
)

// rule adds a rule whose changes have one of some levels.
func rule(id structural.ID, summary string, all ...Level) structural.ID {
	levels[id] = all
	return ids.Add(id, summary)
}

var (
	idCRDRemoved   = rule("diff/crd-removed", "A CRD is gone.", Stored)
	idCRDAdded     = rule("diff/crd-added", "A CRD is new.", None)
	idNames        = rule("diff/names", "A name of the resource has changed.", None, Readers, Stored)
	idScope        = rule("diff/scope", "The scope has changed.", Stored)
	idConversion   = rule("diff/conversion", "The conversion between versions has changed.", None, Stored)
	idVersion      = rule("diff/version", "A version is gone or new, or is served now, or no longer.", None, Requests, Stored)
	idStorage      = rule("diff/storage", "Objects are stored in another version.", None, Stored)
	idDeprecation  = rule("diff/deprecation", "The deprecation of a version has changed.", None)
	idSubresource  = rule("diff/subresource", "A subresource has changed.", None, Requests, Stored)
	idSelectable   = rule("diff/selectable-field", "A field that objects can be selected by has changed.", None, Requests)
	idColumn       = rule("diff/printer-column", "A column that kubectl get prints has changed.", None)
	idSchema       = rule("diff/schema", "Schemas cannot be compared.", Stored)
	idFieldRemoved = rule("diff/field-removed", "A field that was kept is dropped.", Stored)
	idFieldAdded   = rule("diff/field-added", "A field that was dropped is kept.", None)
	idPreserve     = rule("diff/preserve", "Fields that are not specified are kept now, or dropped now.", None, Stored)
	idSpecified    = rule("diff/specified", "A field that was kept unspecified is specified, or the other way around.", None, Readers, Requests, Stored)
	idEmbedded     = rule("diff/embedded-resource", "An object has become an embedded resource, or is one no longer.", Requests, Stored)
	idType         = rule("diff/type", "A type has changed.", Readers, Requests, Stored)
	idNullable     = rule("diff/nullable", "A value may be null now, or no longer.", Readers, Requests, Stored)
	idDefault      = rule("diff/default", "A default has changed.", None, Requests, Stored)
	idRequired     = rule("diff/required", "A field has become required, or is required no longer.", None, Requests, Stored)
	idEnum         = rule("diff/enum", "The values of an enum have changed.", None, Requests, Stored)
	idBound        = rule("diff/bound", "A bound has changed.", None, Requests, Stored)
	idPattern      = rule("diff/pattern", "A pattern has changed.", None, Requests, Stored)
	idFormat       = rule("diff/format", "A format has changed.", Readers, Requests, Stored)
	idAlternatives = rule("diff/alternatives", "What allOf, anyOf, oneOf or not say has changed.", None, Readers, Requests, Stored)
	idListType     = rule("diff/list-type", "The type of a list or the keys of its elements have changed.", Requests)
	idMapType      = rule("diff/map-type", "The type of a map has changed.", None, Requests)
	idValidation   = rule("diff/validation-rule", "A CEL rule has changed.", None, Requests, Stored)
)

// IDs returns every id of this package with what is said about it.
func IDs() []structural.IDInfo { return ids }

// Levels returns the levels that changes with an id can have, the lowest first.
func Levels(id structural.ID) []Level { return slices.Clone(levels[id]) }

// Change is a difference between two CRDs.
type Change struct {
	ID structural.ID
	// Level says whom the change breaks.
	Level Level
	// Version is the version that the change is about, "" for the whole CRD.
	Version string
	// At is the place in the new CRD, even if that does not have it; for a CRD that is gone, the place in the old one.
	At *structural.Path
	// Was is where the old CRD specifies a field that is gone, nil for other changes.
	Was *structural.Path
	// What has changed, and Why that breaks something or does not.
	What, Why string

	place *kept.Place // where objects differ, nil for a change that is not about a field
}

// Field returns the field of objects that the change is about, such as spec.ports[].name, or spec.env[*] for the values of a map. It is
// "" for the whole object, and for a change that is not about a field.
func (c Change) Field() string { return c.place.String() }

// IsAboutVersion reports whether the text of the change names its version, which is gone, new, served or no longer served.
func (c Change) IsAboutVersion() bool { return c.ID == idVersion }

// String returns the change in one line, with the level if it breaks somebody.
func (c Change) String() string {
	text := c.What + "; " + c.Why
	if c.place != nil {
		text = c.Field() + ": " + text
	}
	if c.Level > None {
		text += " (" + c.Level.String() + ")"
	}
	return text
}

// sortChanges sorts by version and place, the changes of a place by level.
func sortChanges(all []Change) {
	listed := map[*kept.Place]string{}
	for _, c := range all {
		if _, ok := listed[c.place]; !ok {
			listed[c.place] = c.place.Listed()
		}
	}
	slices.SortStableFunc(all, func(a, b Change) int {
		return cmp.Or(strings.Compare(a.Version, b.Version), strings.Compare(listed[a.place], listed[b.place]), cmp.Compare(b.Level, a.Level))
	})
}
