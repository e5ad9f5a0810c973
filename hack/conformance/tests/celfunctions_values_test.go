package tests

// The functions of prunecel are compared with those of the API server's CEL environment: the overloads that exist, their results, their errors and
// their costs.

import (
	"fmt"
	"math"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"k8s.io/apimachinery/pkg/api/resource"
	apiservercel "k8s.io/apiserver/pkg/cel"

	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// A pair is a value as prunecel has it and as the server has it.
type pair struct {
	ours   any
	theirs ref.Val
}

// plain returns the pair of a value without types of Kubernetes in it.
func plain(v any) pair {
	switch v := v.(type) {
	case nil:
		return pair{v, types.NullValue}
	case []any:
		theirs := make([]ref.Val, len(v))
		for i, item := range v {
			theirs[i] = plain(item).theirs
		}
		return pair{v, types.NewRefValList(types.DefaultTypeAdapter, theirs)}
	case prunecel.TypeValue:
		return pair{v, map[prunecel.TypeValue]*types.Type{"int": types.IntType, "string": types.StringType, "list": types.ListType,
			"google.protobuf.Duration": types.DurationType}[v]}
	case prunecel.Optional:
		if !v.Present {
			return pair{v, types.OptionalNone}
		}
		return pair{v, types.OptionalOf(plain(v.Value).theirs)}
	}
	return pair{v, types.DefaultTypeAdapter.NativeToValue(v)}
}

// listOf returns the pair of a list of pairs.
func listOf(pairs []pair) pair {
	ours, theirs := make([]any, len(pairs)), make([]ref.Val, len(pairs))
	for i, p := range pairs {
		ours[i], theirs[i] = p.ours, p.theirs
	}
	return pair{ours, types.NewRefValList(types.DefaultTypeAdapter, theirs)}
}

// formatNamed returns format.<name>().
func formatNamed(name string) any { return resultOf(prunecel.Dispatch("format."+name, nil)) }

// resultOf returns the result of a call, which may be an error.
func resultOf(v any, err error) any {
	if err != nil {
		return err
	}
	return v
}

// appendOurs appends all that can be seen of a value of prunecel.
func appendOurs(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case error:
		return append(append(b, "error "...), v.Error()...)
	case bool:
		return strconv.AppendBool(b, v)
	case int64:
		return strconv.AppendInt(append(b, "int "...), v, 10)
	case uint64:
		return strconv.AppendUint(append(b, "uint "...), v, 10)
	case float64:
		return appendDouble(b, v)
	case time.Time:
		return v.AppendFormat(append(b, "timestamp "...), time.RFC3339Nano)
	case time.Duration:
		return appendDuration(b, v)
	case string:
		return strconv.AppendQuote(b, v)
	case []byte:
		return strconv.AppendQuote(append(b, "bytes "...), string(v))
	case prunecel.TypeValue:
		return append(append(b, "type "...), v...)
	case prunecel.Optional:
		if !v.Present {
			return append(b, "none"...)
		}
		return appendOurs(append(b, "optional "...), v.Value)
	case prunecel.URL:
		return append(append(b, "url "...), v.String()...)
	case netip.Addr:
		return v.AppendTo(b)
	case netip.Prefix:
		return v.AppendTo(b)
	case *prunecel.Format:
		return append(append(b, "format "...), v.Name...)
	case prunecel.Semver:
		return appendSemver(b, v.Major, v.Minor, v.Patch)
	case *prunecel.Quantity:
		integer, err := prunecel.Dispatch("asInteger", []any{v})
		i, _ := integer.(int64)
		float, _ := prunecel.Dispatch("asApproximateFloat", []any{v})
		sign, _ := prunecel.Dispatch("sign", []any{v})
		return appendQuantity(b, float.(float64), sign.(int64), i, err == nil)
	case []any:
		b = append(b, '[')
		for i, item := range v {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendOurs(b, item)
		}
		return append(b, ']')
	case *prunecel.Map:
		s, _ := prunecel.Dispatch("format", []any{"%s", []any{v}})
		return append(b, s.(string)...)
	}
	return fmt.Appendf(b, "%T %v", v, v)
}

func appendDouble(b []byte, d float64) []byte {
	b = strconv.AppendUint(append(b, "double "...), math.Float64bits(d), 16)
	return strconv.AppendFloat(append(b, ' '), d, 'g', -1, 64)
}

func appendDuration(b []byte, d time.Duration) []byte {
	return append(append(b, "duration "...), d.String()...)
}

func appendSemver(b []byte, major, minor, patch uint64) []byte {
	return fmt.Appendf(b, "semver %d.%d.%d", major, minor, patch)
}

func appendQuantity(b []byte, approximate float64, sign int64, integer int64, isInteger bool) []byte {
	return fmt.Appendf(appendDouble(append(b, "quantity "...), approximate), " %d %d %t", sign, integer, isInteger)
}

// appendTheirs appends the text of a value of the server that appendOurs has for the same value.
func appendTheirs(b []byte, v ref.Val) []byte {
	switch v := v.(type) {
	case types.Null:
		return append(b, "null"...)
	case *types.Err:
		return append(append(b, "error "...), v.Error()...)
	case types.Bool:
		return strconv.AppendBool(b, bool(v))
	case types.Int:
		return strconv.AppendInt(append(b, "int "...), int64(v), 10)
	case types.Uint:
		return strconv.AppendUint(append(b, "uint "...), uint64(v), 10)
	case types.Double:
		return appendDouble(b, float64(v))
	case types.Timestamp:
		return v.AppendFormat(append(b, "timestamp "...), time.RFC3339Nano)
	case types.Duration:
		return appendDuration(b, v.Duration)
	case types.String:
		return strconv.AppendQuote(b, string(v))
	case types.Bytes:
		return strconv.AppendQuote(append(b, "bytes "...), string(v))
	case *types.Optional:
		if !v.HasValue() {
			return append(b, "none"...)
		}
		return appendTheirs(append(b, "optional "...), v.GetValue())
	case apiservercel.URL:
		return append(append(b, "url "...), v.String()...)
	case apiservercel.IP:
		return v.Addr.AppendTo(b)
	case apiservercel.CIDR:
		return v.Prefix.AppendTo(b)
	case apiservercel.Format:
		return append(append(b, "format "...), v.Name...)
	case apiservercel.Semver:
		return appendSemver(b, v.Major, v.Minor, v.Patch)
	case apiservercel.Quantity:
		return appendTheirQuantity(b, v.Quantity)
	case *apiservercel.Quantity:
		return appendTheirQuantity(b, v.Quantity)
	case traits.Lister:
		b = append(b, '[')
		start := len(b)
		for it := v.Iterator(); it.HasNext() == types.True; {
			if len(b) > start {
				b = append(b, ", "...)
			}
			b = appendTheirs(b, it.Next())
		}
		return append(b, ']')
	case traits.Mapper:
		var texts []string
		for it := v.Iterator(); it.HasNext() == types.True; {
			key := it.Next()
			texts = append(texts, string(appendTheirs(append(appendTheirs(nil, key), ':'), v.Get(key))))
		}
		slices.Sort(texts)
		return append(append(append(b, '{'), strings.Join(texts, ", ")...), '}')
	case ref.Type:
		return append(append(b, "type "...), v.TypeName()...)
	}
	return fmt.Appendf(b, "%T %v", v, v)
}

func appendTheirQuantity(b []byte, q *resource.Quantity) []byte {
	i, ok := q.AsInt64()
	if !ok {
		i = 0
	}
	return appendQuantity(b, q.AsApproximateFloat64(), int64(q.Sign()), i, ok)
}
