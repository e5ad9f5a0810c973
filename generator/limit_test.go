package generator

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/structural"
)

// wide returns a schema with n different objects, each of which names some fields.
func wide(n, fields int) *structural.JSONSchema {
	properties := map[string]*structural.JSONSchema{}
	for i := range n {
		below := map[string]*structural.JSONSchema{}
		for j := range fields {
			below[fmt.Sprintf("q%d_%d", i, j)] = &structural.JSONSchema{Type: "string"}
		}
		properties[fmt.Sprintf("p%d", i)] = &structural.JSONSchema{Type: "object", Properties: below}
	}
	return &structural.JSONSchema{Type: "object", Properties: properties}
}

// wantTooLarge fails unless err is one finding about the size, with these parts in it.
func wantTooLarge(t *testing.T, err error, parts ...string) {
	t.Helper()
	var input *InputError
	if !errors.As(err, &input) || len(input.Findings) != 1 || input.Findings[0].ID != IDTooLarge {
		t.Fatalf("got %.300v", err)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("no %q in %.300v", part, err)
		}
	}
}

var pruneAndCheck = Options{Package: "v1", Features: Features{FeaturePrune, FeatureCheck}}

const exceeded = "too large: the run exceeds the limit of 20000000 units of work"

// values returns different strings.
func values(n int) []any {
	all := make([]any, n)
	for i := range all {
		all[i] = fmt.Sprint(i)
	}
	return all
}

// Schemas that would become too much code are refused before anything is rendered.
func TestPlansAreLimited(t *testing.T) {
	testsize.NotShort(t)
	field := func(s *structural.JSONSchema) *structural.JSONSchema {
		return &structural.JSONSchema{Type: "object", Properties: map[string]*structural.JSONSchema{"a": s}}
	}
	var kinds []Input
	for i := range 20_000 {
		kinds = append(kinds, hostileInput("example.com", fmt.Sprintf("Kind%d", i), "kinds", "v1", &structural.JSONSchema{Type: "object"}))
	}
	one := func(s *structural.JSONSchema) []Input {
		return []Input{hostileInput("example.com", "Big", "bigs", "v1", s)}
	}
	for name, test := range map[string]struct {
		feature   Feature
		few, many []Input
	}{
		"functions": {FeatureCheck, one(wide(1000, 1)), one(wide(20_000, 1))},
		"exported":  {FeatureCheck, kinds[:1000], kinds},
		"fields":    {FeatureCheck, one(wide(10, 1000)), one(wide(100, 1200))},
		"enum":      {FeatureValidate, one(field(&structural.JSONSchema{Type: "string", Enum: values(50_000)})), one(field(&structural.JSONSchema{Type: "string", Enum: values(250_000)}))},
		"default": {FeatureDefault, one(field(&structural.JSONSchema{Type: "array", Items: &structural.JSONSchemaOrArray{Schema: &structural.JSONSchema{Type: "string"}}, Default: values(50_000)})),
			one(field(&structural.JSONSchema{Type: "array", Items: &structural.JSONSchemaOrArray{Schema: &structural.JSONSchema{Type: "string"}}, Default: values(250_000)}))},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opts := Options{Package: "v1", Features: Features{FeaturePrune, test.feature}}
			if _, err := Lower(test.few, opts); err != nil {
				t.Fatal(err)
			}
			_, err := Lower(test.many, opts)
			wantTooLarge(t, err, exceeded)
		})
	}
}

func TestSourceIsLimited(t *testing.T) {
	testsize.Large(t, "writes all that the limit allows")
	t.Parallel()
	longNames := &structural.JSONSchema{Type: "object", Properties: map[string]*structural.JSONSchema{}}
	for i := range 10_000 {
		longNames.Properties[fmt.Sprintf("%d%s", i, strings.Repeat("x", meter.Name-10))] = &structural.JSONSchema{Type: "string"}
	}
	// Normalize and Default have the default in a function each.
	longDefault := &structural.JSONSchema{Type: "object", Properties: map[string]*structural.JSONSchema{
		"a": {Type: "string", Default: strings.Repeat("x", 12_000_000)},
	}}
	for name, test := range map[string]struct {
		schema   *structural.JSONSchema
		features Features
	}{
		"long names": {longNames, Features{FeaturePrune, FeatureCheck}},
		"a default":  {longDefault, AllFeatures()},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Generate([]Input{hostileInput("example.com", "Big", "bigs", "v1", test.schema)}, Options{Package: "v1", Features: test.features})
			wantTooLarge(t, err, exceeded)
		})
	}
}

// Packages are made one after the other, and some of them more than once. Units for memory that is used only while a package is made are
// refunded.
func TestThePackagesOfACallShareAMeter(t *testing.T) {
	l := NewLowering(pruneAndCheck)
	l.meter = meter.New(1)
	l.meter.Spend(meter.Work - 2_000_000)
	made := 0
	var err error
	for ; err == nil && made < 100; made++ {
		var p *Plan
		if p, err = l.Lower([]Input{hostileInput("example.com", "Big", "bigs", fmt.Sprintf("v%d", made), wide(500, 1))}); err == nil {
			_, err = p.Emit(pruneAndCheck)
		}
	}
	wantTooLarge(t, err, exceeded)
	if made < 4 {
		t.Errorf("%d packages are made", made)
	}
	// Once is enough.
	var input *InputError
	if _, err := l.Lower([]Input{hostileInput("example.com", "Small", "smalls", "v1", wide(1, 1))}); !errors.As(err, &input) || len(input.Findings) > 0 {
		t.Errorf("got %v", err)
	}
}

func TestNamesOfPropertiesHaveALimitedLength(t *testing.T) {
	long := strings.Repeat("é", meter.Name/2) + "x"
	schema := func(name string) *structural.JSONSchema {
		leaf := &structural.JSONSchema{Type: "object", Properties: map[string]*structural.JSONSchema{name: wide(1, 1)}}
		return &structural.JSONSchema{Type: "object", Properties: map[string]*structural.JSONSchema{
			"a": leaf,
			"b": {Type: "array", Items: &structural.JSONSchemaOrArray{Schema: leaf}},
			"c": {Type: "object", AdditionalProperties: &structural.JSONSchemaOrBool{Schema: leaf}},
		}}
	}
	_, err := Lower([]Input{hostileInput("example.com", "Big", "bigs", "v1", schema(long))}, pruneAndCheck)
	var input *InputError
	if !errors.As(err, &input) || len(input.Findings) != 3 {
		t.Fatalf("got %.300v", err)
	}
	for i, at := range []string{"schema.properties[a].properties", "schema.properties[b].items.properties", "schema.properties[c].additionalProperties.properties"} {
		f := input.Findings[i]
		want := fmt.Sprintf("%s: the name %q has 1001 bytes; the limit in generated code is 1000", at, strings.Repeat("é", 20)+"...")
		if f.Message != want || f.Path != at || f.ID != IDTooLarge || f.CRD != "bigs.example.com" || f.Version != "v1" || f.Severity != structural.SeverityError {
			t.Errorf("got %+v, want %s", f, want)
		}
	}
	if _, err := Lower([]Input{hostileInput("example.com", "Big", "bigs", "v1", schema(long[:meter.Name]))}, pruneAndCheck); err != nil {
		t.Fatal(err)
	}
}

// One schema for many versions is converted, validated, hashed and lowered once.
func TestVersionsWithOneSchemaShareThePlan(t *testing.T) {
	in := hostileInput("example.com", "App", "apps", "v1", wide(3, 2))
	second := *in.Version
	second.Name = "v2"
	in.CRD.Versions = append(in.CRD.Versions, &second)
	l := NewLowering(pruneAndCheck)
	var plans []*Plan
	for _, v := range in.CRD.Versions {
		p, err := l.Lower([]Input{{in.CRD, v}})
		if err != nil {
			t.Fatal(err)
		}
		plans = append(plans, p)
	}
	if plans[0].plan.Trees[0] != plans[1].plan.Trees[0] || len(l.plans) != 1 || len(l.schemas) != 1 {
		t.Error("the work is done twice")
	}
	for i, p := range plans {
		alone, err := Lower([]Input{{in.CRD, in.CRD.Versions[i]}}, pruneAndCheck)
		if err != nil {
			t.Fatal(err)
		}
		if p.String() != alone.String() {
			t.Errorf("have\n%s\nwant\n%s", p, alone)
		}
		have, err := p.Emit(pruneAndCheck)
		if err != nil {
			t.Fatal(err)
		}
		want, err := alone.Emit(pruneAndCheck)
		if err != nil {
			t.Fatal(err)
		}
		for j := range want {
			if string(have[j].Content) != string(want[j].Content) {
				t.Errorf("%s differs", want[j].Name)
			}
		}
	}
	// Another schema is another plan, and a schema that is not pruned is another one.
	third := second
	third.Name, third.Pruned = "v3", false
	p, err := l.Lower([]Input{{in.CRD, &third}})
	if err != nil || p.plan == plans[0].plan {
		t.Errorf("%v", err)
	}
	// Errors of a schema are reported once.
	wrong := *in.Version.Schema
	wrong.Type = ""
	in.Version.Schema, second.Schema = &wrong, &wrong
	l = NewLowering(pruneAndCheck)
	for i, want := range []int{1, 0} {
		_, err := l.Lower([]Input{{in.CRD, in.CRD.Versions[i]}})
		var input *InputError
		if !errors.As(err, &input) || len(input.Findings) != want {
			t.Errorf("got %v", err)
		}
	}
}
