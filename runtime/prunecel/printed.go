package prunecel

import (
	"fmt"
	"net/netip"
	"strings"
	"time"
)

// printed returns a value as errors mention it, which is how Go prints what cel-go has for it.
func printed(v any) string {
	switch v := v.(type) {
	case nil:
		return "0"
	case TypeValue:
		return string(v)
	case Optional:
		if !v.Present {
			return "optional.none()"
		}
		return "optional(" + printed(v.Value) + ")"
	}
	switch TypeOf(v) {
	case "list":
		items, _ := Items(v)
		texts := make([]string, len(items))
		for i, item := range items {
			texts[i] = printed(item)
		}
		return "[" + strings.Join(texts, ", ") + "]"
	case "map":
		var texts []string
		for _, key := range keysOf(v) {
			value, _ := findIn(v, key)
			texts = append(texts, printed(key)+": "+printed(value))
		}
		return "{" + strings.Join(texts, ", ") + "}"
	}
	return fmt.Sprint(v)
}

// printedType returns the type of a value as errors mention it.
func printedType(v any) string {
	switch t := TypeOf(v); t {
	case "list":
		return "list(dyn)"
	case "map":
		return "map(dyn, dyn)"
	case "optional_type":
		return "optional_type(dyn)"
	default:
		return t
	}
}

// goType returns the name that cel-go has in Go for the type of a value. Some errors mention it.
func goType(v any) string {
	switch v := v.(type) {
	case nil:
		return "types.Null"
	case bool:
		return "types.Bool"
	case int64:
		return "types.Int"
	case uint64:
		return "types.Uint"
	case float64:
		return "types.Double"
	case string:
		return "types.String"
	case []byte:
		return "types.Bytes"
	case time.Duration:
		return "types.Duration"
	case time.Time:
		return "types.Timestamp"
	case Optional:
		return "*types.Optional"
	case TypeValue:
		return "*types.Type"
	case *Map:
		return "*types.baseMap"
	case []any:
		return "*types.baseList"
	case error:
		return "*types.Err"
	case *Quantity:
		if v.computed {
			return "*cel.Quantity"
		}
		return "cel.Quantity"
	case URL:
		return "cel.URL"
	case netip.Addr:
		return "cel.IP"
	case netip.Prefix:
		return "cel.CIDR"
	case *Format:
		return "*cel.Format"
	case Semver:
		return "cel.Semver"
	case Preserved:
		return "*common.unknownPreserved"
	case *Object:
		return "*common.unstructuredMap"
	case *List:
		switch v.Kind {
		case SetList:
			return "*common.unstructuredSetList"
		case MapList:
			return "*common.unstructuredMapList"
		}
		return "*common.unstructuredList"
	}
	return "ref.Val"
}
