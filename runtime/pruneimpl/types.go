package pruneimpl

import (
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
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

// typeNames are the names of the types in a schema, in the order of the constants.
var typeNames = [...]string{"integer", "string", "boolean", "number", "object", "array", "null", "integer", "string"}

// String names the types as the API server does. Null is not among them: it is what a schema says besides the type.
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

// CheckList returns the list that v is. For any other value it returns no list and what CheckType returns.
func CheckList(v any, rec *Recorder, want Type) (list []any, n int) {
	if list, ok := v.([]any); ok {
		return list, 0
	}
	return nil, rec.checkType(v, want)
}

func (r *Recorder) checkType(v any, want Type) int {
	var is Type
	switch v.(type) {
	case string:
		is = TypeString
	case map[string]any:
		is = TypeObject
	case []any:
		is = TypeArray
	case int64:
		is = TypeInteger | TypeNumber | TypeInt64
	case bool:
		is = TypeBoolean
	case float64:
		is = TypeNumber
	case nil:
		is = TypeNull
	}
	if is&want != 0 {
		return 0
	}
	return r.unlessConvertible(v, want)
}

// CheckFields checks those of the named fields that obj has: each must be of one of the wanted types.
func CheckFields(obj map[string]any, rec *Recorder, want Type, names ...string) (n int) {
	left := len(obj)
	for _, name := range names {
		v, ok := obj[name]
		if !ok {
			continue
		}
		n += rec.Field(name, CheckType(v, rec, want))
		if left--; left == 0 {
			break
		}
	}
	return n
}

// unlessConvertible records that v is not of the wanted type, unless it passes for one: a float without a fraction, a
// string that is a time, a Go type that no JSON decoder makes.
func (r *Recorder) unlessConvertible(v any, want Type) int {
	if s, ok := v.(string); ok && want&TypeTime != 0 {
		return r.unlessTime(s)
	}
	is, found := typeOf(v)
	n := r.unlessInRange(v, want)
	if is&want != 0 || want&TypeInteger != 0 && isWhole(v) || want&TypeInt64 != 0 && isWrittenInt64(v) {
		return n
	}
	return n + r.fault(fault{kind: faultType, want: want, found: found})
}

// unlessTime records that s is not a time.
func (r *Recorder) unlessTime(s string) int {
	const date = len(time.DateOnly)
	if len(s) == len("2006-01-02T15:04:05Z") && s[date] == 'T' && s[len(s)-1] == 'Z' && IsDate(s[:date]) && isTimeOfDay(s[date+1:]) {
		return 0 // as the API server writes all of them
	}
	if _, err := time.Parse(time.RFC3339, s); err != nil {
		return r.fault(fault{kind: faultTime, value: s, err: err})
	}
	return 0
}

// unlessInRange records that v is a number that no int64 holds, where nothing but integers are wanted. The API server says
// so in addition to what it says about the type, and also of a float that is an integer except for a rounding error.
func (r *Recorder) unlessInRange(v any, want Type) int {
	if want&^TypeNull != TypeInteger {
		return 0
	}
	_, isFloat := float(v)
	if isFloat && !fitsInt64(v) || isHuge(v) {
		return r.fault(fault{kind: faultRange})
	}
	return 0
}

// isHuge reports whether v is an unsigned integer that no int64 holds.
func isHuge(v any) bool {
	switch v := v.(type) {
	case uint64:
		return v > math.MaxInt64
	case uint:
		return uint64(v) > math.MaxInt64
	}
	return false
}

// float returns v as a float64 if it is a float.
func float(v any) (f float64, ok bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case float32:
		return float64(v), true
	}
	return 0, false
}

// number is json.Number: a string that stands for a number.
type number interface {
	Int64() (int64, error)
	Float64() (float64, error)
}

// typeOf returns the type of v and its name. Values that no JSON decoder makes get the type that fits best.
func typeOf(v any) (Type, string) {
	if v == nil {
		return TypeNull, "null"
	}
	switch reflect.TypeOf(v).Kind() {
	case reflect.String:
		if n, ok := v.(number); ok {
			if _, err := n.Int64(); err == nil {
				return TypeInteger | TypeNumber | TypeInt64, "integer"
			}
			return TypeNumber, "number"
		}
		return TypeString, "string"
	case reflect.Bool:
		return TypeBoolean, "boolean"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return TypeInteger | TypeNumber | TypeInt64, "integer"
	case reflect.Float32, reflect.Float64:
		return TypeNumber, "number"
	case reflect.Slice:
		return TypeArray, "array"
	case reflect.Map, reflect.Struct:
		return TypeObject, "object"
	}
	return 0, ""
}

// isWhole reports whether v is a float that the API server takes for an integer: a whole number, up to a rounding error,
// that is small enough for all its neighbours to be floats, too.
func isWhole(v any) bool {
	const (
		largest  = 1<<53 - 1
		accuracy = 1e-9 // relative
	)
	f, ok := float(v)
	if !ok || math.IsNaN(f) || f < -largest || f > largest {
		return false
	}
	whole := math.Round(f)
	return f == whole || whole != 0 && math.Abs(f-whole) < accuracy*math.Abs(whole)
}

// fitsInt64 reports whether v is a float that an int64 holds, and so is the number that it is written as: -2^63 is written as a
// number below it.
func fitsInt64(v any) bool {
	f, ok := float(v)
	return ok && f == math.Trunc(f) && f > math.MinInt64 && f < math.MaxInt64
}

// isWrittenInt64 reports whether v is a float whose JSON is that of an int64.
func isWrittenInt64(v any) bool {
	f, ok := v.(float64)
	if ok {
		_, ok = writtenInt64(f)
	}
	return ok
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
