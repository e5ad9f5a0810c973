package pruneimpl

import (
	"slices"
	"strings"
	"testing"
)

func TestFieldsAreListedInOrder(t *testing.T) {
	item := Shape{Names: []string{"name"}}
	s := Shape{
		Names: []string{"a", "c", "z"},
		Fields: []ShapeField{
			{Name: "b", Shape: &LeafMap},
			{Name: "d", Shape: &Shape{Names: []string{"x"}, Items: &item}},
			{Name: "e", Shape: &Shape{Open: true, Items: &Open}},
			{Name: "f", Shape: &Shape{Values: &item}},
		},
	}
	var have []string
	ListFields(&s, func(path string) { have = append(have, path) })
	want := strings.Fields(".a .b .b[*] .c .d .d.x .d[].name .e .e... .e[]... .f .f[*] .f[*].name .z")
	if !slices.Equal(have, want) {
		t.Errorf("have %q\nwant %q", have, want)
	}
}

// A shape may have names alone, fields alone, or nothing, and names may come before all fields or after them.
func TestFieldsOfSmallShapesAreListed(t *testing.T) {
	field := func(name string) ShapeField { return ShapeField{Name: name, Shape: &Bare} }
	for want, s := range map[string]Shape{
		"":                {},
		".a":              {Names: []string{"a"}},
		".b":              {Fields: []ShapeField{field("b")}},
		".a .b":           {Names: []string{"a"}, Fields: []ShapeField{field("b")}},
		".b .c":           {Names: []string{"c"}, Fields: []ShapeField{field("b")}},
		".a .b .c .d .e":  {Names: []string{"a", "b", "e"}, Fields: []ShapeField{field("c"), field("d")}},
		"...":             {Open: true},
		"[*]":             {Values: &Bare},
		".a ... [*] [].b": {Names: []string{"a"}, Open: true, Values: &Bare, Items: &Shape{Names: []string{"b"}}},
	} {
		var have []string
		ListFields(&s, func(path string) { have = append(have, path) })
		if strings.Join(have, " ") != want {
			t.Errorf("have %q, want %s", have, want)
		}
		for _, name := range []string{"a", "b", "c", "d", "e", "f", ""} {
			_, found := s.named(name)
			if named := slices.Contains(strings.Fields(want), "."+name); found != named || (s.of(name) == nil) != (!named && s.Values == nil) {
				t.Errorf("%s: %q is named: %t", want, name, found)
			}
		}
	}
}

// A field that the table names is not one of the other fields, even if their shape is the same.
func TestMetadataOfEmbeddedResourcesIsValidatedOnce(t *testing.T) {
	resource := Shape{Resource: true}
	s := Shape{
		Names:  []string{"bare"},
		Fields: []ShapeField{{Name: "list", Shape: &Shape{Items: &resource}}, {Name: "same", Shape: &resource}},
		Values: &resource,
	}
	bad := func() map[string]any {
		return map[string]any{"metadata": map[string]any{"name": "a/b"}}
	}
	obj := map[string]any{
		"metadata": map[string]any{"name": "a"}, // of the object, which is validated as such, and a key of the map
		"bare":     bad(),
		"list":     []any{map[string]any{}, bad(), "text"},
		"same":     bad(),
		"other":    bad(),
		"text":     "text",
	}
	var fields []string
	for _, e := range CheckMetadataValues(obj, nil, false, &s) {
		fields = append(fields, e.Field)
	}
	if want := []string{"[other].metadata.name", "list[1].metadata.name", "same.metadata.name"}; !slices.Equal(fields, want) {
		t.Errorf("have %q, want %q", fields, want)
	}
	if errs := CheckMetadataValues(map[string]any{"metadata": map[string]any{"name": "a"}, "list": "text"}, nil, false, &s); errs != nil {
		t.Errorf("a valid object: %v", errs)
	}
}
