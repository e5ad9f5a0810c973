//lint:file-ignore SA5008,U1000 the types have wrong tags and unused fields on purpose

package gotypes

import (
	"encoding/json"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/sorted"
)

// The types below are encoded by encoding/json, and their fields are looked up in this file: both must be the same.
type (
	plain struct {
		A, B    int
		C       int `json:"c"`
		D       int `json:"-"`
		E       int `json:"-,"`
		F       int `json:",string"`
		G       int `json:"not\\valid"`
		H       int `json:"with.dots-and_more"`
		I       int `yaml:"other"`
		J       int `json:"ü"`
		private int
	}
	Exported struct {
		X int
		Y int
	}
	unexported struct{ X, Z int }
	Scalar     int
	lowScalar  int
	Other      struct {
		X int
		W int `json:"w"`
	}
	inlined struct {
		Exported `json:",inline"`
		*Other
	}
	named struct {
		Exported `json:"exported"`
		Other
	}
	hiding struct {
		Exported
		Y int
	}
	unexportedEmbedded struct {
		unexported
		*Other
	}
	scalars struct {
		Scalar
		lowScalar
		error
	}
	conflict struct {
		Exported
		Other
		unexported
	}
	left  struct{ Exported }
	right struct{ Exported }
	twice struct {
		left
		right
		Own int
	}
	taggedWins struct {
		unexported
		Tagged
	}
	Tagged struct {
		Zed int `json:"Z"`
	}
	deeper  struct{ unexportedEmbedded }
	looping struct {
		*looping
		A int
	}
	// The tag decides among two of the same depth, also if it is that of the last.
	tags struct {
		Tagged
		TaggedToo
		Deep
	}
	TaggedToo struct {
		Z int
		Y int
	}
	Deep struct {
		Zed int `json:"z"`
		Yes int `json:"Y"`
	}
	// A field that is hidden on one level hides those below, too.
	levels struct {
		Exported
		Other
		below
	}
	below  struct{ lowest }
	lowest struct{ X, V int }
	// Three of the same name, and an embedded pointer with a tag.
	thrice struct {
		left
		right
		third
		*Other `json:"pointed"`
	}
	third  struct{ Exported }
	dashed struct {
		Exported `json:"-"`
		Other    `json:"-,"`
		X        int `json:",omitempty,string"`
		Y        int `json:" "`
		Z        int `json:"a b"`
		Q        int `json:"a\"b"`
		R        int `json:"1"`
	}
	alias        = Exported
	viaAlias     struct{ alias }
	param[T any] struct {
		T T
	}
	generic struct {
		param[int]
		U int
	}
)

func values() map[string]any {
	return map[string]any{
		"plain": plain{}, "inlined": inlined{Other: &Other{}}, "named": named{}, "hiding": hiding{},
		"unexportedEmbedded": unexportedEmbedded{Other: &Other{}}, "scalars": scalars{}, "conflict": conflict{}, "twice": twice{},
		"taggedWins": taggedWins{}, "deeper": deeper{unexportedEmbedded{Other: &Other{}}}, "looping": looping{}, "viaAlias": viaAlias{},
		"generic": generic{}, "left": left{}, "tags": tags{}, "levels": levels{}, "thrice": thrice{Other: &Other{}}, "dashed": dashed{X: 1},
	}
}

func TestFieldsAreThoseOfEncodingJSON(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "fields_test.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	config := types.Config{Importer: importer.Default(), IgnoreFuncBodies: true, Error: func(error) {}}
	pkg, _ := config.Check("gotypes", fset, []*ast.File{file}, nil)
	for name, v := range values() {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var object map[string]any
		if err := json.Unmarshal(text, &object); err != nil {
			t.Fatal(err)
		}
		var have []string
		for _, f := range fieldsOf(pkg.Scope().Lookup(name).Type(), nil).all {
			have = append(have, f.name)
		}
		if want := sorted.Keys(object); !slices.Equal(have, want) {
			t.Errorf("%s: %q, want %q", name, have, want)
		}
	}
}
