//lint:file-ignore SA5008,SA9005,U1000 encoding/json is asked about options that have no effect

package gotypes

import (
	"encoding/json"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/structural"
)

// The zero value of this type is encoded by encoding/json, and worked out from this file: both must be the same.
type zeroValues struct {
	Bool    bool
	Int     int8
	Uint    uint64
	Float   float32
	Text    namedText
	Time    time.Time
	Number  json.Number
	Bytes   []byte
	List    []int
	Map     map[string]int
	Pointer *int
	Any     any
	Method  interface{ M() }
	Struct  zeroPart
	Self    *zeroValues

	NoBool    bool           `json:",omitempty"`
	NoInt     int8           `json:",omitempty"`
	NoFloat   float32        `json:"noFloat,omitempty"`
	NoText    namedText      `json:",omitempty"`
	NoTime    time.Time      `json:",omitempty"`
	NoNumber  json.Number    `json:",omitempty"`
	NoBytes   []byte         `json:",omitempty"`
	NoMap     map[string]int `json:",omitempty"`
	NoPointer *int           `json:",omitempty"`
	NoAny     any            `json:",omitempty"`
	NoStruct  zeroPart       `json:",omitempty"`
	NoArray   [0]int         `json:",omitempty"`

	ZeroBool    bool           `json:",omitzero"`
	ZeroText    namedText      `json:",omitzero"`
	ZeroTime    time.Time      `json:",omitzero"`
	ZeroMap     map[string]int `json:",omitzero"`
	ZeroStruct  zeroPart       `json:",omitzero"`
	ZeroArray   [2]int         `json:",omitzero"`
	BothStruct  zeroPart       `json:",omitempty,omitzero"`
	BothPointer *zeroPart      `json:",omitempty,omitzero"`

	ZeroEmbedded
	*ZeroPointed
	zeroHidden
	ZeroNamed `json:"named,omitempty"`
}

type (
	namedText    string
	zeroPart     struct{ A, B int }
	ZeroEmbedded struct {
		C int
		D string `json:",omitempty"`
	}
	ZeroPointed struct{ E int }
	zeroHidden  struct{ F bool }
	ZeroNamed   struct{ G bool }
)

func TestZeroValuesAreThoseOfEncodingJSON(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "zero_test.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	config := types.Config{Importer: importer.Default(), IgnoreFuncBodies: true, Error: func(error) {}}
	pkg, _ := config.Check("gotypes", fset, []*ast.File{file}, nil)
	whatever := &structural.Schema{ValueValidation: &structural.ValueValidation{}}
	whatever.AdditionalProperties = &structural.SchemaOrBool{Schema: whatever}
	w := &walker{
		account: &account{pkg: &Package{types: pkg, fset: fset}}, fields: map[types.Type]*structFields{}, work: &interpret.Work{},
		written: map[*structural.Schema]*structural.JSONSchema{whatever: {}},
	}
	text, err := json.Marshal(zeroValues{})
	if err != nil {
		t.Fatal(err)
	}
	var want, have map[string]any
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(want, func(_ string, v any) bool { return v == nil }) // the server takes null for nothing
	text, err = json.Marshal(w.zero(pkg.Scope().Lookup("zeroValues").Type(), whatever))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &have); err != nil || !reflect.DeepEqual(have, want) || len(want) != 13 {
		t.Errorf("%v\nhave %v\nwant %v", err, have, want)
	}
}

// An integer beyond those of int64 arrives as a float, which is not an integer for the server.
func TestServersRefuseIntegersBeyondInt64(t *testing.T) {
	for v, want := range map[any]bool{int64(math.MaxInt64): false, float64(math.MaxUint64): true, float64(1 << 63): true} {
		if errs, _ := new(interpret.Work).ValidateValues(v, &structural.JSONSchema{Type: "integer"}); len(errs) > 0 != want {
			t.Errorf("%v: %v", v, errs)
		}
	}
}
