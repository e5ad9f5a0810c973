package celrules

import (
	"fmt"
	"strings"

	"github.com/google/cel-go/cel"
)

// signature is the type of an overload of a function.
type signature struct {
	member bool // the first argument comes before the name
	args   []*cel.Type
	result *cel.Type
}

// parseSignature reads the signature of a function called name:
//
//	url(string) kubernetes.URL
//	string.findAll(string, int) list(string)
//	list(A).indexOf(A) int
//	format.named(string) optional_type(kubernetes.NamedFormat)
//
// A capital letter is a type parameter. A name with dots is part of a namespace, not called on a value.
func parseSignature(name, text string) (signature, error) {
	call, result, ok := strings.Cut(text, ") ")
	if !ok {
		return signature{}, fmt.Errorf("signature %q has no result", text)
	}
	call += ")"
	p := typeParser{rest: call}
	var s signature
	if !strings.HasPrefix(call, name+"(") {
		s.member = true
		receiver, _, found := strings.Cut(call, "."+name+"(")
		if !found {
			return signature{}, fmt.Errorf("signature %q is not one of %s", text, name)
		}
		p.rest = receiver
		s.args = append(s.args, p.typ())
		if p.rest != "" {
			p.fail()
		}
		p.rest = call[len(receiver)+1:]
	}
	p.rest = strings.TrimPrefix(p.rest, name)
	s.args = append(s.args, p.list()...)
	if p.rest != "" {
		p.fail()
	}
	p.rest = result
	s.result = p.typ()
	if p.rest != "" {
		p.fail()
	}
	if p.failed {
		return signature{}, fmt.Errorf("signature %q cannot be read", text)
	}
	return s, nil
}

// typeParser reads types from the beginning of rest.
type typeParser struct {
	rest   string
	failed bool
}

func (p *typeParser) fail() { p.failed = true }

// list reads types in parentheses.
func (p *typeParser) list() []*cel.Type {
	var ok bool
	if p.rest, ok = strings.CutPrefix(p.rest, "("); !ok {
		p.fail()
		return nil
	}
	if p.rest, ok = strings.CutPrefix(p.rest, ")"); ok {
		return nil
	}
	var all []*cel.Type
	for !p.failed {
		all = append(all, p.typ())
		if p.rest, ok = strings.CutPrefix(p.rest, ")"); ok {
			return all
		}
		if p.rest, ok = strings.CutPrefix(p.rest, ", "); !ok {
			p.fail()
		}
	}
	return nil
}

func (p *typeParser) typ() *cel.Type {
	name := p.rest
	if i := strings.IndexAny(name, "(),"); i >= 0 {
		name = name[:i]
	}
	p.rest = p.rest[len(name):]
	var params []*cel.Type
	if strings.HasPrefix(p.rest, "(") {
		params = p.list()
	}
	switch {
	case p.failed || name == "":
	case name == "list" && len(params) == 1:
		return cel.ListType(params[0])
	case name == "map" && len(params) == 2:
		return cel.MapType(params[0], params[1])
	case name == "optional_type" && len(params) == 1:
		return cel.OptionalType(params[0])
	case len(params) > 0:
	case len(name) == 1 && 'A' <= name[0] && name[0] <= 'Z':
		return cel.TypeParamType(name)
	case strings.HasPrefix(name, "kubernetes."):
		return cel.ObjectType(name)
	case strings.HasPrefix(name, "net."):
		return cel.OpaqueType(name)
	default:
		if t := scalars(name); t != nil {
			return t
		}
	}
	p.fail()
	return cel.DynType
}

func scalars(name string) *cel.Type {
	switch name {
	case "bool":
		return cel.BoolType
	case "int":
		return cel.IntType
	case "uint":
		return cel.UintType
	case "double":
		return cel.DoubleType
	case "string":
		return cel.StringType
	case "bytes":
		return cel.BytesType
	case "duration":
		return cel.DurationType
	case "timestamp":
		return cel.TimestampType
	case "null":
		return cel.NullType
	case "dyn":
		return cel.DynType
	}
	return nil
}
