package target

import (
	"go/types"
	"path/filepath"
	"strings"
	"testing"
)

func TestDeclares(t *testing.T) {
	dir := write(t, map[string]string{
		"a.go":      "package v1\n\nfunc Thing() {}\n\nvar Other int\n\ntype (\n\tA struct{}\n\tB = A\n)\n",
		"broken.go": "package v1\n\ntype C struct{}\n\nfunc {\n",
		"a_test.go": "package v1\n\ntype Test struct{}\n",
	})
	p, err := Find(dir, nil, func(string) bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"A": true, "B": true, "C": true, "Thing": true, "Other": true, "Test": false, "": false} {
		if have := p.Declares(map[string]bool{name: true, "D": true}); have != want {
			t.Errorf("%q: %t", name, have)
		}
	}
}

// The types of a package are known as far as its declarations compile, and bodies of functions are not looked at.
func TestTypes(t *testing.T) {
	dir := write(t, map[string]string{
		"go.mod":     bareModule,
		"lib/lib.go": "package lib\n\ntype Lib struct{}\n",
		"api/api.go": "package api\n\nimport \"example.com/app/lib\"\n\ntype A struct{ Lib lib.Lib }\n\nfunc f() { undefined() }\n",
		"c/c.go":     "package c\n\nimport \"C\"\n\ntype A struct {\n\tSize C.int\n\tInt  int\n}\n",
		"bad/bad.go": "package bad\n\nimport \"example.com/app/gone\"\n\ntype A struct {\n\tGone gone.Gone\n\tInt  int\n}\n",
	})
	open := func(name string) (*types.Struct, error) {
		t.Helper()
		p, err := Find(filepath.Join(dir, name), nil, func(string) bool { return false })
		if err != nil {
			t.Fatal(err)
		}
		pkg, fset, err := p.Types(LoadModule(t.Context(), p.Dir, nil, p.Imports))
		obj := pkg.Scope().Lookup("A")
		if at := fset.Position(obj.Pos()); at.Filename != p.Files()[0] || at.Line != 5 || at.Column != 6 {
			t.Errorf("%s is at %s", name, at)
		}
		return obj.Type().Underlying().(*types.Struct), err
	}
	if s, err := open("api"); err != nil || s.Field(0).Type().String() != "example.com/app/lib.Lib" {
		t.Errorf("%s, %v", s, err)
	}
	if s, err := open("c"); err != nil || s.Field(1).Type() != types.Typ[types.Int] {
		t.Errorf("%s, %v", s, err)
	}
	if s, err := open("bad"); err == nil || s.Field(0).Type() != types.Typ[types.Invalid] || s.Field(1).Type() != types.Typ[types.Int] {
		t.Errorf("%s, %v", s, err)
	}
}

func TestTypesHaveTheFirstError(t *testing.T) {
	dir := write(t, map[string]string{
		"go.mod":   bareModule,
		"two/a.go": "package two\n\ntype A undefined1\n", "two/b.go": "package two\n\ntype B undefined2\n",
		"odd/a.go": "package odd\n\ntype A undefined1\n", "odd/b.go": "package odd\n\ntype B struct{}\n\nfunc {\n", "odd/c.go": "package odd\n\nvar (\n",
	})
	m := LoadModule(t.Context(), dir, nil, nil)
	for name, want := range map[string]string{"two": "a.go:3:8: undefined: undefined1", "odd": "b.go:5:6: expected 'IDENT', found '{'"} {
		p, err := Find(filepath.Join(dir, name), nil, nothing)
		if err != nil {
			t.Fatal(err)
		}
		pkg, _, err := p.Types(m)
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
		if pkg.Name() != name || pkg.Scope().Lookup("B") == nil {
			t.Errorf("%s: %v", name, pkg)
		}
	}
}
