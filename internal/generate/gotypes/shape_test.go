package gotypes

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/prune-gen/prune-gen/structural"
)

// TestShapes has every kind of type, with what it is in JSON: the forms that it writes, and those that it reads if they are others.
func TestShapes(t *testing.T) {
	const source = `package p

import ("encoding/json"; "net"; "time")

type (
	text      struct{ X int }
	onlyOut   struct{ X int }
	onlyIn    struct{ X int }
	out       struct{ X int }
	in        struct{ X int }
	otherText int
	otherJSON int
	octet     byte
	textOctet byte
	jsonOctet byte
	inOctet   byte
	Name      string
	flag      bool
	pointer   *text
	chain     **Name
	self      *self
	same      = []Name
	generic[T any] struct { F T }
	byText    map[text]int
	iface     interface{ MarshalJSON() ([]byte, error) }
)

func (text) MarshalText() ([]byte, error)         { return nil, nil }
func (*text) UnmarshalText([]byte) error          { return nil }
func (*onlyOut) MarshalText() ([]byte, error)     { return nil, nil }
func (*onlyIn) UnmarshalText([]byte) error        { return nil }
func (*out) MarshalJSON() ([]byte, error)         { return nil, nil }
func (*in) UnmarshalJSON([]byte) error            { return nil }
func (otherText) MarshalText(int) ([]byte, error) { return nil, nil }
func (otherText) UnmarshalText() error            { return nil }
func (otherJSON) MarshalJSON(int) ([]byte, error) { return nil, nil }
func (otherJSON) UnmarshalJSON() error            { return nil }
func (textOctet) MarshalText() ([]byte, error)    { return nil, nil }
func (jsonOctet) MarshalJSON() ([]byte, error)    { return nil, nil }
func (*inOctet) UnmarshalJSON([]byte) error       { return nil }


var _ json.Number
var _ net.IP
var _ time.Time
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	config := types.Config{Importer: importer.Default()}
	pkg, err := config.Check("p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for expr, want := range map[string]string{
		"bool": "a boolean", "flag": "a boolean", "int": "an integer", "uint64": "an integer", "rune": "an integer", "byte": "an integer", "uintptr": "an integer",
		"float32": "a number", "float64": "a number", "string": "a string", "Name": "a string",
		"complex128": "any value", "chan int": "any value", "func()": "any value", "any": "any value", "iface": "any value", "error": "any value",
		"[]int": "a list of int", "[3]byte": "a list of byte", "same": "a list of p.Name", "[][]byte": "a list of []byte",
		"[]byte": "a string", "[]octet": "a string", "[]textOctet": "a list of p.textOctet", "[]jsonOctet": "a list of p.jsonOctet", "[]inOctet": "a list of p.inOctet",
		"[]int8": "a list of int8", "[]*byte": "a list of *byte",
		"map[string]bool": "an object of bool", "map[int][]int": "an object of []int", "byText": "an object of int",
		"struct{ X int }": "an object with fields", "generic[int]": "an object with fields",
		"text": "a string", "pointer": "a string", "chain": "a string", "*text": "a string", "onlyOut": "any value", "onlyIn": "any value", "out": "any value", "in": "any value",
		"otherText": "an integer", "otherJSON": "an integer", "self": "any value",
		"json.Number": "a number", "json.RawMessage": "any value", "net.IP": "a string", "time.Time": "a string", "time.Duration": "an integer", "time.Month": "an integer",
	} {
		v, err := types.Eval(fset, pkg, file.End()-1, expr)
		if err != nil {
			t.Errorf("%s: %v", expr, err)
			continue
		}
		if have := describe(shapeOf(pointed(v.Type))); have != want {
			t.Errorf("%s is %s, want %s", expr, have, want)
		}
	}
	for _, quoted := range []string{"bool", "int", "float64", "string"} {
		if have := describe(quotedShape(shapeOf(types.Universe.Lookup(quoted).Type()))); have != "a string" {
			t.Errorf("%s is %s with the option string", quoted, have)
		}
	}
	generic := pkg.Scope().Lookup("generic").Type().(*types.Named)
	if have := describe(shapeOf(generic.TypeParams().At(0))); have != "any value" {
		t.Errorf("a parameter is %s", have)
	}
}

func describe(s shape) string {
	text := s.writes.String()
	if s.reads != s.writes {
		text += ", reads " + s.reads.String()
	}
	if s.elem != nil {
		text += " of " + s.elem.String()
	}
	if s.fields != nil {
		text += " with fields"
	}
	return text
}

// The types of Kubernetes are known by their names alone.
func TestShapesOfKubernetes(t *testing.T) {
	for _, test := range []struct {
		path, name, want string
		zero             any
	}{
		{"k8s.io/apimachinery/pkg/apis/meta/v1", "Time", "a string", nil},
		{"k8s.io/apimachinery/pkg/apis/meta/v1", "MicroTime", "a string", nil},
		{"k8s.io/apimachinery/pkg/apis/meta/v1", "Duration", "a string", "0s"},
		{"k8s.io/apimachinery/pkg/apis/meta/v1", "Other", "an object with fields", nil},
		{"k8s.io/apimachinery/pkg/util/intstr", "IntOrString", "an integer or a string", int64(0)},
		{"k8s.io/apimachinery/pkg/api/resource", "Quantity", "a string, reads a number or a string", "0"},
		{"example.com/resource", "Quantity", "an object with fields", nil},
	} {
		name := types.NewTypeName(token.NoPos, types.NewPackage(test.path, "x"), test.name, nil)
		s := shapeOf(types.NewNamed(name, types.NewStruct(nil, nil), nil))
		if have := describe(s); have != test.want || s.zero != test.zero {
			t.Errorf("%s.%s is %s, want %s; its zero value is %v, want %v", test.path, test.name, have, test.want, s.zero, test.zero)
		}
	}
}

func TestFormsThatSchemasTake(t *testing.T) {
	for kind, want := range map[string]string{
		"boolean": "a boolean", "integer": "an integer", "number": "a number", "string": "a string", "object": "an object", "array": "a list", "": "any value",
	} {
		s := &structural.Schema{}
		s.Type = kind
		if have := taken(s).String(); have != want {
			t.Errorf("%s: %s", kind, have)
		}
		s.XIntOrString = true
		if kind == "" {
			want = "an integer or a string"
		}
		if have := taken(s).String(); have != want {
			t.Errorf("%s with int-or-string: %s", kind, have)
		}
	}
	for f, want := range map[forms]string{
		isFraction: "", isInteger | isFraction | isString: "a number or a string", isString | isBoolean | isObject | isList: "a string or a boolean or an object or a list",
		isAny &^ isList: "a number or a string or a boolean or an object",
	} {
		if have := fmt.Sprint(f); have != want {
			t.Errorf("%d: %q, want %q", f, have, want)
		}
	}
}
