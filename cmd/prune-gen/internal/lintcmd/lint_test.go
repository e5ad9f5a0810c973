package lintcmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/generate/target"
	"github.com/prune-gen/prune-gen/structural"
)

// A verdict counts the fields of every version, on all levels, in lists and in maps, and the rules of all of them.
func TestVerdictsCount(t *testing.T) {
	leaf := &structural.JSONSchema{Type: "string"}
	object := func(names ...string) *structural.JSONSchema {
		s := &structural.JSONSchema{Type: "object", Properties: map[string]*structural.JSONSchema{}}
		for _, name := range names {
			s.Properties[name] = leaf
		}
		return s
	}
	list := &structural.JSONSchema{Type: "array", Items: &structural.JSONSchemaOrArray{Schema: object("a", "b")}}
	values := &structural.JSONSchema{Type: "object", AdditionalProperties: &structural.JSONSchemaOrBool{Schema: object("a", "b", "c")}}
	all := object("x")
	all.Properties["list"], all.Properties["values"], all.Properties["object"] = list, values, object("d")
	for _, test := range []struct {
		schema *structural.JSONSchema
		want   int
	}{
		{nil, 0}, {leaf, 0}, {object(), 0}, {object("a", "b"), 2}, {list, 2}, {values, 3}, {all, 4 + 2 + 3 + 1},
		{&structural.JSONSchema{Items: &structural.JSONSchemaOrArray{Schemas: []*structural.JSONSchema{object("a")}}}, 0},
		{&structural.JSONSchema{AdditionalProperties: &structural.JSONSchemaOrBool{Allows: true}}, 0},
	} {
		if have := countFields(test.schema); have != test.want {
			t.Errorf("%+v has %d fields, want %d", test.schema, have, test.want)
		}
	}
	one := object("a")
	v := newVerdict(&structural.CRD{File: "f.yaml", Name: "n", Names: structural.Names{Kind: "K"}, Versions: []*structural.Version{
		{Name: "v1", Schema: all, Served: true, Storage: true, Pruned: true}, {Name: "v2", Schema: one, Deprecated: true}, {Name: "v3", Schema: all, Served: true, Pruned: true, Deprecated: true}, {Name: "v4", Storage: true}, {Name: "v5", Schema: one},
	}})
	const want = "v1 (10 fields, served, storage, pruned)|v2 (1 field, not pruned, deprecated)|v3 (10 fields, served, pruned, deprecated)|v4 (no schema, storage, not pruned)|v5 (1 field, not pruned)"
	if have := strings.Join(v.Versions, "|"); have != want || v.File != "f.yaml" || v.CRD != "n" || v.Kind != "K" {
		t.Errorf("%+v, want %s", v, want)
	}
}

// The version that a package is for is that of its marker, else that of its name, else the only one.
func TestPackagesAreForAVersion(t *testing.T) {
	for _, test := range []struct{ name, group, version, versions, want string }{
		{"v1", "", "", "v1 v2", "v1"},
		{"v2", "", "", "v1 v2", "v2"},
		{"v3", "", "", "v1 v2", ""},
		{"v3", "", "", "v1", ""},
		{"api", "", "", "v1", "v1"},
		{"api", "", "", "v1 v2", ""},
		{"v1", "", "v2", "v1 v2", "v2"},
		{"v1", "", "v3", "v1 v2", ""},
		{"api", "", "v2", "v1", ""},
		{"v1", "a.com", "", "v1 v2", "v1"},
		{"v1", "b.com", "", "v1 v2", ""},
		{"api", "b.com", "", "v1", ""},
	} {
		c := &structural.CRD{Group: "a.com"}
		for _, name := range strings.Fields(test.versions) {
			c.Versions = append(c.Versions, &structural.Version{Name: name})
		}
		have := ""
		if v := (&goTypes{name: test.name, markers: target.Markers{Group: test.group, Version: test.version}}).version(c); v != nil {
			have = v.Name
		}
		if have != test.want {
			t.Errorf("%+v: %s", test, have)
		}
	}
}

func TestPackagesWithoutTypesAreWarnedOf(t *testing.T) {
	for compared, want := range map[int]int{0: 1, 1: 0, 2: 0} {
		if found := (&goTypes{dir: "d", name: "p", compared: compared}).none(); len(found) != want || want > 0 && found[0].Message != "package p has no type for a kind of these CRDs" {
			t.Errorf("%d compared: %+v", compared, found)
		}
	}
}

func TestOneFile(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a.yaml", "d/b.yaml"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for args, want := range map[string]bool{"a.yaml": true, "-": true, "d": false, "gone": false, "a.yaml d/b.yaml": false, "a.yaml -": false, "": false, "*.yaml": false} {
		if oneFile(strings.Fields(args)) != want {
			t.Errorf("%q: %t", args, !want)
		}
	}
}
