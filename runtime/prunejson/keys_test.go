package prunejson

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// A key that has a quote and a colon in it does not end there, however it begins.
func TestKeysThatLookLikeTheBeginningOfOthers(t *testing.T) {
	long := strings.Repeat("\xff", 200)
	for _, key := range []string{
		`name\":x`, `name\":`, `name\u0022:` + strings.Repeat("\xff", 5), `name\":` + long, `\":`, `\":x`, `\"\":`, `kind\":\"a`, `templates\":{`,
	} {
		for _, doc := range []string{
			`{"spec":{"` + key + `":1}}`, `{"spec":{"name":1,"` + key + `":1}}`, `{"spec":{"` + key + `":1,"name":1}}`, `{"` + key + `":1,"spec":{}}`,
		} {
			out, err := pruneThing(nil, []byte(doc))
			if err != nil {
				t.Errorf("%.60q: %v", doc, err)
				continue
			}
			want := `{"spec":{}}`
			if strings.Contains(doc, `"name":1`) {
				want = `{"spec":{"name":1}}`
			}
			if string(out) != want {
				t.Errorf("%.60q: have %s, want %s", doc, out, want)
			}
		}
		doc := `{"spec":{"` + key + `":"a"},"` + key + `":1}`
		var want map[string]any
		if err := json.Unmarshal([]byte(doc), &want); err != nil {
			t.Fatal(err)
		}
		for k := range want {
			if k != "spec" {
				delete(want, k)
			}
		}
		if have, err := free.Decode([]byte(doc)); err != nil || !reflect.DeepEqual(have, want) {
			t.Errorf("%.60q: have %.60q, %v, want %.60q", doc, have, err, want)
		}
	}
}

// Wherever a key has something that is not ASCII, it may be spelled in another way than generated code expects it.
func TestKeysOfAnyLengthArePlainOrNot(t *testing.T) {
	for size := range padding - len(`"":`) {
		for at := range size + 1 {
			key := []byte(strings.Repeat("a", size))
			if at < size {
				key[at] = 0xff
			}
			doc := `{"` + string(key) + "\":\"\xff\"}"
			var s Scanner
			p := s.Begin(nil, []byte(doc))
			if value, plain := s.scanKey(p + 1); value != len(`{"":`)+size || plain != (at == size) {
				t.Fatalf("%q: the value is at %d, plain is %v", doc, value, plain)
			}
		}
	}
}

// An empty object is as deep as one that has something in it.
func TestEmptyObjectsCanBeTooDeep(t *testing.T) {
	for inside, good := range map[string]bool{"": true, "{}": false, `{"a":1}`: false, "[]": false} {
		doc := `{"spec":` + strings.Repeat("[", prunert.MaxDepth-1) + inside + strings.Repeat("]", prunert.MaxDepth-1) + `}`
		if _, err := pruneThing(nil, []byte(doc)); (err == nil) != good {
			t.Errorf("%q: %v", inside, err)
		}
	}
}

// A stream without a limit to its objects is read as fast as one with a large limit.
func TestNoLimitIsNoBurden(t *testing.T) {
	doc := []byte(`{"spec":{"name":"` + strings.Repeat("x", 8<<20) + `"}}`)
	var out bytes.Buffer
	allocated := testing.AllocsPerRun(1, func() {
		out.Reset()
		if err := thing.PruneStream(&out, prunert.StreamReader{Reader: bytes.NewReader(doc), MaxObject: int(^uint(0) >> 1)}); err != nil {
			t.Fatal(err)
		}
	})
	if !bytes.Equal(out.Bytes(), doc) || allocated > 60 {
		t.Errorf("%d bytes of %d, %v allocations", out.Len(), len(doc), allocated)
	}
}
