package manifest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
	"github.com/prune-gen/prune-gen/internal/testing/jsondocs"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
)

// Streams are taken that are JSON objects one after the other, and no others, whether they are held in memory or not. What nobody
// knows comes out as it went in.
func TestPruneStreamTakesJSON(t *testing.T) {
	s := newServer(t, crd)
	tokens := []string{"{", "}", "[", "]", `"a"`, ":", ",", "1"}
	check := func(text string, limit int) {
		defer prunelimits.SetStreamObject(prunelimits.SetStreamObject(limit))
		var out strings.Builder
		_, err := pruneStream(s, "f.json", &out, strings.NewReader(text))
		if idOf(err) == yamltext.IDTooLarge && limit > 0 {
			return
		}
		if err != nil && idOf(err) != yamltext.IDSyntax {
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

// areObjects reports whether a text is JSON objects one after the other.
func areObjects(text string) bool {
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		var v any
		if err := d.Decode(&v); err == io.EOF {
			return true
		} else if err != nil {
			return false
		}
		if _, isObject := v.(map[string]any); !isObject {
			return false
		}
	}
}

// Errors have their place in the whole stream, however much of it was read before.
func TestPruneStreamCountsFromTheBeginning(t *testing.T) {
	s := newServer(t, crd)
	const object, items = `{"kind": "Pod", "a": "é"}` + "\n", `{"kind": "List", "items": [`
	for n := 2000; n <= 6000; n += 1000 {
		objects := strings.Repeat(object, n)
		for text, offset := range map[string]int64{
			objects + "1":           int64(len(objects)),
			objects + `{"a" 1}`:     int64(len(objects) + 5),
			objects + `{"a": [1,]}`: int64(len(objects) + 9),
			items + strings.Repeat(strings.TrimSpace(object)+",", n) + "x]}": int64(len(items) + n*len(object)),
		} {
			for _, limit := range []int{0, 1000} {
				func() {
					defer prunelimits.SetStreamObject(prunelimits.SetStreamObject(limit))
					_, err := pruneStream(s, "f.json", io.Discard, strings.NewReader(text))
					line, start := yamltext.NewLines([]byte(text)).At(int(offset))
					column := utf8.RuneCountInString(text[start:offset]) + 1
					var f findingError
					if !errors.As(err, &f) || f.Line != line || f.Column != column {
						t.Errorf("%d objects and %q with the limit %d: %v at %d:%d, want %d:%d", n, text[len(text)-5:], limit, err, f.Line, f.Column, line, column)
					}
				}()
			}
		}
	}
}

// JSON gets the same answers as YAML: misspelt kinds, versions that are not served, and duplicate keys, of which
// the last one stays.
func TestPruneStreamFindsWhatPruneTextFinds(t *testing.T) {
	for name, text := range map[string]string{
		"a duplicate":              `{"apiVersion": "example.com/v1", "kind": "App", "metadata": {"name": "a"}, "spec": {"a": "x", "b": 1}, "spec": {"a": "y"}}`,
		"duplicates":               "{\n  \"apiVersion\": \"example.com/v1\", \"kind\": \"App\", \"x\": {\"y\": 1, \"y\": 2},\n  \"metadata\": {\"name\": \"a\", \"labels\": {\"é\": \"b\", \"c\": \"d\", \"é\": \"e\",\n  \"é\": \"f\"}, \"name\": \"z\"}\n}\n",
		"duplicates in duplicates": `{"apiVersion": "example.com/v1", "kind": "App", "metadata": {"labels": {"a": "b", "a": "c"}, "labels": {"a": "d", "a": "e"}}}`,
		"items":                    "{\"kind\": \"List\", \"apiVersion\": \"v1\", \"items\": [\n{\"kind\": \"Pod\", \"apiVersion\": \"v1\", \"a\": 1, \"a\": 2}, {\"apiVersion\": \"example.com/v1\", \"kind\": \"App\", \"kind\": \"App\"},\n {\"apiVersion\": \"example.com/v3\", \"kind\": \"App\", \"metadata\": {\"name\": \"b\", \"namespace\": \"c\"}}]}",
		"a misspelt kind":          `{"apiVersion": "example.com/v1", "kind": "Ap", "metadata": {"name": "a"}, "x": 1}`,
		"a version":                ` {"apiVersion": "example.com/v9", "kind": "App", "metadata": {"generateName": "a-"}, "x": 1}`,
		"items of a misspelt kind": `{"apiVersion": "example.com/v1", "kind": "ApList", "items": [{"metadata": {"name": "a"}}, {}]}`,
		"items of a version":       `{"apiVersion": "example.com/v9", "kind": "AppList", "items": [{"metadata": {"name": "a"}}, {}]}`,
		"nothing":                  `{"apiVersion": "example.com/v1", "kind": "App"}`,
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, crd)
			const comment = " # not JSON"
			want := pruneText(s, "f.json", text+comment)
			want.Data = bytes.TrimSuffix(want.Data, []byte(comment))
			for _, limit := range []int{0, 150} { // what is larger than the limit is not held in memory
				defer prunelimits.SetStreamObject(prunelimits.SetStreamObject(limit))
				if limit > 0 && !strings.Contains(text, `"items"`) {
					break
				}
				var out strings.Builder
				have, err := pruneStream(s, "f.json", &out, strings.NewReader(text))
				if err != nil || !reflect.DeepEqual(decoded(t, out.String()), decoded(t, string(want.Data))) || have.Objects != want.Objects || have.Unknown != want.Unknown {
					t.Errorf("limit %d: %+v, %v\n%s\nwant %+v\n%s", limit, have, err, out.String(), want, want.Data)
				}
				if !reflect.DeepEqual(have.Findings, want.Findings) {
					t.Errorf("limit %d: %+v\nwant %+v", limit, have.Findings, want.Findings)
				}
			}
			if (len(want.Findings) == 0) != (name == "nothing") {
				t.Errorf("%+v", want.Findings)
			}
		})
	}
}

// decoded returns a JSON document without duplicate keys as a value.
func decoded(t *testing.T, text string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Error(err)
	}
	if again := jsondocs.Duplicates([]byte(text)); len(again) > 0 && !strings.Contains(text, "Pod") {
		t.Errorf("%q are there twice", again)
	}
	return v
}

// Once the list of findings is full, objects are pruned without looking for more.
func TestPruneStreamListsAThousandFindings(t *testing.T) {
	s := newServer(t, crd)
	text := strings.Repeat(`{"apiVersion": "example.com/v9", "kind": "App"}`+"\n", 100_000) + `{"apiVersion": "example.com/v1", "kind": "App", "x": 1, "x": 2}`
	var out strings.Builder
	n, err := pruneStream(s, "f.json", &out, strings.NewReader(text))
	if err != nil || len(n.Findings) != 1001 || n.Unknown != 100_000 || n.Objects != 1 || !strings.HasSuffix(out.String(), `"App"}`) {
		t.Errorf("%d findings, %d and %d objects, %v", len(n.Findings), n.Objects, n.Unknown, err)
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
					stream := func(limit int) (string, manifest.Pruned, error) {
						defer prunelimits.SetStreamObject(prunelimits.SetStreamObject(limit))
						var out strings.Builder
						n, err := pruneStream(s, "f.json", &out, strings.NewReader(text))
						return out.String(), n, err
					}
					want, counted, err := stream(0)
					if err != nil {
						t.Fatalf("%s: %v", text, err)
					}
					have, n, err := stream(60)
					switch {
					case idOf(err) == yamltext.IDTooLarge:
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

// The error of a reader is reported wherever it occurs, and so is an unexpected end.
func TestPruneStreamThatBreaksOff(t *testing.T) {
	s := newServer(t, crd)
	defer prunelimits.SetStreamObject(prunelimits.SetStreamObject(80))
	broken := errors.New("the stream broke")
	const item = `{"apiVersion": "example.com/v1", "kind": "App", "x": 1}`
	text := "{\t\"apiVersion\" :\r\"v1\" ,\n\"kind\": \"Li\\u0073t\", \"n\": [\t1, true], \"items\"\t: [ " + item + "\t,\t" + item + " ] , \"z\" : null } " + item + " {}\n"
	for k := range len(text) + 1 {
		for _, reader := range []io.Reader{strings.NewReader(text[:k]), iotest.OneByteReader(strings.NewReader(text[:k]))} {
			if _, err := pruneStream(s, "f.json", io.Discard, io.MultiReader(reader, iotest.ErrReader(broken))); !errors.Is(err, broken) {
				t.Errorf("after %q: %v", text[:k], err)
			}
		}
		var out strings.Builder
		_, err := pruneStream(s, "f.json", &out, strings.NewReader(text[:k]))
		if whole := areObjects(text[:k]); (err == nil) != whole || !whole && idOf(err) != yamltext.IDSyntax {
			t.Errorf("%q: %v", text[:k], err)
		}
		if want := strings.ReplaceAll(text[:k], `, "x": 1`, ""); err == nil && out.String() != want {
			t.Errorf("%q becomes %q, want %q", text[:k], out.String(), want)
		}
	}
	if _, err := pruneStream(s, "f.json", fullDisk{}, strings.NewReader(text)); err == nil || err.Error() != "no space" {
		t.Error(err)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space") }
