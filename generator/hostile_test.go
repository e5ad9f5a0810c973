package generator

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/crdtest"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/structural"
)

// hostileSchema is a schema with s wherever a schema has text, and with every construct below it.
func hostileSchema(s string) *structural.JSONSchema {
	yes, listMap := true, "map"
	leaf := func(typ string) *structural.JSONSchema {
		l := &structural.JSONSchema{
			Type: typ, Description: s, Title: s, Example: s, Format: s,
			ExternalDocs: &structural.ExternalDocumentation{Description: s, URL: s},
		}
		if typ == "string" { // nothing else takes such a default
			l.Default, l.Enum = s, []any{s}
		}
		return l
	}
	object := func(properties map[string]*structural.JSONSchema) *structural.JSONSchema {
		o := leaf("object")
		o.Properties = properties
		o.Required = []string{s}
		return o
	}
	inner := object(map[string]*structural.JSONSchema{s: leaf("string"), s + s: object(map[string]*structural.JSONSchema{s: leaf("integer")})})
	return object(map[string]*structural.JSONSchema{
		s:             inner,
		"a" + s:       {Type: "array", Items: &structural.JSONSchemaOrArray{Schema: inner}},
		"b" + s + "b": {Type: "object", AdditionalProperties: &structural.JSONSchemaOrBool{Schema: inner}},
		"c" + s:       {Type: "object", XPreserveUnknownFields: &yes, Properties: map[string]*structural.JSONSchema{s: inner, "x" + s: leaf("string")}},
		"d" + s:       {Type: "object", XEmbeddedResource: true, Properties: map[string]*structural.JSONSchema{"x" + s: leaf("boolean")}},
		"e" + s:       {XIntOrString: true, Nullable: true},
		"f" + s: {Type: "array", XListType: &listMap, XListMapKeys: []string{"k" + s}, Items: &structural.JSONSchemaOrArray{
			Schema: &structural.JSONSchema{Type: "object", Required: []string{"k" + s}, Properties: map[string]*structural.JSONSchema{"k" + s: {Type: "string"}}},
		}},
		"g" + s: {Type: "string", Pattern: hostilePattern(s), Not: &structural.JSONSchema{Pattern: "^" + hostilePattern(s), Format: s}},
		"h" + s: {
			Type: "object", Properties: map[string]*structural.JSONSchema{s: {Type: "string"}},
			AnyOf: []*structural.JSONSchema{{Required: []string{s}}, {Properties: map[string]*structural.JSONSchema{s: {Enum: []any{s, map[string]any{s: []any{s}}}}}}},
		},
	})
}

// hostilePattern is a regular expression with s in it, as far as there is one.
func hostilePattern(s string) string {
	for _, pattern := range []string{s, regexp.QuoteMeta(s)} {
		if _, err := regexp.Compile(pattern); err == nil {
			return pattern
		}
	}
	return "`\"/"
}

// hostileInput is a CRD that no loader has looked at.
func hostileInput(group, kind, plural, version string, schema *structural.JSONSchema) Input {
	c := &structural.CRD{
		APIVersion: "apiextensions.k8s.io/v1", Name: plural + "." + group, Group: group,
		Names: structural.Names{Kind: kind, Plural: plural},
	}
	v := &structural.Version{Name: version, Served: true, Storage: true, Pruned: true, Schema: schema, SchemaPath: structural.NewPath("schema")}
	c.Versions = []*structural.Version{v}
	return Input{c, v}
}

// attack generates from an input and inspects what comes out, if anything does: refusing is fine.
func attack(t testing.TB, opts Options, inputs ...Input) (refused bool) {
	t.Helper()
	p, err := Lower(inputs, Options{Features: AllFeatures()})
	if err == nil {
		var files []File
		if files, err = p.Emit(opts); err == nil {
			inspect(t, files, p, opts)
			return false
		}
	}
	if strings.Contains(err.Error(), "bug") {
		t.Errorf("not refused, but found out by accident: %.200v", err)
	}
	return true
}

func TestHostileTextInASchemaStaysText(t *testing.T) {
	testsize.NotShort(t)
	t.Parallel()
	for _, s := range crdtest.Hostile() {
		if attack(t, Options{Features: AllFeatures(), Package: "v1", Register: true}, hostileInput("example.com", "App", "apps", "v1", hostileSchema(s))) {
			t.Errorf("%q: a schema with this name is refused", s)
		}
	}
}

func TestAllHostileTextsTogether(t *testing.T) {
	testsize.Large(t, "compiles 40 schemas as one")
	t.Parallel()
	schema := hostileSchema("x")
	for _, s := range crdtest.Hostile() {
		schema.Properties[s] = hostileSchema(s)
	}
	if attack(t, Options{Features: AllFeatures(), Package: "v1"}, hostileInput("example.com", "App", "apps", "v1", schema)) {
		t.Error("the schema is refused")
	}
}

func TestHostileNamesOfResourcesAreRefusedOrStayText(t *testing.T) {
	testsize.NotShort(t)
	t.Parallel()
	schema := &structural.JSONSchema{Type: "object"}
	for _, s := range crdtest.Hostile() {
		attack(t, Options{Features: AllFeatures(), Package: "v1", Register: true}, hostileInput("example.com", s, "apps", "v1", schema))
		attack(t, Options{Features: AllFeatures(), Package: "v1", Register: true}, hostileInput("example.com", "App"+s, "apps", "v1", schema))
		attack(t, Options{Features: AllFeatures(), Package: "v1"}, hostileInput(s, "App", s, s, schema))
		attack(t, Options{Features: AllFeatures(), Package: "v1"}, hostileInput("a"+s+"z", "App", s, s, schema))
		attack(t, Options{Features: AllFeatures(), Package: s}, hostileInput("example.com", "App", "apps", "v1", schema))
	}
}

func TestKindsThatAreNoKindsAreRefused(t *testing.T) {
	for _, kind := range []string{"", "../x", "a/b", "9lives", "-a", "a-", "a.b", "a_b", "Größe", "a\nb", "A B", strings.Repeat("a", 64)} {
		_, err := Generate([]Input{hostileInput("example.com", kind, "apps", "v1", &structural.JSONSchema{Type: "object"})}, Options{Features: AllFeatures(), Package: "v1"})
		var in *InputError
		if !errors.As(err, &in) {
			t.Errorf("%q: %v, want an InputError", kind, err)
		}
	}
}

func TestHeadersStayWhatTheyAre(t *testing.T) {
	input := inputsOf(t, crdtest.Manifest("App", "type: object"))
	for _, opts := range []Options{
		{Header: "// Copyright the authors."},
		{Header: "// Copyright the authors.\n//\n// Second paragraph."},
		{Header: "// Copyright the authors.", Register: true},
	} {
		opts.Package = "v1"
		if attack(t, opts, input...) {
			t.Errorf("%+v is refused", opts)
		}
	}
	for _, opts := range []Options{
		{Header: "Copyright"},
		{Header: "// x\nfunc init() {}"},
		{Header: "// x\npackage evil\nfunc init() {}\n//"},
		{Header: "package evil // "},
		{Header: "/* open"},
		{Header: "/* x */ package v1; func init() {} /*"},
		{Header: "// x\n//go:build ignore"},
		{Header: "//go:build ignore"},
		{Header: "//line evil.go:1"},
		{Header: "/*line evil.go:1*/"},
		{Header: "// +build ignore"},
		{Header: "// x\x00"},
	} {
		opts.Package = "v1"
		if !attack(t, opts, input...) {
			t.Errorf("%+v is not refused", opts)
		}
	}
}

func TestKindsHaveTheNamesThatTheServerAllows(t *testing.T) {
	for kind, ok := range map[string]bool{
		"A": true, "a": true, "A-b9": true, strings.Repeat("A", 63): true,
		strings.Repeat("A", 64): false, "9A": false, "A-": false, "-A": false, "A_b": false, "Ä": false, "": false, "A\n": false,
	} {
		_, err := Lower([]Input{hostileInput("example.com", kind, "apps", "v1", &structural.JSONSchema{Type: "object"})}, Options{Features: AllFeatures()})
		if (err == nil) != ok {
			t.Errorf("%q: %v", kind, err)
		}
	}
}
