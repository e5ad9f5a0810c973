package prunejson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// free is a kind that has metadata, a spec and items of any kind, and leaves in its status.
var free = Kind{
	APIVersion: "example.com/v1", Kind: "Thing", ListKind: "ThingList",
	Build: func(d *Decoder, key string, p Pos) Pos {
		k, p, ok := d.Object(p)
		if !ok {
			return d.Leaf(key, p)
		}
		size := d.Size()
		for k[0] == '"' {
			switch {
			case string(k[:13]) == `"apiVersion":`:
				k, p = d.Next(d.Keep("apiVersion", p+13))
			case string(k[:7]) == `"kind":`:
				k, p = d.Next(d.Keep("kind", p+7))
			case string(k[:11]) == `"metadata":`:
				k, p = d.Next(d.Metadata("metadata", p+11))
			case string(k[:7]) == `"spec":`:
				k, p = d.Next(d.Keep("spec", p+7))
			case string(k[:8]) == `"items":`:
				k, p = d.Next(d.Keep("items", p+8))
			case string(k[:9]) == `"status":`:
				k, p = d.Next(d.LeafMap("status", p+9))
			default:
				k, p = d.Drop(k, p)
			}
		}
		return d.Close(key, size, p)
	},
}

func decodeThing(t testing.TB, doc string) map[string]any {
	t.Helper()
	obj, err := free.Decode([]byte(doc))
	if err != nil {
		t.Fatalf("%.200s: %v", doc, err)
	}
	return obj
}

func TestValuesAreThoseOfKubernetes(t *testing.T) {
	for text, want := range map[string]any{
		`null`: nil, `true`: true, `false`: false, `{}`: map[string]any{}, `[]`: []any{}, `""`: "",
		`0`: int64(0), `-0`: int64(0), `1`: int64(1), `-17`: int64(-17),
		`123456789012345678`: int64(123456789012345678), `1234567890123456789`: int64(1234567890123456789),
		`9223372036854775807`: int64(math.MaxInt64), `-9223372036854775808`: int64(math.MinInt64),
		`9223372036854775808`: float64(1 << 63), `-9223372036854775809`: -float64(1 << 63), `1e3`: float64(1000), `1.0`: float64(1),
		`-0.0`: math.Copysign(0, -1), `1E-2`: 0.01, `1e-400`: float64(0),
		`"a\u0062\n\/\ud83d\ude00"`: "ab\n/\U0001F600", `"\ud83d"`: "\ufffd", `"\ude00\ud83dx"`: "\ufffd\ufffdx", "\"\xff\"": "\ufffd",
		`"ü"`: "ü", "\"\xf0\x9f\x98\"": "\ufffd\ufffd\ufffd",
		`[1,[2,{"a":[]}]]`:          []any{int64(1), []any{int64(2), map[string]any{"a": []any{}}}},
		`{"a":{"b":1},"a":{"c":2}}`: map[string]any{"a": map[string]any{"c": int64(2)}}, `{"\u0061":1,"a":2}`: map[string]any{"a": int64(2)},
		"{\"\xff\":1,\"\xfe\":2}": map[string]any{"\ufffd": int64(2)},
		`"` + strings.Repeat("x", 200) + "\xff" + strings.Repeat("x", 200) + `"`: strings.Repeat("x", 200) + "\ufffd" + strings.Repeat("x", 200),
		`"` + strings.Repeat("x", 250) + "\xff" + strings.Repeat("x", 200) + `"`: strings.Repeat("x", 250) + "\ufffd" + strings.Repeat("x", 200),
		"\"\xff\\n\"":                   "\ufffd\n",
		" {\n\"a\" \t: 1 , \"b\":[ ] }": map[string]any{"a": int64(1), "b": []any{}},
	} {
		for _, before := range []string{``, `"kind":"Thing",`} { // so that there is a slab already
			got := decodeThing(t, `{`+before+`"spec":`+text+`}`)["spec"]
			if !reflect.DeepEqual(got, want) || fmt.Sprint(got) != fmt.Sprint(want) { // which tells -0 from 0
				t.Errorf("%s is %#v, want %#v", text, got, want)
			}
		}
	}
}

func TestNumbersThatAreTooLargeAreErrorsWhereTheyAreKept(t *testing.T) {
	for doc, offset := range map[string]int64{
		`{"spec":1e400}`: 8, `{"spec":[1,-1e400,1e401]}`: 11, `{"spec":1e400,"spec":1}`: 8, `{"u":1e400}`: -1, `{"metadata":{"u":[1e400]}}`: -1,
		`{"metadata":{"name":1e400}}`: 20, `{"kind":"ThingList","metadata":{"u":1e400}}`: 36, `{"kind":"ThingList","items":[{"u":1e400}]}`: -1,
		`{"spec":1e400,"kind":"ThingList"}`: 8, `{"kind":"List","apiVersion":"v1","items":[{"u":1e400}]}`: 47,
		`{"spec":1e400,x`: 14, // syntax comes first
	} {
		obj, err := free.Decode([]byte(doc))
		var syntax *prunert.SyntaxError
		switch {
		case offset < 0:
			if err != nil {
				t.Errorf("%s: %v", doc, err)
			}
		case !errors.As(err, &syntax) || syntax.Offset != offset || obj != nil:
			t.Errorf("%s: %v, %v, want an error at %d", doc, obj, err, offset)
		}
	}
}

func TestItemsOfListsArePruned(t *testing.T) {
	items := `[{"u":1},{"apiVersion":"example.com/v1","kind":"Thing","u":1},{"apiVersion":"v1","kind":"Thing","u":1},"a",null]`
	it := func(more ...any) map[string]any {
		obj := map[string]any{"apiVersion": more[0], "kind": "Thing"}
		if len(more) > 1 {
			obj["u"] = more[1]
		}
		return obj
	}
	unknown := map[string]any{"u": int64(1)}
	for doc, want := range map[string]map[string]any{
		`{"kind":"ThingList","metadata":{"u":1},"items":` + items + `}`: {"kind": "ThingList", "metadata": unknown,
			"items": []any{map[string]any{}, it("example.com/v1"), it("v1"), "a", nil}},
		`{"items":` + items + `,"kind":"List","u":1,"apiVersion":"v1"}`: {"kind": "List", "apiVersion": "v1", "u": int64(1),
			"items": []any{unknown, it("example.com/v1"), it("v1", int64(1)), "a", nil}},
		`{"items":` + items + `,"kind":"List","apiVersion":"v2","u":1}`: {"kind": "List", "apiVersion": "v2",
			"items": []any{unknown, it("example.com/v1", int64(1)), it("v1", int64(1)), "a", nil}},
		`{"items":{"u":1},"kind":"Thing","kind":"ThingList"}`: {"kind": "ThingList", "items": unknown},
	} {
		if got := decodeThing(t, doc); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %v, want %v", doc, got, want)
		}
	}
}

func TestLeavesAreDecodedWithoutTheObjectsInThem(t *testing.T) {
	got := decodeThing(t, `{"status":{"a":{"u":1},"b":[{"u":1},[{"u":{}}],"c"],"d" : "e"},"metadata":{"name":{"u":[]}}}`)
	want := map[string]any{
		"status":   map[string]any{"a": map[string]any{}, "b": []any{map[string]any{}, []any{map[string]any{}}, "c"}, "d": "e"},
		"metadata": map[string]any{"name": map[string]any{}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("have %v, want %v", got, want)
	}
}

// keeping is a kind that knows a field, and keeps all others: as they are, or with leaves in them.
func keeping(leaves bool) Kind {
	return Kind{APIVersion: "example.com/v1", Kind: "Thing", ListKind: "ThingList", Build: func(d *Decoder, key string, p Pos) Pos {
		k, p, ok := d.Object(p)
		if !ok {
			return d.Leaf(key, p)
		}
		size := d.Size()
		for k[0] == '"' {
			switch {
			case string(k[:8]) == `"known":`:
				k, p = d.Next(d.LeafMap("known", p+8))
			case leaves:
				name, v, odd := d.OtherKey(k, p)
				if odd != nil {
					k, p = odd, v
					continue
				}
				k, p = d.Next(d.Leaf(name, v))
			default:
				k, p = d.Rest(k, p)
			}
		}
		return d.Close(key, size, p)
	}}
}

// However a key is spelled, its field is the one that is known, or one of the others under the name that a decoder gives it.
func TestOtherKeysHaveTheirNames(t *testing.T) {
	long := strings.Repeat("k", 3*padding)
	for _, key := range []string{
		`known`, `k\u006eown`, `known `, `a`, ``, `\u0061`, `\"`, `é`, "\xff", `\ud83d\ude00`, long, long + `\n`, `known\":`, strings.Repeat("k", padding-3), strings.Repeat("k", padding-4),
	} {
		for _, colon := range []string{`:`, ` :`, "\n: "} {
			for _, others := range []string{``, `"b":1,`, `"\u0062":[{"c":1}],"known" :{},`} {
				doc := `{` + others + `"` + key + `"` + colon + `{"x":{"y":1}},"z":{"y":1}}`
				var want map[string]any
				if err := json.Unmarshal([]byte(doc), &want); err != nil {
					t.Fatal(err)
				}
				for _, leaves := range []bool{false, true} {
					want := maps.Clone(want)
					for k, v := range want {
						if fields, ok := v.(map[string]any); ok && k == "known" && len(fields) > 0 {
							want[k] = map[string]any{"x": map[string]any{}}
						} else if ok && leaves {
							want[k] = map[string]any{}
						}
						if _, ok := v.([]any); ok && leaves {
							want[k] = []any{map[string]any{}}
						}
					}
					if have, err := keeping(leaves).Decode([]byte(doc)); err != nil || !reflect.DeepEqual(floats(have), any(want)) {
						t.Errorf("%.100q, leaves %t:\nhave %.200q, %v\nwant %.200q", doc, leaves, have, err, want)
					}
				}
			}
		}
	}
}

func TestDocumentsThatAreWrong(t *testing.T) {
	for doc, offset := range map[string]int64{
		``: 0, ` []`: 1, `{"spec":{"a"1}}`: 12, `{"spec":{"a" 1}}`: 13, `{"spec":{a:1}}`: 9, `{"spec":[1 2]}`: 11, `{"u":[1 2]}`: 8, `{} x`: 3,
		`{"spec":` + strings.Repeat("[", 10_000): 8 + 9_999, `{"status":` + strings.Repeat("[", 10_000): 10 + 9_999,
	} {
		obj, err := free.Decode([]byte(doc))
		var syntax *prunert.SyntaxError
		if !errors.As(err, &syntax) || syntax.Offset != offset || obj != nil {
			t.Errorf("%.40s: %v, %v, want an error at %d", doc, obj, err, offset)
		}
	}
}

func TestMapsHaveEveryKey(t *testing.T) {
	for size := range 100 {
		want := map[string]any{}
		for i := range size {
			want[fmt.Sprintf("key%d", i)] = strings.Repeat("x", i*i/4)
		}
		text, _ := json.Marshal(want)
		for _, field := range []string{"spec", "status"} {
			if got := decodeThing(t, `{"`+field+`":`+string(text)+`}`)[field]; !reflect.DeepEqual(got, any(want)) {
				t.Fatalf("have %v, want %v", got, want)
			}
		}
	}
}

// Strings of every length around the sizes by which they are copied, with and without something odd at either end.
func TestTextsOfAllLengths(t *testing.T) {
	var b strings.Builder
	var want []any
	b.WriteString(`{"spec":[""`)
	want = append(want, "")
	for n := range 600 {
		plain := strings.Repeat("abcdefghij", n/10+1)[:n]
		fmt.Fprintf(&b, ",\"%s\",\"%s\\t\",\"%sü\",\"\\t%s\",\"\xff%s\"", plain, plain, plain, plain, plain)
		want = append(want, plain, plain+"\t", plain+"ü", "\t"+plain, "\ufffd"+plain)
	}
	b.WriteString(`]}`)
	src := []byte(b.String())
	obj, err := free.Decode(src)
	if err != nil {
		t.Fatal(err)
	}
	for i := range src {
		src[i] = 'x' // what was decoded is not in there
	}
	for range 3 { // nor in what is used again
		decodeThing(t, `{"spec":"`+strings.Repeat("y", len(src))+`"}`)
	}
	runtime.GC()
	if got := obj["spec"]; !reflect.DeepEqual(got, any(want)) {
		t.Error("texts differ")
	}
}

// Appending to a list must not reach the one after it in memory.
func TestListsDoNotOverlap(t *testing.T) {
	spec := decodeThing(t, `{"spec":[[1,2],[3],[],[4,5,6]]}`)["spec"].([]any)
	for i := range spec {
		spec[i] = append(spec[i].([]any), "more")
	}
	if want := []any{[]any{int64(1), int64(2), "more"}, []any{int64(3), "more"}, []any{"more"}, []any{int64(4), int64(5), int64(6), "more"}}; !reflect.DeepEqual(spec, want) {
		t.Errorf("%v", spec)
	}
}

func TestDecodingSharesNothingWithAnotherDocument(t *testing.T) {
	doc := `{"spec":["a","b",["c"],{"d":"e"}]}`
	first := decodeThing(t, doc)
	for range 100 {
		decodeThing(t, strings.NewReplacer("a", "v", "b", "w", "c", "x", "d", "y", "e", "z").Replace(doc))
	}
	if want := (map[string]any{"spec": []any{"a", "b", []any{"c"}, map[string]any{"d": "e"}}}); !reflect.DeepEqual(first, want) {
		t.Errorf("%v", first)
	}
}

func TestADecoderThatNobodyUsesKeepsNothing(t *testing.T) {
	for _, doc := range []string{
		`{"spec":{"a":"b","c":["d","e",{"f":1.5}]}}`,
		`{"spec":{"a":"b","c":["d","e",{"f":1.5`,
		`{"kind":"ThingList","items":[{"spec":["x"]}]}`,
		`{"spec":[` + strings.Repeat(`"x",`, 2*maxIdleStack) + `1]}`,
		`{"spec":"` + strings.Repeat("x", 2*maxIdleDocument) + `"}`,
	} {
		d := new(Decoder)
		obj := d.decode([]byte(doc), free.build)
		if (obj == nil) != (d.err != nil) {
			t.Fatalf("%v, %v", obj, d.err)
		}
		d.release()
		if cap(d.dst) > maxIdleDocument || cap(d.members) > maxIdleStack {
			t.Errorf("%.50s: it keeps room for %d bytes and %d members", doc, cap(d.dst), cap(d.members))
		}
		if i := slices.IndexFunc(d.members[:cap(d.members)], func(m member) bool { return m != member{} }); i >= 0 {
			t.Errorf("%.50s: it keeps %v", doc, d.members[:cap(d.members)][i])
		}
		if rest := *d; rest.used != 0 || len(rest.members) != 0 || !reflect.DeepEqual(rest.slabs, slabs{}) || rest.err != nil || rest.odd.spelling != nil {
			t.Errorf("%.50s: it keeps %+v", doc, rest)
		}
	}
}

// If only a small part of an object is kept, the memory of the rest is freed.
func TestASmallValueKeepsLittleAlive(t *testing.T) {
	const large = 2 << 20
	long := strings.Repeat("x", large)
	for _, doc := range []string{
		`{"metadata":{"finalizers":["a"]},"spec":["` + long + `"],"status":{"a":"` + long + `"}}`,
		`{"metadata":{"finalizers":["a"]},"spec":["` + long + `",["` + long + `"],[{"a":"` + long + `"}]],"u":"` + long + `"}`,
		`{"metadata":{"finalizers":["a"]},"spec":[` + strings.Repeat(`[{"a":["b"]}],`, large/200) + `1]}`,
		`{"metadata":{"finalizers":["a"]},"spec":[` + strings.Repeat(`["a",["b","c"]],`, large/200) + `1]}`,
	} {
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		value := decodeThing(t, doc)["metadata"].(map[string]any)["finalizers"]
		runtime.GC()
		runtime.ReadMemStats(&after)
		if kept := int64(after.HeapAlloc) - int64(before.HeapAlloc); kept > large/8 {
			t.Errorf("%v keeps %d bytes alive", value, kept)
		}
		runtime.KeepAlive(value)
	}
}

func TestDecodingFromManyGoroutines(t *testing.T) {
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			name := strings.Repeat(string(rune('a'+i)), 20)
			doc := []byte(`{"metadata":{"name":"` + name + `","labels":{"` + name + `":"` + name + `"}},"spec":[["` + name + `"]]}`)
			want := map[string]any{"metadata": map[string]any{"name": name, "labels": map[string]any{name: name}}, "spec": []any{[]any{name}}}
			for range 300 {
				if got, err := free.Decode(doc); err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("%v, %v", got, err)
					return
				}
			}
		})
	}
	all.Wait()
}

// A map and a list take two allocations each. Everything else takes few, however many values there are; without unsafe, each string takes
// two: for its bytes and for its header.
func TestDecodingAllocatesForMapsAndLittleElse(t *testing.T) {
	var spec []any
	for i := range 100 {
		spec = append(spec, map[string]any{"name": fmt.Sprint("name", i), "list": []any{"a", "b", "c"}, "text": "some text"})
	}
	doc, _ := json.Marshal(map[string]any{"spec": spec, "unknown": spec})
	const maps, lists = 101, 101
	others := 50.0
	if !shared {
		others += 2 * 100 * 5
	}
	if n := testing.AllocsPerRun(20, func() { decodeThing(t, string(doc)) }); n > 2*(maps+lists)+others {
		t.Errorf("%v allocations for %d maps and %d lists", n, maps, lists)
	}
}

func TestWhatIsDroppedIsNotBuilt(t *testing.T) {
	doc := []byte(`{"kind":"Thing","unknown":[` + strings.Repeat(`{"a":["b"]},`, 1000) + `1]}`)
	if n := testing.AllocsPerRun(20, func() {
		if _, err := free.Decode(doc); err != nil {
			t.Fatal(err)
		}
	}); n > 10 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzDecode(f *testing.F) {
	for _, doc := range []string{
		`{"kind":"Thing","metadata":{"name":"a","u":1},"spec":{"a":[1,-2.5e3,true,null,"\u00e9"]},"u":[{}]}`,
		`{"kind":"ThingList","items":[{"spec":1,"u":2},3]}`, `{"apiVersion":"v1","kind":"List","items":[{"u":1}]}`, `{"\u0073pec":1e400}`,
	} {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		before := bytes.Clone(doc)
		obj, err := free.Decode(doc)
		if !bytes.Equal(before, doc) {
			t.Fatal("it changes the document")
		}
		var syntax *prunert.SyntaxError
		switch isObject := strings.HasPrefix(strings.TrimLeft(string(doc), " \t\r\n"), "{"); {
		case err != nil && (!errors.As(err, &syntax) || obj != nil):
			t.Fatalf("%v, %v", obj, err)
		case err != nil && json.Valid(doc) && isObject && !strings.Contains(syntax.Message, "out of the range"):
			t.Fatalf("a valid document: %v", err)
		case err == nil && (!json.Valid(doc) || !isObject):
			t.Fatalf("not valid, and it gives %v", obj)
		case err != nil:
			return
		}
		// Encoding and decoding a decoded object again gives the same object, except for floats that are written as integers.
		again, _ := json.Marshal(obj)
		obj2, err := free.Decode(again)
		if text, _ := json.Marshal(obj2); err != nil || !bytes.Equal(text, again) {
			t.Fatalf("%s becomes %s, %v", again, text, err)
		}
		// A free spec is what encoding/json makes of it.
		var all struct{ Spec any }
		var got any = obj["spec"]
		decoder := json.NewDecoder(bytes.NewReader(doc))
		var m map[string]any
		if decoder.Decode(&m) != nil || m["kind"] == "List" || m["kind"] == "ThingList" {
			return
		}
		all.Spec = m["spec"]
		if !reflect.DeepEqual(floats(got), all.Spec) {
			t.Fatalf("spec is %#v, want %#v", got, all.Spec)
		}
	})
}

// floats returns a copy of a value in which all numbers are floats.
func floats(v any) any {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = floats(v[i])
		}
		return list
	case map[string]any:
		obj := map[string]any{}
		for k, e := range v {
			obj[k] = floats(e)
		}
		return obj
	}
	return v
}
