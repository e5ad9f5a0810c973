package structural_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
)

func TestUnfoldIntOrString(t *testing.T) {
	for _, c := range []struct{ specified, unfolded string }{
		{`{x-kubernetes-int-or-string: true}`,
			`{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}`},
		{`{x-kubernetes-int-or-string: true, allOf: [{minimum: 3}]}`,
			`{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}], allOf: [{minimum: 3}]}`},
		{`{x-kubernetes-int-or-string: true, anyOf: [{minimum: 3}], allOf: [{maximum: 4}]}`,
			`{x-kubernetes-int-or-string: true, anyOf: [{minimum: 3}], allOf: [{anyOf: [{type: integer}, {type: string}]}, {maximum: 4}]}`},
		// Both patterns are there already.
		{`{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}`, ``},
		{`{x-kubernetes-int-or-string: true, allOf: [{anyOf: [{type: integer}, {type: string}]}]}`, ``},
		{`{type: string}`, ``},
		{`{type: object, additionalProperties: {x-kubernetes-int-or-string: true}}`,
			`{type: object, additionalProperties: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}}`},
		{`{type: array, items: {x-kubernetes-int-or-string: true}}`,
			`{type: array, items: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}}`},
	} {
		wantUnfolded(t, c.specified, c.unfolded)
	}
}

// wantUnfolded unfolds a property.
func wantUnfolded(t *testing.T, specified, unfolded string) {
	t.Helper()
	if unfolded == "" {
		unfolded = specified
	}
	s := structuraltest.NewSchema(t, `{type: object, properties: {p: `+specified+`}}`)
	before := s.Copy()
	got := s.Unfold()
	if want := structuraltest.NewSchema(t, `{type: object, properties: {p: `+unfolded+`}}`); !reflect.DeepEqual(got, want) {
		t.Errorf("%s unfolds to %+v, %+v, want %+v", specified, got.Properties["p"], got.Properties["p"].ValueValidation,
			want.Properties["p"].ValueValidation)
	}
	if !reflect.DeepEqual(s, before) {
		t.Errorf("unfolding %s changed it", specified)
	}
	if again := got.Unfold(); !reflect.DeepEqual(again, got) {
		t.Errorf("unfolding %s again changes it", unfolded)
	}
}

func TestUnfoldUnions(t *testing.T) {
	const union = `x-kubernetes-unions: [{discriminator: type, fields: {foo: Foo, bar: Bar}}]`
	const two = `x-kubernetes-unions: [{discriminator: type, fields: {foo: Foo, bar: Bar}}, {discriminator: type, fields: {baz: Baz}}]`
	const oneOf = `oneOf: [{required: [bar]}, {required: [foo]}]`
	const enum = `enum: [Bar, Foo]`
	for _, c := range []struct{ specified, unfolded string }{
		{`{type: object, ` + union + `}`,
			`{type: object, ` + union + `, ` + oneOf + `, properties: {type: {type: string, ` + enum + `}}}`},
		{`{type: object, ` + union + `, properties: {type: {type: string, minLength: 1}}}`,
			`{type: object, ` + union + `, ` + oneOf + `, properties: {type: {type: string, minLength: 1, ` + enum + `}}}`},
		// The same enum in another order.
		{`{type: object, ` + union + `, properties: {type: {type: string, enum: [Foo, Bar]}}}`,
			`{type: object, ` + union + `, ` + oneOf + `, properties: {type: {type: string, enum: [Foo, Bar]}}}`},
		{`{type: object, ` + union + `, properties: {type: {type: string, enum: [Foo]}}}`,
			`{type: object, ` + union + `, ` + oneOf + `, properties: {type: {type: string, enum: [Foo], allOf: [{` + enum + `}]}}}`},
		{`{type: object, ` + union + `, oneOf: [{required: [other]}], allOf: [{minProperties: 1}]}`,
			`{type: object, ` + union + `, oneOf: [{required: [other]}], allOf: [{` + oneOf + `}, {minProperties: 1}],
			  properties: {type: {type: string, ` + enum + `}}}`},
		// Nearly the same oneOf says something else.
		{`{type: object, ` + union + `, oneOf: [{required: [bar]}, {minProperties: 1}, {required: [foo]}]}`,
			`{type: object, ` + union + `, oneOf: [{required: [bar]}, {minProperties: 1}, {required: [foo]}], allOf: [{` + oneOf + `}],
			  properties: {type: {type: string, ` + enum + `}}}`},
		{`{type: object, ` + union + `, oneOf: [{required: [bar]}, {required: [foo], minProperties: 1}]}`,
			`{type: object, ` + union + `, oneOf: [{required: [bar]}, {required: [foo], minProperties: 1}], allOf: [{` + oneOf + `}],
			  properties: {type: {type: string, ` + enum + `}}}`},
		{`{type: object, ` + two + `}`,
			`{type: object, ` + two + `, ` + oneOf + `, allOf: [{oneOf: [{required: [baz]}]}],
			  properties: {type: {type: string, ` + enum + `, allOf: [{enum: [Baz]}]}}}`},
		// Without a discriminator, fields, or a place for them.
		{`{type: object, x-kubernetes-unions: [{fields: {a: A}}]}`,
			`{type: object, x-kubernetes-unions: [{fields: {a: A}}], oneOf: [{required: [a]}]}`},
		{`{type: object, x-kubernetes-unions: [{discriminator: type}]}`, ``},
		{`{type: object, additionalProperties: {type: string}, ` + union + `}`,
			`{type: object, additionalProperties: {type: string}, ` + union + `, ` + oneOf + `}`},
		{`{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}], ` + union + `}`, ``},
		// Two fields with one value.
		{`{type: object, x-kubernetes-unions: [{discriminator: type, fields: {a: A, b: A}}]}`,
			`{type: object, x-kubernetes-unions: [{discriminator: type, fields: {a: A, b: A}}], oneOf: [{required: [a]}, {required: [b]}],
			  properties: {type: {type: string, enum: [A]}}}`},
	} {
		wantUnfolded(t, c.specified, c.unfolded)
	}
	// The root may be a union, too.
	root := structuraltest.NewSchema(t, `{type: object, `+union+`}`).Unfold()
	if len(root.ValueValidation.OneOf) != 2 || root.Properties["type"] == nil {
		t.Errorf("the root unfolds to %+v", root)
	}
}

func TestUnfoldEmbeddedResource(t *testing.T) {
	s := structuraltest.NewSchema(t, `
type: object
properties:
  plain: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
  own:
    type: object
    x-kubernetes-embedded-resource: true
    required: [kind, spec]
    properties:
      kind: {type: string, enum: [K]}
      metadata:
        type: object
        required: [name]
        properties:
          name: {type: string, minLength: 3}
          creationTimestamp: {type: string, pattern: "^2019"}
          deletionTimestamp: {type: string, format: date-time}
          generation: {type: string}
          labels: {type: object, additionalProperties: {type: string, maxLength: 5}}
      spec: {type: object}
  map: {type: object, x-kubernetes-embedded-resource: true, properties: {metadata: {type: object, additionalProperties: {type: string}}}}
`)
	u := s.Unfold()
	structuraltest.WantTexts(t, structural.Validate(u, nil))
	plain, own := u.Properties["plain"], u.Properties["own"]
	for k, want := range map[string]*structural.Schema{
		"apiVersion": structuraltest.NewSchema(t, `{type: string, pattern: '^([^/]+/?|/)[^/]*$'}`),
		"kind":       structuraltest.NewSchema(t, `{type: string}`),
		"metadata":   structural.ObjectMeta(),
	} {
		if got := plain.Properties[k]; !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %+v", k, got)
		}
	}
	if got := plain.ValueValidation.Required; !reflect.DeepEqual(got, []string{"kind", "apiVersion"}) {
		t.Errorf("required: %q", got)
	}
	if got := own.ValueValidation.Required; !reflect.DeepEqual(got, []string{"kind", "spec", "apiVersion"}) {
		t.Errorf("required: %q", got)
	}
	if got := own.Properties["kind"]; !reflect.DeepEqual(got, structuraltest.NewSchema(t, `{type: string, enum: [K]}`)) {
		t.Errorf("kind is %+v", got)
	}
	metadata := own.Properties["metadata"]
	if len(metadata.Properties) != len(structural.ObjectMeta().Properties) || len(metadata.ValueValidation.Required) != 1 {
		t.Errorf("metadata is %+v", metadata)
	}
	for k, want := range map[string]string{
		"name":              `{type: string, minLength: 3}`,
		"creationTimestamp": `{type: string, allOf: [{format: date-time}, {pattern: "^2019"}]}`,
		"deletionTimestamp": `{type: string, format: date-time}`,
		"generation":        `{type: string}`,
		"labels":            `{type: object, additionalProperties: {type: string, maxLength: 5}}`,
	} {
		if got := metadata.Properties[k]; !reflect.DeepEqual(got, structuraltest.NewSchema(t, want)) {
			t.Errorf("%s is %+v %+v, want %s", k, got, got.ValueValidation, want)
		}
	}
	if m := u.Properties["map"].Properties["metadata"]; m.Properties != nil {
		t.Errorf("a map became %+v", m)
	}
	if root := structuraltest.NewSchema(t, `{type: object, x-kubernetes-embedded-resource: true, properties: {a: {type: string}}}`); !reflect.DeepEqual(root.Unfold(), root) {
		t.Errorf("the root unfolds to %+v", root.Unfold())
	}
	if again := u.Unfold(); !reflect.DeepEqual(again, u) {
		t.Error("unfolding again changes it")
	}
	// What a schema says about a part of metadata already, in whatever form, is not said again.
	for own, want := range map[string]string{
		"{type: string}":                 "{type: string, format: date-time}",
		"{}":                             "{type: string, format: date-time}",
		"{type: string, nullable: true}": "{type: string, nullable: true, format: date-time}",
		"{type: string, allOf: [{minLength: 1}]}":                                      "{type: string, allOf: [{format: date-time}, {allOf: [{minLength: 1}]}]}",
		"{type: string, allOf: [{}, {format: date-time}]}":                             "{type: string, allOf: [{}, {format: date-time}]}",
		"{type: string, format: date}":                                                 "{type: string, allOf: [{format: date-time}, {format: date}]}",
		"{type: integer}":                                                              "{type: integer}",
		"{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}": "{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}",
		"{x-kubernetes-preserve-unknown-fields: true}":                                 "{x-kubernetes-preserve-unknown-fields: true}",
	} {
		u := structuraltest.NewSchema(t, "{type: object, properties: {r: {type: object, x-kubernetes-embedded-resource: true, properties: {metadata: {type: object, properties: {creationTimestamp: "+own+"}}}}}}").Unfold()
		got := u.Properties["r"].Properties["metadata"].Properties["creationTimestamp"]
		if !reflect.DeepEqual(got, structuraltest.NewSchema(t, want)) {
			t.Errorf("%s is %+v %+v, want %s", own, got, got.ValueValidation, want)
		}
	}
	// The elements of lists say what metadata says, too.
	owners := structuraltest.NewSchema(t, `{type: object, properties: {r: {type: object, x-kubernetes-embedded-resource: true, properties: {metadata: {type: object, properties: {
		ownerReferences: {type: array, items: {type: object, properties: {name: {type: string, minLength: 1}}}}}}}}}}`).Unfold()
	owner := owners.Properties["r"].Properties["metadata"].Properties["ownerReferences"].Items
	if len(owner.Properties) != 6 || owner.Properties["controller"].Type != "boolean" || *owner.Properties["name"].ValueValidation.MinLength != 1 {
		t.Errorf("an owner is %+v", owner)
	}
	if (*structural.Schema)(nil).Unfold() != nil {
		t.Error("nil does not stay nil")
	}
}

func TestUnfoldedSchemasStayStructuralAndPruneAlike(t *testing.T) {
	t.Parallel()
	for seed := range uint64(1000) {
		s := structuraltest.RandomSchema(t, seed, specimentest.SchemaOptions{Depth: 4, Values: seed%2 == 0})
		addUnions(s)
		if errs := structural.Validate(s, nil); len(errs) > 0 {
			t.Fatalf("made a schema that is not structural: %q", structuraltest.Texts(errs))
		}
		before := s.Copy()
		u := s.Unfold()
		structuraltest.WantTexts(t, structural.Validate(u, nil))
		if !reflect.DeepEqual(s, before) {
			t.Fatal("unfolding changed the schema")
		}
		if again := u.Unfold(); !reflect.DeepEqual(again, u) {
			t.Fatalf("unfolding again changes %+v to %+v", u, again)
		}
		stripped := structureOf(s)
		obj := structuraltest.RandomObject(s, seed)
		other := jsonvalue.Copy(obj)
		dropped := interpret.Prune(obj, s, interpret.PruneOptions{})
		if alike := interpret.Prune(other, stripped, interpret.PruneOptions{}); !reflect.DeepEqual(alike, dropped) || !reflect.DeepEqual(obj, other) {
			t.Fatalf("dropped %q, and by the stripped schema %q", dropped, alike)
		}
	}
}

// structureOf returns a copy of s that has its structure alone: whatever s accepts, the copy accepts.
func structureOf(s *structural.Schema) *structural.Schema {
	out := s.Copy()
	out.Visit(func(s *structural.Schema) { s.ValueValidation = nil })
	return out
}

// addUnions adds unions of one or two fields to the objects in a schema, which stays structural.
func addUnions(s *structural.Schema) {
	s.Visit(func(s *structural.Schema) {
		if s.Type != "object" || s.AdditionalProperties != nil {
			return
		}
		discriminator := "type"
		fields := map[string]string{}
		for _, k := range slices.Sorted(maps.Keys(s.Properties)) {
			if p := s.Properties[k]; p.Type == "string" && !p.Nullable && k != "apiVersion" && k != "kind" {
				discriminator = k
			} else if k != "metadata" && len(fields) < 2 {
				fields[k] = strings.ToUpper(k)
			}
		}
		if len(fields) > 0 && fields[discriminator] == "" {
			s.XUnions = append(s.XUnions, structural.Union{Discriminator: discriminator, Fields: fields})
		}
	})
}
