package run

import (
	"maps"
	"slices"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/interpretjson"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/testing/cases"
	"github.com/prune-gen/prune-gen/internal/testing/jsondocs"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// jsonReference returns the interpreter's functions on JSON bytes.
func jsonReference(r *cases.Resource) prunert.Resource {
	return interpretjson.With(r.Resource, r.Schema, r.PruneOptions())
}

// agreeOnJSON fails unless the generated functions on JSON bytes do to a document what the reference does, and both what
// the functions on objects do.
func agreeOnJSON(t *testing.T, reference, generated prunert.Resource, doc []byte) {
	t.Helper()
	if err := jsondocs.Check(reference, doc); err != nil {
		t.Errorf("the reference: %v\nfor %.2000q", err, doc)
	}
	generated.PruneReport = reference.PruneReport
	if err := jsondocs.Check(generated, doc); err != nil {
		t.Errorf("%v\nfor %.2000q", err, doc)
	}
	if err := jsondocs.Agree(generated, reference, doc); err != nil {
		t.Errorf("generated code and the reference: %v\nfor %.2000q", err, doc)
	}
}

// dirty is for objects with unknown fields and some values of wrong types.
var dirty = specimentest.Options{Size: 300, Flaws: specimentest.Unknown | specimentest.WrongType | specimentest.Keys | specimentest.MetadataUnknown, Rate: 0.2}

// documents returns an object as JSON in every spelling, alone and in lists.
func documents(r *cases.Resource, obj map[string]any, seed uint64) [][]byte {
	var all [][]byte
	for spelling := range jsondocs.Spellings {
		all = append(all, jsondocs.Spell(obj, spelling, seed))
	}
	other := jsonvalue.Copy(obj)
	other["kind"] = "Other"
	for _, list := range []map[string]any{
		{"apiVersion": "v1", "kind": "List", "items": []any{obj, other}, "metadata": map[string]any{"unknown": true}},
		{"apiVersion": r.APIVersion(), "kind": r.CRD.Names.Kind + "List", "items": []any{obj, other, nil}, "unknown": true},
	} {
		all = append(all, jsondocs.Spell(list, jsondocs.OddTwice, seed))
	}
	return all
}

func TestGeneratedCodeAgreesWithTheReferenceOnJSON(t *testing.T) {
	testsize.NotShort(t)
	rounds := testsize.Pick(1, 10)
	eachResource(t, func(t *testing.T, r *cases.Resource, generated prunert.Resource) {
		random := randomOf(r, 2)
		reference := jsonReference(r)
		for _, opts := range []specimentest.Options{
			{Size: 300}, dirty, {Size: 400, Flaws: specimentest.All &^ specimentest.MetadataMalformed, Rate: 0.3},
		} {
			for range rounds {
				for _, doc := range documents(r, r.Make(random.Uint64(), opts), random.Uint64()) {
					agreeOnJSON(t, reference, generated, doc)
				}
				if t.Failed() {
					return
				}
			}
		}
	})
}

// Documents that end somewhere, or have something in them that does not belong there, in lines that are indented by any number of
// spaces: no function reads past the end, and all agree on the error and its place.
func TestSpoiledDocumentsAgree(t *testing.T) {
	testsize.NotShort(t)
	eachJSON(t, func(t *testing.T, r *cases.Resource, reference, generated prunert.Resource) {
		random := randomOf(r, 4)
		for range 4 {
			doc := jsondocs.Spell(r.Make(random.Uint64(), dirty), jsondocs.Ragged, random.Uint64())
			for range 6 {
				at := random.IntN(len(doc))
				agreeOnJSON(t, reference, generated, doc[:at])
				agreeOnJSON(t, reference, generated, slices.Concat(doc[:at], make([]byte, random.IntN(70)), doc[at:]))
				agreeOnJSON(t, reference, generated, slices.Concat(doc[:at], []byte(spoilers[random.IntN(len(spoilers))]), doc[at+random.IntN(2):]))
			}
			if t.Failed() {
				return
			}
		}
	})
}

var spoilers = []string{"{", "}", "[", "]", `"`, `\`, ",", ":", " ", "\n", "\t", "\x00", "\x1f", "\x80", "0", "e"}

func TestGoldenObjectsAgreeAsJSON(t *testing.T) {
	testsize.NotShort(t)
	eachObject(t, func(t *testing.T, o *cases.Object, generated prunert.Resource) {
		reference := jsonReference(o.Resource)
		for _, doc := range documents(o.Resource, o.New(), 1) {
			agreeOnJSON(t, reference, generated, doc)
		}
	})
}

// TestOddTextsAgree has every odd text as a document, and in the place of each field of the root. Each kind gets some of
// them, and each text comes to several kinds.
func TestOddTextsAgree(t *testing.T) {
	testsize.NotShort(t)
	texts := slices.DeleteFunc(jsondocs.All(), func(text jsondocs.Text) bool { return len(text.JSON) > 500 })
	share := testsize.Pick(30, 10)
	kinds := 0
	eachResource(t, func(t *testing.T, r *cases.Resource, generated prunert.Resource) {
		kinds++
		reference := jsonReference(r)
		keys := []string{"unknown", "metadata"}
		if r.Schema != nil {
			keys = slices.AppendSeq(keys, maps.Keys(r.Schema.Properties))
		}
		slices.Sort(keys)
		for i, text := range texts {
			if (i+kinds)%share != 0 {
				continue
			}
			key := jsondocs.Spell(keys[i/share%len(keys)], jsondocs.Odd, uint64(i))
			for _, doc := range []string{text.JSON, `{` + string(key) + `:` + text.JSON + `}`} {
				agreeOnJSON(t, reference, generated, []byte(doc))
			}
		}
	})
	if kinds < share {
		t.Errorf("%d kinds: not every text had its turn", kinds)
	}
}

// FuzzJSON feeds documents to generated code, to the reference and to encoding/json.
func FuzzJSON(f *testing.F) {
	testsize.NotShort(f)
	all, err := cases.All("..")
	if err != nil {
		f.Fatal(err)
	}
	type pair struct{ reference, generated prunert.Resource }
	var pairs []pair
	for _, c := range all {
		for _, r := range c.Resources() {
			pairs = append(pairs, pair{jsonReference(r), resources[r.Key()]})
		}
		objects, err := c.Objects()
		if err != nil {
			f.Fatal(err)
		}
		for i, o := range objects {
			for _, doc := range documents(o.Resource, o.New(), uint64(i)) {
				f.Add(uint8(len(pairs)-1), doc)
			}
		}
	}
	for _, text := range jsondocs.All() {
		if len(text.JSON) < 500 {
			f.Add(uint8(len(text.JSON)), []byte(`{"spec":`+text.JSON+`}`))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, doc []byte) {
		p := pairs[int(which)%len(pairs)]
		agreeOnJSON(t, p.reference, p.generated, doc)
	})
}
