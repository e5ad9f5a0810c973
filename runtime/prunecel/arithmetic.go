package prunecel

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"time"
)

var (
	errIntOverflow       = errors.New("integer overflow")
	errUintOverflow      = errors.New("unsigned integer overflow")
	errTimestampOverflow = errors.New("timestamp overflow")
	errDivisionByZero    = errors.New("division by zero")
	errModulusByZero     = errors.New("modulus by zero")
)

// addInt returns a + b.
func addInt(a, b int64) (int64, error) {
	sum := a + b
	if (sum > a) != (b > 0) && b != 0 {
		return 0, errIntOverflow
	}
	return sum, nil
}

// subInt returns a - b.
func subInt(a, b int64) (int64, error) {
	diff := a - b
	if (diff < a) != (b > 0) && b != 0 {
		return 0, errIntOverflow
	}
	return diff, nil
}

// mulInt returns a * b.
func mulInt(a, b int64) (int64, error) {
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	negative := (a < 0) != (b < 0)
	switch {
	case hi != 0, lo > 1<<63, lo == 1<<63 && !negative:
		return 0, errIntOverflow
	}
	return a * b, nil
}

func magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}

// divInt returns a / b, truncated.
func divInt(a, b int64) (int64, error) {
	switch {
	case b == 0:
		return 0, errDivisionByZero
	case b == -1 && a == math.MinInt64:
		return 0, errIntOverflow
	}
	return a / b, nil
}

// modInt returns a % b, with the sign of a.
func modInt(a, b int64) (int64, error) {
	switch {
	case b == 0:
		return 0, errModulusByZero
	case b == -1 && a == math.MinInt64:
		return 0, errIntOverflow
	}
	return a % b, nil
}

// negInt returns -a.
func negInt(a int64) (int64, error) {
	if a == math.MinInt64 {
		return 0, errIntOverflow
	}
	return -a, nil
}

// addUint returns a + b.
func addUint(a, b uint64) (uint64, error) {
	sum, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		return 0, errUintOverflow
	}
	return sum, nil
}

// subUint returns a - b.
func subUint(a, b uint64) (uint64, error) {
	if b > a {
		return 0, errUintOverflow
	}
	return a - b, nil
}

// mulUint returns a * b.
func mulUint(a, b uint64) (uint64, error) {
	hi, lo := bits.Mul64(a, b)
	if hi != 0 {
		return 0, errUintOverflow
	}
	return lo, nil
}

// divUint returns a / b.
func divUint(a, b uint64) (uint64, error) {
	if b == 0 {
		return 0, errDivisionByZero
	}
	return a / b, nil
}

// modUint returns a % b.
func modUint(a, b uint64) (uint64, error) {
	if b == 0 {
		return 0, errModulusByZero
	}
	return a % b, nil
}

// addBytes returns a followed by b.
func addBytes(a, b []byte) []byte {
	sum := make([]byte, 0, len(a)+len(b))
	return append(append(sum, a...), b...)
}

// addLists returns a followed by b.
func addLists(a, b []any) []any {
	sum := make([]any, 0, len(a)+len(b))
	return append(append(sum, a...), b...)
}

// addAnyLists is + of lists. A list of the resource that is added to an empty list stays one.
func addAnyLists(a, b any) (any, error) {
	if l, ok := a.(*listValue); ok {
		return l.add(b)
	}
	items, err := itemsOf(a)
	if err != nil {
		return nil, errNoSuchOverload
	}
	more, err := itemsOf(b)
	switch {
	case err != nil:
		return nil, err
	case len(items) == 0:
		return b, nil
	case len(more) == 0:
		return a, nil
	}
	return addLists(items, more), nil
}

// negate is unary -. The server negates durations, too, although it declares no overload for them.
func negate(a any) (any, error) {
	switch a := a.(type) {
	case int64:
		return boxed(negInt(a))
	case float64:
		return -a, nil
	case time.Duration:
		return boxed(negDuration(a))
	case bool:
		return nil, errNoSuchOverload
	}
	return nil, noOperator(a, "-_")
}

// noOperator returns the error for a left operand whose type does not have the operator. Types with methods of their own do not
// mention its name.
func noOperator(a any, name string) error {
	switch a := a.(type) {
	case string, time.Duration, time.Time:
		return errNoSuchOverload
	case error:
		return a
	}
	return fmt.Errorf("%w: %s", errNoSuchOverload, name)
}

// operator returns an overload of an operator that one function has for all types.
func operator(name, overload string, call func([]any) (any, error), cost ...costFunc) Function {
	return standard(name, overload, "", caller{call: call}, cost...).guarded(guardOperator)
}

func arithmeticFunctions() []Function {
	row := func(name, overload, params string, call caller, cost ...costFunc) Function {
		return standard(name, overload, params, call, cost...).guarded(guardOperand)
	}
	return []Function{
		row("_+_", "add_bytes", "bytes bytes", call2(addBytes), core(costConcat), nil),
		row("_+_", "add_double", "double double", call2(func(a, b float64) float64 { return a + b })),
		row("_+_", "add_duration_duration", "duration duration", call2e(addDuration)),
		row("_+_", "add_duration_timestamp", "duration timestamp", call2e(func(d time.Duration, t time.Time) (time.Time, error) { return addTime(t, d) })),
		row("_+_", "add_timestamp_duration", "timestamp duration", call2e(addTime)),
		row("_+_", "add_int64", "int int", call2e(addInt)).compiled("Add"),
		row("_+_", "add_list", "list(A) list(A)", call2e(addAnyLists)),
		row("_+_", "add_string", "string string", call2(func(a, b string) string { return a + b }), core(costConcat), nil),
		row("_+_", "add_uint64", "uint uint", call2e(addUint)),

		row("_/_", "divide_double", "double double", call2(func(a, b float64) float64 { return a / b })),
		row("_/_", "divide_int64", "int int", call2e(divInt)).compiled("Div"),
		row("_/_", "divide_uint64", "uint uint", call2e(divUint)),

		row("_%_", "modulo_int64", "int int", call2e(modInt)).compiled("Mod"),
		row("_%_", "modulo_uint64", "uint uint", call2e(modUint)),

		row("_*_", "multiply_double", "double double", call2(func(a, b float64) float64 { return a * b })),
		row("_*_", "multiply_int64", "int int", call2e(mulInt)).compiled("Mul"),
		row("_*_", "multiply_uint64", "uint uint", call2e(mulUint)),

		row("-_", "negate_double", "double", call1e(negate)).guarded(guardOperator),
		row("-_", "negate_int64", "int", call1e(negate)).compiled("Neg").guarded(guardOperator),

		row("_-_", "subtract_double", "double double", call2(func(a, b float64) float64 { return a - b })),
		row("_-_", "subtract_duration_duration", "duration duration", call2e(subDuration)),
		row("_-_", "subtract_int64", "int int", call2e(subInt)).compiled("Sub"),
		row("_-_", "subtract_timestamp_duration", "timestamp duration", call2e(subTime)),
		row("_-_", "subtract_timestamp_timestamp", "timestamp timestamp", call2e(subTimes)),
		row("_-_", "subtract_uint64", "uint uint", call2e(subUint)),
	}
}
