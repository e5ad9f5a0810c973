package prunecel

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"time"

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

var errUnordered = errors.New("NaN values cannot be ordered")

func ordered(order int) (int, error) {
	if order == incomparable {
		return 0, errUnordered
	}
	return order, nil
}

// compareBools compares two bools, false first: -1, 0 or 1.
func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// compareValues orders two values as the operators < <= > >= do: -1, 0 or 1. Which types b may have depends on a.
func compareValues(a, b any) (int, error) {
	switch a := a.(type) {
	case int64, uint64:
		if isNumber(b) {
			return ordered(compareNumbers(a, b))
		}
	case float64:
		if isNumber(b) || math.IsNaN(a) {
			return ordered(compareNumbers(a, b))
		}
	case string:
		if b, ok := b.(string); ok {
			return strings.Compare(a, b), nil
		}
	case bool:
		if b, ok := b.(bool); ok {
			return compareBools(a, b), nil
		}
	case []byte:
		if b, ok := b.([]byte); ok {
			return bytes.Compare(a, b), nil
		}
	case time.Duration:
		if b, ok := b.(time.Duration); ok {
			return compare(int64(a), int64(b)), nil
		}
	case time.Time:
		if b, ok := b.(time.Time); ok {
			return a.Compare(b), nil
		}
	}
	if err, ok := b.(error); ok {
		return 0, err
	}
	return 0, errNoSuchOverload
}

// isComparable reports whether v has a type with an order.
func isComparable(v any) bool {
	switch v.(type) {
	case int64, uint64, float64, string, bool, []byte, time.Duration, time.Time:
		return true
	}
	return false
}

// comparisonFunctions are the operators < <= > >=.
func comparisonFunctions() []Function {
	types := []string{
		"bool", "int64", "int64_double", "int64_uint64", "uint64", "uint64_double", "uint64_int64", "double", "double_int64", "double_uint64", "string",
		"bytes", "timestamp", "duration",
	}
	operators := []struct {
		name, prefix string
		holds        func(order int) bool
	}{
		{"_<_", "less_", func(order int) bool { return order < 0 }},
		{"_<=_", "less_equals_", func(order int) bool { return order <= 0 }},
		{"_>_", "greater_", func(order int) bool { return order > 0 }},
		{"_>=_", "greater_equals_", func(order int) bool { return order >= 0 }},
	}
	var rows []Function
	for _, op := range operators {
		call := func(args []any) (any, error) {
			if !isComparable(args[0]) {
				return nil, noOperator(args[0], op.name)
			}
			order, err := compareValues(args[0], args[1])
			if err != nil {
				return nil, err
			}
			return op.holds(order), nil
		}
		for _, t := range types {
			row := operator(op.name, op.prefix+t, call)
			switch {
			case t == "string" || t == "bytes":
				row.Cost = core(costShorter)
			case strings.Contains(t, "_"):
				row.Since = kubeversion.MixedNumbers
			}
			rows = append(rows, row)
		}
	}
	return rows
}
