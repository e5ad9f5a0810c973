package rules

import (
	"strconv"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/prune-gen/prune-gen/internal/suite/specimen"
)

// leaf returns a variable, a field or a literal.
func (e *expressions) leaf(t *types.Type, depth int) (string, bool) {
	if !e.oneIn(3) {
		if all := e.reachable(t); len(all) > 0 {
			return pick(e.rng, all), true
		}
	}
	if text, ok := e.literal(t, depth); ok {
		return text, true
	}
	if all := e.reachable(t); len(all) > 0 {
		return pick(e.rng, all), true
	}
	return "", false
}

// reachable returns the variables and fields of a type.
func (e *expressions) reachable(t *types.Type) []string {
	var all []string
	for _, v := range e.scope {
		if v.typ.IsExactType(t) {
			all = append(all, v.name)
		}
		if v.typ.Kind() != types.StructKind {
			continue
		}
		for _, name := range sortedKeys(fields[v.typ.TypeName()]) {
			f := fields[v.typ.TypeName()][name]
			text := v.name + "." + name
			if f.IsExactType(t) {
				all = append(all, text)
			}
			switch f.Kind() {
			case types.ListKind:
				if f.Parameters()[0].IsExactType(t) && e.oneIn(4) {
					all = append(all, text+"["+strconv.Itoa(e.rng.IntN(3))+"]")
				}
			case types.MapKind:
				if f.Parameters()[1].IsExactType(t) && e.oneIn(4) {
					all = append(all, text+"['key"+strconv.Itoa(e.rng.IntN(4))+"']", text+".key"+strconv.Itoa(e.rng.IntN(4)))
				}
			case types.StructKind:
				for _, inner := range sortedKeys(fields[f.TypeName()]) {
					if fields[f.TypeName()][inner].IsExactType(t) {
						all = append(all, text+"."+inner)
					}
				}
			}
			if t.TypeName() == "optional_type" && f.IsExactType(t.Parameters()[0]) {
				all = append(all, v.name+".?"+name)
			}
		}
	}
	return all
}

func (e *expressions) literal(t *types.Type, depth int) (string, bool) {
	text := func() string { return strconv.Quote(pick(e.rng, specimen.Samples)) }
	switch t.Kind() {
	case types.BoolKind:
		return pick(e.rng, []string{"true", "false"}), true
	case types.IntKind:
		return pick(e.rng, []string{"0", "1", "2", "3", "5", "10", "-1", "100", "9223372036854775807", "-9223372036854775808"}), true
	case types.UintKind:
		return pick(e.rng, []string{"0u", "1u", "2u", "10u", "18446744073709551615u"}), true
	case types.DoubleKind:
		return pick(e.rng, []string{"0.0", "1.0", "2.5", "-1.5", "1e300", "1.0e19"}), true
	case types.StringKind:
		return text(), true
	case types.BytesKind:
		return pick(e.rng, []string{"b'abc'", "b''", "b'\\xff'", "bytes(self.s)"}), true
	case types.DurationKind:
		return pick(e.rng, []string{"duration('1h')", "duration('0s')", "duration('-90s')", "duration('1.5s')"}), true
	case types.TimestampKind:
		return pick(e.rng, []string{"timestamp('2024-01-01T00:00:00Z')", "timestamp('1999-12-31T23:59:59.5+02:00')"}), true
	case types.NullTypeKind:
		return "null", true
	case types.DynKind:
		return "dyn(" + e.Expr(pick(e.rng, simple), min(depth, 1)) + ")", true
	case types.TypeKind:
		return pick(e.rng, []string{"int", "string", "list", "map", "type", "type(self.s)", "type(self.ios)", "bool"}), true
	case types.ListKind:
		var all []string
		for range e.rng.IntN(4) {
			all = append(all, e.Expr(t.Parameters()[0], depth-2))
		}
		if depth > 1 && e.oneIn(5) {
			all = append(all, "?"+e.Expr(types.NewOptionalType(t.Parameters()[0]), depth-2))
		}
		return "[" + strings.Join(all, ", ") + "]", true
	case types.MapKind:
		var all []string
		for range e.rng.IntN(3) {
			all = append(all, e.Expr(t.Parameters()[0], depth-2)+": "+e.Expr(t.Parameters()[1], depth-2))
		}
		if depth > 1 && e.oneIn(5) {
			all = append(all, "?"+e.Expr(t.Parameters()[0], depth-2)+": "+e.Expr(types.NewOptionalType(t.Parameters()[1]), depth-2))
		}
		return "{" + strings.Join(all, ", ") + "}", true
	}
	switch t.TypeName() {
	case "optional_type":
		if e.oneIn(3) {
			return "optional.none()", true
		}
		return "optional.of(" + e.Expr(t.Parameters()[0], depth-1) + ")", true
	case "kubernetes.URL":
		return "url(" + pick(e.rng, []string{"'https://example.com:80/a%20b?x=1&x=2&y=%26'", "'http://[::1]/'", "'/x'"}) + ")", true
	case "kubernetes.Quantity":
		return "quantity(" + pick(e.rng, []string{"'1Gi'", "'100m'", "'0'", "'1.5'", "'-3k'", "'9223372036854775807'"}) + ")", true
	case "kubernetes.Semver":
		return "semver(" + pick(e.rng, []string{"'1.2.3'", "'1.2.3-rc.1+b'", "'0.0.1'"}) + ")", true
	case "kubernetes.NamedFormat":
		return pick(e.rng, []string{"format.dns1123Label()", "format.uri()", "format.date()", "format.byte()", "format.uuid()"}), true
	case "net.IP":
		return "ip(" + pick(e.rng, []string{"'10.0.0.1'", "'::1'", "'fe80::1'", "'127.0.0.1'", "'224.0.0.1'"}) + ")", true
	case "net.CIDR":
		return "cidr(" + pick(e.rng, []string{"'10.0.0.0/8'", "'10.1.2.3/16'", "'fd00::/8'"}) + ")", true
	}
	return "", false
}
