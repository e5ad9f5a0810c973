package celrules

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
)

// provider answers the checker's questions about the types of one node. Object types get their names when a rule reaches them, so that a
// rule on the root of a large schema costs only what it uses.
type provider struct {
	types.Provider // of the environment
	objects        map[string]*Type
	asked          []fieldAnswer // the answers about fields of objects
}

// fieldAnswer is what the checker was told about a field.
type fieldAnswer struct {
	object, field string
	typ           *cel.Type // nil if there is no such field
}

// declare returns the CEL type of t. Its objects are called name; objects below it are called name and their path.
func (p *provider) declare(name string, t *Type) *cel.Type {
	switch t.Kind {
	case KindObject:
		p.objects[name] = t
		return cel.ObjectType(name)
	case KindList:
		return cel.ListType(p.declare(name+".@idx", t.Elem))
	case KindMap:
		return cel.MapType(cel.StringType, p.declare(name+".@elem", t.Elem))
	}
	return scalars[t.Kind]
}

// FindStructType returns the type of a type called name. Kubernetes has two names beyond those of CEL.
func (p *provider) FindStructType(name string) (*types.Type, bool) {
	switch name {
	case "duration":
		return types.NewTypeTypeWithParam(cel.DurationType), true
	case "timestamp":
		return types.NewTypeTypeWithParam(cel.TimestampType), true
	}
	if _, ok := p.objects[name]; ok {
		return types.NewTypeTypeWithParam(cel.ObjectType(name)), true
	}
	return p.Provider.FindStructType(name)
}

// FindStructFieldNames returns no names: the server has none for the types of schemas.
func (p *provider) FindStructFieldNames(string) ([]string, bool) {
	return []string{}, false
}

// FindStructFieldType returns the type of a field of the object type called name.
func (p *provider) FindStructFieldType(name, field string) (*types.FieldType, bool) {
	if _, ok := p.objects[name]; !ok {
		return p.Provider.FindStructFieldType(name, field)
	}
	t := p.field(name, field)
	p.asked = append(p.asked, fieldAnswer{name, field, t})
	if t == nil {
		return nil, false
	}
	return &types.FieldType{Type: t}, true
}

// field returns the type of a field of the object type called name, nil if there is none.
func (p *provider) field(name, field string) *cel.Type {
	t := p.objects[name]
	if t == nil {
		return nil
	}
	f := t.Field(field)
	if f == nil {
		return nil
	}
	return p.declare(name+"."+f.Escaped, f.Type)
}
