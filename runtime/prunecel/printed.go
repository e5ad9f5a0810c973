package prunecel

import (
	"fmt"
	"net/netip"
	"strings"
	"time"
)

// printed returns a value as errors mention it: as Go prints the value of cel-go.
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
	switch typeOf(v) {
	case "list":
		items, _ := itemsOf(v)
		texts := make([]string, len(items))
		for i, item := range items {
			texts[i] = printed(item)
		}
		return "[" + strings.Join(texts, ", ") + "]"
	case "map":
		var texts []string
		for key, value := range pairs(v) {
			texts = append(texts, printed(key)+": "+printed(value))
		}
		return "{" + strings.Join(texts, ", ") + "}"
	}
	return fmt.Sprint(v)
}

// printedType returns the type of a value as errors mention it.
func printedType(v any) string {
	switch t := typeOf(v); t {
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
	_, name := typeNames(v)
	return name
}

// typeOf returns the name of the type of a value.
func typeOf(v any) string {
	name, _ := typeNames(v)
	return name
}

func typeNames(v any) (name, goName string) {
	switch v := v.(type) {
	case nil:
		return "null_type", "types.Null"
	case bool:
		return "bool", "types.Bool"
	case int64:
		return "int", "types.Int"
	case uint64:
		return "uint", "types.Uint"
	case float64:
		return "double", "types.Double"
	case string:
		return "string", "types.String"
	case []byte:
		return "bytes", "types.Bytes"
	case time.Duration:
		return typeDuration, "types.Duration"
	case time.Time:
		return typeTimestamp, "types.Timestamp"
	case []any:
		return "list", "*types.baseList"
	case *listValue:
		switch v.Kind {
		case SetList:
			return "list", "*common.unstructuredSetList"
		case MapList:
			return "list", "*common.unstructuredMapList"
		}
		return "list", "*common.unstructuredList"
	case *Map:
		return "map", "*types.baseMap"
	case *objectValue:
		return "map", "*common.unstructuredMap"
	case Optional:
		return "optional_type", "*types.Optional"
	case TypeValue:
		return "type", "*types.Type"
	case preservedValue:
		return "unknown", "*common.unknownPreserved"
	case error:
		return "error", "*types.Err"
	case URL:
		return "kubernetes.URL", "cel.URL"
	case netip.Addr:
		return "net.IP", "cel.IP"
	case netip.Prefix:
		return "net.CIDR", "cel.CIDR"
	case *Quantity:
		if v.computed {
			return "kubernetes.Quantity", "*cel.Quantity"
		}
		return "kubernetes.Quantity", "cel.Quantity"
	case Semver:
		return "kubernetes.Semver", "cel.Semver"
	case *Format:
		return "kubernetes.NamedFormat", "*cel.Format"
	}
	return "unknown", "ref.Val"
}
