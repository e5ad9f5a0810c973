package speed

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/internal/interpret"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// mend changes an object so that it is valid by its schema, as far as its values go. What cannot be mended is taken out.
func mend(obj map[string]any, k *kind) error {
	mendValue(obj, k.Schema, 0)
	const most = 500
	for range most {
		errs := k.generated.Validate(obj)
		if len(errs) == 0 {
			return nil
		}
		taken := map[string]bool{}
		for _, e := range errs {
			// From the lists that the path goes through, one element is taken out at a time: the others move.
			list, _, _ := strings.Cut(e.Path.String(), "[")
			if !taken[list] {
				taken[list] = true
				takeOut(obj, e.Path)
			}
		}
	}
	return fmt.Errorf("the object is not valid after %d changes", most)
}

// mendValue returns v as its schema wants it.
func mendValue(v any, s *structural.Schema, n int) any {
	if s == nil {
		return v
	}
	rules := s.ValueValidation
	if len(rules.Enum) > 0 {
		return rules.Enum[n%len(rules.Enum)]
	}
	switch v := v.(type) {
	case string:
		return mendText(v, rules, n)
	case int64:
		if rules.Minimum != nil {
			v = max(v, int64(*rules.Minimum))
		}
		if rules.Maximum != nil {
			v = min(v, int64(*rules.Maximum))
		}
		if rules.Format == "int32" {
			v = int64(int32(v))
		}
		return v
	case []any:
		if rules.MaxItems != nil {
			v = v[:min(int64(len(v)), *rules.MaxItems)]
		}
		for i, e := range v {
			v[i] = mendValue(e, s.Items, i)
			if m, ok := v[i].(map[string]any); ok && s.Items != nil {
				for _, key := range s.XListMapKeys { // each with keys of its own
					m[key] = mendValue(sample(s.Items.Properties[key], i), s.Items.Properties[key], i)
				}
			} else if s.XListType != nil && *s.XListType == "set" {
				v[i] = mendValue(sample(s.Items, i), s.Items, i)
			}
		}
		return v
	case map[string]any:
		for _, name := range rules.Required {
			if _, ok := v[name]; !ok {
				v[name] = sample(s.Properties[name], n)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if p := s.Properties[name]; p != nil {
				v[name] = mendValue(v[name], p, n)
			} else if ap := s.AdditionalProperties; ap != nil {
				v[name] = mendValue(v[name], ap.Schema, n)
			}
		}
	}
	return v
}

// sample returns a value of the type of a schema, another one for each n.
func sample(s *structural.Schema, n int) any {
	switch {
	case s == nil:
		return nil
	case s.XIntOrString || s.Type == "integer":
		return int64(n + 1)
	case s.Type == "string":
		return "name" + strconv.Itoa(n)
	case s.Type == "boolean":
		return n%2 == 0
	case s.Type == "number":
		return float64(n) + 0.5
	case s.Type == "array":
		return []any{sample(s.Items, n)}
	}
	return map[string]any{}
}

// mendText returns a string that has the length and the pattern and the format that are wanted: v, if it does.
func mendText(v string, rules *structural.ValueValidation, n int) any {
	re := regexp.MustCompile(rules.Pattern)
	number := strconv.Itoa(n)
	candidates := []string{
		v, "name" + number, "n" + number, "Name" + number, number, "1" + number, "/path/" + number, "example.com/name" + number, "http://example.com/" + number,
		number + "s", "10m", "v" + number, "2020-01-02T03:04:05Z", "YWJj", "10.0.0.1", "10.0.0.0/8", "*.example.com", "a.example.com", "a",
	}
	schema := &structural.JSONSchema{Type: "string", Format: rules.Format, MinLength: rules.MinLength, MaxLength: rules.MaxLength}
	for _, c := range candidates {
		if errs, _ := new(interpret.Work).ValidateValues(c, schema); len(errs) == 0 && re.MatchString(c) {
			return c
		}
	}
	return v
}

// takeOut returns v without the value at a path or, if that does not exist, without the value that should contain it. It reports whether
// there is one.
func takeOut(v any, path prunert.Path) (rest any, taken bool) {
	if len(path) == 0 {
		return v, false
	}
	name, i := path[0].Name, path[0].Index
	switch in := v.(type) {
	case map[string]any:
		e, ok := in[name]
		if !ok {
			return in, false
		}
		if rest, taken := takeOut(e, path[1:]); taken {
			in[name] = rest
		} else {
			delete(in, name)
		}
		return in, true
	case []any:
		if i < 0 || i >= len(in) {
			return in, false
		}
		if rest, taken := takeOut(in[i], path[1:]); taken {
			in[i] = rest
			return in, true
		}
		return slices.Delete(in, i, i+1), true
	}
	return v, false
}
