package prunecel

import (
	"errors"
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

// AddInt returns a + b.
func AddInt(a, b int64) (int64, error) {
	sum := a + b
	if (sum > a) != (b > 0) && b != 0 {
		return 0, errIntOverflow
	}
	return sum, nil
}

// SubInt returns a - b.
func SubInt(a, b int64) (int64, error) {
	diff := a - b
	if (diff < a) != (b > 0) && b != 0 {
		return 0, errIntOverflow
	}
	return diff, nil
}

// MulInt returns a * b.
func MulInt(a, b int64) (int64, error) {
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

// DivInt returns a / b, truncated.
func DivInt(a, b int64) (int64, error) {
	switch {
	case b == 0:
		return 0, errDivisionByZero
	case b == -1 && a == math.MinInt64:
		return 0, errIntOverflow
	}
	return a / b, nil
}

// ModInt returns a % b, with the sign of a.
func ModInt(a, b int64) (int64, error) {
	switch {
	case b == 0:
		return 0, errModulusByZero
	case b == -1 && a == math.MinInt64:
		return 0, errIntOverflow
	}
	return a % b, nil
}

// NegInt returns -a.
func NegInt(a int64) (int64, error) {
	if a == math.MinInt64 {
		return 0, errIntOverflow
	}
	return -a, nil
}

// AddUint returns a + b.
func AddUint(a, b uint64) (uint64, error) {
	sum, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		return 0, errUintOverflow
	}
	return sum, nil
}

// SubUint returns a - b.
func SubUint(a, b uint64) (uint64, error) {
	if b > a {
		return 0, errUintOverflow
	}
	return a - b, nil
}

// MulUint returns a * b.
func MulUint(a, b uint64) (uint64, error) {
	hi, lo := bits.Mul64(a, b)
	if hi != 0 {
		return 0, errUintOverflow
	}
	return lo, nil
}

// DivUint returns a / b.
func DivUint(a, b uint64) (uint64, error) {
	if b == 0 {
		return 0, errDivisionByZero
	}
	return a / b, nil
}

// ModUint returns a % b.
func ModUint(a, b uint64) (uint64, error) {
	if b == 0 {
		return 0, errModulusByZero
	}
	return a % b, nil
}

// AddBytes returns a followed by b.
func AddBytes(a, b []byte) []byte {
	sum := make([]byte, 0, len(a)+len(b))
	return append(append(sum, a...), b...)
}

// AddLists returns a followed by b.
func AddLists(a, b []any) []any {
	sum := make([]any, 0, len(a)+len(b))
	return append(append(sum, a...), b...)
}

// Add is + on values whose types are known at run time only.
func Add(a, b any) (any, error) {
	switch a := a.(type) {
	case int64:
		if b, ok := b.(int64); ok {
			return boxed(AddInt(a, b))
		}
	case uint64:
		if b, ok := b.(uint64); ok {
			return boxed(AddUint(a, b))
		}
	case float64:
		if b, ok := b.(float64); ok {
			return a + b, nil
		}
	case string:
		if b, ok := b.(string); ok {
			return a + b, nil
		}
	case []byte:
		if b, ok := b.([]byte); ok {
			return AddBytes(a, b), nil
		}
	case time.Duration:
		switch b := b.(type) {
		case time.Duration:
			return boxed(AddDuration(a, b))
		case time.Time:
			return boxed(AddTime(b, a))
		}
	case time.Time:
		if b, ok := b.(time.Duration); ok {
			return boxed(AddTime(a, b))
		}
	case []any:
		more, err := Items(b)
		switch {
		case err != nil:
			return nil, err
		case len(a) == 0:
			return b, nil // it stays a list of the resource
		}
		return AddLists(a, more), nil
	case *List:
		return a.add(b)
	default:
		return nil, noOperator(a, "_+_")
	}
	return nil, errNoSuchOverload
}

// Subtract is - on values whose types are known at run time only.
func Subtract(a, b any) (any, error) {
	switch a := a.(type) {
	case int64:
		if b, ok := b.(int64); ok {
			return boxed(SubInt(a, b))
		}
	case uint64:
		if b, ok := b.(uint64); ok {
			return boxed(SubUint(a, b))
		}
	case float64:
		if b, ok := b.(float64); ok {
			return a - b, nil
		}
	case time.Duration:
		if b, ok := b.(time.Duration); ok {
			return boxed(SubDuration(a, b))
		}
	case time.Time:
		switch b := b.(type) {
		case time.Duration:
			return boxed(SubTime(a, b))
		case time.Time:
			return boxed(SubTimes(a, b))
		}
	default:
		return nil, noOperator(a, "_-_")
	}
	return nil, errNoSuchOverload
}

// Multiply is * on values whose types are known at run time only.
func Multiply(a, b any) (any, error) {
	switch a := a.(type) {
	case int64:
		if b, ok := b.(int64); ok {
			return boxed(MulInt(a, b))
		}
	case uint64:
		if b, ok := b.(uint64); ok {
			return boxed(MulUint(a, b))
		}
	case float64:
		if b, ok := b.(float64); ok {
			return a * b, nil
		}
	default:
		return nil, noOperator(a, "_*_")
	}
	return nil, errNoSuchOverload
}

// Divide is / on values whose types are known at run time only.
func Divide(a, b any) (any, error) {
	switch a := a.(type) {
	case int64:
		if b, ok := b.(int64); ok {
			return boxed(DivInt(a, b))
		}
	case uint64:
		if b, ok := b.(uint64); ok {
			return boxed(DivUint(a, b))
		}
	case float64:
		if b, ok := b.(float64); ok {
			return a / b, nil
		}
	default:
		return nil, noOperator(a, "_/_")
	}
	return nil, errNoSuchOverload
}

// Modulo is % on values whose types are known at run time only.
func Modulo(a, b any) (any, error) {
	switch a := a.(type) {
	case int64:
		if b, ok := b.(int64); ok {
			return boxed(ModInt(a, b))
		}
	case uint64:
		if b, ok := b.(uint64); ok {
			return boxed(ModUint(a, b))
		}
	default:
		return nil, noOperator(a, "_%_")
	}
	return nil, errNoSuchOverload
}

// Negate is unary - on a value whose type is known at run time only.
func Negate(a any) (any, error) {
	switch a := a.(type) {
	case int64:
		return boxed(NegInt(a))
	case float64:
		return -a, nil
	case time.Duration:
		return boxed(NegDuration(a))
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
	return errors.New("no such overload: " + name)
}

// operator returns the row of an overload of an operator.
func operator(name, overload, params, goName string, call func([]any) (any, error)) Function {
	return Function{Name: name, Overload: overload, Since: "1.0", Go: goName, Call: call, params: paramsOf(params), guard: guardOperator}
}

func arithmeticFunctions() []Function {
	rows := []Function{
		operator("_+_", "add_bytes", "bytes bytes", "AddBytes", call2e(Add)),
		operator("_+_", "add_double", "double double", "", call2e(Add)),
		operator("_+_", "add_duration_duration", "duration duration", "AddDuration", call2e(Add)),
		operator("_+_", "add_duration_timestamp", "duration timestamp", "", call2e(Add)),
		operator("_+_", "add_timestamp_duration", "timestamp duration", "AddTime", call2e(Add)),
		operator("_+_", "add_int64", "int int", "AddInt", call2e(Add)),
		operator("_+_", "add_list", "list(A) list(A)", "AddLists", call2e(Add)),
		operator("_+_", "add_string", "string string", "", call2e(Add)),
		operator("_+_", "add_uint64", "uint uint", "AddUint", call2e(Add)),

		operator("_/_", "divide_double", "double double", "", call2e(Divide)),
		operator("_/_", "divide_int64", "int int", "DivInt", call2e(Divide)),
		operator("_/_", "divide_uint64", "uint uint", "DivUint", call2e(Divide)),

		operator("_%_", "modulo_int64", "int int", "ModInt", call2e(Modulo)),
		operator("_%_", "modulo_uint64", "uint uint", "ModUint", call2e(Modulo)),

		operator("_*_", "multiply_double", "double double", "", call2e(Multiply)),
		operator("_*_", "multiply_int64", "int int", "MulInt", call2e(Multiply)),
		operator("_*_", "multiply_uint64", "uint uint", "MulUint", call2e(Multiply)),

		operator("-_", "negate_double", "double", "", call1e(Negate)),
		operator("-_", "negate_int64", "int", "NegInt", call1e(Negate)),

		operator("_-_", "subtract_double", "double double", "", call2e(Subtract)),
		operator("_-_", "subtract_duration_duration", "duration duration", "SubDuration", call2e(Subtract)),
		operator("_-_", "subtract_int64", "int int", "SubInt", call2e(Subtract)),
		operator("_-_", "subtract_timestamp_duration", "timestamp duration", "SubTime", call2e(Subtract)),
		operator("_-_", "subtract_timestamp_timestamp", "timestamp timestamp", "SubTimes", call2e(Subtract)),
		operator("_-_", "subtract_uint64", "uint uint", "SubUint", call2e(Subtract)),
	}
	for i := range rows {
		switch rows[i].Overload {
		case "add_bytes", "add_string":
			rows[i].Cost = core(costConcat)
		}
	}
	return rows
}
