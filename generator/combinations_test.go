package generator

import (
	"fmt"
	"testing"

	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/structural"
)

// combinations returns a schema for every combination of what a schema can say about a value, whether or not it makes
// sense: the API server accepts items for an object, too.
func combinations() []*structural.JSONSchema {
	yes := true
	leaf := &structural.JSONSchema{Type: "string"}
	free := &structural.JSONSchema{XPreserveUnknownFields: &yes}
	object := &structural.JSONSchema{Type: "object", Properties: map[string]*structural.JSONSchema{"a": leaf}}
	list := &structural.JSONSchema{Type: "array", Items: &structural.JSONSchemaOrArray{Schema: object}}
	many := map[string]*structural.JSONSchema{"free": free, "object": object, "list": list}
	for i := range 20 {
		many[fmt.Sprintf("leaf%02d", i)] = leaf
	}
	values := []*structural.JSONSchema{nil, leaf, free, object}

	var all []*structural.JSONSchema
	for _, typ := range []string{"", "object", "array"} {
		for _, properties := range []map[string]*structural.JSONSchema{
			nil, {"a": leaf}, {"a": free}, {"a": leaf, "b": object}, many,
		} {
			for _, additional := range append(values, &structural.JSONSchema{}) {
				for _, items := range values {
					for flags := range 4 {
						s := &structural.JSONSchema{
							Type: typ, Properties: properties,
							Nullable: typ == "array", XEmbeddedResource: flags&1 != 0, XIntOrString: typ == "" && flags&2 == 0,
						}
						if flags&2 != 0 {
							s.XPreserveUnknownFields = &yes
						}
						if additional != nil {
							s.AdditionalProperties = &structural.JSONSchemaOrBool{Schema: additional, Allows: true}
							if additional.Type == "" && additional != free {
								s.AdditionalProperties.Schema = nil // additionalProperties: true
							}
						}
						if items != nil {
							s.Items = &structural.JSONSchemaOrArray{Schema: items}
						}
						all = append(all, s)
					}
				}
			}
		}
	}
	return all
}

func TestEveryCombinationOfKeywordsIsRefusedOrCompiles(t *testing.T) {
	testsize.NotShort(t)
	t.Parallel()
	// All that the API server takes go into one schema, each below a field of its own.
	root := &structural.JSONSchema{Type: "object", Properties: map[string]*structural.JSONSchema{}}
	for i, s := range combinations() {
		name := fmt.Sprintf("f%04d", i)
		alone := &structural.JSONSchema{Type: "object", Properties: map[string]*structural.JSONSchema{name: s}}
		schema, errs := structural.NewSchema(alone, nil)
		errs = append(errs, lint.SchemaErrors(alone, nil)...)
		if errs = append(errs, structural.Validate(schema, nil)...); len(errs) == 0 {
			root.Properties[name] = s
		}
	}
	if len(root.Properties) < 200 {
		t.Fatalf("only %d of %d combinations are structural", len(root.Properties), len(combinations()))
	}
	for _, tt := range []struct {
		semantics structural.Semantics
		pruned    bool
	}{
		{structural.APIServer, true}, {structural.KEP2332, true}, {structural.APIServer, false},
	} {
		in := hostileInput("example.com", "App", "apps", "v1", root)
		in.Version.Pruned = tt.pruned
		p, err := Lower([]Input{in}, Options{Features: AllFeatures(), Semantics: tt.semantics})
		if err != nil {
			t.Fatal(err)
		}
		files, err := p.Emit(Options{Features: AllFeatures(), Package: "v1"})
		if err != nil {
			t.Fatal(err)
		}
		inspect(t, files, p, Options{Features: AllFeatures(), Package: "v1"})
	}
}
