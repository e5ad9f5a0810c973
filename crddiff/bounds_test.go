package crddiff_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/crddiff"
	"github.com/prune-gen/prune-gen/internal/testing/crdjudge"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
)

// Values of a size.
func textOf(n int) any { return strings.Repeat("é", n) }

func listOf(n int) any { return make([]any, n) }

func mapOf(n int) any {
	m := object{}
	for i := range n {
		m[fmt.Sprint("k", i)] = int64(0)
	}
	return m
}

// Every bound is changed to every other one, around zero and around the largest of a format, and objects around the bounds show whom that
// breaks: those that are named, and nobody else.
func TestBoundsAroundZero(t *testing.T) {
	each := func(n int, make func(int) any) (all []any) {
		for i := range n {
			all = append(all, make(i))
		}
		return all
	}
	integers, floats := []any{}, []any{}
	for i := -3; i <= 3; i++ {
		integers = append(integers, int64(i))
		floats = append(floats, float64(i)/2, float64(i)/2+0.25)
	}
	large := []any{0.5, 2e38, -2e38, 2e39, -2e39, 2e300, -2e300}
	counts := []string{"", "-1", "0", "1", "2"}
	fractions := []string{"", "-0.5", "0", "0.5", "-0.5, exclusive: true", "0, exclusive: true", "0.5, exclusive: true"}
	for _, test := range []struct {
		schema  string // with the keyword in place of %s
		keyword string
		bounds  []string
		values  []any
		loud    bool // more may be named: an integer is compared with a bound without its fraction, and some bounds refuse all values
	}{
		{"{type: string%s}", "minLength", counts, each(4, textOf), false},
		{"{type: string%s}", "maxLength", counts, each(4, textOf), false},
		{"{type: array, items: {type: integer, default: 0}%s}", "minItems", counts, each(4, listOf), false},
		{"{type: array, items: {type: integer, default: 0}%s}", "maxItems", counts, each(4, listOf), false},
		{"{type: object, additionalProperties: {type: integer}%s}", "minProperties", counts, each(4, mapOf), false},
		{"{type: object, additionalProperties: {type: integer}%s}", "maxProperties", counts, each(4, mapOf), false},
		{"{type: object, properties: {k0: {type: integer}, k1: {type: integer}}%s}", "minProperties", append(counts, "3"), each(3, mapOf), false},
		{"{type: object, properties: {k0: {type: integer}, k1: {type: integer}}%s}", "maxProperties", append(counts, "3"), each(3, mapOf), false},
		{"{type: integer%s}", "minimum", []string{"", "-2", "-1", "0", "1"}, integers, false},
		{"{type: integer%s}", "maximum", []string{"", "-1", "0", "1", "2"}, integers, false},
		{"{type: number%s}", "minimum", []string{"", "-1", "0", "1", "0, exclusive: true", "-1, exclusive: true"}, append(floats, integers...), false},
		{"{type: number%s}", "maximum", []string{"", "-1", "0", "1", "0, exclusive: true", "-1, exclusive: true"}, append(floats, integers...), false},
		{"{type: number%s}", "maximum", []string{"", "1e38", "1e39", "1e300"}, large, false},
		{"{type: number, format: double%s}", "minimum", []string{"", "-1e38", "-1e39", "-1e300"}, large, false},
		{"{type: number, format: float%s}", "maximum", []string{"", "1e38", "1e39", "1e300"}, large, true},
		{"{type: number, format: float%s}", "minimum", []string{"", "-1e38", "-1e39", "-1e300"}, large, true},
		{"{type: integer, format: int32%s}", "maximum", []string{"", "2147483646", "2147483647", "2147483648"}, []any{int64(0), int64(math.MaxInt32)}, true},
		{"{type: integer, format: int32%s}", "minimum", []string{"", "-2147483647", "-2147483648", "-2147483649"}, []any{int64(0), int64(-math.MaxInt32)}, true},
		{"{type: integer, format: int64%s}", "maximum", []string{"", "2147483648", "9007199254740991", "9007199254740992"}, []any{int64(0), int64(1) << 52}, true},
		{"{type: integer%s}", "minimum", fractions, integers, true},
		{"{type: integer%s}", "maximum", fractions, integers, true},
		{"{type: number%s}", "minimum", fractions, append(floats, integers...), true},
		{"{type: number%s}", "maximum", fractions, append(floats, integers...), true},
	} {
		var sides []*crdjudge.Side
		for _, bound := range test.bounds {
			keyword := ""
			if bound != "" {
				keyword = ", " + test.keyword + ": " + strings.Replace(bound, "exclusive", "exclusiveM"+test.keyword[1:], 1)
			}
			s, err := crdjudge.New(structuraltest.ParseObject(t, "{schema: {type: object, properties: {spec: {type: object, properties: {f: "+fmt.Sprintf(test.schema, keyword)+"}}}}}"))
			if err != nil {
				t.Fatal(err)
			}
			sides = append(sides, s)
		}
		for i, old := range sides {
			for j, new := range sides {
				var shown crdjudge.Shown
				for _, v := range test.values {
					if s := crdjudge.Judge(old, new, crdjudge.Named(object{"spec": object{"f": v}})); s.Level > shown.Level {
						shown = s
					}
				}
				if level, changes := crdjudge.Said(t, old, new); level < shown.Level || level > shown.Level && !test.loud {
					t.Errorf("%s, %s %q to %q: is said to break %s, and breaks %s: %v %s", test.schema, test.keyword, test.bounds[i], test.bounds[j], level, shown.Level, changes, shown.How)
				}
			}
		}
	}
}

// A bound in a junctor that is below, at or above the bounds of the values breaks those requests that values show.
func TestBoundsInJunctors(t *testing.T) {
	side := func(schema string) *crdjudge.Side {
		s, err := crdjudge.New(structuraltest.ParseObject(t, "{schema: {type: object, properties: {spec: {type: object, properties: {f: {"+schema+"}}}}}}"))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, test := range []struct {
		schema, what string
		value        func(int) any
	}{
		{"type: integer, minimum: 1, maximum: 3", "imum", func(n int) any { return int64(n) }},
		{"type: number, minimum: 1, maximum: 3", "imum", func(n int) any { return float64(n) }},
		{"type: string, minLength: 1, maxLength: 3", "Length", textOf},
		{"type: array, items: {type: integer, nullable: true}, minItems: 1, maxItems: 3", "Items", listOf},
		{"type: object, additionalProperties: {type: integer}, minProperties: 1, maxProperties: 3", "Properties", mapOf},
		{"type: object, required: [k0], properties: {k0: {type: integer}, k1: {type: integer}, k2: {type: integer}}", "Properties", mapOf},
	} {
		old := side(test.schema)
		for bound := range 5 {
			for _, keyword := range []string{"min" + test.what, "max" + test.what, "min" + test.what + ", exclusive", "max" + test.what + ", exclusive"} {
				text := strings.Replace(keyword, ", exclusive", fmt.Sprintf(": %d, exclusiveM%simum: true", bound, keyword[1:3]), 1)
				if text == keyword {
					text += fmt.Sprintf(": %d", bound)
				} else if test.what != "imum" {
					continue
				}
				for _, junctor := range []string{"allOf: [{%s}]", "not: {%s}"} {
					new := side(test.schema + ", " + fmt.Sprintf(junctor, text))
					var shown crdjudge.Shown
					for n := 1; n <= 3; n++ {
						if s := crdjudge.Judge(old, new, crdjudge.Named(object{"spec": object{"f": test.value(n)}})); s.Level > shown.Level {
							shown = s
						}
					}
					if level, changes := crdjudge.Said(t, old, new); level != shown.Level {
						t.Errorf("%s gets "+junctor+": is said to break %s, and breaks %s: %v %s", test.schema, text, level, shown.Level, changes, shown.How)
					}
				}
			}
		}
	}
}

// How many fields an object can have at most follows from the schema, and new defaults add to them.
func TestBoundsOfNewDefaults(t *testing.T) {
	side := func(fields, defaults, others int, bound string) *crdjudge.Side {
		var all []string
		for i := range fields {
			all = append(all, fmt.Sprintf("k%d: {type: integer}", i))
		}
		for i := range defaults {
			all = append(all, fmt.Sprintf("d%d: {type: integer, default: 1}", i))
		}
		for i := range others {
			all = append(all, fmt.Sprintf("o%d: {type: integer}", i))
		}
		s, err := crdjudge.New(structuraltest.ParseObject(t, "{schema: {type: object, properties: {spec: {type: object, properties: {f: {type: object, properties: {"+strings.Join(all, ", ")+"}"+bound+"}}}}}}"))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for fields := range 3 {
		old := side(fields, 0, 0, "")
		for defaults := range 3 {
			for others := range 2 {
				for bound := range 6 {
					new := side(fields, defaults, others, fmt.Sprintf(", maxProperties: %d", bound))
					var shown crdjudge.Shown
					for n := range fields + 1 {
						if s := crdjudge.Judge(old, new, crdjudge.Named(object{"spec": object{"f": mapOf(n)}})); s.Level > shown.Level {
							shown = s
						}
					}
					// A default that maxProperties could refuse is named in any case.
					level, changes := crdjudge.Said(t, old, new)
					holds := slices.ContainsFunc(changes, func(c crddiff.Change) bool {
						return strings.HasPrefix(c.What, "maxProperties is new") && c.Level == crddiff.None
					})
					if holds != (shown.Level == crddiff.None) || defaults == 0 && level != shown.Level {
						t.Errorf("%d fields, %d with defaults and %d others are new, maxProperties: %d: is said to break %s, and breaks %s: %v %s", fields, defaults, others, bound, level, shown.Level, changes, shown.How)
					}
				}
			}
		}
	}
}
