package prunecel

import (
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// maxRange is the maximum length of a list that lists.range makes, as in cel-go.
const maxRange = 1_000_000

// sliceOf is slice: the elements from start up to end.
func sliceOf(list []any, start, end int64) ([]any, error) {
	switch {
	case start < 0 || end < 0:
		return nil, fmt.Errorf("cannot slice(%d, %d), negative indexes not supported", start, end)
	case start > end:
		return nil, fmt.Errorf("cannot slice(%d, %d), start index must be less than or equal to end index", start, end)
	case int64(len(list)) < end:
		return nil, fmt.Errorf("cannot slice(%d, %d), list is length %d", start, end, len(list))
	}
	return append(newList(int(end-start)), list[start:end]...), nil
}

// flatten is flatten: lists in the list are replaced by their elements, depth times.
func flatten(list []any, depth int64) ([]any, error) {
	if depth < 0 {
		return nil, errors.New("level must be non-negative")
	}
	return appendFlat(newList(len(list)), list, depth), nil
}

func appendFlat(flat, list []any, depth int64) []any {
	for _, v := range list {
		if depth > 0 && typeOf(v) == "list" {
			if nested, err := itemsOf(v); err == nil {
				flat = appendFlat(flat, nested, depth-1)
				continue
			}
		}
		flat = append(flat, v)
	}
	return flat
}

// sortByKeys returns the elements of a list in the order of their keys, which is how sortBy sorts.
func sortByKeys(list, keys []any) ([]any, error) {
	if len(list) != len(keys) {
		return nil, fmt.Errorf("@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got %d and %d elements respectively",
			len(list), len(keys))
	}
	if len(list) == 0 {
		return list, nil
	}
	if !isComparable(keys[0]) {
		return nil, errors.New("list elements must be comparable")
	}
	want := typeOf(keys[0])
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	mixed := false
	// The sort is not stable. Equal keys end as they do in the server, which calls the same function of Go.
	sort.Slice(order, func(i, j int) bool {
		a, b := keys[order[i]], keys[order[j]]
		if typeOf(a) != want || typeOf(b) != want {
			mixed = true
			return false
		}
		c, err := compareValues(a, b)
		return err == nil && c < 0
	})
	if mixed {
		return nil, errors.New("list elements must have the same type")
	}
	sorted := make([]any, len(list))
	for i, from := range order {
		sorted[i] = list[from]
	}
	return sorted, nil
}

// rangeOf is lists.range: the numbers from 0 up to n.
func rangeOf(n int64) ([]any, error) {
	if n < 0 {
		return nil, fmt.Errorf("lists.range: size must be non-negative, got %d", n)
	}
	if n > maxRange {
		return nil, fmt.Errorf("lists.range: size %d exceeds maximum allowed (%d)", n, maxRange)
	}
	list := newList(int(n))
	for i := range n {
		list = append(list, i)
	}
	return list, nil
}

// reverse is reverse.
func reverse(list []any) []any {
	reversed := append(newList(len(list)), list...)
	slices.Reverse(reversed)
	return reversed
}

// distinct is distinct: the first of equal elements.
func distinct(list []any) []any {
	if len(list) == 0 {
		return list
	}
	distinct := newList(len(list))
	for _, v := range list {
		if !slices.ContainsFunc(distinct, func(other any) bool { return equalValues(v, other) == true }) {
			distinct = append(distinct, v)
		}
	}
	return distinct
}

// optionalAt returns element i, an empty optional if there is none.
func optionalAt(list []any, i int) Optional {
	if i < 0 || i >= len(list) {
		return Optional{}
	}
	return optionalOf(list[i])
}

// isSorted is isSorted.
func isSorted(list []any) (bool, error) {
	for i, v := range list {
		if !isComparable(v) {
			return false, notComparable(v)
		}
		if i > 0 {
			if c, err := compareValues(list[i-1], v); err == nil && c > 0 {
				return false, nil
			}
		}
	}
	return true, nil
}

// notComparable returns the error for an element without an order, which may be an error itself.
func notComparable(v any) error {
	if err, ok := v.(error); ok {
		return err
	}
	return errNoSuchOverload
}

// sum returns sum for elements of a type.
func sum[T any](add func(a, b T) (T, error)) caller {
	return call1e(func(list []any) (T, error) {
		var total T
		for _, v := range list {
			n, err := as[T](v)
			if err != nil {
				return total, notComparable(v)
			}
			if total, err = add(total, n); err != nil {
				return total, err
			}
		}
		return total, nil
	})
}

// extreme returns min or max: the first element to which no later one is preferred. An element is preferred if comparing it gives prefer.
func extreme(name string, prefer int) caller {
	return call1e(func(list []any) (any, error) {
		var best any
		for i, v := range list {
			if !isComparable(v) {
				return nil, notComparable(v)
			}
			if i == 0 {
				best = v
			} else if c, err := compareValues(best, v); err == nil && c == prefer {
				best = v
			}
		}
		if best == nil {
			return nil, errors.New(name + " called on empty list")
		}
		return best, nil
	})
}

// listIndexOf is indexOf of a list, -1 if v is not in it.
func listIndexOf(list []any, v any) int64 {
	return int64(slices.IndexFunc(list, func(item any) bool { return equalValues(item, v) == true }))
}

// listLastIndexOf is lastIndexOf of a list, -1 if v is not in it.
func listLastIndexOf(list []any, v any) int64 {
	for i, item := range slices.Backward(list) {
		if equalValues(item, v) == true {
			return int64(i)
		}
	}
	return -1
}

// includes is includes: it reports whether v is in a list, or equal to a value that is not a list.
func includes(target, v any) bool {
	if items, err := itemsOf(target); err == nil {
		return listIndexOf(items, v) >= 0
	}
	return equalValues(target, v) == true
}

// comparableTypes are the types of elements of which lists have an order, by the name that overloads have.
func comparableTypes() []struct{ name, typeName string } {
	return []struct{ name, typeName string }{
		{"int", "int"}, {"uint", "uint"}, {"double", "double"}, {"bool", "bool"},
		{"duration", typeDuration}, {"timestamp", typeTimestamp}, {"string", "string"}, {"bytes", "bytes"},
	}
}

// listFunctions are those of cel-go's extension.
func listFunctions() []Function {
	row := func(name, overload, params string, call caller, cost costFunc) Function {
		return standard(name, overload, params, call, cost, nil)
	}
	flatten := caller{call: flattenCall}
	rows := []Function{
		row("slice", "list_slice", "list(A) int int", call3e(sliceOf), costNewList),
		row("flatten", "list_flatten", "list(A)", flatten, costFlatten).guarded(guardNone),
		row("flatten", "list_flatten_int", "list(A) int", flatten, costFlatten).guarded(guardNone),
	}
	for _, t := range comparableTypes() {
		rows = append(rows, operator("sort", "list_"+t.typeName+"_sort", sortCall("sort"), costSelfCompare, nil))
	}
	for _, t := range comparableTypes() {
		rows = append(rows, operator("@sortByAssociatedKeys", "list_"+t.typeName+"_sortByAssociatedKeys", sortCall("@sortByAssociatedKeys"), costKeysCompare, nil))
	}
	return append(rows,
		row("lists.range", "lists_range", "int", call1e(rangeOf), costNewList),
		row("reverse", "list_reverse", "list(A)", call1(reverse), costNewList),
		row("distinct", "list_distinct", "list(A)", call1(distinct), costSelfCompare))
}

// flattenCall reports arguments of other types itself.
func flattenCall(args []any) (any, error) {
	list, err := itemsOf(args[0])
	depth, ok := int64(1), true
	types := ""
	if len(args) > 1 {
		depth, ok = args[1].(int64)
		types = printedType(args[1])
	}
	if err != nil || !ok {
		return nil, fmt.Errorf("%w: %s.flatten(%s)", errNoSuchOverload, printedType(args[0]), types)
	}
	return boxed(flatten(list, depth))
}

// costFlatten is the cost of a list as long as the argument, for each level.
func costFlatten(args []any, _ any) uint64 {
	depth := 1.0
	if len(args) == 2 {
		d, ok := args[1].(int64)
		if !ok {
			panic(internalError("interface conversion: ref.Val is " + goType(args[1]) + ", not types.Int"))
		}
		depth = float64(d)
	}
	return newListCost(depth, costSize(args[0]))
}

// sortCall is sort, and with keys what sortBy calls.
func sortCall(name string) func([]any) (any, error) {
	return func(args []any) (any, error) {
		list, err := itemsOf(args[0])
		if err != nil {
			return nil, noOperator(args[0], name)
		}
		keys, err := itemsOf(args[len(args)-1])
		if err != nil {
			return nil, errNoSuchOverload
		}
		return boxed(sortByKeys(list, keys))
	}
}

// kubeListFunctions are those of Kubernetes' library.
func kubeListFunctions() []Function {
	var rows []Function
	row := func(signature, overload string, call caller) {
		rows = append(rows, kubernetes(signature, overload, call, costDeep).estimated(EstimateSearch))
	}
	for _, t := range comparableTypes() {
		row("list("+t.name+").isSorted() bool", "list_"+t.name+"_is_sorted_bool", call1e(isSorted))
	}
	row("list(int).sum() int", "list_int_sum_int", sum(addInt))
	row("list(uint).sum() uint", "list_uint_sum_uint", sum(addUint))
	row("list(double).sum() double", "list_double_sum_double", sum(func(a, b float64) (float64, error) { return a + b, nil }))
	row("list(duration).sum() duration", "list_duration_sum_duration", sum(addDuration))
	for _, t := range comparableTypes() {
		row("list("+t.name+").max() "+t.name, "list_"+t.name+"_max_"+t.name, extreme("max", -1))
	}
	for _, t := range comparableTypes() {
		row("list("+t.name+").min() "+t.name, "list_"+t.name+"_min_"+t.name, extreme("min", 1))
	}
	row("list(A).indexOf(A) int", "list_a_index_of_int", call2(listIndexOf))
	row("list(A).lastIndexOf(A) int", "list_a_last_index_of_int", call2(listLastIndexOf))
	return append(rows,
		kubernetes("dyn.includes(dyn) bool", "list_includes_dyn_dyn", call2(includes), costDeep).estimated(EstimateSearchAny).since(kubeversion.Includes))
}
