package prunert

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
)

// CheckDecoded returns an error, with the path, if obj holds a value that no JSON decoder of the Kubernetes API machinery makes: an int, a
// map[string]string, a json.Number, NaN, or nesting that is deeper than MaxDepth or endless. Integers are int64 and other numbers float64.
// Generated functions do not look into other values, and do not validate them; CEL rules read an int, and fail where they read a
// []string. So tests that build objects by hand should call CheckDecoded first.
func CheckDecoded(obj map[string]any) error {
	return (&decoded{}).check(obj)
}

// decoded is a walk through an object.
type decoded struct {
	path  []byte
	depth int
}

func (d *decoded) check(v any) error {
	if d.depth++; d.depth > MaxDepth {
		return d.errorf("is nested deeper than %d levels", MaxDepth)
	}
	defer func(size int) { d.depth, d.path = d.depth-1, d.path[:size] }(len(d.path))
	switch v := v.(type) {
	case nil, bool, int64, string:
		return nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return d.errorf("is %v, which JSON does not have", v)
		}
		return nil
	case map[string]any:
		if v == nil {
			return d.errorf("is a nil map, where a decoder makes nil")
		}
		at := len(d.path)
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if d.path = d.path[:at]; at > 0 {
				d.path = append(d.path, '.')
			}
			d.path = append(d.path, k...)
			if err := d.check(v[k]); err != nil {
				return err
			}
		}
		return nil
	case []any:
		if v == nil {
			return d.errorf("is a nil slice, where a decoder makes nil")
		}
		at := len(d.path)
		for i, e := range v {
			d.path = append(strconv.AppendInt(append(d.path[:at], '['), int64(i), 10), ']')
			if err := d.check(e); err != nil {
				return err
			}
		}
		return nil
	}
	return d.errorf("has the Go type %T; decoders make bool, int64, float64, string, []any and map[string]any", v)
}

// errorf returns an error with the place, whose end says most.
func (d *decoded) errorf(format string, args ...any) error {
	const most = 200
	at := string(d.path)
	switch {
	case at == "":
		at = "the object"
	case len(at) > most:
		at = "..." + at[len(at)-most:]
	}
	return fmt.Errorf("%s "+format, append([]any{at}, args...)...)
}
