package prunecel

import (
	"errors"
	"math"
	"strconv"
	"time"
	"unicode/utf8"
)

// fromString returns the result of a conversion from a string to a type.
func fromString[T any](v T, err error, to string) (T, error) {
	if err != nil {
		var none T
		return none, errors.New("type conversion error from 'string' to '" + to + "'")
	}
	return v, nil
}

// stringToInt is int(string).
func stringToInt(s string) (int64, error) {
	i, err := strconv.ParseInt(s, 10, 64)
	return fromString(i, err, "int")
}

// stringToUint is uint(string).
func stringToUint(s string) (uint64, error) {
	u, err := strconv.ParseUint(s, 10, 64)
	return fromString(u, err, "uint")
}

// stringToDouble is double(string).
func stringToDouble(s string) (float64, error) {
	d, err := strconv.ParseFloat(s, 64)
	return fromString(d, err, "double")
}

// stringToBool is bool(string).
func stringToBool(s string) (bool, error) {
	b, err := strconv.ParseBool(s)
	return fromString(b, err, "bool")
}

// doubleToInt is int(double): it truncates.
func doubleToInt(d float64) (int64, error) {
	// Neither bound can be reached: the largest int is rounded up to a double that is not an int.
	if !(d > math.MinInt64 && d < math.MaxInt64) {
		return 0, errIntOverflow
	}
	return int64(d), nil
}

// uintToInt is int(uint).
func uintToInt(u uint64) (int64, error) {
	if u > math.MaxInt64 {
		return 0, errIntOverflow
	}
	return int64(u), nil
}

// doubleToUint is uint(double): it truncates.
func doubleToUint(d float64) (uint64, error) {
	if !(d >= 0 && d < 1<<64) {
		return 0, errUintOverflow
	}
	return uint64(d), nil
}

// intToUint is uint(int).
func intToUint(i int64) (uint64, error) {
	if i < 0 {
		return 0, errUintOverflow
	}
	return uint64(i), nil
}

// bytesToString is string(bytes).
func bytesToString(b []byte) (string, error) {
	if !utf8.Valid(b) {
		return "", errors.New("invalid UTF-8 in bytes, cannot convert to string")
	}
	return string(b), nil
}

// intString is string(int).
func intString(i int64) string { return strconv.FormatInt(i, 10) }

// uintString is string(uint).
func uintString(u uint64) string { return strconv.FormatUint(u, 10) }

// doubleString is string(double).
func doubleString(d float64) string { return strconv.FormatFloat(d, 'g', -1, 64) }

// conversionFunctions are the conversions of types.
func conversionFunctions() []Function {
	same := caller{call: func(args []any) (any, error) { return args[0], nil }}
	return []Function{
		standard("type", "type", "dyn", call1(func(v any) TypeValue { return TypeValue(typeOf(v)) })),
		standard("dyn", "to_dyn", "dyn", same),

		standard("bool", "bool_to_bool", "bool", same),
		standard("bool", "string_to_bool", "string", call1e(stringToBool)),

		standard("bytes", "bytes_to_bytes", "bytes", same),
		standard("bytes", "string_to_bytes", "string", call1(func(s string) []byte { return []byte(s) }), core(costTraversal), nil),

		standard("double", "double_to_double", "double", same),
		standard("double", "int64_to_double", "int", call1(func(i int64) float64 { return float64(i) })),
		standard("double", "string_to_double", "string", call1e(stringToDouble)),
		standard("double", "uint64_to_double", "uint", call1(func(u uint64) float64 { return float64(u) })),

		standard("duration", "duration_to_duration", "duration", same),
		standard("duration", "string_to_duration", "string", call1e(parseDuration)).compiled("Duration"),

		standard("int", "int64_to_int64", "int", same),
		standard("int", "double_to_int64", "double", call1e(doubleToInt)),
		standard("int", "duration_to_int64", "duration", call1(func(d time.Duration) int64 { return int64(d) })),
		standard("int", "string_to_int64", "string", call1e(stringToInt)).compiled("ParseInt"),
		standard("int", "timestamp_to_int64", "timestamp", call1(time.Time.Unix)),
		standard("int", "uint64_to_int64", "uint", call1e(uintToInt)),

		standard("string", "string_to_string", "string", same),
		standard("string", "bool_to_string", "bool", call1(strconv.FormatBool)),
		standard("string", "bytes_to_string", "bytes", call1e(bytesToString), core(costTraversal), nil),
		standard("string", "double_to_string", "double", call1(doubleString)),
		standard("string", "duration_to_string", "duration", call1(durationString)),
		standard("string", "int64_to_string", "int", call1(intString)).compiled("FormatInt"),
		standard("string", "timestamp_to_string", "timestamp", call1(timestampString)),
		standard("string", "uint64_to_string", "uint", call1(uintString)),

		standard("timestamp", "timestamp_to_timestamp", "timestamp", same),
		standard("timestamp", "int64_to_timestamp", "int", call1e(intToTimestamp)),
		standard("timestamp", "string_to_timestamp", "string", call1e(parseTimestamp)),

		standard("uint", "uint64_to_uint64", "uint", same),
		standard("uint", "double_to_uint64", "double", call1e(doubleToUint)),
		standard("uint", "int64_to_uint64", "int", call1e(intToUint)),
		standard("uint", "string_to_uint64", "string", call1e(stringToUint)),
	}
}
