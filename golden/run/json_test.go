package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/prune-gen/prune-gen/golden/internal/cases"
	"github.com/prune-gen/prune-gen/internal/jsondocs"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// eachJSON calls test for every kind that has functions for JSON, with a function that fails unless they do to a document what
// they promise and what the reference does.
func eachJSON(t *testing.T, test func(t *testing.T, r *cases.Resource, generated prunert.Resource, check func(doc string))) {
	tried := 0
	eachResource(t, func(t *testing.T, r *cases.Resource, generated prunert.Resource) {
		if generated.PruneJSON == nil || generated.PruneJSONReport == nil || generated.PruneStream == nil || generated.DecodeJSON == nil {
			return
		}
		tried++
		reference := interpreted(t, r)
		test(t, r, generated, func(doc string) {
			t.Helper()
			if err := jsondocs.Check(generated, []byte(doc)); err != nil {
				t.Errorf("%v\nfor\n%.1000q", err, doc)
			}
			if r.Case.Options.Semantics != structural.APIServer {
				return // which the reference does not have
			}
			if err := jsondocs.Agree(reference, generated, []byte(doc)); err != nil {
				t.Errorf("the reference and generated code: %v\nfor\n%.1000q", err, doc)
			}
		})
	})
	if tried < 15 {
		t.Errorf("only %d resources have functions for JSON", tried)
	}
}

// interpreted returns the resource of the reference.
func interpreted(t testing.TB, r *cases.Resource) prunert.Resource {
	t.Helper()
	all, err := structural.Compile(r.CRD)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(c prunert.Resource) bool { return c.Version == r.Version.Name })
	return all[i]
}

// writer writes values as JSON that is as odd as it can be.
type writer struct {
	*rand.Rand
	odd float64 // how often keys and strings are spelled oddly, there are blanks, and members twice
	b   strings.Builder
}

func (w *writer) value(v any) {
	w.blank()
	switch v := v.(type) {
	case map[string]any:
		w.object(v)
	case []any:
		w.b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				w.b.WriteByte(',')
			}
			w.value(e)
		}
		w.blank()
		w.b.WriteByte(']')
	case string:
		w.text(v)
	default:
		text, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		w.b.Write(text)
	}
	w.blank()
}

func (w *writer) object(obj map[string]any) {
	keys := slices.Sorted(maps.Keys(obj))
	w.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	w.b.WriteByte('{')
	for i := 0; i < len(keys); i++ {
		if i > 0 {
			w.b.WriteByte(',')
		}
		w.blank()
		w.text(keys[i])
		w.blank()
		w.b.WriteByte(':')
		w.value(obj[keys[i]])
		if w.Float64() < w.odd/4 {
			keys = append(keys, keys[w.IntN(i+1)])
		}
	}
	w.blank()
	w.b.WriteByte('}')
}

func (w *writer) blank() {
	for w.Float64() < w.odd/2 {
		w.b.WriteString([]string{" ", "\n", "\t", "\r", "\n        "}[w.IntN(5)])
	}
}

func (w *writer) text(s string) {
	if w.Float64() >= w.odd {
		text, err := json.Marshal(s)
		if err != nil {
			panic(err)
		}
		w.b.Write(text)
		return
	}
	w.b.WriteByte('"')
	for _, r := range s {
		if r < 0x20 || r == '"' || r == '\\' || r < 0x10000 && w.IntN(4) == 0 {
			fmt.Fprintf(&w.b, `\u%04x`, r)
		} else {
			w.b.WriteRune(r)
		}
	}
	w.b.WriteByte('"')
}

// asDocument returns an object as a document, or a list of either kind that has it in it.
func asDocument(random *rand.Rand, r prunert.Resource, obj map[string]any) map[string]any {
	if random.IntN(3) > 0 { // objects made at random say anything of themselves
		obj["apiVersion"], obj["kind"] = r.APIVersion(), r.Kind
	}
	items := []any{obj, map[string]any{"kind": "Pod", "apiVersion": "v1", "u": 1}, nil, obj}
	switch random.IntN(6) {
	case 0:
		return map[string]any{"kind": listKind(r), "items": items, "metadata": map[string]any{"u": 1}}
	case 1:
		return map[string]any{"kind": "List", "apiVersion": "v1", "items": items, "u": 1}
	case 2:
		return map[string]any{"kind": "List", "apiVersion": "v2", "items": items}
	}
	return obj
}

func listKind(r prunert.Resource) string {
	if r.ListKind != "" {
		return r.ListKind
	}
	return r.Kind + "List"
}

func TestJSONOfObjectsIsPruned(t *testing.T) {
	eachJSON(t, func(t *testing.T, r *cases.Resource, generated prunert.Resource, check func(doc string)) {
		objects, err := r.Case.Objects()
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range objects {
			text := cases.Encode(o.New())
			check(text)
			check(`{"kind":"` + listKind(generated) + `","items":[` + text + `]}`)
			check(`{"apiVersion":"v1","items":[` + text + `],"kind":"List"}`)
		}
	})
}

func TestJSONOfRandomObjectsIsPruned(t *testing.T) {
	const rounds = 24
	eachJSON(t, func(t *testing.T, r *cases.Resource, generated prunert.Resource, check func(doc string)) {
		seed := fnv.New64()
		seed.Write([]byte(r.Key()))
		random := rand.New(rand.NewPCG(seed.Sum64(), 2))
		for _, maker := range []cases.Maker{{}, {Unknown: 0.3}, {Unknown: 0.3, Wrong: 0.3, Null: 0.1}, {Unknown: 1}} {
			maker.Rand = random
			for i := range rounds {
				w := writer{Rand: random, odd: float64(i%4) * 0.1}
				w.value(asDocument(random, generated, maker.Object(r)))
				if check(w.b.String()); t.Failed() {
					return
				}
			}
		}
	})
}

// A document says what it is in as many ways as there are, first, last, twice and oddly spelled. The quick look of generated code
// must not miss one of them.
func TestAListIsFoundHoweverItSaysSo(t *testing.T) {
	eachJSON(t, func(t *testing.T, r *cases.Resource, generated prunert.Resource, check func(doc string)) {
		kinds := []string{
			`"` + generated.Kind + `"`, `"` + listKind(generated) + `"`, `"\u` + fmt.Sprintf("%04x", listKind(generated)[0]) + listKind(generated)[1:] + `"`,
			`"List"`, `"Lis\u0074"`, `null`, `["List"]`, `{"kind":"List"}`, `""`, `"` + listKind(generated) + `s"`,
		}
		keys := []string{`"kind":`, `"kind" :`, `"\u006bind":`, `"kin\u0064" : `, `"kind": `}
		items := `"items":[{"u":1},{"apiVersion":"` + generated.APIVersion() + `","kind":"` + generated.Kind + `","u":1}]`
		for _, kind := range kinds {
			for _, key := range keys {
				one := key + kind
				check(`{` + one + `,` + items + `}`)
				check(`{` + items + `,` + one + `,"apiVersion":"v1"}`)
				check(`{"apiVersion":"v1",` + one + `,` + items + `}`)
				check(`{"apiVersion":"v2",` + items + `,` + one + `,"\u0061piVersion":"v1"}`)
				for _, other := range kinds[:4] {
					check(`{` + one + `,"apiVersion":"v1",` + items + `,"kind":` + other + `}`)
					check(`{"kind":` + other + `,"apiVersion":"v1",` + items + `,` + one + `}`)
				}
			}
		}
	})
}

func TestOddJSON(t *testing.T) {
	eachJSON(t, func(t *testing.T, r *cases.Resource, generated prunert.Resource, check func(doc string)) {
		if r.Case.Name != "json" {
			return
		}
		n := 0
		for _, text := range jsondocs.All() {
			docs := map[string]string{}
			if len(text.JSON) < 10_000 {
				docs = jsondocs.Around(text.JSON)
			} else if strings.HasPrefix(text.JSON, "[") {
				docs["known"] = `{"spec":{"name":` + text.JSON + `}}`
				docs["unknown"] = `{"unknown":` + text.JSON + `}`
				docs["items"] = `{"kind":"WidgetList","items":` + text.JSON + `}`
			}
			docs["alone"] = text.JSON
			for _, doc := range docs {
				n++
				check(doc)
			}
		}
		if n < 5000 {
			t.Errorf("only %d documents", n)
		}
	})
}

func TestPruningJSONAllocatesNothing(t *testing.T) {
	eachJSON(t, func(t *testing.T, r *cases.Resource, generated prunert.Resource, check func(doc string)) {
		objects, err := r.Case.Objects()
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range objects {
			var compact bytes.Buffer
			if err := json.Compact(&compact, []byte(cases.Encode(o.New()))); err != nil {
				t.Fatal(err)
			}
			src := compact.Bytes()
			if bytes.ContainsAny(src, `\`) || bytes.ContainsFunc(src, func(r rune) bool { return r > 0x7f }) {
				continue // a key may have to be decoded
			}
			dst := make([]byte, 0, len(src)+64)
			n := testing.AllocsPerRun(10, func() {
				if _, err := generated.PruneJSON(dst, src); err != nil {
					t.Fatal(err)
				}
			})
			if n != 0 {
				t.Errorf("%s: %v allocations", o.Name, n)
			}
		}
	})
}

// Streams may arrive in pieces of any size, with the end in the last one or behind it.
func TestStreamsInPieces(t *testing.T) {
	eachJSON(t, func(t *testing.T, r *cases.Resource, generated prunert.Resource, check func(doc string)) {
		seed := fnv.New64()
		seed.Write([]byte(r.Key()))
		random := rand.New(rand.NewPCG(seed.Sum64(), 3))
		if r.Case.Options.Semantics != structural.APIServer {
			return // which the reference does not have
		}
		reference := interpreted(t, r)
		maker := cases.Maker{Rand: random, Unknown: 0.3, Wrong: 0.1}
		for i := range 12 {
			w := writer{Rand: random, odd: float64(i%3) * 0.2}
			for range 3 {
				w.value(asDocument(random, generated, maker.Object(r)))
				w.b.WriteString([]string{"", "\n", " \t\r\n"}[random.IntN(3)])
			}
			text := w.b.String()
			if random.IntN(4) == 0 {
				text = text[:random.IntN(len(text)+1)]
			}
			limits := []int{0, 64, 200, len(text) / 3, len(text) / 2}
			for _, limit := range limits {
				compareStreams(t, reference, generated, text, limit)
			}
			if t.Failed() {
				return
			}
		}
	})
}

// compareStreams sends a text through the streams of two resources, in pieces of different sizes, and fails unless all do the same.
func compareStreams(t *testing.T, reference, generated prunert.Resource, text string, limit int) {
	t.Helper()
	defer prunert.SetMaxStreamObject(prunert.SetMaxStreamObject(limit))
	var want bytes.Buffer
	wantErr := reference.PruneStream(&want, strings.NewReader(text))
	for name, reader := range map[string]io.Reader{
		"at once":             strings.NewReader(text),
		"byte by byte":        iotest.OneByteReader(strings.NewReader(text)),
		"by halves":           iotest.HalfReader(strings.NewReader(text)),
		"with the end in it":  iotest.DataErrReader(strings.NewReader(text)),
		"byte by byte to end": iotest.DataErrReader(iotest.OneByteReader(strings.NewReader(text))),
	} {
		var have bytes.Buffer
		err := generated.PruneStream(&have, reader)
		if have.String() != want.String() || errorKind(err) != errorKind(wantErr) {
			t.Errorf("%s, limit %d:\nhave %v, %.600q\nwant %v, %.600q\nfor\n%.600q", name, limit, err, have.String(), wantErr, want.String(), text)
			return
		}
	}
}

// errorKind returns what an error says but for its text.
func errorKind(err error) any {
	var syntax *prunert.SyntaxError
	var size *prunert.ObjectSizeError
	var late *prunert.LateKindError
	switch {
	case errors.As(err, &syntax):
		return fmt.Sprint("syntax ", syntax.Offset)
	case errors.As(err, &size):
		return *size
	case errors.As(err, &late):
		return *late
	}
	return err
}
