package prunecel

import (
	"errors"
	"fmt"
	"time"
)

// OptionalOf is optional.of.
func OptionalOf(v any) Optional { return Optional{Value: v, Present: true} }

// OptionalOfNonZero is optional.ofNonZeroValue.
func OptionalOfNonZero(v any) Optional {
	if IsZero(v) {
		return Optional{}
	}
	return OptionalOf(v)
}

// IsZero reports whether v is the zero value of its type. Lists and objects of the resource are never zero, even if empty.
func IsZero(v any) bool {
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
		n, _ := sizeOf(v)
		return n == 0
	}
	return false
}

// OptionalValue is value.
func OptionalValue(o Optional) (any, error) {
	if !o.Present {
		return nil, errors.New("optional.none() dereference")
	}
	return o.Value, nil
}

// OptionalOr is or.
func OptionalOr(o Optional, other any) any {
	if o.Present {
		return o
	}
	return other
}

// OptionalOrValue is orValue.
func OptionalOrValue(o Optional, other any) any {
	if o.Present {
		return o.Value
	}
	return other
}

// Unwrap is optional.unwrap and unwrapOpt: the values of the optionals that have one.
func Unwrap(list []any) ([]any, error) {
	values := make([]any, 0, len(list))
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
	row := func(name, overload, params, goName string, call func([]any) (any, error)) Function {
		return Function{Name: name, Overload: overload, Since: "1.28", Go: goName, Call: call, params: paramsOf(params)}
	}
	// The server evaluates the second argument of or and orValue only where it is needed.
	lazy := func(name, overload, goName string, f func(Optional, any) any) Function {
		return Function{Name: name, Overload: overload, Since: "1.28", Go: goName, guard: guardNone, params: paramsOf("optional dyn"),
			Call: func(args []any) (any, error) {
				o, ok := args[0].(Optional)
				if !ok {
					return nil, errNoSuchOverload
				}
				return f(o, args[1]), nil
			},
			Cost: func([]any, any) uint64 { return 0 }, DynCost: func([]any, any) uint64 { return 0 }}
	}
	return []Function{
		row("optional.of", "optional_of", "dyn", "OptionalOf", call1(OptionalOf)),
		row("optional.ofNonZeroValue", "optional_ofNonZeroValue", "dyn", "OptionalOfNonZero", call1(OptionalOfNonZero)),
		row("optional.none", "optional_none", "", "", func([]any) (any, error) { return Optional{}, nil }),
		row("value", "optional_value", "optional", "OptionalValue", call1e(OptionalValue)),
		row("hasValue", "optional_hasValue", "optional", "", call1(func(o Optional) bool { return o.Present })),
		lazy("or", "optional_or_optional", "OptionalOr", OptionalOr),
		lazy("orValue", "optional_orValue_value", "OptionalOrValue", OptionalOrValue),
		row("last", "list_last", "list(A)", "Last", call1(Last)),
		row("first", "list_first", "list(A)", "First", call1(First)),
		row("optional.unwrap", "optional_unwrap", "list(optional)", "Unwrap", call1e(Unwrap)),
		row("unwrapOpt", "optional_unwrapOpt", "list(optional)", "Unwrap", call1e(Unwrap)),
	}
}
