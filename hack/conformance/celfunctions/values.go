// Package celfunctions compares the functions of prunecel with those of the API server's CEL environment: the overloads that exist,
// their results, their errors and their costs.
package celfunctions

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

// oursText returns all that can be seen of a value of prunecel.
func oursText(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case error:
		return "error " + v.Error()
	case float64:
		return doubleText(v)
	case time.Time:
		return "timestamp " + v.Format(time.RFC3339Nano)
	case time.Duration:
		return "duration " + v.String()
	case string:
		return strconv.Quote(v)
	case []byte:
		return "bytes " + strconv.Quote(string(v))
	case prunecel.TypeValue:
		return "type " + string(v)
	case prunecel.Optional:
		if !v.Present {
			return "none"
		}
		return "optional " + oursText(v.Value)
	case prunecel.URL:
		return "url " + v.String()
	case netip.Addr, netip.Prefix:
		return fmt.Sprint(v)
	case *prunecel.Format:
		return "format " + v.Name
	case prunecel.Semver:
		return fmt.Sprintf("semver %d.%d.%d", v.Major, v.Minor, v.Patch)
	case *prunecel.Quantity:
		i, err := prunecel.QuantityAsInteger(v)
		return fmt.Sprintf("quantity %s %d %d %t", doubleText(prunecel.QuantityAsApproximateFloat(v)), prunecel.QuantitySign(v), i, err == nil)
	case []any:
		texts := make([]string, len(v))
		for i, item := range v {
			texts[i] = oursText(item)
		}
		return "[" + strings.Join(texts, ", ") + "]"
	case *prunecel.Map:
		s, _ := prunecel.FormatText("%s", []any{v})
		return s
	}
	return fmt.Sprintf("%T %v", v, v)
}

func doubleText(d float64) string { return fmt.Sprintf("double %x %v", math.Float64bits(d), d) }

// theirsText returns the text of a value of the server that oursText has for the same value.
func theirsText(v ref.Val) string {
	switch v := v.(type) {
	case types.Null:
		return "null"
	case *types.Err:
		return "error " + v.Error()
	case types.Bool:
		return fmt.Sprintf("%T %v", bool(v), v)
	case types.Int:
		return fmt.Sprintf("%T %v", int64(v), v)
	case types.Uint:
		return fmt.Sprintf("%T %v", uint64(v), v)
	case types.Double:
		return doubleText(float64(v))
	case types.Timestamp:
		return "timestamp " + v.Format(time.RFC3339Nano)
	case types.Duration:
		return "duration " + v.Duration.String()
	case types.String:
		return strconv.Quote(string(v))
	case types.Bytes:
		return "bytes " + strconv.Quote(string(v))
	case *types.Optional:
		if !v.HasValue() {
			return "none"
		}
		return "optional " + theirsText(v.GetValue())
	case apiservercel.URL:
		return "url " + v.String()
	case apiservercel.IP:
		return v.Addr.String()
	case apiservercel.CIDR:
		return v.Prefix.String()
	case apiservercel.Format:
		return "format " + v.Name
	case apiservercel.Semver:
		return fmt.Sprintf("semver %d.%d.%d", v.Major, v.Minor, v.Patch)
	case apiservercel.Quantity:
		return quantityText(v.Quantity)
	case *apiservercel.Quantity:
		return quantityText(v.Quantity)
	case traits.Lister:
		var texts []string
		for it := v.Iterator(); it.HasNext() == types.True; {
			texts = append(texts, theirsText(it.Next()))
		}
		return "[" + strings.Join(texts, ", ") + "]"
	case traits.Mapper:
		var texts []string
		for it := v.Iterator(); it.HasNext() == types.True; {
			key := it.Next()
			texts = append(texts, theirsText(key)+":"+theirsText(v.Get(key)))
		}
		slices.Sort(texts)
		return "{" + strings.Join(texts, ", ") + "}"
	case ref.Type:
		return "type " + v.TypeName()
	}
	return fmt.Sprintf("%T %v", v, v)
}

func quantityText(q *resource.Quantity) string {
	i, ok := q.AsInt64()
	if !ok {
		i = 0
	}
	return fmt.Sprintf("quantity %s %d %d %t", doubleText(q.AsApproximateFloat64()), q.Sign(), i, ok)
}
