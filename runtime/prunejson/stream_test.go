package prunejson

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// streams sends a text through PruneStream, in pieces of different sizes, and returns the result.
func streams(t *testing.T, text string, limit int) (out string, err error) {
	t.Helper()
	for i, r := range []io.Reader{
		strings.NewReader(text),
		iotest.OneByteReader(strings.NewReader(text)),
		iotest.HalfReader(strings.NewReader(text)),
		iotest.DataErrReader(strings.NewReader(text)),
		iotest.DataErrReader(iotest.OneByteReader(strings.NewReader(text))),
	} {
		var b bytes.Buffer
		oneErr := thing.PruneStream(&b, prunert.StreamReader{Reader: r, MaxObject: limit})
		if i == 0 {
			out, err = b.String(), oneErr
		} else if b.String() != out || place(oneErr) != place(err) {
			t.Errorf("%s\nin one piece: %s, %v\nin others: %s, %v", text, out, err, b.String(), oneErr)
		}
	}
	return out, err
}

func TestStreamsOfDocuments(t *testing.T) {
	for _, tt := range []struct{ name, in, want, err string }{
		{"nothing", "", "", ""},
		{"blanks", " \n\t\r ", " \n\t\r ", ""},
		{"objects", aThing + "\n" + aThing + "\n", pruned + "\n" + pruned + "\n", ""},
		{"objects without blanks", aThing + aThing, pruned + pruned, ""},
		{"lists and objects", ` {"kind":"ThingList","items":[{"u":1}]} {"u":1}`, ` {"kind":"ThingList","items":[{}]} {}`, ""},
		{"a kind twice", `{"kind":"Thing","u":1,"kind":"ThingList","items":[{"u":1}]}`, `{"kind":"Thing","u":1,"kind":"ThingList","items":[{}]}`, ""},
		{"an error in the second", aThing + ` {"u":01}`, pruned + ` `, "syntax 59"},
		{"an end in the second", aThing + "\n{\"u\":1", pruned + "\n", "syntax 59"},
		{"no object", aThing + "\n[]", pruned + "\n", "syntax 53"},
		{"no value", aThing + "}", pruned, "syntax 52"},
		{"no end", aThing + "\n\"", pruned + "\n", "syntax 53"},
		{"a zero", "\x00", "", "syntax 0"},
		{"the wrong bracket", `{"u":[1}]} {}`, "", "syntax 7"},
		{"a list that ends an object", `{"u":1] {}`, "", "syntax 6"},
		{"escapes", `{"spec":{"name":"\"}{\\"}}{"\"":1}`, `{"spec":{"name":"\"}{\\"}}{}`, ""},
	} {
		out, err := streams(t, tt.in, 0)
		if out != tt.want || place(err) != tt.err {
			t.Errorf("%s:\nhave %s, %v\nwant %s, %s", tt.name, out, err, tt.want, tt.err)
		}
	}
}

// Lists that are larger than the limit, which is 40 bytes here, are gone through item by item.
func TestStreamsOfLargeLists(t *testing.T) {
	const (
		own  = `{"kind":"ThingList","items":[`
		any  = `{"kind":"List","apiVersion":"v1","items":[`
		many = `{"u":1,"spec":{"name":1}},{"u":2},[{"u":1}],1,"x",{"kind":"Thing","u":1}`
	)
	const ours = `{"apiVersion":"example.com/v1","kind":"Thing","spec":{"name":1,"u":1},"u":1}`
	for _, tt := range []struct {
		name, in, want, err string
		limit               int
	}{
		{"a list of the kind", own + many + `]}`, own + `{"spec":{"name":1}},{},[{"u":1}],1,"x",{"kind":"Thing"}]}`, "", 40},
		{"with blanks", own + " {\"u\":1} ,\n{\"u\":2}\t] , \"u\" : {} } {\"u\":1}", own + " {} ,\n{}\t] , \"u\" : {} } {}", "", 40},
		{"no items", own + `                                 ]}`, own + `                                 ]}`, "", 40},
		{"items twice", own + `{"u":1}],"\u0069tems":[{"u":1}]}`, own + `{}],"\u0069tems":[{}]}`, "", 40},
		{"items that are none", own + `{"u":1}],"items":{"u":1}}`, own + `{}],"items":{"u":1}}`, "", 40},
		{"a list of anything", any + ours + `,{"u":1}]}`,
			any + `{"apiVersion":"example.com/v1","kind":"Thing","spec":{"name":1}},{"u":1}]}`, "", 80},
		{"no kind yet", `{"items":[` + ours + `,{"u":1}],"kind":"List","apiVersion":"v1"}`,
			`{"items":[{"apiVersion":"example.com/v1","kind":"Thing","spec":{"name":1}},{"u":1}],"kind":"List","apiVersion":"v1"}`, "", 80},
		{"a list of the kind with others, too late", `{"items":[` + ours + `,{"u":1}],"kind":"ThingList"}`,
			`{"items":[{"apiVersion":"example.com/v1","kind":"Thing","spec":{"name":1}},{"u":1}],"kind":"ThingList"}`, "late 88", 80},
		{"with several others", `{"items":[{"u":1},{"u":2},{"u":3}],"kind":"ThingList"}`, `{"items":[{"u":1},{"u":2},{"u":3}],"kind":"ThingList"}`, "late 11", 40},
		{"a version behind the items", `{"kind":"List","items":[{"u":1},{"u":2}],"apiVersion":"v1"}`,
			`{"kind":"List","items":[{"u":1},{"u":2}],"apiVersion":"v1"}`, "", 40},
		{"a list of the kind with no others", `{"items":[` + ours + `,1],"kind":"ThingList"}`,
			`{"items":[{"apiVersion":"example.com/v1","kind":"Thing","spec":{"name":1}},1],"kind":"ThingList"}`, "", 80},
		{"a list of anything, too late", own + `{"u":1}],"kind":"List","apiVersion":"v1"}`, own + `{}],"kind":"List","apiVersion":"v1"}`, "late 30", 40},
		{"no list, too late", own + `{"u":1}],"kind":"Thing"}`, own + `{}],"kind":"Thing"}`, "size 1", 40},
		{"no list", `{"kind":"Thing","items":[{"u":1}],"spec":{}}`, "", "size 1", 40},
		{"no list of another version", `{"apiVersion":"v2","kind":"List","items":[{"u":1}]}`, "", "size 1", 48},
		{"a kind that is no string", `{"kind":["ThingList"],"items":[{"u":1},{"u":2}]}`, "", "size 1", 40},
		{"no items at all", `{"kind":"ThingList","metadata":{"a":"01234567890123456789"}}`, "", "size 1", 40},
		{"items too late", `{"kind":"ThingList","metadata":{"a":12},"items":[]}`, "", "size 1", 40},
		{"a word that is cut off", `{"kind":"ThingList","metadata":{"abc":true},"items":[]}`, "", "size 1", 40},
		{"a wrong one before that", `{"kind":"ThingList","metadata":{"a":tr},"items":[]}`, "", "syntax 39", 40},
		{"a large item", own + `{"u":1},{"spec":{"name":"012345678901234567890"}}]}`, own + `{},`, "size 38", 40},
		{"an item as large as may be", own + `{"u":1},{"spec":{"name":"01234567890123456789"}}]}`,
			own + `{},{"spec":{"name":"01234567890123456789"}}]}`, "", 40},
		{"a large number", own + `1234567890123456789012345678901234567890]}`, own + `1234567890123456789012345678901234567890]}`, "", 40},
		{"a larger one", own + `12345678901234567890123456789012345678901]}`, own, "size 30", 40},
		{"a large member", own + `{"u":1}],"metadata":"012345678901234567890123456789012345678"}`, own + `{}],"metadata":`, "size 50", 40},
		{"wrong items", own + `{"u":1},{"u":01}]}`, own + `{},`, "syntax 44", 40},
		{"a wrong word", own + `{"u":1},{"u":2},tru]}`, own + `{},{},`, "syntax 49", 40},
		{"something behind an item", own + `{"u":1},{"u":2}"x"]}`, own + `{},{}`, "syntax 45", 40},
		{"something behind a number", own + `{"u":1},{"u":2},1x]}`, own + `{},{},`, "syntax 47", 40},
		{"a comma too many", own + `{"u":1},{"u":2},]}`, own + `{},{},`, "syntax 46", 40},
		{"a wrong key", own + `{"u":1},{"u":2}],x:1}`, own + `{},{}],`, "syntax 47", 40},
		{"an odd key", own + `{"u":1},{"u":2}],"\x":1}`, own + `{},{}],`, "syntax 49", 40},
		{"no colon", own + `{"u":1},{"u":2}],"x" 1}`, own + `{},{}],"x" `, "syntax 51", 40},
		{"no value", own + `{"u":1},{"u":2}],"x":}`, own + `{},{}],"x":`, "syntax 51", 40},
		{"a wrong value", own + `{"u":1},{"u":2}],"x":01}`, own + `{},{}],"x":`, "syntax 52", 40},
		{"no comma", own + `{"u":1},{"u":2}]"x":1}`, own + `{},{}]`, "syntax 46", 40},
		{"an end in the items", own + `{"u":1},{"u":2},`, own + `{},{},`, "syntax 46", 40},
		{"an end in an item", own + `{"u":1},{"u":2},{"x"`, own + `{},{},`, "syntax 50", 40},
		{"an end behind the items", own + `{"u":1},{"u":2}]`, own + `{},{}]`, "syntax 46", 40},
	} {
		out, err := streams(t, " "+tt.in, tt.limit)
		if out != " "+tt.want && !(tt.want == "" && out == " ") || place(err) != tt.err {
			t.Errorf("%s:\n%.200s\nhave %.200s, %v\nwant  %.200s, %s", tt.name, tt.in, out, err, tt.want, tt.err)
		}
	}
}

// A list that is too large for memory comes out of a stream as one that is not, byte for byte, also if it is cut off or has a wrong
// byte anywhere.
func TestLargeListsAreTreatedAsSmallOnes(t *testing.T) {
	stream := func(limit int, doc string) (string, error) {
		var to bytes.Buffer
		err := thing.PruneStream(&to, prunert.StreamReader{Reader: strings.NewReader(doc), MaxObject: limit})
		return to.String(), err
	}
	for _, doc := range []string{
		` {"kind":"ThingList", "apiVersion":"example.com/v1", "items" : [ ` + aThing + ` , {"u":[1]}, "x" ] , "u": [ {"v":"\"]"} ] } `,
		`{"apiVersion":"v1","items":[` + aThing + `,` + aThing + `],"kind":"List","metadata":{"resourceVersion":""}}{"u":1}`,
		`{"kind":"List","apiVersion":"v1","items":[{"kind":"Pod","u":1},` + aThing + `],"items":[` + aThing + `]}`,
	} {
		whole, err := stream(1000, doc)
		if large, other := stream(70, doc); err != nil || other != nil || large != whole {
			t.Fatalf("%s\n\t%s, %v\n\t%s, %v", doc, whole, err, large, other)
		}
		texts := []string{}
		for i := range len(doc) {
			texts = append(texts, doc[:i])
			for _, c := range `"]},:{1` {
				texts = append(texts, doc[:i]+string(c)+doc[i+1:])
			}
		}
		for _, text := range texts {
			whole, err := stream(1000, text)
			large, other := stream(70, text)
			var syntax, otherSyntax *prunert.SyntaxError
			var size *prunert.ObjectSizeError
			var late *prunert.LateKindError
			switch {
			case errors.As(other, &size) || errors.As(other, &late): // it looks like something else, or says late what it is
			case errors.As(err, &syntax):
				if !errors.As(other, &otherSyntax) || syntax.Offset != otherSyntax.Offset {
					t.Errorf("%s: %v, large %v", text, err, other)
				}
			case err != nil || other != nil || whole != large:
				t.Errorf("%s\n\t%s, %v\n\t%s, %v", text, whole, err, large, other)
			}
		}
	}
}

// A member after the items of a large list is one level deep, as in a small one.
func TestMembersAfterItemsAreInTheList(t *testing.T) {
	const limit = 3 * prunert.MaxDepth
	for depth, want := range map[int]string{prunert.MaxDepth - 1: "<nil>", prunert.MaxDepth: "exceeded max depth"} {
		doc := `{"kind":"ThingList","items":[` + strings.Repeat("1,", limit/2) + `1],"x":` + strings.Repeat("[", depth) + strings.Repeat("]", depth) + `}`
		for _, limit := range []int{limit, 2 * limit} {
			if _, err := streams(t, doc, limit); !strings.Contains(fmt.Sprint(err), want) {
				t.Errorf("%d levels within %d bytes: %v, want %s", depth, limit, err, want)
			}
		}
	}
}

// Errors in a large list are those in a small one.
func TestErrorsInLargeListsHaveTheSameTexts(t *testing.T) {
	const own = `{"kind":"ThingList","items":[{"u":1},{"u":2}`
	for _, rest := range []string{`"x"]}`, `,]}`, `],x:1}`, `],"x" 1}`, `],"x":}`, `]"x":1}`} {
		_, small := streams(t, own+rest, 1000)
		_, large := streams(t, own+rest, 40)
		if small == nil || large == nil || small.Error() != large.Error() {
			t.Errorf("%s: %v, in a large list: %v", rest, small, large)
		}
	}
}

func TestItemsOfLargeListsAreAsDeepAsInTheList(t *testing.T) {
	const head = `{"kind":"ThingList","items":["a long text",`
	for depth, want := range map[int]string{9_998: "", 9_999: "syntax 10041"} {
		item := strings.Repeat("[", depth) + strings.Repeat("]", depth)
		out, err := streams(t, head+item+"]}", len(item))
		if place(err) != want || err == nil && out != head+item+"]}" || err != nil && out != head {
			t.Errorf("%d: %.100s, %v", depth, out, err)
		}
	}
}

func TestAnObjectInAStreamMayBeAsLargeAsTheLimit(t *testing.T) {
	for size, want := range map[int]string{39: "", 40: "", 41: "size 1"} {
		doc := `{"spec":{"name":"` + strings.Repeat("x", size-len(`{"spec":{"name":""}}`)) + `"}}`
		out, err := streams(t, "\n"+doc, 40)
		if place(err) != want || err == nil && out != "\n"+doc {
			t.Errorf("%d: %s, %v", size, out, err)
		}
	}
}

// Pruned documents are written before the stream waits for more. Otherwise the sender, the stream and the receiver wait for each other, and
// synctest panics.
func TestStreamsDoNotHoldBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, sender := io.Pipe()
		receiver, out := io.Pipe()
		go func() { out.CloseWithError(thing.PruneStream(out, in)) }()
		for range 3 {
			go sender.Write([]byte(aThing + "\n"))
			got := make([]byte, len(pruned)+1)
			if _, err := io.ReadFull(receiver, got); err != nil || string(got) != pruned+"\n" {
				t.Fatalf("%s, %v", got, err)
			}
		}
		sender.Close()
		if rest, err := io.ReadAll(receiver); len(rest) > 0 || err != nil {
			t.Errorf("%s, %v", rest, err)
		}
	})
}

// limitedWriter accepts a limited number of bytes.
type limitedWriter struct {
	left int
	err  error
}

func (w *limitedWriter) Write(p []byte) (int, error) {
	if len(p) <= w.left {
		w.left -= len(p)
		return len(p), nil
	}
	n := w.left
	w.left = 0
	return n, w.err
}

func TestErrorsOfReadersAndWritersEndAStream(t *testing.T) {
	broken := errors.New("broken")
	var out bytes.Buffer
	if err := thing.PruneStream(&out, io.MultiReader(strings.NewReader(aThing+aThing[:10]), iotest.ErrReader(broken))); err != broken || out.String() != pruned {
		t.Errorf("reading: %v, %s", err, out.String())
	}
	if err := thing.PruneStream(&out, new(idleReader)); err != io.ErrNoProgress {
		t.Errorf("reading nothing: %v", err)
	}
	many := func() io.Reader { return &repeated{of: aThing, n: 100_000} }
	if err := thing.PruneStream(&limitedWriter{1000, broken}, many()); err != broken {
		t.Errorf("writing: %v", err)
	}
	if err := thing.PruneStream(&limitedWriter{1000, nil}, many()); err != io.ErrShortWrite {
		t.Errorf("writing less: %v", err)
	}
	if err := thing.PruneStream(&limitedWriter{1 << 20, broken}, &repeated{of: " ", n: 100 << 20}); err != broken {
		t.Errorf("writing blanks: %v", err)
	}
	if err := thing.PruneStream(&limitedWriter{10, broken}, strings.NewReader(aThing)); err != broken {
		t.Errorf("writing the last document: %v", err)
	}
	if err := thing.PruneStream(&limitedWriter{10, broken}, iotest.DataErrReader(strings.NewReader(aThing+"x"))); place(err) != "syntax 52" {
		t.Errorf("writing the last document before something that is wrong: %v", err)
	}
	// In a large list, wherever it breaks off.
	large := `{"kind" : "ThingList" , "items" : [ ` + aThing + ` , ` + aThing + ` ] , "a" : 1 , "items" : [ ] }`
	for i := range len(large) {
		if err := thing.PruneStream(io.Discard, prunert.StreamReader{Reader: io.MultiReader(iotest.OneByteReader(strings.NewReader(large[:i])), iotest.ErrReader(broken)), MaxObject: 60}); err != broken {
			t.Errorf("reading after %s: %v", large[:i], err)
		}
	}
}

// idleReader reads nothing many times.
type idleReader struct{ reads int }

func (r *idleReader) Read([]byte) (int, error) {
	if r.reads++; r.reads > 10_000 {
		return 0, errors.New("too many reads")
	}
	return 0, nil
}

// repeated reads as a text that is repeated the given number of times, or forever if that is negative, with another text before it and one
// after it.
type repeated struct {
	before, of, behind string
	n                  int
	left               string
}

func (r *repeated) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		if r.left == "" {
			switch {
			case r.before != "":
				r.left, r.before = r.before, ""
			case r.n != 0:
				r.left = r.of
				r.n--
			case r.behind != "":
				r.left, r.behind = r.behind, ""
			default:
				return n, io.EOF
			}
		}
		c := copy(p[n:], r.left)
		n, r.left = n+c, r.left[c:]
	}
	return n, nil
}

// peakWriter counts what is written to it, and looks at how much memory is in use.
type peakWriter struct {
	bytes, looked int64
	peak          uint64
}

func (w *peakWriter) Write(p []byte) (int, error) {
	w.bytes += int64(len(p))
	if w.bytes-w.looked > 4<<20 {
		w.looked = w.bytes
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		w.peak = max(w.peak, m.HeapInuse)
	}
	return len(p), nil
}

// A stream takes memory by the largest object in it. PRUNE_GEN_STREAM_MB says how large a stream to try.
func TestStreamsTakeTheMemoryOfAnObject(t *testing.T) {
	testsize.NotShort(t)
	size := int64(64 << 20)
	if mb := os.Getenv("PRUNE_GEN_STREAM_MB"); mb != "" {
		n, err := strconv.Atoi(mb)
		if err != nil {
			t.Fatal(err)
		}
		size = int64(n) << 20
	}
	item := `{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a","u":1},"spec":{"name":"` + strings.Repeat("x", 10_000) + `"}}`
	kept := strings.Replace(item, `,"u":1`, "", 1)
	n := int(size / int64(len(item)+1))
	const limit = 1 << 20
	for _, tt := range []struct{ name, before, of, behind string }{
		{"a list of the kind", `{"kind":"ThingList","items":[`, item + ",", item + `]}`},
		{"a list of anything", `{"apiVersion":"v1","items":[`, item + ",", item + `],"kind":"List"}`},
		{"objects", "", item + "\n", ""},
		{"other objects", `{"kind":"List","apiVersion":"v1","items":[`, strings.Replace(item, "Thing", "Other", 1) + ",", `1]}`},
		{"blanks", "", strings.Repeat(" ", len(item)) + "\n", ""},
		{"blanks in a list", `{"kind":"ThingList","items":[`, strings.Repeat(" ", len(item)) + "\n", `]}`},
		{"members", `{"kind":"ThingList","items":[`, `],"items":[` + item, `]}`},
		{"numbers", `{"kind":"ThingList","items":[`, strings.Repeat("123456789,", 1000), `1]}`},
	} {
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var w peakWriter
		if err := thing.PruneStream(&w, prunert.StreamReader{Reader: &repeated{before: tt.before, of: tt.of, behind: tt.behind, n: n}, MaxObject: limit}); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		runtime.ReadMemStats(&after)
		want := int64(len(tt.before) + n*len(tt.of) + len(tt.behind))
		if strings.Contains(tt.of, `"Thing"`) {
			want -= int64((len(item) - len(kept)) * strings.Count(tt.behind, item))
			want -= int64((len(item) - len(kept)) * n)
		}
		if w.bytes != want {
			t.Errorf("%s: %d bytes, want %d", tt.name, w.bytes, want)
		}
		allocated := after.TotalAlloc - before.TotalAlloc
		t.Logf("%s: %d MB, %d kB allocated, at most %d kB in use, %d before", tt.name, w.bytes>>20, allocated>>10, w.peak>>10, before.HeapInuse>>10)
		// The buffers for reading and for writing, each with those that they outgrew.
		if allocated > 10*limit || w.peak > before.HeapInuse+10*limit {
			t.Fatalf("%s: %d bytes are allocated, and at most %d in use, %d before", tt.name, allocated, w.peak, before.HeapInuse)
		}
	}
}
