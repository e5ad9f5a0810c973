package keeplist

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/sorted"
)

const metaSource = `package v1

type TypeMeta struct {
	Kind string "json:\"kind,omitempty\""
}

type ObjectMeta struct {
	Name   string            "json:\"name\""
	Labels map[string]string "json:\"labels\""
}
`

// check returns a package of one file.
func check(t *testing.T, path, source string, imports ...*types.Package) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "a.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	config := types.Config{Importer: importer(imports)}
	p, err := config.Check(path, fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

type importer []*types.Package

func (all importer) Import(path string) (*types.Package, error) {
	for _, p := range all {
		if p.Path() == path {
			return p, nil
		}
	}
	return nil, fmt.Errorf("no package %s", path)
}

// objects returns the places of a type that has these fields besides metadata.
func objects(t *testing.T, ctx context.Context, fields, others string) (*Place, map[string]bool, error) {
	t.Helper()
	p := check(t, "example.com/api", `package api

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Thing struct {
	metav1.TypeMeta
	metav1.ObjectMeta "json:\"metadata\""
	`+fields+"\n}\n"+others, check(t, metaPath, metaSource))
	return Objects(ctx, p.Scope().Lookup("Thing").Type())
}

func TestPlacesOfObjects(t *testing.T) {
	const others = `
type Spec struct {
	A string "json:\"a\""
	B *Spec  "json:\"b\""
}

type Own struct{ A string }

func (*Own) MarshalJSON() ([]byte, error) { return nil, nil }

type Nested []Nested
type Aliased = []Spec
`
	for fields, want := range map[string]string{
		`S Spec "json:\"s\""`:                    "s, s.a!, s.b!",
		`S *Spec "json:\"s,omitempty\""`:         "s, s.a!, s.b!",
		"S Spec":                                 "S, S.a!, S.b!",
		"Spec":                                   "a!, b!",
		`S Spec "json:\",inline\""`:              "a!, b!",
		`Spec "json:\"s\""`:                      "s, s.a!, s.b!",
		`S Spec "json:\"-\""`:                    "",
		`S string "json:\"-,\""`:                 "-!",
		"s Spec":                                 "",
		`L []Spec "json:\"l\""`:                  "l, l[], l[].a!, l[].b!",
		`L *[]*Spec "json:\"l\""`:                "l, l[], l[].a!, l[].b!",
		`L Aliased "json:\"l\""`:                 "l, l[], l[].a!, l[].b!",
		`L [2]Spec "json:\"l\""`:                 "l, l[], l[].a!, l[].b!",
		`M map[string][]Spec "json:\"m\""`:       "m, m[*], m[*][], m[*][].a!, m[*][].b!",
		`L []string "json:\"l\""`:                "l!",
		`M map[string]string "json:\"m\""`:       "m!",
		`N Nested "json:\"n\""`:                  "n!",
		`O Own "json:\"o\""`:                     "o!",
		`O []*Own "json:\"o\""`:                  "o!",
		`I any "json:\"i\""`:                     "i!",
		`T Thing2 "json:\"t\""` + "\nU struct{}": "U, t, t.x!",
	} {
		_, isLeaf, err := objects(t, t.Context(), fields, others+"type Thing2 struct{ X *Thing \"json:\\\"x\\\"\" }\n")
		if err != nil {
			t.Fatal(err)
		}
		var have []string
		for _, path := range sorted.Keys(isLeaf) {
			if path != "" && path != "kind" && !strings.HasPrefix(path, "metadata") {
				if isLeaf[path] {
					path += "!"
				}
				have = append(have, path)
			}
		}
		slices.Sort(have)
		if have := strings.Join(have, ", "); have != want {
			t.Errorf("%s: have %s, want %s", fields, have, want)
		}
		if isLeaf[""] || isLeaf["metadata"] || !isLeaf["metadata.labels"] || !isLeaf["kind"] {
			t.Errorf("%s: %v", fields, isLeaf)
		}
	}
}

func TestTypesThatHaveNoPlaces(t *testing.T) {
	doubling := ""
	for i := range 22 {
		doubling += fmt.Sprintf("type D%d struct { L, R *D%d; X string }\n", i, i+1)
	}
	if _, _, err := objects(t, t.Context(), "F D0", doubling+"type D22 struct{ X string }\n"); err == nil || !strings.Contains(err.Error(), "api.Thing has more than 100000 fields") {
		t.Errorf("a type that doubles: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := objects(t, ctx, "", ""); err != context.Canceled {
		t.Errorf("a run that is cancelled: %v", err)
	}
	meta := check(t, metaPath, metaSource)
	if _, _, err := Objects(t.Context(), meta.Scope().Lookup("ObjectMeta").Type()); err == nil || !strings.Contains(err.Error(), "is not a type of Kubernetes objects") {
		t.Errorf("a type without metadata: %v", err)
	}
}
