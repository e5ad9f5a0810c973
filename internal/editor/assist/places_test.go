package assist_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/resources"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/editor/assist"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// manyFields has a CRD with the kinds of schemas that proposals depend on.
const manyFields = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: apps.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: App, plural: apps}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [image, mode, names]
            properties:
              image: {type: string}
              mode: {type: string, enum: [Fast, Slow, "on"], default: Fast}
              more: {type: string, default: none}
              sure: {type: boolean, enum: [true]}
              paused: {type: boolean}
              names: {type: array, items: {type: string, enum: [a, b]}}
              ports:
                type: array
                items:
                  type: object
                  required: [name, number]
                  properties: {name: {type: string}, number: {type: integer}, protocol: {type: string, enum: [TCP, UDP]}, tags: {type: array, items: {type: boolean}}}
              labels: {type: object, additionalProperties: {type: string, enum: [x, y]}}
              template: {type: object, x-kubernetes-embedded-resource: true, properties: {spec: {type: object, properties: {a: {type: integer, default: 1}}}}}
              deep: {type: object, properties: {folded: {type: string}, paused: {type: boolean}, deeper: {type: object, properties: {mode: {type: string, enum: [x]}}}}}
          status: {type: object, properties: {ready: {type: boolean}}}
`

// documents are objects in all styles.
var documents = []string{
	`apiVersion: example.com/v1
kind: App
metadata:
  name: x
  labels: {a: b}
spec:
  image: "a:b" # a comment
  mode: Slow
  sure: true

  # a: comment
  more: |
    text

    image: in text
  names:
  - a

  - b
  ports:
    - name: a
      protocol: TCP
    -
      name: "b"
      tags:
      - true
      number: 1

  labels:
    k: x
  template:
    apiVersion: v1
    kind: Pod
    metadata:
      name: y
  deep:
    folded: >-
      folded

      text
    deeper:
      mode: x
    paused: false
status:
  ready:
`,
	`apiVersion: example.com/v1
kind: App
metadata: {name: x}
spec:
  more:
    text
  deep: {folded: 'text', deeper: {}, paused: true}
  ports: [{name: a, protocol: UDP}, {
      number: 1, # a comment
      tags: [true, false]
    }]
  names: [ a,
    b ]
  mode:
    Slow
`,
	`{"apiVersion": "example.com/v1", "kind": "App", "metadata": {"name": "x"},
  "spec": {
    "image": "text", "mode": "on",
    "deep": {"deeper": {"mode": "x"}, "paused": false},
    "ports": [{"name": "a", "protocol": "TCP"}, {"tags": [true]}, {}]
  }
}
`,
}

// judged is what can be written at a place, as far as it is known: fields, values, and an element of a list.
type judged struct {
	fields, values, dash []string
	known                [3]bool // of these
}

// of returns what can be written where nothing else can.
func of(fields, values []string) judged {
	return judged{fields: fields, values: values, known: [3]bool{true, true, true}}
}

// probe is the name of a key, and the text, that is written to learn where it is.
const probe = "zz"

// parsed is a document.
type parsed struct {
	root  *yamltext.Node
	lines *yamltext.Lines
}

// parseOne returns the only document of a text, or false if there is none without errors.
func parseOne(text string) (p parsed, ok bool) {
	var all []*yamltext.Node
	wrong := false
	p.lines = yamltext.Parse([]byte(text), func(d *yamltext.Document) {
		all = append(all, d.Root)
		wrong = wrong || len(d.Flaws) > 0
	}, func(*yamltext.Problem) { wrong = true })
	if wrong || len(all) != 1 {
		return p, false
	}
	p.root = all[0]
	return p, true
}

// without returns a value without the probe, and the path of that. Null is the same as an empty object.
func without(n *yamltext.Node, path prunert.Path, found *prunert.Path) any {
	path = slices.Clip(path)
	switch n.Kind {
	case yamltext.Map:
		out := object{}
		for _, e := range n.Entries {
			below := append(path, prunert.Step{Name: e.Key, Index: -1})
			if e.Key == probe {
				*found = below
				continue
			}
			out[e.Key] = without(e.Value, below, found)
		}
		if len(out) == 0 {
			return nil
		}
		return out
	case yamltext.List:
		var out []any
		for i, e := range n.List {
			below := append(path, prunert.Step{Index: i})
			if e.Kind == yamltext.String && e.Str() == probe {
				*found = below
				continue
			}
			out = append(out, without(e, below, found))
		}
		if len(out) == 0 {
			return nil
		}
		return out
	case yamltext.String:
		if n.Str() == probe {
			*found = path
			return nil
		}
	}
	return n.Value()
}

type object = map[string]any

// judge knows a document and the schema of its object.
type judge struct {
	parsed
	text   string
	schema *structural.Schema
	value  any
}

func (j *judge) at(path prunert.Path) (s *structural.Schema) {
	s = j.schema
	for _, step := range path {
		s = resources.Below(s, step)
	}
	return s
}

// whereabouts says where a probe is in a document that has it.
type whereabouts int

const (
	elsewhere whereabouts = iota // something else has changed, or the document does not parse
	atPath
	inText
	inComment
)

// with parses the document with a probe. It returns where that is.
func (j *judge) with(at int, probe string) (path prunert.Path, where whereabouts) {
	p, ok := parseOne(j.text[:at] + probe + j.text[at:])
	if !ok {
		return nil, elsewhere
	}
	value := without(p.root, nil, &path)
	switch same := reflect.DeepEqual(value, j.value); {
	case path == nil && same:
		return nil, inComment
	case path == nil && hasText(value):
		return nil, inText
	case path != nil && same:
		return path, atPath
	}
	return nil, elsewhere
}

// hasText reports whether a text of a value has the probe in it.
func hasText(v any) bool {
	switch v := v.(type) {
	case object:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), hasText)
	case []any:
		return slices.ContainsFunc(v, hasText)
	case string:
		return strings.Contains(v, probe)
	}
	return false
}

// keysAt returns the fields that a map at a path can still have, if they are written like the typed text.
func (j *judge) keysAt(path prunert.Path, except string) (names []string) {
	s := j.at(path)
	if s == nil {
		return nil
	}
	all := slices.Collect(maps.Keys(s.Properties))
	if s.XEmbeddedResource {
		all = append(all, "apiVersion", "kind", "metadata")
	}
	var present []string
	if n := j.node(path); n != nil {
		for _, e := range n.Entries {
			if e.Key != except {
				present = append(present, e.Key)
			}
		}
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(name string) bool { return slices.Contains(present, name) })
}

// node returns the node at a path, nil if there is none.
func (j *judge) node(path prunert.Path) *yamltext.Node {
	n := j.root
	for _, step := range path {
		if step.Index >= 0 {
			n = n.Element(step.Index)
		} else {
			n = n.Child(step.Name)
		}
		if n == nil {
			return nil
		}
	}
	return n
}

// valuesAt returns the values that a schema lists.
func (j *judge) valuesAt(path prunert.Path) (labels []string) {
	s := j.at(path)
	if s == nil {
		return nil
	}
	var all []any
	switch v := s.ValueValidation; {
	case v != nil && v.Enum != nil:
		all = append(all, v.Enum...)
	case s.Type == "boolean":
		all = append(all, true, false)
	}
	if s.Default != nil && !slices.Contains(all, s.Default) {
		all = append(all, s.Default)
	}
	for _, v := range all {
		if text, ok := v.(string); ok {
			labels = append(labels, text)
		} else {
			labels = append(labels, jsonvalue.Text(v))
		}
	}
	slices.Sort(labels)
	return labels
}

// typed returns the labels that begin with a text.
func typed(labels []string, text string) (out []string) {
	for _, label := range labels {
		if strings.HasPrefix(strings.ToLower(label), strings.ToLower(strings.TrimLeft(text, `"'`))) {
			out = append(out, label)
		}
	}
	return out
}

// compare compares what is proposed at an offset.
func (j *judge) compare(t *testing.T, c assist.Catalog, text string, offset int, want judged) {
	t.Helper()
	var got judged
	all, _ := assist.Complete(c, []byte(text), offset)
	for _, p := range all {
		switch {
		case p.Kind == assist.KindName, p.Label == "{}", p.Label == "[]", strings.Contains(p.Label, ", "):
		case p.Kind == assist.Value:
			got.values = append(got.values, p.Label)
		case p.Label == "-":
			got.dash = append(got.dash, p.Label)
		default:
			got.fields = append(got.fields, p.Label)
		}
	}
	for i, pair := range [][2][]string{{got.fields, want.fields}, {got.values, want.values}, {got.dash, want.dash}} {
		if slices.Sort(pair[0]); want.known[i] && !slices.Equal(pair[0], pair[1]) {
			t.Errorf("%q: %q, want %q", text[max(0, offset-60):offset]+"█"+text[offset:min(len(text), offset+40)], pair[0], pair[1])
		}
	}
}

// In each line of some documents, in every column of an empty line and at every offset of keys and values, the fields are proposed which the schema
// has there and the object has not, and the values that the schema lists. The parser says where that is.
func TestEachPlaceIsCompleted(t *testing.T) {
	testsize.NotShort(t)
	c := catalog(t, manyFields)
	_, _, b, _ := c.Behavior("example.com/v1", "App")
	tried := map[string]int{}
	for _, text := range append(documents, strings.ReplaceAll(documents[1], "\n", "\r\n")) {
		j := &judge{text: text, schema: b.Schema.Resource()}
		var ok bool
		if j.parsed, ok = parseOne(text); !ok {
			t.Fatalf("%s", text)
		}
		j.value = without(j.root, nil, new(prunert.Path))
		newline := "\n"
		if strings.Contains(text, "\r\n") {
			newline = "\r\n"
		}
		tokens := make([]bool, len(text)+1)
		j.tokens(t, c, j.root, nil, tokens, tried)
		for at := range len(text) + 1 {
			if at > 0 && text[at-1] != '\n' {
				if !tokens[at] {
					j.gap(t, c, at, tried)
				}
				continue
			}
			for column := range 7 {
				j.line(t, c, at, strings.Repeat(" ", column), newline, tried)
			}
		}
	}
	for _, n := range []string{"keys", "duplicates", "values", "new keys", "new values", "new elements", "words", "in texts", "gaps"} {
		if tried[n] == 0 {
			t.Errorf("no %s are tried", n)
		}
	}
}

// tokens compares at each offset of the keys and scalars in a node.
func (j *judge) tokens(t *testing.T, c assist.Catalog, n *yamltext.Node, path prunert.Path, tokens []bool, tried map[string]int) {
	path = slices.Clip(path)
	each := func(at yamltext.Pos, ends string, want func(offset, start, end int)) {
		start := j.lines.Offset([]byte(j.text), at)
		if strings.IndexByte(`|>`, j.text[start]) >= 0 {
			return
		}
		if quote := j.text[start : start+1]; strings.Contains(`"'`, quote) {
			ends = quote
		}
		end := start + 1
		for strings.IndexByte(ends, j.text[end]) < 0 {
			end++
		}
		if strings.Contains(`"'`, ends) {
			end++
		}
		for o := start; o <= end; o++ {
			tokens[o] = true
			want(o, start, end)
		}
	}
	for i := range n.Entries {
		e := &n.Entries[i]
		each(e.Pos, ":", func(o, start, end int) {
			tried["keys"]++
			j.compare(t, c, j.text, o, of(typed(j.keysAt(path, e.Key), j.text[start:o]), nil))
			for _, other := range n.Entries { // instead
				if key := other.Key; o == end && key != e.Key {
					if j.text[start] == '"' {
						key = `"` + key + `"`
					}
					tried["duplicates"]++
					j.compare(t, c, j.text[:start]+key+j.text[end:], start+len(key), of(typed(j.keysAt(path, e.Key), other.Key), nil))
				}
			}
		})
		j.tokens(t, c, e.Value, append(path, prunert.Step{Name: e.Key, Index: -1}), tokens, tried)
	}
	for i, e := range n.List {
		j.tokens(t, c, e, append(path, prunert.Step{Index: i}), tokens, tried)
	}
	if n.Entries == nil && n.List == nil && n.Kind != yamltext.Null && n.Kind != yamltext.Map && n.Kind != yamltext.List {
		each(n.Pos, "\r\n,]} ", func(o, start, end int) {
			tried["values"]++
			j.compare(t, c, j.text, o, of(nil, typed(j.valuesAt(path), j.text[start:o])))
		})
	}
}

// line compares in a column of a new line: nothing is written there, or a word.
func (j *judge) line(t *testing.T, c assist.Catalog, at int, blanks, newline string, tried map[string]int) {
	text := func(word string) (string, int) {
		return j.text[:at] + blanks + word + newline + j.text[at:], at + len(blanks) + len(word)
	}
	want := j.probe(func(word string) (prunert.Path, whereabouts) { return j.with(at, blanks+word+newline) }, tried)
	empty, offset := text("")
	j.compare(t, c, empty, offset, want)
	if len(want.fields) > 0 {
		for _, name := range append(want.fields, "m") {
			text, offset := text(name)
			tried["words"]++
			j.compare(t, c, text, offset, judged{fields: typed(want.fields, name), known: [3]bool{true}})
		}
	}
}

// probe writes a key, a value and an element at a place.
func (j *judge) probe(with func(word string) (prunert.Path, whereabouts), tried map[string]int) (want judged) {
	texts := 0
	for i, word := range []string{probe + ": 1", probe, "- " + probe} {
		path, where := with(word)
		switch where {
		case inText:
			texts++
			continue
		case inComment:
			return of(nil, nil)
		case elsewhere:
			continue
		}
		want.known[i] = true
		around, last := path[:len(path)-1], path[len(path)-1]
		switch {
		case i == 0 && last.Name == probe:
			tried["new keys"]++
			want.fields = j.keysAt(around, "")
		case i == 1 && last.Name != probe:
			tried["new values"]++
			want.values = j.valuesAt(path)
		case i == 2 && last.Index >= 0:
			tried["new elements"]++
			if s := j.at(around); s != nil && s.Items != nil {
				want.dash = []string{"-"}
			}
		}
	}
	if texts == 3 {
		tried["in texts"]++
		return of(nil, nil)
	}
	return want
}

// gap compares at an offset between keys and values in a line.
func (j *judge) gap(t *testing.T, c assist.Catalog, at int, tried map[string]int) {
	var want judged
	before := strings.TrimRight(j.text[:at], " \r\n")
	for i, words := range [][]string{{probe + ": 1 ", probe + ": 1,", `"` + probe + `": 1`, `"` + probe + `": 1,`}, {" " + probe + " ", probe + ",", `"` + probe + `"`, `"` + probe + `",`}} {
		if i == 0 && strings.IndexByte("{,", before[len(before)-1]) < 0 {
			continue // a comma is missing
		}
		for _, word := range words {
			path, where := j.with(at, word)
			switch {
			case where == inComment:
				want = of(nil, nil)
			case where == atPath && i == 0 && path[len(path)-1].Name == probe:
				want.fields, want.known[0] = j.keysAt(path[:len(path)-1], ""), true
			case where == atPath && i == 1 && path[len(path)-1].Name != probe:
				want.values, want.known[1] = j.valuesAt(path), true
			}
		}
	}
	if want.known != [3]bool{} {
		tried["gaps"]++
	}
	j.compare(t, c, j.text, at, want)
}
