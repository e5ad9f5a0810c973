package pruneimpl_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/testing/numbers"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
	"github.com/prune-gen/prune-gen/structural"
)

var (
	three, zero = 3.0, 0.0
	mapList     = "map"
	setList     = "set"
	number      = &structural.JSONSchema{Type: "integer", Minimum: &three}
	// partSchema has a place of each kind for a number that is to be three at least.
	partSchema = &structural.JSONSchema{Type: "object", Properties: map[string]*structural.JSONSchema{
		"any": {Type: "integer", AnyOf: []*structural.JSONSchema{{Minimum: &three}, {Maximum: &zero}}},
		"map": {Type: "object", AdditionalProperties: &structural.JSONSchemaOrBool{Schema: number}},
		"n":   number,
		"plain": {
			Type: "array", Items: &structural.JSONSchemaOrArray{Schema: number},
		},
		"rows": {
			Type: "array", XListType: &mapList, XListMapKeys: []string{"k"}, Items: &structural.JSONSchemaOrArray{
				Schema: &structural.JSONSchema{Type: "object", Required: []string{"k"}, Properties: map[string]*structural.JSONSchema{"k": {Type: "string"}, "v": number}},
			},
		},
		"set": {Type: "array", XListType: &setList, Items: &structural.JSONSchemaOrArray{Schema: &structural.JSONSchema{Type: "integer"}}},
	}}
	updatedSchema = &structural.JSONSchema{Type: "object", Required: []string{"spec"}, Properties: map[string]*structural.JSONSchema{"spec": partSchema, "status": partSchema}}

	rowShape  = pruneimpl.Shape{Names: []string{"k", "v"}}
	partShape = pruneimpl.Shape{
		Names: []string{"any", "n"},
		Fields: []pruneimpl.ShapeField{
			{Name: "map", Shape: &pruneimpl.LeafMap}, {Name: "plain", Shape: &pruneimpl.Bare},
			{Name: "rows", Shape: &pruneimpl.Shape{Items: &rowShape, Keys: []string{"k"}}}, {Name: "set", Shape: &pruneimpl.Bare},
		},
	}
	updatedShape = pruneimpl.Shape{
		Fields: []pruneimpl.ShapeField{{Name: "spec", Shape: &partShape}, {Name: "status", Shape: &partShape}},
	}
)

// validateUpdated is what is generated for updatedSchema.
func validateUpdated(v any, rec *pruneimpl.Recorder) int {
	obj := v.(map[string]any)
	n := pruneimpl.CheckRoot(obj, rec) + pruneimpl.Required(obj, rec, "spec")
	for _, name := range []string{"spec", "status"} {
		if v, ok := obj[name]; ok {
			n += rec.Field(name, validatePart(v, rec))
		}
	}
	return n
}

func validateNumber(v any, rec *pruneimpl.Recorder) int {
	return pruneimpl.CheckType(v, rec, pruneimpl.TypeInteger) + pruneimpl.Minimum(v, rec, three)
}

func validatePart(v any, rec *pruneimpl.Recorder) (n int) {
	obj, ok := v.(map[string]any)
	if !ok {
		return pruneimpl.CheckType(v, rec, pruneimpl.TypeObject)
	}
	list := func(name string, element func(e any) int, whole func(list []any) int) {
		v, ok := obj[name]
		if !ok {
			return
		}
		list, below := pruneimpl.CheckList(v, rec, pruneimpl.TypeArray)
		if list != nil && whole != nil {
			below += whole(list)
		}
		for i, e := range list {
			below += rec.Index(i, element(e))
		}
		n += rec.Field(name, below)
	}
	if v, ok := obj["any"]; ok {
		below := pruneimpl.CheckType(v, rec, pruneimpl.TypeInteger)
		if v != nil {
			c := rec.Choose()
			c.Try(pruneimpl.MatchType(v, rec, 0) + pruneimpl.Minimum(v, rec, three))
			c.Try(pruneimpl.MatchType(v, rec, 0) + pruneimpl.Maximum(v, rec, zero))
			below += c.AnyOf()
		}
		n += rec.Field("any", below)
	}
	if v, ok := obj["map"]; ok {
		below := pruneimpl.CheckType(v, rec, pruneimpl.TypeObject)
		values, _ := v.(map[string]any)
		for k, e := range values {
			below += rec.Key(k, validateNumber(e, rec))
		}
		n += rec.Field("map", below)
	}
	if v, ok := obj["n"]; ok {
		n += rec.Field("n", validateNumber(v, rec))
	}
	list("plain", func(e any) int { return validateNumber(e, rec) }, nil)
	list("rows", func(e any) int {
		row, ok := e.(map[string]any)
		if !ok {
			return pruneimpl.CheckType(e, rec, pruneimpl.TypeObject)
		}
		left := len(row)
		n := pruneimpl.RequireFields(row, rec, &left, pruneimpl.TypeString, "k")
		if v, ok := row["v"]; ok {
			n += rec.Field("v", validateNumber(v, rec))
		}
		return n
	}, func(list []any) int { return pruneimpl.ListMap(list, rec, "k") })
	list("set", func(e any) int { return pruneimpl.CheckType(e, rec, pruneimpl.TypeInteger) }, func(list []any) int { return pruneimpl.ListSet(list, rec) })
	return n
}

// Errors in unchanged values are tolerated as by the reference, whatever replaces what: in updates of objects and of their status.
func TestUpdatesTolerateWhatTheReferenceTolerates(t *testing.T) {
	parts := []string{
		`null`, `"x"`, `{}`, `{"n":1}`, `{"n":2}`, `{"n":1,"u":1}`, `{"n":1,"any":1}`, `{"any":1}`, `{"any":2}`, `{"any":"x"}`, `{"any":"x","n":5}`,
		`{"map":{"a":1}}`, `{"map":{"a":1,"b":2}}`, `{"map":{"a":2,"":1}}`, `{"map":[]}`,
		`{"plain":[1,5]}`, `{"plain":[1,6]}`, `{"plain":[1,5],"n":5}`, `{"plain":[5,1]}`, `{"plain":1}`,
		`{"rows":[{"k":"a","v":1}]}`, `{"rows":[{"k":"b","v":1},{"k":"a","v":1}]}`, `{"rows":[{"k":"a","v":2},{"k":"b","v":1,"u":1}]}`, `{"rows":[{"k":"a","v":1},{"k":"a","v":2}]}`,
		`{"rows":[{"v":1}]}`, `{"rows":[{"k":1,"v":1},"x"]}`, `{"rows":["x"]}`, `{"rows":{}}`,
		`{"set":[1,1]}`, `{"set":[2,2,1]}`, `{"set":[1,"x",1]}`, `{"set":[1,1],"n":1}`,
	}
	var objects []map[string]any
	for _, text := range []string{`{}`, `{"apiVersion":1,"kind":"K"}`, `{"apiVersion":1,"kind":2,"spec":{"n":5}}`, `{"metadata":{"name":1}}`} {
		objects = append(objects, decode(t, text))
	}
	for _, part := range parts {
		objects = append(objects, decode(t, `{"spec":`+part+`}`), decode(t, `{"status":`+part+`}`), decode(t, `{"spec":{"n":1},"status":`+part+`}`))
	}
	faults := map[string]int{}
	for _, obj := range objects {
		for _, old := range objects {
			for name, c := range map[string]struct {
				check func(obj, old map[string]any, shape *pruneimpl.Shape, validate func(any, *pruneimpl.Recorder) int, by ...kubeversion.Version) prunert.ErrorList
				want  func(obj, old map[string]any, s *structural.JSONSchema) prunert.ErrorList
			}{
				"update": {pruneimpl.CheckUpdate, new(interpret.Work).ValidateUpdate},
				"status": {pruneimpl.CheckStatus, new(interpret.Work).ValidateStatus},
			} {
				have := c.check(obj, old, &updatedShape, validateUpdated)
				want := c.want(obj, old, updatedSchema)
				if faults[name] += len(want); !slices.Equal(lines(have), lines(want)) {
					before, _ := json.Marshal(old)
					after, _ := json.Marshal(obj)
					t.Errorf("%s of %s to %s:\nhave\n\t%s\nwant\n\t%s", name, before, after, strings.Join(lines(have), "\n\t"), strings.Join(lines(want), "\n\t"))
				}
			}
		}
		if t.Failed() {
			return
		}
	}
	for _, name := range slices.Sorted(maps.Keys(faults)) {
		if faults[name] < 1000 {
			t.Errorf("%s: %d faults", name, faults[name])
		}
	}
}

func decode(t *testing.T, text string) map[string]any {
	t.Helper()
	obj, err := numbers.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return obj
}
