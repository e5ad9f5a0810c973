package valuetest

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// aims returns values at the edges of the keywords of a schema: at each bound, one beyond it, and of another type.
func (r Random) aims(s map[string]any, depth int) []any {
	var all []any
	for _, keyword := range slices.Sorted(maps.Keys(s)) {
		switch value := s[keyword]; keyword {
		case "type":
			all = append(all, otherType(value))
		case "minLength", "maxLength":
			for _, n := range around(value) {
				all = append(all, strings.Repeat("é", n), strings.Repeat("b", n))
			}
		case "minimum", "maximum":
			b := number(value)
			all = append(all, value, b, b-1, b+1, math.Nextafter(b, math.Inf(-1)), math.Nextafter(b, math.Inf(1)))
			if math.Abs(b) < 1<<53 {
				all = append(all, int64(math.Floor(b)), int64(math.Floor(b))+1, int64(math.Floor(b))-1)
			}
		case "multipleOf":
			b := number(value)
			all = append(all, value, 3*b, b/2, b+0.25)
		case "minItems", "maxItems":
			items, _ := s["items"].(map[string]any)
			for _, n := range around(value) {
				list := make([]any, n)
				for i := range list {
					list[i] = r.Near(items, depth-2)
				}
				all = append(all, list)
			}
		case "minProperties", "maxProperties":
			for _, n := range around(value) {
				obj := map[string]any{}
				for _, name := range fieldNames[:n] {
					obj[name] = r.Value(0)
				}
				all = append(all, obj)
			}
		case "required":
			names := value.([]any)
			for without := range len(names) + 1 { // the last one has them all
				obj := map[string]any{}
				for i, name := range names {
					if i != without {
						obj[name.(string)] = r.Value(0)
					}
				}
				all = append(all, obj)
			}
		case "enum":
			for _, v := range value.([]any) {
				all = append(all, v)
				switch v := v.(type) {
				case string:
					all = append(all, v+"x", strings.ToUpper(v))
				case int64:
					all = append(all, float64(v), float64(v)+0.5, v+1)
				}
			}
		case "nullable":
			all = append(all, nil)
		case "format":
			all = append(all, pick(r, texts...), pick(r, numbers...))
		case "not":
			all = append(all, r.Near(value.(map[string]any), depth-1))
		case "anyOf", "oneOf", "allOf":
			for _, branch := range value.([]any) {
				all = append(all, r.aims(branch.(map[string]any), depth-1)...)
			}
		}
	}
	return all
}

// around returns the sizes next to a bound, as far as they are sizes that names can be given to.
func around(bound any) []int {
	n := int(number(bound))
	return slices.DeleteFunc([]int{n - 1, n, n + 1}, func(n int) bool { return n < 0 || n > len(fieldNames) })
}

// number returns a bound of a schema. Schemas come from New, or from JSON.
func number(bound any) float64 {
	if i, ok := bound.(int64); ok {
		return float64(i)
	}
	return bound.(float64)
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
