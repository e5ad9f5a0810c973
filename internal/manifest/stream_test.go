package manifest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/prune-gen/prune-gen/internal/manifest"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Streams are taken that are JSON objects one after the other, and no others, whether they are held in memory or not. What nobody
// knows comes out as it went in.
func TestPruneStreamTakesJSON(t *testing.T) {
	s := newServer(t, crd)
	tokens := []string{"{", "}", "[", "]", `"a"`, ":", ",", "1"}
	check := func(text string, limit int) {
		defer prunert.SetMaxStreamObject(prunert.SetMaxStreamObject(limit))
		var out strings.Builder
		_, err := s.PruneStream(&out, strings.NewReader(text))
		var tooLarge *prunert.ObjectSizeError
		if errors.As(err, &tooLarge) && limit > 0 {
			return
		}
		var syntax *prunert.SyntaxError
		if err != nil && !errors.As(err, &syntax) {
			t.Errorf("%s with the limit %d: %v", text, limit, err)
		}
		if want := areObjects(text); (err == nil) != want || want && out.String() != text {
			t.Errorf("%s with the limit %d: %q, %v, want %t", text, limit, out.String(), err, want)
		}
	}
	var walk func(text string, depth int)
	walk = func(text string, depth int) {
		check(text, 0)
		if list := `{"kind": "List", "items": ` + text + "}"; depth < 4 {
			check(list, 0)
			check(list, 20)
		}
		if depth == 4 || depth > 2 && text[0] != '{' && text[0] != '[' {
			return
		}
		for _, token := range tokens {
			walk(text+token, depth+1)
		}
	}
	walk("", 0)
}

// areObjects reports whether a text is JSON objects one after the other, and lists of objects are lists of objects.
func areObjects(text string) bool {
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		var v any
		if err := d.Decode(&v); err == io.EOF {
			return true
		} else if err != nil {
			return false
		}
		object, isObject := v.(map[string]any)
		if !isObject {
			return false
		}
		if items, isList := object["items"].([]any); isList && object["kind"] == "List" {
			for _, item := range items {
				if _, isObject := item.(map[string]any); !isObject {
					return false
				}
			}
		}
	}
}

// Errors have their offset in the whole stream, however much of it was read before.
func TestPruneStreamCountsFromTheBeginning(t *testing.T) {
	s := newServer(t, crd)
	const object, items = `{"kind": "Pod", "a": "b"}` + "\n", `{"kind": "List", "items": [`
	for n := 2000; n <= 6000; n += 1000 {
		objects := strings.Repeat(object, n)
		for text, offset := range map[string]int64{
			objects + "1":           int64(len(objects)),
			objects + `{"a" 1}`:     int64(len(objects) + 5),
			objects + `{"a": [1,]}`: int64(len(objects) + 9),
			items + strings.Repeat(strings.TrimSpace(object)+",", n) + "1]}": int64(len(items) + n*len(object)),
		} {
			for _, limit := range []int{0, 1000} {
				func() {
					defer prunert.SetMaxStreamObject(prunert.SetMaxStreamObject(limit))
					_, err := s.PruneStream(io.Discard, strings.NewReader(text))
					var syntax *prunert.SyntaxError
					if !errors.As(err, &syntax) || syntax.Offset != offset {
						t.Errorf("%d objects and %q with the limit %d: %v, want the offset %d", n, text[len(text)-5:], limit, err, offset)
					}
				}()
			}
		}
	}
}

// A hundred unknown kinds are listed, and all are counted.
func TestPruneStreamListsUnknownKinds(t *testing.T) {
	s := newServer(t, crd)
	for kinds, want := range map[int]int{1: 1, 99: 99, 100: 100, 101: 100, 150: 100} {
		var text strings.Builder
		for range 2 {
			for i := range kinds {
				fmt.Fprintf(&text, `{"apiVersion": "v1", "kind": "Kind%d"}`, i)
			}
		}
		n, err := s.PruneStream(io.Discard, strings.NewReader(text.String()))
		if err != nil || len(n.Kinds) != want || n.Unknown != 2*kinds || n.Objects != 0 {
			t.Errorf("%d kinds: %d are listed, of %d objects, %v", kinds, len(n.Kinds), n.Unknown, err)
		}
		for kind, objects := range n.Kinds {
			if objects != 2 || kind[0] != "v1" || !strings.HasPrefix(kind[1], "Kind") {
				t.Errorf("%d of %q", objects, kind)
			}
		}
	}
}

// A list that is not held in memory is pruned like one that is, in whatever order it says what it is, or it is refused because it
// says so too late.
func TestPruneStreamPrunesLargeListsAlike(t *testing.T) {
	s := newServer(t, crd, listKindCRD)
	items := []string{`{"apiVersion": "example.com/v1", "kind": "App", "x": 1}`, `{"x": 1, "spec": {"y": 2}}`, `{"apiVersion": "v1", "kind": "Pod", "x": 1}`, `{"kind": "App", "x": 1}`, `{"apiVersion": null, "kind": null, "x": 1}`}
	lists := []string{"", "[]", "{}"}
	for i, a := range items {
		lists = append(lists, "["+a+"]")
		for _, b := range items[i:] {
			lists = append(lists, "[ "+a+" ,\n"+b+"]")
		}
	}
	pruned, refused := 0, 0
	for _, kind := range []string{"", `"List"`, `"AppList"`, `"App"`, `"OtherList"`, `"AllowList"`, `"AllowListList"`, "null", `"\u0041ppList"`} {
		for _, version := range []string{"", `"example.com/v1"`, `"v1"`} {
			for _, list := range lists {
				for _, order := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
					var members []string
					for _, i := range order {
						if value := []string{version, kind, list}[i]; value != "" {
							members = append(members, []string{`"apiVersion": `, `"kind": `, `"items": `}[i]+value)
						}
					}
					text := "{" + strings.Join(append(members, `"z": [1, 2]`), ", ") + "}\n"
					stream := func(limit int) (string, manifest.Streamed, error) {
						defer prunert.SetMaxStreamObject(prunert.SetMaxStreamObject(limit))
						var out strings.Builder
						n, err := s.PruneStream(&out, strings.NewReader(text))
						return out.String(), n, err
					}
					want, counted, err := stream(0)
					if err != nil {
						t.Fatalf("%s: %v", text, err)
					}
					have, n, err := stream(60)
					var late *prunert.LateKindError
					var size *prunert.ObjectSizeError
					switch {
					case errors.As(err, &late), errors.As(err, &size):
						refused++
					case err != nil || have != want || n.Objects != counted.Objects || n.Unknown != counted.Unknown:
						t.Errorf("%s\nbecomes %s with %d and %d objects, %v\nwant    %s with %d and %d", text, have, n.Objects, n.Unknown, err, want, counted.Objects, counted.Unknown)
					default:
						pruned++
					}
				}
			}
		}
	}
	if pruned < 1000 || refused < 100 {
		t.Errorf("%d are pruned, %d refused", pruned, refused)
	}
}

// Wherever a stream breaks off with an error, that is the error, and wherever it just ends, that is said.
func TestPruneStreamThatBreaksOff(t *testing.T) {
	s := newServer(t, crd)
	defer prunert.SetMaxStreamObject(prunert.SetMaxStreamObject(60))
	broken := errors.New("the stream broke")
	const item = `{"apiVersion": "example.com/v1", "kind": "App", "x": 1}`
	text := "{\t\"apiVersion\" :\r\"v1\" ,\n\"kind\": \"Li\\u0073t\", \"n\": [\t1, true], \"items\"\t: [ " + item + "\t,\t" + item + " ] , \"z\" : null } " + item + " {}\n"
	for k := range len(text) + 1 {
		for _, reader := range []io.Reader{strings.NewReader(text[:k]), iotest.OneByteReader(strings.NewReader(text[:k]))} {
			if _, err := s.PruneStream(io.Discard, io.MultiReader(reader, iotest.ErrReader(broken))); !errors.Is(err, broken) {
				t.Errorf("after %q: %v", text[:k], err)
			}
		}
		var out strings.Builder
		_, err := s.PruneStream(&out, strings.NewReader(text[:k]))
		var syntax *prunert.SyntaxError
		if whole := areObjects(text[:k]); (err == nil) != whole || !whole && !errors.As(err, &syntax) {
			t.Errorf("%q: %v", text[:k], err)
		}
		if want := strings.ReplaceAll(text[:k], `, "x": 1`, ""); err == nil && out.String() != want {
			t.Errorf("%q becomes %q, want %q", text[:k], out.String(), want)
		}
	}
	if _, err := s.PruneStream(fullDisk{}, strings.NewReader(text)); err == nil || err.Error() != "no space" {
		t.Error(err)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space") }
