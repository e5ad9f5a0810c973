package golden

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/internal/testing/cases"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/structural"
)

// Adding a field must not rename functions, except for those that other fields share: they are named for what is in the values, and equal
// values may no longer be equal.
func TestAddingAFieldRenamesNoFunction(t *testing.T) {
	testsize.NotShort(t)
	object := &structural.JSONSchema{Type: "object", Properties: map[string]*structural.JSONSchema{"addedInside": {Type: "string"}}}
	added := map[string]*structural.JSONSchema{
		"aaaObject": object,
		"mmmList":   {Type: "array", Items: &structural.JSONSchemaOrArray{Schema: object}},
		"zzzString": {Type: "string"},
	}
	tried, changes, compared, sample := 0, 0, 0, 8
	if testsize.All() {
		sample = 1
	}
	for _, c := range allCases(t) {
		if c.IsAimed() {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			for _, p := range c.Packages() {
				before := functionNames(t, p.Inputs, c.Options.Semantics)
				for _, in := range p.Inputs {
					for _, s := range objectSchemas(in.Version.Schema, nil) {
						for name, field := range added {
							if tried++; tried%sample != 0 {
								continue
							}
							s.Properties[name] = field
							after := functionNames(t, p.Inputs, c.Options.Semantics)
							delete(s.Properties, name)
							for f, path := range before {
								if path == shared {
									continue
								}
								compared++
								if after[f] != path {
									t.Fatalf("%s was the function for %s and is now the one for %q", f, path, after[f])
								}
							}
							changes++
						}
					}
				}
			}
		})
	}
	if changes < 400/sample || compared < 20*changes {
		t.Errorf("only %d changes were tried, %d names compared", changes, compared)
	}
}

// Adding a rule before others must not rename functions.
func TestAddingARuleRenamesNoFunction(t *testing.T) {
	testsize.NotShort(t)
	functions, changed := 0, allCases(t)
	for i, c := range allCases(t) {
		if c.IsAimed() {
			continue
		}
		for k, p := range changed[i].Packages() {
			rules := 0
			for _, in := range p.Inputs {
				for _, s := range objectSchemas(in.Version.Schema, nil) {
					if len(s.XValidations) > 0 {
						s.XValidations = slices.Insert(s.XValidations, 0, structural.ValidationRule{Rule: "self == self"})
						rules++
					}
				}
			}
			before, after := ruleFunctions(t, c, c.Packages()[k]), ruleFunctions(t, c, p)
			functions += len(before)
			if len(before) > 0 && rules > 0 && len(after) == len(before) {
				t.Errorf("%s: %d functions, and %d with %d more rules", c.Name, len(before), len(after), rules)
			}
			for name, rule := range before {
				if after[name] != rule {
					t.Errorf("%s: %s evaluated %q, and now %q", c.Name, name, rule, after[name])
				}
			}
		}
	}
	if functions < 50 {
		t.Errorf("there are %d functions of rules", functions)
	}
}

// ruleFunctions returns the comments of the functions of rules, which have their texts, by their names.
func ruleFunctions(t *testing.T, c *cases.Case, p cases.Package) map[string]string {
	t.Helper()
	files, err := c.Generate(p)
	if err != nil {
		t.Fatal(err)
	}
	rules := map[string]string{}
	for _, f := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), f.Name, f.Content, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(d.Name.Name, "rule") {
				rules[d.Name.Name] = d.Doc.Text()
			}
		}
	}
	return rules
}

// shared stands for the places of a function that is named for what is in a value.
const shared = "shared"

// functionNames returns the places that functions are named after.
func functionNames(t *testing.T, inputs []generator.Input, semantics structural.Semantics) map[string]string {
	t.Helper()
	plan, err := generator.Lower(inputs, generator.Options{Features: generator.AllFeatures(), Semantics: semantics})
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for _, f := range plan.Functions() {
		if names[f.Name] = f.Kind + f.Path; f.Shared {
			names[f.Name] = shared
		}
	}
	return names
}

// objectSchemas returns all schemas below s that have properties, except for those of metadata, where none can be added.
func objectSchemas(s *structural.JSONSchema, found []*structural.JSONSchema) []*structural.JSONSchema {
	if s == nil || slices.Contains(found, s) {
		return found
	}
	if s.Properties != nil {
		found = append(found, s)
	}
	for name, p := range s.Properties {
		if name != "metadata" {
			found = objectSchemas(p, found)
		}
	}
	if s.Items != nil {
		found = objectSchemas(s.Items.Schema, found)
	}
	if s.AdditionalProperties != nil {
		found = objectSchemas(s.AdditionalProperties.Schema, found)
	}
	return found
}
