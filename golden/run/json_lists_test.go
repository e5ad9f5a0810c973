package run

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/prune-gen/prune-gen/internal/testing/cases"
	"github.com/prune-gen/prune-gen/internal/testing/jsondocs"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// eachJSON calls test for every kind that has functions for JSON, with those of the reference.
func eachJSON(t *testing.T, test func(t *testing.T, r *cases.Resource, reference, generated prunert.Resource)) {
	tried := 0
	eachResource(t, func(t *testing.T, r *cases.Resource, generated prunert.Resource) {
		if generated.PruneJSON == nil || generated.PruneJSONReport == nil || generated.PruneStream == nil {
			return
		}
		tried++
		test(t, r, jsonReference(r), generated)
	})
	if tried < 15 {
		t.Errorf("only %d resources have functions for JSON", tried)
	}
}

func listKind(r prunert.Resource) string {
	if r.ListKind != "" {
		return r.ListKind
	}
	return r.Kind + "List"
}

// Documents name their kind in every possible way: first, last, twice and oddly spelled. The quick look of generated code must not miss one
// of them, whether unspecified fields are kept or dropped.
func TestAListIsFoundHoweverItSaysSo(t *testing.T) {
	testsize.NotShort(t)
	eachJSON(t, func(t *testing.T, r *cases.Resource, reference, generated prunert.Resource) {
		list := listKind(generated)
		kinds := []string{
			`"` + generated.Kind + `"`, `"` + list + `"`, `"List"`, fmt.Sprintf(`"\u%04x%s"`, list[0], list[1:]), `"Lis\u0074"`,
			`null`, `["List"]`, `""`, `"` + list + `s"`,
		}
		items := `"items":[{"u":1},{"apiVersion":"` + generated.APIVersion() + `","kind":"` + generated.Kind + `","u":1}]`
		for _, kind := range kinds {
			for _, key := range []string{`"kind":`, `"kind" :`, `"\u006bind":`} {
				one := key + kind
				docs := []string{
					`{` + one + `,` + items + `}`,
					`{` + items + `,` + one + `,"apiVersion":"v1"}`,
					`{"apiVersion":"v2",` + items + `,` + one + `,"\u0061piVersion":"v1"}`,
				}
				for _, other := range kinds[:testsize.Pick(1, 3)] {
					docs = append(docs,
						`{`+one+`,"apiVersion":"v1",`+items+`,"kind":`+other+`}`,
						`{"kind":`+other+`,"apiVersion":"v1",`+items+`,`+one+`}`)
				}
				for _, doc := range docs {
					agreeOnJSON(t, reference, generated, []byte(doc))
				}
			}
		}
	})
}

// What a key decodes to may be longer than the key, and more than what stands before it.
func TestKeysThatGrow(t *testing.T) {
	eachJSON(t, func(t *testing.T, r *cases.Resource, reference, generated prunert.Resource) {
		for _, doc := range []string{"{\"\xff\":1}", "{\"\xff\xff\xff\xff\":{\"\xff\":1}}", "{\"spec\":{\"\xff\xff\xff\xff\xff\xff\":{\"a\":1}}}"} {
			agreeOnJSON(t, reference, generated, []byte(doc))
		}
	})
}

// TestOddTextsInEveryPlace puts odd texts in each place that generated code treats in its own way. The tests of its package do the
// same for the reference.
func TestOddTextsInEveryPlace(t *testing.T) {
	testsize.NotShort(t)
	eachJSON(t, func(t *testing.T, r *cases.Resource, reference, generated prunert.Resource) {
		if r.Case.Name != "json" {
			return
		}
		generated.PruneReport = reference.PruneReport
		for i, text := range jsondocs.All() {
			if len(text.JSON) > 1000 || i%testsize.Pick(3, 1) != 0 {
				continue
			}
			for place, doc := range jsondocs.Around(text.JSON) {
				if err := jsondocs.Check(generated, []byte(doc)); err != nil {
					t.Errorf("%s: %v\nfor %.2000q", place, err, doc)
				}
				if err := jsondocs.Agree(generated, reference, []byte(doc)); err != nil {
					t.Errorf("%s: generated code and the reference: %v\nfor %.2000q", place, err, doc)
				}
			}
		}
	})
}

func TestPruningJSONAllocatesNothing(t *testing.T) {
	eachJSON(t, func(t *testing.T, r *cases.Resource, reference, generated prunert.Resource) {
		objects, err := r.Case.Objects()
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range objects {
			src := jsondocs.Spell(o.New(), jsondocs.Compact, 1)
			if bytes.ContainsFunc(src, func(r rune) bool { return r == '\\' || r > 0x7f }) {
				continue // a key may have to be decoded
			}
			dst := make([]byte, 0, len(src)+64)
			if n := testing.AllocsPerRun(10, func() { _, _ = generated.PruneJSON(dst, src) }); n != 0 {
				t.Errorf("%s: %v allocations", o.Name, n)
			}
		}
	})
}

// Streams may arrive in pieces of any size, with the end in the last one or after it, and may be too large for the limit.
func TestStreamsInPieces(t *testing.T) {
	eachJSON(t, func(t *testing.T, r *cases.Resource, reference, generated prunert.Resource) {
		random := randomOf(r, 3)
		for range 3 {
			docs := documents(r, r.Make(random.Uint64(), dirty), random.Uint64())
			random.Shuffle(len(docs), func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
			text := string(bytes.Join(docs, []byte([]string{"", "\n", " \t\r\n"}[random.IntN(3)])))
			if random.IntN(4) == 0 {
				text = text[:random.IntN(len(text)+1)]
			}
			for _, limit := range []int{0, 64, 200, len(docs[0]), len(docs[0]) - 1, len(text) / 20} {
				compareStreams(t, reference, generated, text, limit)
			}
			if t.Failed() {
				return
			}
		}
	})
}

// FuzzStream compares generated code with the reference on a stream, which may be too large for its limit.
func FuzzStream(f *testing.F) {
	for i, text := range jsondocs.All() {
		if len(text.JSON) > 500 {
			continue
		}
		around := jsondocs.Around(text.JSON)
		f.Add([]byte([]string{around["items"], around["an item of its own"], around["an item"]}[i%3]), 20+i%100)
	}
	for _, wrong := range []string{"\x91\x98", ",", ":", "}", "x", "1", `x"`, `1"a"`} { // what begins like this ends before it is too large
		f.Add([]byte(`{"apiVersion":"example.com/v1","items":[`+wrong+`{"spec":"0123456789abcdef0123456789abcdef`), 42)
	}
	all, err := cases.All("..")
	if err != nil {
		f.Fatal(err)
	}
	for _, c := range all {
		if c.Name == "json" {
			r := c.Resources()[0]
			reference, generated := jsonReference(r), resources[r.Key()]
			f.Fuzz(func(t *testing.T, text []byte, limit int) {
				compareStreams(t, reference, generated, string(text), limit%1000)
			})
		}
	}
}

// compareStreams sends a text through the streams of two resources, in pieces of different sizes, and fails unless all do the same.
func compareStreams(t *testing.T, reference, generated prunert.Resource, text string, limit int) {
	t.Helper()
	var want bytes.Buffer
	wantErr := reference.PruneStream(&want, prunert.StreamReader{Reader: strings.NewReader(text), MaxObject: limit})
	for name, reader := range map[string]io.Reader{
		"at once":             strings.NewReader(text),
		"byte by byte":        iotest.OneByteReader(strings.NewReader(text)),
		"by halves":           iotest.HalfReader(strings.NewReader(text)),
		"with the end in it":  iotest.DataErrReader(strings.NewReader(text)),
		"byte by byte to end": iotest.DataErrReader(iotest.OneByteReader(strings.NewReader(text))),
	} {
		var have bytes.Buffer
		err := generated.PruneStream(&have, prunert.StreamReader{Reader: reader, MaxObject: limit})
		if have.String() != want.String() || errorKind(err) != errorKind(wantErr) {
			t.Errorf("%s, limit %d:\nhave %v, %.600q\nwant %v, %.600q\nfor\n%.600q", name, limit, err, have.String(), wantErr, want.String(), text)
			return
		}
	}
}

// errorKind returns the type and the place of an error, without its text.
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
