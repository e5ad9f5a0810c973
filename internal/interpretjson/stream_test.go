package interpretjson_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

func TestStreams(t *testing.T) {
	r := compileWidget(t)
	const (
		widget = `{"apiVersion":"example.com/v1","kind":"Widget","u":1}`
		pruned = `{"apiVersion":"example.com/v1","kind":"Widget"}`
		pod    = `{"apiVersion":"v1","kind":"Pod","u":"xxxxxxxxxxxxxxx"}`
		nobody = `{"u":1}`
	)
	long := strings.Repeat("x", 60)
	defer prunert.SetMaxStreamObject(prunert.SetMaxStreamObject(60))
	for _, tt := range []struct {
		name, in, want string
		err            string
	}{
		{"nothing", "", "", ""},
		{"blanks", " \r\n\t", " \r\n\t", ""},
		{"lines", widget + "\n" + widget + "\n", pruned + "\n" + pruned + "\n", ""},
		{"no lines", nobody + nobody + "  " + nobody, "{}{}  {}", ""},
		{"something else", nobody + " 1 " + nobody, "{} ", `unexpected '1', want the { of an object at offset 8`},
		{"a wrong document", nobody + `{"a":[1,}`, "{}", `unexpected '}', want a value at offset 15`},
		{"a document that does not end", nobody + "\n" + `{"a":"b\"`, "{}\n", `unexpected end of the document, want the " at the end of the string at offset 17`},
		{"a bracket too many", nobody + "}", "{}", `unexpected '}', want the { of an object at offset 7`},
		{"a small list", `{"items":[` + nobody + `],"kind":"WidgetList"}`, `{"items":[{}],"kind":"WidgetList"}`, ""},
		{"an object as large as it may be", `{"u":"` + strings.Repeat("x", 52) + `"}{}`, "{}{}", ""},
		{"an object that is too large", nobody + `{"u":"` + strings.Repeat("x", 53) + `"}`, "{}", "the object at offset 7 is larger than 60 bytes: see prunert.SetMaxStreamObject"},
		{"one that is wrong before that", `{"u":"` + strings.Repeat("x", 20) + "\n" + long + `"}`, "", `unexpected '\n', want the " at the end of the string at offset 26`},
		{"a list of something that is too large", "[" + long + "]", "", "unexpected '[', want the { of an object at offset 0"},
		{"a large list of the kind", ` {"kind":"WidgetList", "items" : [ ` + widget + " , " + pod + "," + nobody + `, 1,[` + nobody + `]] , "u": [ {} ] } {}`,
			` {"kind":"WidgetList", "items" : [ ` + pruned + ` , {"apiVersion":"v1","kind":"Pod"},{}, 1,[` + nobody + `]] , "u": [ {} ] } {}`, ""},
		{"a large list of anything", `{"kind":"List","apiVersion":"v1","items":[` + widget + "," + pod + "," + nobody + `]}`,
			`{"kind":"List","apiVersion":"v1","items":[` + pruned + "," + pod + "," + nobody + `]}`, ""},
		{"as kubectl prints it", `{"apiVersion":"v1","items":[` + widget + "," + pod + "," + nobody + `],"kind":"List","metadata":{"resourceVersion":""}}`,
			`{"apiVersion":"v1","items":[` + pruned + "," + pod + "," + nobody + `],"kind":"List","metadata":{"resourceVersion":""}}`, ""},
		{"as the API server prints it", `{"apiVersion":"example.com/v1","items":[` + widget + "," + widget + `],"kind":"WidgetList"}`,
			`{"apiVersion":"example.com/v1","items":[` + pruned + "," + pruned + `],"kind":"WidgetList"}`, ""},
		{"no items", `{"kind":"WidgetList","items":[ ],"metadata":{"continue":"` + long[:20] + `"}}`, `{"kind":"WidgetList","items":[ ],"metadata":{"continue":"` + long[:20] + `"}}`, ""},
		{"items twice", `{"kind":"WidgetList","items":[` + widget + `],"items":[` + nobody + `]}`, `{"kind":"WidgetList","items":[` + pruned + `],"items":[{}]}`, ""},
		{"a late kind that is right for all", `{"items":[` + widget + "," + widget + `],"kind":"WidgetList"}`, `{"items":[` + pruned + "," + pruned + `],"kind":"WidgetList"}`, ""},
		{"a late kind that is wrong for one", `{"items":[` + widget + "," + nobody + `],"kind":"WidgetList"}`, `{"items":[` + pruned + "," + nobody + `],"kind":"WidgetList"}`,
			(&prunert.LateKindError{Offset: 64}).Error()},
		{"a second kind that is wrong for one", `{"kind":"WidgetList","items":[` + widget + "," + nobody + `],"kind":"List","apiVersion":"v1"}`,
			`{"kind":"WidgetList","items":[` + pruned + `,{}],"kind":"List","apiVersion":"v1"}`, (&prunert.LateKindError{Offset: 84}).Error()},
		{"a late kind that says it is no list", `{"items":[` + widget + `],"kind":"Widget"}`, `{"items":[` + pruned + `],"kind":"Widget"}`,
			"the object at offset 0 is larger than 60 bytes: see prunert.SetMaxStreamObject"},
		{"an early kind that says it is no list", `{"kind":"Widget","items":[` + widget + `]}`, "", "the object at offset 0 is larger than 60 bytes: see prunert.SetMaxStreamObject"},
		{"a List of another group", `{"kind":"List","apiVersion":"v2","items":[` + widget + `]}`, "", "the object at offset 0 is larger than 60 bytes: see prunert.SetMaxStreamObject"},
		{"items that begin too late", `{"kind":"WidgetList","u":"` + long[:20] + `","v":"` + long[:10] + `","items":[]}`, "", "the object at offset 0 is larger than 60 bytes: see prunert.SetMaxStreamObject"},
		{"an item that is too large", `{"kind":"WidgetList","items":[{},{"u":"` + long + `"}]}`, `{"kind":"WidgetList","items":[{},`, "the object at offset 33 is larger than 60 bytes: see prunert.SetMaxStreamObject"},
		{"a member behind items that is too large", `{"kind":"WidgetList","items":[{}],"u":"` + long + `"}`, `{"kind":"WidgetList","items":[{}],"u":`, "the object at offset 38 is larger than 60 bytes: see prunert.SetMaxStreamObject"},
		{"a wrong item", `{"kind":"WidgetList","items":[` + widget + `,{"u":1,}]}`, `{"kind":"WidgetList","items":[` + pruned + `,`, "unexpected '}', want the quoted key of a member at offset 91"},
		{"two items in one", `{"kind":"WidgetList","items":[` + widget + `,1{}]}`, `{"kind":"WidgetList","items":[` + pruned + `,`, "unexpected '{', want nothing after the document at offset 85"},
		{"no item", `{"kind":"WidgetList","items":[` + widget + `,]}`, `{"kind":"WidgetList","items":[` + pruned + `,`, "unexpected ']', want a value at offset 84"},
		{"no comma", `{"kind":"WidgetList","items":[` + widget + ` {}]}`, `{"kind":"WidgetList","items":[` + pruned + ` `, "unexpected '{', want a comma or the ] of the list at offset 84"},
		{"no end of items", `{"kind":"WidgetList","items":[` + widget, `{"kind":"WidgetList","items":[` + pruned, "unexpected end of the document, want a comma or the ] of the list at offset 83"},
		{"no member", `{"kind":"WidgetList","items":[` + widget + `],}`, `{"kind":"WidgetList","items":[` + pruned + `],`, "unexpected '}', want the quoted key of a member at offset 85"},
		{"no colon", `{"kind":"WidgetList","items":[` + widget + `],"a" 1}`, `{"kind":"WidgetList","items":[` + pruned + `],"a" `, "unexpected '1', want a colon after the key at offset 89"},
		{"no comma between members", `{"kind":"WidgetList","items":[` + widget + `]"a":1}`, `{"kind":"WidgetList","items":[` + pruned + `]`, "unexpected '\"', want a comma or the } of the object at offset 84"},
	} {
		for name, from := range map[string]io.Reader{
			"":                 strings.NewReader(tt.in),
			", byte by byte":   iotest.OneByteReader(strings.NewReader(tt.in)),
			", end with bytes": iotest.DataErrReader(strings.NewReader(tt.in)),
		} {
			var to bytes.Buffer
			err := r.PruneStream(&to, from)
			if err == nil {
				err = errors.New("")
			}
			if to.String() != tt.want || err.Error() != tt.err {
				t.Errorf("%s%s:\n\thave %s, %v\n\twant %s, %s", tt.name, name, to.String(), err, tt.want, tt.err)
			}
		}
	}
}

func TestStreamsPassOnErrors(t *testing.T) {
	r := compileWidget(t)
	broken := errors.New("broken")
	for _, in := range []string{"", "{}", `{"a`, "{} "} {
		if err := r.PruneStream(io.Discard, io.MultiReader(strings.NewReader(in), iotest.ErrReader(broken))); err != broken {
			t.Errorf("reading %q: %v", in, err)
		}
	}
	if err := r.PruneStream(brokenWriter{broken}, strings.NewReader("{}{}")); err != broken {
		t.Errorf("writing: %v", err)
	}
	if err := r.PruneStream(io.Discard, noProgress{}); err != io.ErrNoProgress {
		t.Errorf("a reader that never gives anything: %v", err)
	}
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

type noProgress struct{}

func (noProgress) Read([]byte) (int, error) { return 0, nil }

// TestNestingInLargeListsCountsFromTheDocument has items nested as deep as is allowed, and deeper.
func TestNestingInLargeListsCountsFromTheDocument(t *testing.T) {
	r := compileWidget(t)
	defer prunert.SetMaxStreamObject(prunert.SetMaxStreamObject(30_000))
	for depth, ok := range map[int]bool{prunert.MaxDepth - 3: true, prunert.MaxDepth - 2: false} {
		item := `{"u":` + strings.Repeat("[", depth) + strings.Repeat("]", depth) + `}`
		doc := `{"kind":"WidgetList","items":[` + item + `,` + item + `]}`
		_, err := r.PruneJSON(nil, []byte(doc))
		streamErr := r.PruneStream(io.Discard, strings.NewReader(doc))
		if (err == nil) != ok || fmt.Sprint(err) != fmt.Sprint(streamErr) {
			t.Errorf("%d levels in an item: %v, and in a stream %v", depth, err, streamErr)
		}
	}
}

// TestLargeListsTakeLittleMemory sends a list through that is made on the fly.
func TestLargeListsTakeLittleMemory(t *testing.T) {
	r := compileWidget(t)
	defer prunert.SetMaxStreamObject(prunert.SetMaxStreamObject(64 << 10))
	item := `{"apiVersion":"example.com/v1","kind":"Widget","spec":{"name":"` + strings.Repeat("x", 10_000) + `","unknown":"` + strings.Repeat("y", 10_000) + `"}}`
	const n = 400
	var to countingWriter
	err := r.PruneStream(&to, largeList(`{"apiVersion":"v1","items":[`, item, `],"kind":"List"}`, n))
	if want := len(item)*n - n*10_013 + n - 1 + 44; err != nil || to.bytes != want {
		t.Errorf("%d bytes come out, %v, want %d", to.bytes, err, want)
	}
	if to.heap > 8<<20 {
		t.Errorf("a list of %d bytes takes %d bytes of memory", len(item)*n, to.heap)
	}
}

// countingWriter counts what is written, and looks now and then how large the heap is.
type countingWriter struct {
	bytes, writes int
	heap          uint64 // the most above the first look
	first         uint64
}

func (w *countingWriter) Write(p []byte) (int, error) {
	w.bytes += len(p)
	if w.writes++; w.writes%100 == 1 {
		runtime.GC()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		if w.first == 0 {
			w.first = stats.HeapAlloc
		}
		w.heap = max(w.heap, stats.HeapAlloc-min(w.first, stats.HeapAlloc))
	}
	return len(p), nil
}
