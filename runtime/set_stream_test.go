package prunert_test

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"testing/iotest"

	v1 "github.com/prune-gen/prune-gen/golden/crontab"
	widget "github.com/prune-gen/prune-gen/golden/json"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Objects of two kinds, each with a field that the other kind has.
const (
	aCronTab = `{"apiVersion":"example.com/v1","kind":"CronTab","spec":{"image":"i", "count":1}}`
	aWidget  = `{"kind":"Widget", "apiVersion":"example.com/v1","spec":{"image":"i","count":1}}`
)

func streamSet(t *testing.T) *prunert.Set {
	t.Helper()
	set := &prunert.Set{}
	if err := set.AddPartial(v1.CronTabResource, widget.WidgetResource); err != nil {
		t.Fatal(err)
	}
	return set
}

// Whether a document is in memory as a whole or not, it is pruned as PruneJSON does.
func TestASetPrunesStreamsOfSeveralKinds(t *testing.T) {
	set := streamSet(t)
	both := aCronTab + " , " + aWidget + "," + aCronTab
	for name, docs := range map[string][]string{
		"objects":                   {aCronTab, aWidget, aWidget, aCronTab},
		"a List":                    {`{"apiVersion":"v1", "kind":"List","items":[` + both + `] ,"metadata":{"a":1}}`},
		"a List with a late kind":   {`{"apiVersion":"v1","items": [` + both + `],"kind":"List"}`},
		"a list of a kind":          {`{"kind":"CronTabList","apiVersion":"example.com/v1","items":[{"spec":{"count":1,"image":""}},1,` + aCronTab + `]}`},
		"of a kind with other ones": {`{"kind":"CronTabList","apiVersion":"example.com/v1","items":[` + both + `,{"kind":"List","items":[1],"spec":{"count":1}}]}`},
		"of a kind that comes late": {`{"apiVersion":"example.com/v1","items":[` + aCronTab + `,` + aCronTab + `],"kind":"CronTabList"}`},
		"lists and objects":         {aWidget, `{"apiVersion":"v1","items":[` + both + `],"kind":"List"}`, aCronTab, `{"apiVersion":"v1","kind":"List","items":[]}`},
	} {
		in, want := "", ""
		for _, doc := range docs {
			pruned, err := set.PruneJSON(nil, []byte(doc))
			if err != nil || string(pruned) == doc && strings.Contains(doc, "spec") {
				t.Fatalf("%s: %s, %v", name, pruned, err)
			}
			in += doc + " \n"
			want += string(pruned) + " \n"
		}
		for _, limit := range []int{1 << 20, len(aCronTab)} {
			var out strings.Builder
			if err := set.PruneStream(&out, prunert.StreamReader{Reader: strings.NewReader(in), MaxObject: limit}); err != nil || out.String() != want {
				t.Errorf("%s, at most %d bytes:\n%s%v, want\n%s", name, limit, &out, err, want)
			}
		}
	}
}

func TestASetRefusesStreams(t *testing.T) {
	set := streamSet(t)
	for _, tt := range []struct{ in, want string }{
		{aCronTab + ` x`, "the document is not an object at offset 81"},
		{aCronTab + ` {"a":1,}`, "invalid character '}' looking for beginning of object key string at offset 88"},
		{aCronTab + ` {"a": 01} `, "invalid character '1' after object key:value pair at offset 88"},
		{aCronTab + ` {"a":tr`, "unexpected end of JSON input at offset 88"},
		{aCronTab + `{"a":1}  {"b`, "apiVersion and kind must be non-empty strings"},
		{aCronTab + `  [1]`, "the document is not an object at offset 82"},
		{aCronTab + ` `, "<nil>"},
		{aCronTab + `{"kind":`, "unexpected end of JSON input at offset 88"},
		{aCronTab + `{"kind":"Pod","apiVersion":"v1"}`, "no code for v1 Pod"},
		{`{"apiVersion":"v1","items":[` + aCronTab + `,{"kind":"Pod","apiVersion":"v1"}],"kind":"List"}`, "items[1]: no code for v1 Pod"},
		{`{"apiVersion":"v1","items":[` + aCronTab + `,{"spec":{}}],"kind":"List"}`, "items[1]: apiVersion and kind must be non-empty strings"},
		{`{"apiVersion":"v1","items":[` + aCronTab + `,{"spec":x}],"kind":"List"}`, "invalid character 'x' looking for beginning of value at offset 117"},
		{`{"apiVersion":"v1","items":[` + strings.Replace(aCronTab, `"i"`, `"too long"`, 1) + `],"kind":"List"}`, "the object at offset 28 is larger than 80 bytes: see prunert.StreamReader"},
		{aWidget + strings.Replace(aCronTab, `"i"`, `"too long"`, 1), "the object at offset 79 is larger than 80 bytes: see prunert.StreamReader"},
		{`{"apiVersion":"v1","kind":"Pod","items":[` + aCronTab + `]}`, "the object at offset 0 is larger than 80 bytes: see prunert.StreamReader"},
		{`{"kind":"CronTabList","apiVersion":"example.com/v1","items":[` + aCronTab + `],"kind":"WidgetList"}`, "the item at offset 61 has no kind of its own, " +
			"and the kind of the list comes after it: write kind and apiVersion before items, or see prunert.StreamReader"},
	} {
		err := set.PruneStream(io.Discard, prunert.StreamReader{Reader: strings.NewReader(tt.in), MaxObject: len(aCronTab)})
		if fmt.Sprint(err) != tt.want {
			t.Errorf("%s: %v, want %s", tt.in, err, tt.want)
		}
	}
	broken := errors.New("broken")
	failing := v1.CronTabResource
	failing.PruneJSON = func(dst, src []byte) ([]byte, error) { return nil, broken }
	failingSet := &prunert.Set{}
	if err := failingSet.AddPartial(failing, widget.WidgetResource); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := failingSet.PruneStream(&out, strings.NewReader(aWidget+aCronTab)); err != broken || out.Len() == 0 {
		t.Errorf("%s, %v", &out, err)
	}
	if err := set.PruneStream(io.Discard, io.MultiReader(strings.NewReader(aCronTab), iotest.ErrReader(broken))); err != broken {
		t.Error(err)
	}
	reader, writer := io.Pipe()
	reader.CloseWithError(broken)
	if err := set.PruneStream(writer, strings.NewReader(aCronTab)); err != broken {
		t.Error(err)
	}
}

// endless is a document without an end. It counts what is read of it.
type endless struct{ begun, read int }

func (r *endless) Read(p []byte) (int, error) {
	const begin = `{"kind":"`
	for i := range p {
		if p[i] = 'x'; r.begun < len(begin) {
			p[i] = begin[r.begun]
			r.begun++
		}
	}
	r.read += len(p)
	return len(p), nil
}

// A document that is too large is not read to its end, but up to the buffer that the limit fits into.
func TestASetStopsAtDocumentsThatAreTooLarge(t *testing.T) {
	const limit = 100_000
	for _, before := range []string{"", aCronTab + "\n", aCronTab + aWidget} {
		r := &endless{}
		err := streamSet(t).PruneStream(io.Discard, prunert.StreamReader{Reader: io.MultiReader(strings.NewReader(before), r), MaxObject: limit})
		var size *prunert.ObjectSizeError
		if !errors.As(err, &size) || size.Limit != limit || size.Offset != int64(len(before)) || r.read > 3*limit {
			t.Errorf("after %q: %v, %d bytes read", before, err, r.read)
		}
	}
}

// A large list of several kinds takes the memory of an item, not that of the list.
func TestASetTakesTheMemoryOfAnItem(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // make test lets five times as much be in use
	set := streamSet(t)
	const size, limit = 68 << 20, 1 << 20
	pad := strings.Repeat("x", 10_000)
	item := strings.Replace(aCronTab, `"i"`, `"`+pad+`"`, 1) + "," + strings.Replace(aWidget, `"count"`, `"name":"`+pad+`","count"`, 1)
	n := size / len(item)
	parts := []io.Reader{strings.NewReader(`{"apiVersion":"v1","items":[`), strings.NewReader(item)}
	for range n {
		parts = append(parts, strings.NewReader(","), strings.NewReader(item))
	}
	parts = append(parts, strings.NewReader(`],"kind":"List"}`))
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	w := &peakWriter{}
	if err := set.PruneStream(w, prunert.StreamReader{Reader: io.MultiReader(parts...), MaxObject: limit}); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d MB written, at most %d kB in use, %d kB before", w.bytes>>20, w.peak>>10, before.HeapInuse>>10)
	if w.bytes < 60<<20 || w.peak > before.HeapInuse+20*limit {
		t.Errorf("%d bytes are written, at most %d in use, %d before", w.bytes, w.peak, before.HeapInuse)
	}
}

// peakWriter looks at the memory in use now and then.
type peakWriter struct {
	bytes, looked int
	peak          uint64
}

func (w *peakWriter) Write(p []byte) (int, error) {
	if w.bytes += len(p); w.bytes-w.looked > 1<<20 {
		w.looked = w.bytes
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		w.peak = max(w.peak, m.HeapInuse)
	}
	return len(p), nil
}
