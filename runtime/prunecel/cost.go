package prunecel

import (
	"fmt"
	"math"
	"net/netip"
	"time"
)

// The costs of calls, as the API server counts them. A costFunc takes the arguments and the result of a call, each of which may be an
// error.
type costFunc = func(args []any, result any) uint64

const (
	traversalFactor = 0.1  // for each code point of a string that is read
	regexFactor     = 0.25 // for each code point of a regular expression
	listCost        = 10   // for each new list
)

// costSize returns the size by which arguments are charged: code points, bytes, elements, bytes of an address; 1 for all others.
func costSize(v any) uint64 {
	n, ok := sizeOf(v)
	if !ok {
		n, ok = sizeOfLibrary(v)
	}
	if !ok {
		return 1
	}
	return uint64(n)
}

// core returns a cost that cel-go itself counts: it charges an optional by what is in it, and Kubernetes does not.
func core(cost costFunc) costFunc {
	return func(args []any, result any) uint64 {
		unwrapped := make([]any, len(args))
		for i, arg := range args {
			for {
				o, ok := arg.(Optional)
				if !ok || !o.Present {
					break
				}
				arg = o.Value
			}
			unwrapped[i] = arg
		}
		return cost(unwrapped, result)
	}
}

// traversal returns the cost of reading n code points.
func traversal(n uint64) uint64 { return uint64(math.Ceil(float64(n) * traversalFactor)) }

// costTraversal is the cost of reading the first argument.
func costTraversal(args []any, _ any) uint64 { return traversal(costSize(args[0])) }

// costTraversalTwice is the cost of reading the first argument and of writing as much.
func costTraversalTwice(args []any, _ any) uint64 {
	return uint64(math.Ceil(float64(costSize(args[0])) * 2 * traversalFactor))
}

// costSecond is the cost of reading the second argument.
func costSecond(args []any, _ any) uint64 { return traversal(costSize(args[1])) }

// costResultTwice is the cost of reading and writing as much as the result.
func costResultTwice(_ []any, result any) uint64 {
	return uint64(math.Ceil(float64(costSize(result)) * 2 * traversalFactor))
}

// costConcat is the cost of reading both arguments.
func costConcat(args []any, _ any) uint64 { return traversal(costSize(args[0]) + costSize(args[1])) }

// costShorter is the cost of reading as much of both arguments as the shorter one has.
func costShorter(args []any, _ any) uint64 {
	return traversal(min(costSize(args[0]), costSize(args[1])))
}

// costProduct is the cost of looking for the second argument everywhere in the first.
func costProduct(args []any, _ any) uint64 {
	return traversal(costSize(args[0])) * traversal(costSize(args[1]))
}

// costRegex is the cost of matching the first argument with the expression in the second.
func costRegex(args []any, _ any) uint64 { return regexCost(costSize(args[0]), costSize(args[1])) }

func regexCost(text, expression uint64) uint64 {
	// One is added so that an expensive expression is not free on an empty text.
	return uint64(math.Ceil((1+float64(text))*traversalFactor)) * uint64(math.Ceil(float64(expression)*regexFactor))
}

// costDeep is the cost of reading everything in the first argument.
func costDeep(args []any, _ any) uint64 { return deepCost(args[0]) }

func deepCost(v any) uint64 {
	switch v := v.(type) {
	case string: // counted in bytes, and rounded down
		return uint64(float64(len(v)) * traversalFactor)
	case []byte:
		return uint64(float64(len(v)) * traversalFactor)
	}
	switch typeOf(v) {
	case "list":
		items, err := itemsOf(v)
		if err != nil {
			return 1
		}
		cost := uint64(0)
		for _, item := range items {
			cost += deepCost(item)
		}
		return cost
	case "map":
		cost := uint64(0)
		for key, value := range pairs(v) {
			cost += deepCost(key) + deepCost(value)
		}
		if o, ok := v.(*objectValue); ok {
			cost += 2 * uint64(len(o.Raw)-len(o.keys())) // keys that the schema does not specify, and their values
		}
		return cost
	}
	return 1
}

// costNewList is the cost of a list as long as the result.
func costNewList(_ []any, result any) uint64 { return newListCost(1, costSize(result)) }

// costSelfCompare is the cost of comparing each element of the first argument with each other.
func costSelfCompare(args []any, _ any) uint64 { return selfCompareCost(args[0]) }

// costKeysCompare is the cost of comparing each element of the second argument with each other.
func costKeysCompare(args []any, _ any) uint64 { return selfCompareCost(args[1]) }

func selfCompareCost(list any) uint64 {
	items, err := itemsOf(list)
	if err != nil {
		panic(notLister(list))
	}
	factor := 2.0
	if len(items) > 0 {
		switch items[0].(type) {
		case string, []byte:
			factor += traversalFactor
		}
	}
	return newListCost(factor, uint64(len(items))*uint64(len(items)))
}

// notLister returns the panic of the API server about the cost of a list that is not one.
func notLister(v any) internalError {
	missing := "Add"
	switch v.(type) {
	case int64, uint64, float64, string, []byte, time.Duration, time.Time:
		missing = "Contains"
	}
	return internalError(fmt.Sprintf("interface conversion: %s is not traits.Lister: missing method %s", goType(v), missing))
}

func newListCost(factor float64, size uint64) uint64 {
	if factor < 0 {
		factor = 1
	}
	cost := uint64(float64(size) * factor)
	if cost > math.MaxUint64-1-listCost {
		return math.MaxUint64
	}
	return cost + 1 + listCost
}

// costPairs returns the cost of comparing each element of one list with each of another, the given number of times.
func costPairs(times float64) costFunc {
	return func(args []any, _ any) uint64 {
		return 1 + uint64(float64(costSize(args[0])*costSize(args[1]))*times)
	}
}

// costOfEqual is the cost of ==, which reads the shorter operand. Values of Kubernetes' libraries on the left cost 1.
func costOfEqual(args []any, result any) uint64 {
	switch args[0].(type) {
	case *Quantity, netip.Addr, netip.Prefix, *Format, URL, Semver:
		return 1
	}
	return costOfNotEqual(args, result)
}

// costOfNotEqual is the cost of !=.
func costOfNotEqual(args []any, _ any) uint64 {
	return traversal(min(sizeInOptional(args[0]), sizeInOptional(args[1])))
}

// sizeInOptional is costSize for a value that may be optional.
func sizeInOptional(v any) uint64 {
	if opt, ok := v.(Optional); ok && opt.Present {
		return sizeInOptional(opt.Value)
	}
	return costSize(v)
}
