package manifest

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/prune-gen/prune-gen/internal/meter"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

func TestReadGivesValuesAsKubernetesHasThem(t *testing.T) {
	want := map[string]any{"i": int64(9007199254740993), "f": 1.5, "big": 1e20, "l": []any{int64(1), "a", nil, true}, "m": map[string]any{"x": int64(2)}}
	for _, text := range []string{
		"i: 9007199254740993\nf: 1.5\nbig: 1e20\nl: [1, a, null, true]\nm: {x: 2}\n",
		`{"i": 9007199254740993, "f": 1.5, "big": 1e20, "l": [1, "a", null, true], "m": {"x": 2}}`,
	} {
		objects, err := Read("a.yaml", strings.NewReader(text))
		if err != nil || len(objects) != 1 || !reflect.DeepEqual(objects[0].Object, want) {
			t.Errorf("%s: %#v, %v; want %#v", text, objects, err, want)
		}
	}
}

const several = `# a comment
apiVersion: v1
kind: List
items:
- apiVersion: example.com/v1
  kind: A
  metadata: {name: a}
- {apiVersion: example.com/v1, kind: B, html: "<&>"}
---
apiVersion: example.com/v1
kind: CList
items:
- metadata:
    name: c
- {}
---
{"apiVersion": "example.com/v1", "kind": "D",
 "z": 1, "a": 2.0}
---
kind: EList
`

func TestReadGoesIntoLists(t *testing.T) {
	objects, err := Read("a.yaml", strings.NewReader(several))
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		line int
		json string
	}{
		{5, `{"apiVersion":"example.com/v1","kind":"A","metadata":{"name":"a"}}`},
		{8, `{"apiVersion":"example.com/v1","kind":"B","html":"\u003c\u0026\u003e"}`},
		{13, `{"apiVersion":"example.com/v1","kind":"C","metadata":{"name":"c"}}`},
		{15, `{"apiVersion":"example.com/v1","kind":"C"}`},
		{17, `{"apiVersion":"example.com/v1","kind":"D","z":1,"a":2}`},
		{20, `{"kind":"EList"}`}, // a kind that happens to be called so
	}
	if len(objects) != len(want) {
		t.Fatalf("%d objects, want %d", len(objects), len(want))
	}
	for i, o := range objects {
		if o.Line != want[i].line || string(o.JSON) != want[i].json || o.File != "a.yaml" {
			t.Errorf("%s:%d: %s, want line %d: %s", o.File, o.Line, o.JSON, want[i].line, want[i].json)
		}
		var again map[string]any
		if err := utiljson.Unmarshal(o.JSON, &again); err != nil {
			t.Fatal(err)
		}
		if o.Object["kind"] == "D" {
			again["a"] = 2.0 // a client sends no more of it than the 2
		}
		if !reflect.DeepEqual(again, o.Object) {
			t.Errorf("the bytes %s are not the object %v", o.JSON, o.Object)
		}
	}
}

func TestReadNamesEverythingThatIsWrong(t *testing.T) {
	text := "a: 1\nb: 2\nb: 3\na: 4\n---\n- a\n---\nkind: Fine\n---\na: [\n"
	objects, err := Read("f.yaml", strings.NewReader(text))
	if len(objects) != 2 || objects[1].Object["kind"] != "Fine" || objects[0].Object["b"] != int64(3) || string(objects[0].JSON) != `{"b":2,"a":1,"a":4,"b":3}` {
		t.Errorf("objects %v", objects)
	}
	lines := strings.Split(err.Error(), "\n")
	for i, want := range []string{"f.yaml:6:1: got a list, want an object"} {
		if i >= len(lines) || lines[i] != want {
			t.Errorf("%q, want %q", lines, want)
		}
	}
	if len(lines) != 2 || !strings.HasPrefix(lines[1], "f.yaml:1") {
		t.Errorf("%q: want a second error, about syntax", lines)
	}
	var e *Error
	if !errors.As(err, &e) || e.Line != 6 {
		t.Errorf("the first error is %v", e)
	}
}

func TestLineOf(t *testing.T) {
	text := `kind: A
metadata:
  annotations:
    example.com/a: x
    a.b: y
    a: z
spec:
  env:
  - name: a
  - name: b
    value: c
`
	objects, err := Read("f.yaml", strings.NewReader("---\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	field := func(name string) prunert.Step { return prunert.Step{Name: name, Index: -1} }
	env := func(i int, names ...string) prunert.Path {
		return append(prunert.Path{field("spec"), field("env"), {Index: i}}, prunert.FieldPath(names...)...)
	}
	for _, test := range []struct {
		path prunert.Path
		want int
	}{
		{nil, 2}, {prunert.FieldPath("kind"), 2}, {prunert.FieldPath("spec"), 8}, {prunert.FieldPath("spec", "env"), 9}, {env(1), 11}, {env(1, "value"), 12}, {env(1, "other"), 11}, {env(7, "name"), 9},
		{prunert.FieldPath("metadata", "annotations", "example.com/a"), 5}, {prunert.FieldPath("metadata", "annotations", "a.b"), 6}, {prunert.FieldPath("metadata", "annotations", "a"), 7},
		{prunert.FieldPath("metadata", "annotations", "a", "b"), 7}, {prunert.FieldPath("nothing", "of", "it"), 2},
	} {
		path, want := test.path, test.want
		if got := objects[0].LineOf(path); got != want {
			t.Errorf("%q: line %d, want %d", path, got, want)
		}
	}
}

// spaces is a text that is as long as anybody asks.
type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// Of a text that is too large nothing is taken.
func TestReadIsLimited(t *testing.T) {
	const object = "{kind: A}"
	for over, want := range map[int64]string{0: "", 1: "64 MiB"} {
		objects, err := Read("a.yaml", io.MultiReader(strings.NewReader(object), io.LimitReader(spaces{}, meter.Bytes+over-int64(len(object)))))
		if want == "" && (err != nil || len(objects) != 1) || want != "" && (err == nil || !strings.HasSuffix(err.Error(), want)) {
			t.Errorf("%d bytes over the limit: %d objects, %v", over, len(objects), err)
		}
	}
}
