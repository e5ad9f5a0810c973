package prunecel

import (
	"errors"
	"fmt"
	"time"
)

// optionalOf is optional.of.
func optionalOf(v any) Optional { return Optional{Value: v, Present: true} }

// optionalOfNonZero is optional.ofNonZeroValue.
func optionalOfNonZero(v any) Optional {
	if isZero(v) {
		return Optional{}
	}
	return optionalOf(v)
}

// isZero reports whether v is the zero value of its type. Lists and objects of the resource are never zero, even if empty.
func isZero(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return !v
	case int64:
		return v == 0
	case uint64:
		return v == 0
	case float64:
		return v == 0
	case string:
		return v == ""
	case []byte:
		return len(v) == 0
	case time.Duration:
		return v == 0
	case time.Time:
		return v.IsZero()
	case []any:
		return len(v) == 0
	case *Map:
		return len(v.keys) == 0
	}
	return false
}

// optionalValue is value.
func optionalValue(o Optional) (any, error) {
	if !o.Present {
		return nil, errors.New("optional.none() dereference")
	}
	return o.Value, nil
}

// unwrap is optional.unwrap and unwrapOpt: the values of the optionals that have one.
func unwrap(list []any) ([]any, error) {
	values := newList(len(list))
	for _, v := range list {
		o, ok := v.(Optional)
		if !ok {
			return nil, fmt.Errorf("value %s is not optional", printed(v))
		}
		if o.Present {
			values = append(values, o.Value)
		}
	}
	return values, nil
}

func optionalFunctions() []Function {
	row := standard
	// The server evaluates the second argument of or and orValue only where it is needed.
	free := func([]any, any) uint64 { return 0 }
	or := func(name, overload string, unwraps bool) Function {
		return row(name, overload, "optional dyn", call2(func(o Optional, other any) any {
			switch {
			case !o.Present:
				return other
			case unwraps:
				return o.Value
			}
			return o
		}), free).guarded(guardNone)
	}
	return []Function{
		row("optional.of", "optional_of", "dyn", call1(optionalOf)),
		row("optional.ofNonZeroValue", "optional_ofNonZeroValue", "dyn", call1(optionalOfNonZero)),
		row("optional.none", "optional_none", "", caller{call: func([]any) (any, error) { return Optional{}, nil }}),
		row("value", "optional_value", "optional", call1e(optionalValue)),
		row("hasValue", "optional_hasValue", "optional", call1(func(o Optional) bool { return o.Present })),
		or("or", "optional_or_optional", false),
		or("orValue", "optional_orValue_value", true),
	}
}

// moreOptionalFunctions are those of later versions of cel-go's optional types.
func moreOptionalFunctions() []Function {
	return []Function{
		standard("last", "list_last", "list(A)", call1(func(list []any) Optional { return optionalAt(list, len(list)-1) })),
		standard("first", "list_first", "list(A)", call1(func(list []any) Optional { return optionalAt(list, 0) })),
		standard("optional.unwrap", "optional_unwrap", "list(optional)", call1e(unwrap)),
		standard("unwrapOpt", "optional_unwrapOpt", "list(optional)", call1e(unwrap)),
	}
}
