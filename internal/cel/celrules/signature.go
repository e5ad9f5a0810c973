package celrules

import (
	"strings"

	"github.com/google/cel-go/cel"

	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// signature returns the types of an overload that Kubernetes adds to those of CEL, which is written as
//
//	url(string) kubernetes.URL
//	string.findAll(string, int) list(string)
//	list(A).indexOf(A) int
//	format.named(string) optional_type(kubernetes.NamedFormat)
//
// A capital letter is a type parameter. A member has its first argument before the name; a name with dots is part of a namespace.
func signature(f prunecel.Function) (member bool, args []*cel.Type, result *cel.Type) {
	rest, member := strings.CutPrefix(f.Signature, f.Name+"(")
	if member = !member; member {
		receiver, after, _ := strings.Cut(f.Signature, "."+f.Name+"(")
		t, _ := readType(receiver)
		args, rest = append(args, t), after
	}
	more, rest := readTypes(rest)
	result, _ = readType(strings.TrimPrefix(rest, " "))
	return member, append(args, more...), result
}

// readTypes reads types up to a parenthesis that closes, and returns what follows.
func readTypes(text string) (all []*cel.Type, rest string) {
	for {
		if rest, ok := strings.CutPrefix(text, ")"); ok {
			return all, rest
		}
		t, more := readType(strings.TrimPrefix(text, ", "))
		all, text = append(all, t), more
	}
}

// readType reads a type, and returns what follows. It panics where there is none, which no input can cause.
func readType(text string) (t *cel.Type, rest string) {
	end := strings.IndexAny(text+")", "(),")
	name, rest := text[:end], text[end:]
	if strings.HasPrefix(rest, "(") {
		params, rest := readTypes(rest[1:])
		switch name {
		case "list":
			return cel.ListType(params[0]), rest
		case "map":
			return cel.MapType(params[0], params[1]), rest
		case "optional_type":
			return cel.OptionalType(params[0]), rest
		}
	}
	switch {
	case len(name) == 1:
		return cel.TypeParamType(name), rest
	case strings.HasPrefix(name, "kubernetes."):
		return cel.ObjectType(name), rest
	case strings.HasPrefix(name, "net."):
		return cel.OpaqueType(name), rest
	case scalars[Kind(name)] == nil:
		panic("no type begins " + text)
	}
	return scalars[Kind(name)], rest
}

// scalars are the types of values that have no parts.
var scalars = map[Kind]*cel.Type{
	KindBool: cel.BoolType, KindInt: cel.IntType, "uint": cel.UintType, KindDouble: cel.DoubleType, KindString: cel.StringType, KindBytes: cel.BytesType,
	KindDuration: cel.DurationType, KindTimestamp: cel.TimestampType, KindDyn: cel.DynType,
}
