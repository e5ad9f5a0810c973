// Package manifest answers for manifests, files with objects as Kubernetes tools take and print them: what the API server would drop,
// fill in, change, warn of and refuse, with the place of each in the text.
//
// Read finds the objects of a text, which is parsed once. Server.Answer asks the resource of an object, and maps what it says back
// to the text by the paths of its errors. The commands, the page and tests of fixtures print what they find in an Answer.
package manifest

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/report"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// Object is an object of a manifest.
type Object struct {
	Node *yamltext.Node
	// APIVersion and Kind are what the object says that it is, or what its list says. They are empty where neither says it.
	APIVersion, Kind string

	doc     *yamltext.Document
	implied bool // the list says what the object is
	last    int  // the last line that it can have
}

// Name returns the name of the object, "" for none.
func (o Object) Name() string { return o.Node.Child("metadata").Child("name").Str() }

// Namespace returns the namespace of the object, "" for none.
func (o Object) Namespace() string { return o.Node.Child("metadata").Child("namespace").Str() }

// String returns the kind, the namespace and the name of the object.
func (o Object) String() string {
	name := o.Name()
	if name == "" {
		name = o.Node.Child("metadata").Child("generateName").Str()
	}
	if namespace := o.Namespace(); namespace != "" {
		name = namespace + "/" + name
	}
	said := strings.TrimSpace(o.Kind + " " + name)
	if len(said) > longestName {
		return yamltext.Shorten(said)
	}
	return said
}

// longestName is how long a kind with a namespace and a name can be: what is longer, no server accepts.
const longestName = 63 + 1 + 63 + 1 + 253

// Group returns the group and the version that the object says it is of.
func (o Object) Group() (group, version string) {
	group, version, found := strings.Cut(o.APIVersion, "/")
	if !found {
		return "", o.APIVersion
	}
	return group, version
}

// Duplicate is a key that an object has already.
type Duplicate struct {
	yamltext.Flaw
	Path *structural.Path
}

// Duplicates returns the keys that the object has twice, in the order of the text.
func (o Object) Duplicates() []Duplicate {
	var all []Duplicate
	report.EachFlaw(o.doc, o.Node, func(f yamltext.Flaw, at *structural.Path) {
		if f.Rule == yamltext.RuleDuplicateKey {
			all = append(all, Duplicate{f, at})
		}
	})
	slices.SortFunc(all, func(a, b Duplicate) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column))
	})
	return all
}

// Objects calls visit for the object in a document, or, where it is a list, for each item. A list is of kind List, or of a kind
// that ends in List and has items, unless isKind says that it is a kind of its own; isKind may be nil. Items of a kind's list need
// not repeat the kind. It calls wrong with what is not an object.
func Objects(doc *yamltext.Document, isKind func(apiVersion, kind string) bool, visit func(Object), wrong func(*yamltext.Node)) {
	f := finder{doc: doc, isKind: isKind, visit: visit, wrong: wrong}
	f.object(doc.Root, "", "", doc.Last)
}

// finder finds the objects of a document.
type finder struct {
	doc    *yamltext.Document
	isKind func(apiVersion, kind string) bool
	visit  func(Object)
	wrong  func(*yamltext.Node)
}

// object visits an object or the items of a list, which has its last line at most at last. The item of a list of a kind can leave out
// apiVersion and kind.
func (f *finder) object(n *yamltext.Node, apiVersion, kind string, last int) {
	if n.Kind != yamltext.Map {
		f.wrong(n)
		return
	}
	o := Object{Node: n, APIVersion: n.Child("apiVersion").Str(), Kind: n.Child("kind").Str(), doc: f.doc, last: last}
	if items, ok := f.items(o); ok {
		of, _ := strings.CutSuffix(o.Kind, "List")
		for i, item := range items {
			f.object(item, o.APIVersion, of, lastLine(items, i, last))
		}
		return
	}
	if n.Get("apiVersion") == nil && n.Child("kind").IsNull() && kind != "" {
		o.APIVersion, o.Kind, o.implied = apiVersion, kind, true
	}
	f.visit(o)
}

// items returns the items of a list. It is false for an object that is not a list.
func (f *finder) items(o Object) ([]*yamltext.Node, bool) {
	items := o.Node.Child("items")
	if !strings.HasSuffix(o.Kind, "List") || items == nil || items.Kind != yamltext.List && !items.IsNull() {
		return nil, false
	}
	if f.isKind != nil && f.isKind(o.APIVersion, o.Kind) {
		return nil, false
	}
	return items.List, true
}
