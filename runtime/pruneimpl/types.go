package pruneimpl

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// Type is a set of types that a value may have.
type Type uint16

const (
	TypeInteger Type = 1 << iota
	TypeString
	TypeBoolean
	TypeNumber
	TypeObject
	TypeArray
	TypeNull
	// TypeInt64 and TypeTime are types of ObjectMeta: an integer that a Go int64 can hold, and an RFC 3339 time.
	TypeInt64
	TypeTime
)

// anyType is the type of values that no JSON decoder makes.
const anyType = ^Type(0)

// typeNames are the names of the types in a schema, in the order of the constants.
var typeNames = [...]string{"integer", "string", "boolean", "number", "object", "array", "null", "integer", "string"}

// String names the types as the API server does. Null is not among them: a schema allows it by another keyword.
func (t Type) String() string {
	var names []string
	for i, name := range typeNames {
		if t&^TypeNull&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// CheckType checks that v is of one of the wanted types. Most values are strings: it is inlined as far as these go.
func CheckType(v any, rec *Recorder, want Type) int {
	if _, ok := v.(string); ok && want&TypeString != 0 {
		return 0
	}
	return rec.checkType(v, want)
}

// CheckList returns v if it is a list. For any other value it returns no list and the result of CheckType.
func CheckList(v any, rec *Recorder, want Type) (list []any, n int) {
	if list, ok := v.([]any); ok {
		return list, 0
	}
	return nil, rec.checkType(v, want)
}

// CheckObject returns v if it is an object, with the number of its fields. For any other value it returns no object, a negative number, and the
// result of CheckType.
func CheckObject(v any, rec *Recorder, want Type) (obj map[string]any, left, n int) {
	if obj, ok := v.(map[string]any); ok {
		return obj, len(obj), 0
	}
	return nil, -1, rec.checkType(v, want)
}

// CheckEach checks a list, and calls check for each of its elements.
func CheckEach(v any, rec *Recorder, want Type, check func(any, *Recorder) int) int {
	list, n := CheckList(v, rec, want)
	for i, v := range list {
		n += rec.Index(i, check(v, rec))
	}
	return n
}

// CheckElements checks a list and the type of each element.
func CheckElements(v any, rec *Recorder, want, elements Type) int {
	list, n := CheckList(v, rec, want)
	for i, v := range list {
		n += rec.Index(i, CheckType(v, rec, elements))
	}
	return n
}

// CheckValues checks a map and the type of each value.
func CheckValues(v any, rec *Recorder, want, values Type) int {
	obj, left, n := CheckObject(v, rec, want)
	for k, v := range obj {
		n += rec.Key(k, CheckType(v, rec, values))
		if left--; left == 0 {
			break
		}
	}
	return n
}

// CheckLeafObject checks an object and the type of each of the named fields that it has.
func CheckLeafObject(v any, rec *Recorder, want, fields Type, names ...string) int {
	obj, left, n := CheckObject(v, rec, want)
	return n + CheckFields(obj, rec, &left, fields, names...)
}

// RequireLeafObject checks an object, that it has the named fields, and the type of each.
func RequireLeafObject(v any, rec *Recorder, want, fields Type, names ...string) int {
	obj, left, n := CheckObject(v, rec, want)
	return n + RequireFields(obj, rec, &left, fields, names...)
}

func (r *Recorder) checkType(v any, want Type) int {
	is, found := typeOf(v)
	if is&want != 0 {
		return 0
	}
	return r.unlessConvertible(v, found, want)
}

// CheckFields checks those of the named fields that obj has: each must be of one of the wanted types. They are some of the left fields that were
// not found yet.
func CheckFields(obj map[string]any, rec *Recorder, left *int, want Type, names ...string) (n int) {
	for _, name := range names {
		if *left == 0 {
			break
		}
		if v, ok := obj[name]; ok {
			n += rec.Field(name, CheckType(v, rec, want))
			*left--
		}
	}
	return n
}

// RequireFields does the same for fields that obj must have, if there is an object.
func RequireFields(obj map[string]any, rec *Recorder, left *int, want Type, names ...string) (n int) {
	for _, name := range names {
		if v, ok := obj[name]; ok {
			n += rec.Field(name, CheckType(v, rec, want))
			*left--
		} else if *left >= 0 {
			n += rec.Missing(name)
		}
	}
	return n
}

// unlessConvertible records that v is not of the wanted type, unless it passes for one: a float without a fraction, a
// string that is a time.
func (r *Recorder) unlessConvertible(v any, found string, want Type) (n int) {
	switch v := v.(type) {
	case string:
		if want&TypeTime != 0 {
			return r.unlessTime(v)
		}
	case float64:
		// The API server reports this in addition to the wrong type, and also for a float that is an integer except for a rounding error.
		if want&^TypeNull == TypeInteger && !fitsInt64(v) && r.checksNumbers() {
			n = r.fault(fault{kind: faultNumber, text: "Checked", names: wholeNumbers})
		}
		if want&TypeInteger != 0 && isWhole(v) {
			return n
		}
		if _, ok := writtenInt64(v); ok && want&TypeInt64 != 0 {
			return n
		}
	}
	return n + r.wrongType(want, "", found)
}

// checksNumbers reports whether the API server checks that numbers fit their type and format, apart from the type. A nil Recorder does not
// know: only alternatives of integers or strings ask it about numbers, and those that fail are asked again with a Recorder.
func (r *Recorder) checksNumbers() bool {
	return r == nil || r.Kubernetes.Has(kubeversion.NumericFormats)
}

// wholeNumbers are the type and the format of integers.
var wholeNumbers = []string{"integer", ""}

// wrongType records that a value has none of the wanted types, or not the type of a format.
func (r *Recorder) wrongType(want Type, format, found string) int {
	if r == nil {
		return 1
	}
	return r.keep(fault{kind: faultType, want: want, text: format, value: found})
}

// unlessTime records that s is not a time.
func (r *Recorder) unlessTime(s string) int {
	if isUTC(s) {
		return 0
	}
	if _, err := time.Parse(time.RFC3339, s); err != nil {
		return r.wrong(s, err.Error())
	}
	return 0
}

// typeOf returns the type of v and its name. A value that no JSON decoder makes has every type.
func typeOf(v any) (Type, string) {
	switch v.(type) {
	case string:
		return TypeString, "string"
	case map[string]any:
		return TypeObject, "object"
	case []any:
		return TypeArray, "array"
	case int64:
		return TypeInteger | TypeNumber | TypeInt64, "integer"
	case bool:
		return TypeBoolean, "boolean"
	case float64:
		return TypeNumber, "number"
	case nil:
		return TypeNull, "null"
	}
	return anyType, ""
}

// isWhole reports whether the API server takes v for an integer: a whole number, up to a rounding error, that is small enough for
// all its neighbours to be floats, too.
func isWhole(f float64) bool {
	const (
		largest  = 1<<53 - 1
		accuracy = 1e-9 // relative
	)
	whole := math.Round(f)
	return f >= -largest && f <= largest && (f == whole || whole != 0 && math.Abs(f-whole) < accuracy*math.Abs(whole))
}

// fitsInt64 reports whether an int64 holds f, and the number that it is written as: -2^63 is written as a number below it.
func fitsInt64(f float64) bool {
	return f == math.Trunc(f) && f > math.MinInt64 && f < math.MaxInt64
}

// writtenInt64 returns the integer that f is after a trip through JSON, if it is one there. Where floats have gaps, JSON has
// the shortest number that leads back to the float: not the one that the float is.
func writtenInt64(f float64) (int64, bool) {
	if !fitsInt64(f) {
		return 0, false
	}
	if math.Abs(f) < 1<<53 {
		return int64(f), true
	}
	i, err := strconv.ParseInt(strconv.FormatFloat(f, 'f', -1, 64), 10, 64)
	return i, err == nil
}
