package pruneimpl_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
	"github.com/prune-gen/prune-gen/structural"
)

// aimedValues are values of all types, at the borders of what types, formats and bounds allow.
var aimedValues = []any{
	nil, true, false, "", "a", "A", "ab", "abc", "aé", "éé", "\xff\xff", "\U0001F600", "1", "2020-02-29", "2020-02-30",
	int64(0), int64(1), int64(-1), int64(2), int64(3), int64(4), int64(65), int64(97), int64(math.MaxInt32), int64(math.MaxInt32 + 1), int64(math.MinInt32), int64(math.MinInt32 - 1),
	int64(1 << 53), int64(math.MaxInt64), int64(math.MinInt64),
	0.0, math.Copysign(0, -1), 0.1, 0.3, 0.35, 0.5, 1.0, -1.0, 1.5, 2.0, 3.0, 4.0, 65.0, 1e9 + 0.5, 1.0000000001, 0.9999999999, 1.00000001, 1e-10, -1e-10,
	float64(math.MaxInt32), float64(math.MaxInt32 + 1), float64(math.MinInt32), float64(math.MinInt32 - 1), float64(1<<53 - 1), float64(1 << 53), -float64(1<<53 - 1), -float64(1 << 53),
	1e18, 1e19, -1e19, float64(math.MaxInt64), float64(math.MinInt64), math.MaxFloat32, 3.5e38, -3.5e38, math.MaxFloat64,
	[]any{}, []any{nil}, []any{int64(1)}, []any{int64(1), int64(2)}, []any{"a", "b", "c"},
	map[string]any{}, map[string]any{"a": nil}, map[string]any{"a": int64(1)}, map[string]any{"a": int64(1), "b": "x"}, map[string]any{"b": "x", "c": "y", "d": "z"},
}

// judgement is a schema and the code that is generated for it.
type judgement struct {
	name   string
	schema structural.JSONSchema
	check  func(v any, rec *pruneimpl.Recorder) int
}

var typesByName = map[string]pruneimpl.Type{
	"": 0, "integer": pruneimpl.TypeInteger, "number": pruneimpl.TypeNumber, "string": pruneimpl.TypeString, "boolean": pruneimpl.TypeBoolean,
	"object": pruneimpl.TypeObject, "array": pruneimpl.TypeArray,
}

var typeNames = []string{"", "integer", "number", "string", "boolean", "object", "array"}

// nameOf returns what a schema says.
func nameOf(s structural.JSONSchema) string {
	text, _ := json.Marshal(s)
	var fields map[string]any
	_ = json.Unmarshal(text, &fields)
	maps.DeleteFunc(fields, func(_ string, v any) bool { return v == nil || v == "" || v == false })
	return fmt.Sprint(fields)
}

// ofValue does without alternatives for null, of which there are none.
func ofValue(check func(v any, rec *pruneimpl.Recorder) int) func(v any, rec *pruneimpl.Recorder) int {
	return func(v any, rec *pruneimpl.Recorder) int {
		if v == nil {
			return 0
		}
		return check(v, rec)
	}
}

func judgements() []judgement {
	var all []judgement
	add := func(s structural.JSONSchema, check func(v any, rec *pruneimpl.Recorder) int) {
		all = append(all, judgement{nameOf(s), s, check})
	}
	for _, name := range typeNames {
		want := typesByName[name]
		if name != "" {
			add(structural.JSONSchema{Type: name}, func(v any, rec *pruneimpl.Recorder) int { return pruneimpl.CheckType(v, rec, want) })
			add(structural.JSONSchema{Type: name, Nullable: true}, func(v any, rec *pruneimpl.Recorder) int {
				return pruneimpl.CheckType(v, rec, want|pruneimpl.TypeNull)
			})
		}
		formats := map[string][]string{"integer": {"int32", "int64"}, "number": {"float", "double"}, "string": {"date"}, "": {"date"}}[name]
		for _, format := range formats {
			add(structural.JSONSchema{Type: name, Format: format}, func(v any, rec *pruneimpl.Recorder) int {
				n := pruneimpl.CheckFormat(v, rec, want, format)
				if s, ok := v.(string); ok && format == "date" && !pruneimpl.IsDate(s) {
					n += rec.Malformed(v, format)
				}
				return n
			})
		}
	}
	add(structural.JSONSchema{XIntOrString: true, AnyOf: []*structural.JSONSchema{{Type: "integer"}, {Type: "string"}}}, func(v any, rec *pruneimpl.Recorder) int {
		return pruneimpl.IntOrString(v, rec, pruneimpl.TypeInteger|pruneimpl.TypeString)
	})
	for _, bound := range []float64{0, 1, -1, 2, 0.5, 1.5, math.MaxInt32, 1 << 53, 1e19, -1e19} {
		add(structural.JSONSchema{Minimum: &bound}, func(v any, rec *pruneimpl.Recorder) int { return pruneimpl.Minimum(v, rec, bound) })
		add(structural.JSONSchema{Maximum: &bound}, func(v any, rec *pruneimpl.Recorder) int { return pruneimpl.Maximum(v, rec, bound) })
		add(structural.JSONSchema{Minimum: &bound, ExclusiveMinimum: true}, func(v any, rec *pruneimpl.Recorder) int { return pruneimpl.OverMinimum(v, rec, bound) })
		add(structural.JSONSchema{Maximum: &bound, ExclusiveMaximum: true}, func(v any, rec *pruneimpl.Recorder) int { return pruneimpl.UnderMaximum(v, rec, bound) })
	}
	for _, factor := range []float64{0.1, 0.5, 1, 1.5, 2, 3, 1e9} {
		add(structural.JSONSchema{MultipleOf: &factor}, func(v any, rec *pruneimpl.Recorder) int { return pruneimpl.MultipleOf(v, rec, factor) })
	}
	for _, limit := range []int64{0, 1, 2, 3, 4} {
		add(structural.JSONSchema{MaxLength: &limit}, func(v any, rec *pruneimpl.Recorder) int {
			if s, ok := v.(string); ok && pruneimpl.Longer(s, limit) {
				return rec.TooLong(limit)
			}
			return 0
		})
		add(structural.JSONSchema{MinLength: &limit}, func(v any, rec *pruneimpl.Recorder) int {
			if s, ok := v.(string); ok && pruneimpl.Shorter(s, limit) {
				return rec.TooShort(v, limit)
			}
			return 0
		})
		onList := func(f func([]any, *pruneimpl.Recorder, int64) int) func(v any, rec *pruneimpl.Recorder) int {
			return func(v any, rec *pruneimpl.Recorder) int {
				if list, ok := v.([]any); ok {
					return f(list, rec, limit)
				}
				return 0
			}
		}
		onObject := func(f func(map[string]any, *pruneimpl.Recorder, int64) int) func(v any, rec *pruneimpl.Recorder) int {
			return func(v any, rec *pruneimpl.Recorder) int {
				if obj, ok := v.(map[string]any); ok {
					return f(obj, rec, limit)
				}
				return 0
			}
		}
		add(structural.JSONSchema{MaxItems: &limit}, onList(pruneimpl.MaxItems))
		add(structural.JSONSchema{MinItems: &limit}, onList(pruneimpl.MinItems))
		add(structural.JSONSchema{MaxProperties: &limit}, onObject(pruneimpl.MaxProperties))
		add(structural.JSONSchema{MinProperties: &limit}, onObject(pruneimpl.MinProperties))
	}
	add(structural.JSONSchema{Required: []string{"a", "c"}}, func(v any, rec *pruneimpl.Recorder) int {
		if obj, ok := v.(map[string]any); ok {
			return pruneimpl.Required(obj, rec, "a", "c")
		}
		return 0
	})
	for _, enum := range [][]any{{"a"}, {"A", "b\"c"}, {int64(1), 1.5, true}, {"1", int64(2), false, "x"}, {map[string]any{"a": int64(1)}, []any{"a", "b", "c"}, []any{}}} {
		add(structural.JSONSchema{Enum: enum}, func(v any, rec *pruneimpl.Recorder) int { return pruneimpl.Enum(v, rec, enum...) })
		add(structural.JSONSchema{Enum: enum}, func(v any, rec *pruneimpl.Recorder) int {
			return pruneimpl.EnumValues(v, rec, &pruneimpl.Values{Make: func() []any { return enum }})
		})
		if !slices.ContainsFunc(enum, func(e any) bool { _, ok := e.(string); return !ok }) {
			add(structural.JSONSchema{Enum: enum}, func(v any, rec *pruneimpl.Recorder) int {
				var texts []string
				for _, e := range enum {
					texts = append(texts, e.(string))
				}
				return pruneimpl.EnumStrings(v, rec, texts...)
			})
		}
	}
	// All pairs of alternatives, each with a type or a bound.
	two := 2.0
	alternatives := []judgement{{"minimum", structural.JSONSchema{Minimum: &two}, func(v any, rec *pruneimpl.Recorder) int {
		return pruneimpl.MatchType(v, rec, 0) + pruneimpl.Minimum(v, rec, two)
	}}}
	for _, name := range typeNames {
		alternatives = append(alternatives, judgement{name, structural.JSONSchema{Type: name}, func(v any, rec *pruneimpl.Recorder) int {
			return pruneimpl.MatchType(v, rec, typesByName[name])
		}})
	}
	for _, format := range []string{"date", "int32"} {
		name := map[string]string{"int32": "integer"}[format]
		alternatives = append(alternatives, judgement{format, structural.JSONSchema{Type: name, Format: format}, func(v any, rec *pruneimpl.Recorder) int {
			rec.Count(v, typesByName[name], format)
			n := pruneimpl.CheckFormat(v, rec, typesByName[name], format)
			if s, ok := v.(string); ok && format == "date" && !pruneimpl.IsDate(s) {
				n += rec.Malformed(v, format)
			}
			return n
		}})
	}
	for _, a := range alternatives {
		for _, b := range alternatives {
			pair := []*structural.JSONSchema{&a.schema, &b.schema}
			add(structural.JSONSchema{AnyOf: pair}, ofValue(func(v any, rec *pruneimpl.Recorder) int {
				c := rec.Choose()
				c.Try(a.check(v, rec))
				c.Try(b.check(v, rec))
				return c.AnyOf()
			}))
			add(structural.JSONSchema{OneOf: pair}, ofValue(func(v any, rec *pruneimpl.Recorder) int {
				if pruneimpl.One(a.check(v, nil), b.check(v, nil)) {
					return 0
				}
				c := rec.Choose()
				c.Try(a.check(v, rec))
				c.Try(b.check(v, rec))
				return c.OneOf()
			}))
			add(structural.JSONSchema{AllOf: pair}, ofValue(func(v any, rec *pruneimpl.Recorder) int {
				return pruneimpl.AllOf(rec, a.check(v, rec), b.check(v, rec))
			}))
		}
		add(structural.JSONSchema{Not: &a.schema}, ofValue(func(v any, rec *pruneimpl.Recorder) int {
			if a.check(v, nil) == 0 {
				return rec.Not()
			}
			return 0
		}))
	}
	// Alternatives in alternatives, of which the inner ones match more or less.
	few := []judgement{alternatives[0], alternatives[2], alternatives[4], alternatives[6]}
	for _, a := range few {
		for _, b := range few {
			inner := structural.JSONSchema{AnyOf: []*structural.JSONSchema{&a.schema, &b.schema}}
			check := func(v any, rec *pruneimpl.Recorder) int {
				rec.Count(v, 0, "")
				if v == nil {
					return 0
				}
				c := rec.Choose()
				c.Try(a.check(v, rec))
				c.Try(b.check(v, rec))
				return c.AnyOf()
			}
			for _, other := range few {
				add(structural.JSONSchema{AnyOf: []*structural.JSONSchema{&inner, &other.schema}}, ofValue(func(v any, rec *pruneimpl.Recorder) int {
					c := rec.Choose()
					c.Try(check(v, rec))
					c.Try(other.check(v, rec))
					return c.AnyOf()
				}))
				add(structural.JSONSchema{OneOf: []*structural.JSONSchema{&other.schema, &inner}}, ofValue(func(v any, rec *pruneimpl.Recorder) int {
					c := rec.Choose()
					c.Try(other.check(v, rec))
					c.Try(check(v, rec))
					return c.OneOf()
				}))
			}
		}
	}
	return all
}

// Each function finds the faults that the reference finds, with the same texts, in a field or in an element of a list.
func TestValuesAreJudgedAsByTheReference(t *testing.T) {
	faults, shown := 0, 0
	for round, j := range judgements() {
		places := []struct {
			name string
			wrap func(v any) any
			in   structural.JSONSchema
			step func(rec *pruneimpl.Recorder, n int) int
		}{
			{
				"a field", func(v any) any { return map[string]any{"f": v} }, structural.JSONSchema{Properties: map[string]*structural.JSONSchema{"f": &j.schema}},
				func(rec *pruneimpl.Recorder, n int) int { return rec.Field("f", n) },
			},
			{
				"an element", func(v any) any { return []any{v} }, structural.JSONSchema{Items: &structural.JSONSchemaOrArray{Schema: &j.schema}},
				func(rec *pruneimpl.Recorder, n int) int { return rec.Index(0, n) },
			},
		}
		for i, v := range aimedValues {
			p := places[(round+i)%len(places)]
			var rec pruneimpl.Recorder
			n := p.step(&rec, j.check(v, &rec))
			have := lines(rec.Errors())
			errs, _ := new(interpret.Work).ValidateValues(p.wrap(v), &p.in)
			want := lines(errs)
			slices.Sort(want)
			if faults += len(want); !slices.Equal(have, slices.Compact(want)) || (n == 0) != (len(want) == 0) {
				if shown++; shown > 10 {
					t.FailNow()
				}
				t.Errorf("%#v in %s, %.300s: %d\nhave\n\t%s\nwant\n\t%s", v, p.name, j.name, n, strings.Join(have, "\n\t"), strings.Join(want, "\n\t"))
			}
			if j.schema.AnyOf != nil || j.schema.OneOf != nil {
				continue // which are not chosen between without a recorder
			}
			if n := j.check(v, nil); (n == 0) != (j.check(v, new(pruneimpl.Recorder)) == 0) {
				t.Errorf("%#v, %.300s: without a recorder there are %d faults", v, j.name, n)
			}
		}
	}
	if faults < 1000 {
		t.Errorf("%d faults", faults)
	}
}

func lines(errs prunert.ErrorList) (texts []string) {
	for _, e := range errs {
		texts = append(texts, fmt.Sprintf("%s (%s, %T)", e.Error(), e.Type, e.BadValue))
	}
	return texts
}
