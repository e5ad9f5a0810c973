// Package aimed makes objects that aim at the keywords of a schema: values at each bound and one beyond it, of other types, and
// null, inside and outside of junctors. Objects follow from the schema alone, so that what Kubernetes says about them can be
// written down; Answers does that.
package aimed

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// Objects returns objects for the schema of a version, as JSON has it. Every field takes each of its values in some of them, and is
// absent in others.
func Objects(s map[string]any) []map[string]any {
	var all []map[string]any
	for _, v := range Values(s) {
		if obj, ok := v.(map[string]any); ok {
			all = append(all, obj)
		}
	}
	return all
}

// Values returns values for a schema: one that it allows as far as that is easily found, those of At, some with the values of
// fields and elements in them, and some of other types.
func Values(s map[string]any) []any {
	all := append([]any{fitting(s)}, At(s)...)
	all = append(all, withFields(s)...)
	all = append(all, withElements(s)...)
	return distinct(append(all, nil, "text", int64(7), 7.5, true, []any{int64(1)}, map[string]any{"unknown": "x"}))
}

// At returns values at the edges of the keywords of a schema, and of those below its junctors.
func At(s map[string]any) []any {
	var all []any
	for _, keyword := range slices.Sorted(maps.Keys(s)) {
		switch value := s[keyword]; keyword {
		case "type":
			all = append(all, otherType(value))
		case "nullable":
			all = append(all, nil)
		case "format":
			all = append(all, Formatted(value.(string))...)
		case "pattern":
			all = append(all, matching(value.(string))...)
		case "minLength", "maxLength":
			for _, n := range around(value) {
				all = append(all, strings.Repeat("é", n), strings.Repeat("b", n))
			}
		case "minimum", "maximum":
			all = append(all, numbersNear(number(value))...)
		case "multipleOf":
			m := number(value)
			all = append(all, int64(0), m, 3*m, -m, m/2, m+0.25)
			if m == math.Trunc(m) && math.Abs(m) < 1<<53 {
				all = append(all, int64(m), 2*int64(m), int64(m)+1)
			}
		case "minItems", "maxItems":
			for _, n := range around(value) {
				all = append(all, listOf(s, n))
			}
		case "uniqueItems", "x-kubernetes-list-type":
			all = append(all, repeating(s)...)
		case "minProperties", "maxProperties":
			for _, n := range around(value) {
				all = append(all, fields(s, n))
			}
		case "required":
			all = append(all, requiring(s, value.([]any))...)
		case "enum":
			all = append(all, enumerated(value.([]any))...)
		case "x-kubernetes-int-or-string":
			all = append(all, int64(5), "5", 5.0, 5.5, nil, true)
		case "x-kubernetes-embedded-resource":
			all = append(all, embedded()...)
		}
	}
	for _, branch := range branches(s) {
		all = append(all, At(branch)...)
	}
	return distinct(all)
}

// branches returns the schemas below the junctors of s.
func branches(s map[string]any) []map[string]any {
	var all []map[string]any
	for _, junctor := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := s[junctor].([]any)
		for _, branch := range list {
			all = append(all, branch.(map[string]any))
		}
	}
	if not, ok := s["not"].(map[string]any); ok {
		all = append(all, not)
	}
	return all
}

// otherType returns a value that is not of a type.
func otherType(typ any) any {
	switch typ {
	case "string":
		return int64(1)
	case "integer":
		return 1.5
	case "number":
		return "1"
	case "object":
		return []any{}
	}
	return map[string]any{}
}

// around returns the sizes at a bound and next to it.
func around(bound any) []int {
	n := int(number(bound))
	return slices.DeleteFunc([]int{n - 1, n, n + 1}, func(n int) bool { return n < 0 || n > 100 })
}

// numbersNear returns the numbers at a bound and next to it, as integers and as floats.
func numbersNear(b float64) []any {
	all := []any{b, b - 1, b + 1, math.Nextafter(b, math.Inf(-1)), math.Nextafter(b, math.Inf(1))}
	if math.Abs(b) < 1<<53 {
		i := int64(math.Floor(b))
		all = append(all, i, i+1, i-1)
	}
	return slices.DeleteFunc(all, func(v any) bool {
		f, ok := v.(float64)
		return ok && math.IsInf(f, 0)
	})
}

// number returns a bound of a schema, which may come from JSON or not.
func number(bound any) float64 {
	if i, ok := bound.(int64); ok {
		return float64(i)
	}
	return bound.(float64)
}

func enumerated(values []any) []any {
	var all []any
	for _, v := range values {
		all = append(all, v)
		switch v := v.(type) {
		case string:
			all = append(all, v+"x", strings.ToUpper(v))
		case int64:
			all = append(all, float64(v), float64(v)+0.5, v+1)
		case float64:
			all = append(all, v+0.5, int64(v))
		case map[string]any:
			more := maps.Clone(v)
			more["more"] = true
			all = append(all, more)
		}
	}
	return all
}

// distinct returns values without those that equal earlier ones. An integer does not equal a float.
func distinct(values []any) []any {
	seen := map[string]bool{}
	var all []any
	for _, v := range values {
		if key := encode(v); !seen[key] {
			seen[key] = true
			all = append(all, v)
		}
	}
	return all
}
