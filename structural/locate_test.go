package structural_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/crd/origin"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// nodeOf reads one document, in which keys may be there twice.
func nodeOf(t *testing.T, document string) *yamltext.Node {
	t.Helper()
	var root *yamltext.Node
	yamltext.Parse([]byte(document), func(d *yamltext.Document) { root = d.Root }, func(*yamltext.Problem) {})
	if root == nil {
		t.Fatalf("no document in %q", document)
	}
	return root
}

// Every path through fields, keys and elements is found in a document that has it beside others.
func TestPathsOfAllKindsOfStepsAreFound(t *testing.T) {
	steps := []string{"field", "with.dot", "sla/sh", "7", "0", "[1]"}
	var try func(path *structural.Path, head, tail string, depth int)
	count := 0
	try = func(path *structural.Path, head, tail string, depth int) {
		if depth > 0 {
			document := head + "\n\"end\"" + tail
			root := nodeOf(t, document)
			if node, _, whole := yamltext.NewFinder(root).Find(path.Steps()); !whole || node.Str() != "end" {
				t.Errorf("%s is not in %s", path, document)
			}
			count++
		}
		if depth == 3 {
			return
		}
		for _, s := range steps {
			if s == "[1]" {
				if depth > 0 {
					try(path.Index(1), head+"[0,\n", "]"+tail, depth+1)
				}
				continue
			}
			below := path.Child(s)
			if s != "field" {
				below = path.Key(s)
			}
			try(below, head+fmt.Sprintf("{other: 1, %q: ", s), "}"+tail, depth+1)
		}
	}
	try(nil, "", "", 0)
	if count < 150 {
		t.Errorf("only %d paths", count)
	}
}

// readFrom returns a CRD that was read from a node of the file f.
func readFrom(n *yamltext.Node) *structural.CRD {
	spec := n.Child("spec")
	c := &structural.CRD{File: "f", Name: n.Child("metadata").Child("name").Str(), Group: spec.Child("group").Str(), Names: structural.Names{Kind: spec.Child("names").Child("kind").Str()}}
	origin.SetNode(c, n)
	return c
}

// What is not there is at the nearest place above it, and each step up to there is visited.
func TestFollowVisitsEachStep(t *testing.T) {
	root := nodeOf(t, "a:\n  b.c:\n  - d: 1\n  b[0]: 2\n")
	var at *structural.Path
	bc := at.Child("a").Key("b.c")
	for _, test := range []struct {
		path *structural.Path
		want string
	}{
		{bc.Index(0).Child("d"), "a.b.c[0].d 3 true"}, {bc.Index(0).Child("x"), "a.b.c[0] 3 false"}, {bc.Index(1), "a.b.c 2 false"}, {nil, " 1 true"},
		{at.Child("a").Key("b[0]"), "a.b[0] 4 true"}, {at.Child("a", "b", "c"), "a 1 false"}, {at.Child("a").Index(0), "a 1 false"},
	} {
		var steps prunert.Path
		_, pos, whole := yamltext.NewFinder(root).Follow(test.path.Steps(), func(s prunert.Step) { steps = append(steps, s) })
		if have := fmt.Sprintf("%s %d %t", steps, pos.Line, whole); have != test.want {
			t.Errorf("%s: %q, want %q", test.path, have, test.want)
		}
	}
}

// Maps of any size answer alike: of keys that are there twice, the last counts.
func TestKeysAreFoundInMapsOfAnySize(t *testing.T) {
	for _, size := range []int{1, 2, 31, 32, 33, 100} {
		var b strings.Builder
		for i := range size {
			fmt.Fprintf(&b, "k%d: %d\n", i, i)
		}
		b.WriteString("k0: twice\n")
		c := readFrom(nodeOf(t, b.String()))
		for i := range size {
			path := structural.NewPath(fmt.Sprintf("k%d", i))
			line, value := i+1, any(int64(i))
			if i == 0 {
				line, value = size+1, "twice"
			}
			if have, want := c.Locate(path.Steps()), (structural.Position{File: "f", Line: line, Column: 1}); have != want {
				t.Errorf("%d keys: %s is at %+v", size, path, have)
			}
			if n, at, whole := origin.Find(c, path.Steps()); n.Value() != value || at.Line != line || !whole {
				t.Errorf("%d keys: %s is %v in line %d", size, path, n.Value(), at.Line)
			}
		}
		if _, at, whole := origin.Find(c, structural.NewPath("missing").Steps()); whole || at.Line != 1 {
			t.Errorf("%d keys: a key that is not there is in line %d", size, at.Line)
		}
	}
}

// Findings are about a CRD by its name, or by its group and kind where it has none.
func TestFindingsNameTheirCRD(t *testing.T) {
	for document, want := range map[string]string{
		"{metadata: {name: crd}, spec: {group: g, names: {kind: K}}}": "crd",
		"{metadata: {name: ''}, spec: {group: g, names: {kind: K}}}":  "g/K",
		"{metadata: {name: 1}, spec: {names: {kind: K}}}":             "K",
		"{spec: {group: g}}": "g",
		"{}":                 "",
	} {
		node := nodeOf(t, document)
		if have := origin.Name(node); have != want {
			t.Errorf("%s is called %q, want %q", document, have, want)
		}
		e := &structural.Error{ID: "crd/unknown-scope", Path: structural.NewPath("spec", "scope"), Detail: "d", Hint: "h"}
		f := readFrom(node).Finding("v", structural.SeverityNote, e)
		at := readFrom(node).Locate(e.Path.Steps())
		if wantFinding := (structural.Finding{ID: "crd/unknown-scope", File: "f", Line: 1, Column: at.Column, CRD: want, Version: "v", Severity: structural.SeverityNote,
			Hint: "h"}.WithPath("spec.scope", prunert.FieldPath("spec", "scope")).Saying("spec.scope", "d")); !reflect.DeepEqual(f, wantFinding) || at.Column == 0 {
			t.Errorf("%s: %+v, want %+v", document, f, wantFinding)
		}
		own := readFrom(node)
		own.Name = "own"
		f = own.Finding("", structural.SeverityError, e)
		if f.CRD != "own" {
			t.Errorf("%s: the finding is about %q", document, f.CRD)
		}
	}
	f := (&structural.CRD{File: "f"}).Finding("", structural.SeverityError, &structural.Error{Path: structural.NewPath("a"), Detail: "d"})
	if want := (structural.Finding{File: "f", Severity: structural.SeverityError}.WithPath("a", prunert.FieldPath("a")).Saying("a", "d")); !reflect.DeepEqual(f, want) {
		t.Errorf("a CRD without a text: %+v", f)
	}
}

func TestConversionStrategies(t *testing.T) {
	for _, c := range []*structural.Conversion{nil, {}, {Strategy: "None"}} {
		if have := (&structural.CRD{Conversion: c}).ConversionStrategy(); have != "None" {
			t.Errorf("%+v: %s", c, have)
		}
	}
	if have := (&structural.CRD{Conversion: &structural.Conversion{Strategy: "Webhook"}}).ConversionStrategy(); have != "Webhook" {
		t.Error(have)
	}
}

func TestFirstAndLastNamesOfPaths(t *testing.T) {
	var root *structural.Path
	for _, c := range []struct {
		path        *structural.Path
		first, last string
	}{
		{root, "", ""}, {root.Child("a"), "a", "a"}, {root.Child("a", "b").Key("c"), "a", "c"}, {root.Key("k").Index(1), "k", ""}, {root.Index(1).Child("b"), "", "b"},
	} {
		if c.path.First() != c.first || c.path.Name() != c.last {
			t.Errorf("%s: %q and %q", c.path, c.path.First(), c.path.Name())
		}
	}
	if have := structural.VersionSchemaPath(3).String(); have != "spec.versions[3].schema.openAPIV3Schema" {
		t.Error(have)
	}
}
