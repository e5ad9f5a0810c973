package generator

import (
	"errors"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/structural"
)

// hostileStrings are texts that end strings, comments and identifiers, change what a line means to the compiler, lead out
// of a directory, or read differently from what they are.
var hostileStrings = []string{
	"", " ", "_", "-", ".", "..", "/", "../../etc/passwd", `..\..\evil`, "a/b", "/abs",
	`"`, `\`, `\"`, "`", "'", `"); os.Exit(1); ("`, "` + evil() + `",
	"\n", "\r", "\r\n", "\x00", "\x1b[31m", "\x7f", "\ufeff", "\u2028", "\u2029", "\u0085", "\u00a0",
	"\u202e\u2066evil\u2069", "\ufffd", "\xff", "\xc3\x28", "a\xffb", "\U0001f4a9", "\u0301", "ﬁ", "ǅ", "ß", "İ", "ı",
	"// x", "/* x", "*/", "*/ func init() { panic(1) } /*", "\nfunc init() { panic(1) }\n//",
	"//go:build ignore", "//go:linkname a b", "//go:embed *", "//line evil.go:1", "/*line evil.go:1*/", "//export x", "+build ignore",
	"import \"C\"", "#cgo LDFLAGS: -lm", "package evil", "func", "type", "nil", "true", "any", "string", "len", "delete", "append",
	"v", "n", "k", "i", "ok", "obj", "rec", "known", "list", "prunert", "init", "main", "Resource", "Prune", "Check", "Report",
	"constructor", "__proto__", "$ref", "$(id)", "${jndi:ldap://x}", "{{.}}", "%s%n%d", "%!s(MISSING)",
	"9", "٣", "世界", "日本語", "eval\u200b", "a\u200db", "\U000e0041",
}

// hostileSchema is a schema with s wherever a schema has text, and with every construct below it.
func hostileSchema(s string) *structural.JSONSchema {
	yes := true
	leaf := func(typ string) *structural.JSONSchema {
		return &structural.JSONSchema{
			Type: typ, Description: s, Title: s, Default: s, Example: s, Format: s, Enum: []any{s},
			ExternalDocs: &structural.ExternalDocumentation{Description: s, URL: s},
		}
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
	})
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
	p, err := Lower(inputs, structural.APIServer)
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
	for _, s := range hostileStrings {
		if attack(t, Options{Package: "v1", Register: true}, hostileInput("example.com", "App", "apps", "v1", hostileSchema(s))) {
			t.Errorf("%q: a schema with this name is refused", s)
		}
	}
}

func TestAllHostileTextsTogether(t *testing.T) {
	schema := hostileSchema("x")
	for _, s := range hostileStrings {
		schema.Properties[s] = hostileSchema(s)
	}
	if attack(t, Options{Package: "v1"}, hostileInput("example.com", "App", "apps", "v1", schema)) {
		t.Error("the schema is refused")
	}
}

func TestHostileNamesOfResourcesAreRefusedOrStayText(t *testing.T) {
	schema := &structural.JSONSchema{Type: "object"}
	for _, s := range hostileStrings {
		attack(t, Options{Package: "v1", Register: true}, hostileInput("example.com", s, "apps", "v1", schema))
		attack(t, Options{Package: "v1", Register: true}, hostileInput("example.com", "App"+s, "apps", "v1", schema))
		attack(t, Options{Package: "v1"}, hostileInput(s, "App", s, s, schema))
		attack(t, Options{Package: "v1"}, hostileInput("a"+s+"z", "App", s, s, schema))
		attack(t, Options{Package: s}, hostileInput("example.com", "App", "apps", "v1", schema))
	}
}

func TestKindsThatAreNoKindsAreRefused(t *testing.T) {
	for _, kind := range []string{"", "../x", "a/b", "9lives", "-a", "a-", "a.b", "a_b", "Größe", "a\nb", "A B", strings.Repeat("a", 64)} {
		_, err := Generate([]Input{hostileInput("example.com", kind, "apps", "v1", &structural.JSONSchema{Type: "object"})}, Options{Package: "v1"})
		var in *InputError
		if !errors.As(err, &in) {
			t.Errorf("%q: %v, want an InputError", kind, err)
		}
	}
}

func TestHeadersAndBuildTagsStayWhatTheyAre(t *testing.T) {
	input := load(t, manifest("App", "type: object"))
	for _, opts := range []Options{
		{Header: "// Copyright the authors."},
		{Header: "// Copyright the authors.\n//\n// Second paragraph."},
		{BuildTag: "linux"},
		{BuildTag: "!no_prune && (linux || darwin)"},
		{Header: "// Copyright the authors.", BuildTag: "!no_prune", Register: true},
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
		{BuildTag: "a b"},
		{BuildTag: "a\nfunc init() {}"},
		{BuildTag: "linux\n"},
		{BuildTag: "linux // x"},
	} {
		opts.Package = "v1"
		if !attack(t, opts, input...) {
			t.Errorf("%+v is not refused", opts)
		}
	}
}
