package generator

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testsize"
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
	if !errors.As(err, &input) || len(input.Findings) != 1 || input.Findings[0].Rule != RuleTooLarge {
		t.Fatalf("got %.300v", err)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("no %q in %.300v", part, err)
		}
	}
}

// hintOf returns the hint of the first finding of an error.
func hintOf(err error) string {
	var input *InputError
	if !errors.As(err, &input) {
		return ""
	}
	return input.Findings[0].Hint
}

var pruneAndCheck = Options{Package: "v1", Features: Features{FeaturePrune, FeatureCheck}}

func TestPackagesHaveALimitedNumberOfFunctions(t *testing.T) {
	testsize.NotShort(t)
	t.Parallel()
	// Each object is a function of each pass. The roots and the exported functions come to that.
	n := packageLimit.functions/2 - 2
	_, err := Lower([]Input{hostileInput("example.com", "Big", "bigs", "v1", wide(n+1, 1))}, pruneAndCheck)
	wantTooLarge(t, err, fmt.Sprintf("the package would have %d functions; the limit is %d", 2*(n+1)+4, packageLimit.functions))
	// It is one kind: to generate fewer is no way out.
	if hint := hintOf(err); !strings.Contains(hint, "--emit-only prune") || strings.Contains(hint, "fewer kinds") {
		t.Errorf("the hint is %q", hint)
	}
	if _, err := Lower([]Input{hostileInput("example.com", "Big", "bigs", "v1", wide(n, 1))}, pruneAndCheck); err != nil {
		t.Fatal(err)
	}
}

// A kind with nothing in it has its exported functions all the same.
func TestExportedFunctionsCount(t *testing.T) {
	t.Parallel()
	var inputs []Input
	for i := range packageLimit.functions/4 + 1 {
		inputs = append(inputs, hostileInput("example.com", fmt.Sprintf("Kind%d", i), "kinds", "v1", &structural.JSONSchema{Type: "object"}))
	}
	_, err := Lower(inputs, pruneAndCheck)
	wantTooLarge(t, err, fmt.Sprintf("the limit is %d", packageLimit.functions))
	if hint := hintOf(err); !strings.Contains(hint, "fewer kinds") {
		t.Errorf("the hint is %q", hint)
	}
	if _, err := Lower(inputs[1:], pruneAndCheck); err != nil {
		t.Fatal(err)
	}
}

func TestPackagesNameALimitedNumberOfFields(t *testing.T) {
	testsize.Large(t, "lowers all that the limit allows")
	t.Parallel()
	_, err := Lower([]Input{hostileInput("example.com", "Big", "bigs", "v1", wide(100, packageLimit.fields/200+1))}, pruneAndCheck)
	wantTooLarge(t, err, "fields; the limit is 100000")
	if _, err := Lower([]Input{hostileInput("example.com", "Big", "bigs", "v1", wide(100, packageLimit.fields/200-10))}, pruneAndCheck); err != nil {
		t.Fatal(err)
	}
}

func TestSourceHasALimitedSize(t *testing.T) {
	testsize.Large(t, "writes all that the limit allows")
	t.Parallel()
	longNames := &structural.JSONSchema{Type: "object", Properties: map[string]*structural.JSONSchema{}}
	for i := range 10_000 {
		longNames.Properties[fmt.Sprintf("%d%s", i, strings.Repeat("x", maxName-10))] = &structural.JSONSchema{Type: "string"}
	}
	// Normalize and Default have the default in a function each.
	longDefault := &structural.JSONSchema{Type: "object", Properties: map[string]*structural.JSONSchema{
		"a": {Type: "string", Default: strings.Repeat("x", 9_000_000)},
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
			wantTooLarge(t, err, "the package would exceed the limit of 16 MiB of source")
		})
	}
}

// The functions of a CRD can be few and hold much.
func TestPackagesHoldALimitedNumberOfValues(t *testing.T) {
	t.Parallel()
	list := func(n int) []any {
		all := make([]any, n)
		for i := range all {
			all[i] = fmt.Sprint(i)
		}
		return all
	}
	object := func(s *structural.JSONSchema) *structural.JSONSchema {
		return &structural.JSONSchema{Type: "object", Properties: map[string]*structural.JSONSchema{"a": s}}
	}
	// A list is a value as well.
	most := packageLimit.values - 1
	for name, test := range map[string]struct {
		feature Feature
		schema  func(n int) *structural.JSONSchema
	}{
		"enum": {FeatureValidate, func(n int) *structural.JSONSchema { return &structural.JSONSchema{Type: "string", Enum: list(n)} }},
		"default": {FeatureDefault, func(n int) *structural.JSONSchema {
			return &structural.JSONSchema{Type: "array", Items: &structural.JSONSchemaOrArray{Schema: &structural.JSONSchema{Type: "string"}}, Default: list(n)}
		}},
	} {
		opts := Options{Package: "v1", Features: Features{test.feature}}
		_, err := Lower([]Input{hostileInput("example.com", "Big", "bigs", "v1", object(test.schema(most+1)))}, opts)
		wantTooLarge(t, err, fmt.Sprintf("the package would have %d values", packageLimit.values+1))
		if _, err := Lower([]Input{hostileInput("example.com", "Big", "bigs", "v1", object(test.schema(most)))}, opts); err != nil {
			t.Errorf("%s: %.300v", name, err)
		}
	}
}

// Packages of a call are emitted one after the other, and some of them more than once.
func TestAllSourceOfACallHasALimit(t *testing.T) {
	testsize.Large(t, "writes 256 MB of source")
	t.Parallel()
	opts := Options{Package: "v1", Features: Features{FeatureDefault}}
	l := NewLowering(opts)
	emit := func(size int) error {
		schema := &structural.JSONSchema{Type: "object", Properties: map[string]*structural.JSONSchema{"a": {Type: "string", Default: strings.Repeat("x", size)}}}
		p, err := l.Lower([]Input{hostileInput("example.com", "Big", "bigs", "v1", schema)})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if _, err = p.Emit(opts); err != nil {
				break
			}
		}
		return err
	}
	const size = 13 << 20
	for range maxCallBytes / size {
		if err := emit(size); err != nil {
			t.Fatal(err)
		}
	}
	wantTooLarge(t, emit(size), "with this package, all packages together would exceed the limit of 64 MiB of source")
}

func TestAllPackagesOfACallHaveALimit(t *testing.T) {
	testsize.Large(t, "lowers all that the limit allows")
	t.Parallel()
	l := NewLowering(pruneAndCheck)
	for i := range 6 {
		_, err := l.Lower([]Input{hostileInput("example.com", "Big", "bigs", fmt.Sprintf("v%d", i), wide(9990, 1))})
		switch {
		case i < 5 && err != nil:
			t.Fatal(err)
		case i == 5:
			wantTooLarge(t, err, "with this package, all packages together would have 119904 functions; the limit is 100000")
		}
	}
	// Once is enough.
	var input *InputError
	if _, err := l.Lower([]Input{hostileInput("example.com", "Small", "smalls", "v1", wide(1, 1))}); !errors.As(err, &input) || len(input.Findings) > 0 {
		t.Errorf("got %v", err)
	}
}

func TestNamesOfPropertiesHaveALimitedLength(t *testing.T) {
	long := strings.Repeat("é", maxName/2) + "x"
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
		if f.Message != want || f.Path != at || f.Rule != RuleTooLarge || f.CRD != "bigs.example.com" || f.Version != "v1" || f.Severity != structural.SeverityError {
			t.Errorf("got %+v, want %s", f, want)
		}
	}
	if _, err := Lower([]Input{hostileInput("example.com", "Big", "bigs", "v1", schema(long[:maxName]))}, pruneAndCheck); err != nil {
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
	// What is wrong with a schema is told once.
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

// The limits themselves are allowed, and what exceeds one first is told.
func TestSizesAreComparedWithTheirLimits(t *testing.T) {
	limit := size{functions: 2, fields: 3, values: 4}
	for _, test := range []struct {
		size size
		want string
	}{
		{size{}, ""},
		{limit, ""},
		{size{3, 3, 4}, "3 functions; the limit is 2"},
		{size{2, 4, 4}, "functions that name 4 fields; the limit is 3"},
		{size{2, 3, 5}, "5 values in enums, defaults and lists of names; the limit is 4"},
		{size{9, 9, 9}, "9 functions; the limit is 2"},
		{size{0, 9, 9}, "functions that name 9 fields; the limit is 3"},
	} {
		if have := test.size.excess(limit); have != test.want {
			t.Errorf("%+v: %q, want %q", test.size, have, test.want)
		}
	}
	if sum := (size{1, 20, 300}).add(size{4, 50, 600}); sum != (size{5, 70, 900}) {
		t.Errorf("the sum is %+v", sum)
	}
}

// What is counted is a limit for one package, or for all together, and the hint says how to generate less.
func TestLimitsOfAPackageAndOfACall(t *testing.T) {
	one := []Input{hostileInput("example.com", "Big", "bigs", "v1", wide(1, 1))}
	two := append(one, hostileInput("example.com", "Other", "others", "v1", wide(1, 1)))
	for _, test := range []struct {
		total, size   size
		inputs        []Input
		message, hint string
		full          bool
	}{
		{size{}, packageLimit, one, "", "", false},
		{size{functions: 80_000}, packageLimit, one, "", "", false},
		{size{}, size{functions: 20_001}, one, "the package would have 20001 functions; the limit is 20000",
			"generate less for it, with --emit-only prune for example; dynamic.Compile interprets what is too large for code", false},
		{size{}, size{values: 100_001}, two, "the package would have 100001 values in enums, defaults and lists of names; the limit is 100000",
			"generate fewer kinds into one package: --kind selects them, and --output-dir is where they go", false},
		{size{functions: 80_001}, packageLimit, two, "with this package, all packages together would have 100001 functions; the limit is 100000",
			"generate fewer kinds or versions in one call: --kind and --crd-version select them", true},
		{size{fields: 500_000}, size{fields: 1}, one, "with this package, all packages together would have functions that name 500001 fields; the limit is 500000",
			"generate fewer kinds or versions in one call: --kind and --crd-version select them", true},
	} {
		l := NewLowering(pruneAndCheck)
		l.total = test.total
		err := l.limit(test.size, test.inputs)
		if l.full != test.full {
			t.Errorf("%q: full is %t", test.message, l.full)
		}
		if test.message == "" {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		wantTooLarge(t, err, test.message)
		if hint := hintOf(err); hint != test.hint {
			t.Errorf("the hint is %q, want %q", hint, test.hint)
		}
	}
}

func TestBudgetsOfSource(t *testing.T) {
	var call atomic.Int64
	b := newBudget(&call)
	if err := b.add(maxPackageBytes); err != nil {
		t.Error(err)
	}
	if err := b.room(1); err != errPackageBytes {
		t.Error(err)
	}
	if err := b.add(1); err != errPackageBytes {
		t.Error(err)
	}
	// Another package has its own limit, and the call has one for both.
	b = newBudget(&call)
	call.Store(maxCallBytes - 1)
	if err := b.add(1); err != nil {
		t.Error(err)
	}
	if err := b.room(1); err != errCallBytes {
		t.Error(err)
	}
	for err, want := range map[error]string{
		errPackageBytes: "the package would exceed the limit of 16 MiB of source",
		errCallBytes:    "with this package, all packages together would exceed the limit of 64 MiB of source",
	} {
		if err.Error() != want {
			t.Error(err)
		}
	}
}
