// Package objects reads texts as Kubernetes tools take and print them, and finds the objects in them: in documents of YAML, in JSON one
// after the other, and in lists of any size.
//
// The package decides for all commands how a text is read, what a list is, what its items are, how an apiVersion is split, and what is
// said about duplicate keys. Packages that look for CRDs or validate objects are built on top of it.
package objects

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// Object is an object of a text.
type Object struct {
	Node *yamltext.Node
	// APIVersion and Kind are those of the object, or else those that its list implies. They are empty if there are none.
	APIVersion, Kind string
	// Implied reports that the list implies them.
	Implied bool
	// Document is the document that the object is in.
	Document *yamltext.Document
	// Last is the last line that it can have.
	Last int
}

// Name returns the name of the object, "" for none.
func (o Object) Name() string { return o.Node.Child("metadata").Child("name").Str() }

// Namespace returns the namespace of the object, "" for none.
func (o Object) Namespace() string { return o.Node.Child("metadata").Child("namespace").Str() }

// String returns the kind, the namespace and the name of the object, or what its name begins with if the server is to make one.
func (o Object) String() string {
	name := cmp.Or(o.Name(), o.Node.Child("metadata").Child("generateName").Str())
	if namespace := o.Namespace(); namespace != "" {
		name = namespace + "/" + name
	}
	said := strings.TrimSpace(o.Kind + " " + name)
	if len(said) > longestName {
		return yamltext.Shorten(said)
	}
	return said
}

// longestName is how long a kind with a namespace and a name can be: no server accepts a longer one.
const longestName = 63 + 1 + 63 + 1 + 253

// Group returns the group and the version in the apiVersion of the object.
func (o Object) Group() (group, version string) { return SplitVersion(o.APIVersion) }

// SplitVersion splits an apiVersion. The group of v1 is empty.
func SplitVersion(apiVersion string) (group, version string) {
	group, version, found := strings.Cut(apiVersion, "/")
	if !found {
		return "", apiVersion
	}
	return group, version
}

// itemKind returns the kind of the items of a list by the kind of the list. It is empty for List. It is false for a kind that is not a
// list by its name.
func itemKind(kind string) (string, bool) { return strings.CutSuffix(kind, "List") }

// Duplicate is a key that an object has already.
type Duplicate struct {
	yamltext.Flaw
	Path *structural.Path
	In   *yamltext.Document
}

// Message describes the duplicate in the words of the API server.
func (d Duplicate) Message() string { return "duplicate field " + strconv.Quote(d.Path.Dotted()) }

// Hint says which of the keys counts, or that YAML made the same of two that differ. An object has an apiVersion once: a second one
// begins another object.
func (d Duplicate) Hint() string {
	if d.Key == "apiVersion" && d.Path.Dotted() == d.Key {
		return "a line with --- is missing before it, if another object begins here"
	}
	first, _ := d.In.Written(d.First)
	switch last, differs := d.In.Written(d.Pos); {
	case first == last:
	case differs:
		return d.In.KeyHint(d.Pos, d.Key)
	default:
		return fmt.Sprintf("on line %d, %s", d.First.Line, d.In.KeyHint(d.First, d.Key))
	}
	return fmt.Sprintf("it is set on line %d already, and the last one counts", d.First.Line)
}

// Duplicates returns the keys that the object has twice, in the order of the text.
func (o Object) Duplicates() []Duplicate {
	var all []Duplicate
	report.EachFlaw(o.Document, o.Node, func(f yamltext.Flaw, at *structural.Path) {
		if f.ID == yamltext.IDDuplicateKey {
			all = append(all, Duplicate{f, at, o.Document})
		}
	})
	slices.SortStableFunc(all, func(a, b Duplicate) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column))
	})
	return all
}

// InDocument calls visit for the object in a document, or, where it is a list, for each item. A list is of a kind that ends in List and
// has items, unless isKind says that it is a kind of its own; isKind may be nil. An item without apiVersion and kind has those that the
// list implies, as for kubectl. It calls other with values that are not objects.
func InDocument(doc *yamltext.Document, isKind func(apiVersion, kind string) bool, visit func(Object), other func(*yamltext.Node)) {
	f := finder{doc: doc, isKind: isKind, visit: visit, other: other}
	f.object(doc.Root, "", "", doc.Last)
}

// finder finds the objects of a document.
type finder struct {
	doc    *yamltext.Document
	isKind func(apiVersion, kind string) bool
	visit  func(Object)
	other  func(*yamltext.Node)
}

// object visits an object or the items of a list, which ends at line last or before.
func (f *finder) object(n *yamltext.Node, apiVersion, kind string, last int) {
	if n.Kind != yamltext.Map {
		f.other(n)
		return
	}
	o := Object{Node: n, APIVersion: n.Child("apiVersion").Str(), Kind: n.Child("kind").Str(), Document: f.doc, Last: last}
	if o.APIVersion == "" && o.Kind == "" && kind != "" {
		o.APIVersion, o.Kind, o.Implied = apiVersion, kind, true
	}
	items := n.Child("items")
	of, isList := itemKind(o.Kind)
	if !isList || items == nil || items.Kind != yamltext.List && !items.IsNull() || f.isKind != nil && f.isKind(o.APIVersion, o.Kind) {
		f.visit(o)
		return
	}
	for i, item := range items.List {
		f.object(item, o.APIVersion, of, LastLine(items.List, i, last))
	}
}

// LastLine returns the last line that element i of a list can have if the list ends with the given line.
func LastLine(list []*yamltext.Node, i, last int) int {
	if i+1 < len(list) {
		return max(list[i].Pos.Line, list[i+1].Pos.Line-1)
	}
	return max(list[i].Pos.Line, last)
}

// GeneratedName makes a name of generateName. It has the length of those that the API server makes, and is always the same, so that
// answers can be compared.
func GeneratedName(base string) string {
	const suffix, longest = "xxxxx", 63
	return base[:min(len(base), longest-len(suffix))] + suffix
}
