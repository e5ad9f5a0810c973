package interpretjson_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/answer/interpretjson"
	"github.com/prune-gen/prune-gen/internal/testing/jsondocs"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

const widgetCRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
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
            properties:
              name: {type: string}
              count: {type: integer}
              map: {type: object, additionalProperties: {type: object, properties: {a: {type: string}}}}
              steps: {type: array, items: {type: object, properties: {run: {type: string}}}}
              free: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: object}}}
              template: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
              templates:
                type: object
                additionalProperties: {type: object, x-kubernetes-embedded-resource: true, properties: {spec: {type: object}}}
              "": {type: string}
              "\uFFFD": {type: string}
`

func compileWidget(t testing.TB) prunert.Resource {
	t.Helper()
	c, err := load.CRD([]byte(widgetCRD), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := dynamic.Compile(c)
	if err != nil {
		t.Fatal(err)
	}
	return all[0]
}

func TestWhatGoesWithADroppedMember(t *testing.T) {
	r := compileWidget(t)
	for _, tt := range []struct{ in, want string }{
		{`{}`, `{}`},
		{` { } `, ` { } `},
		{`{"spec":{"name":"a", "u":2 }}`, `{"spec":{"name":"a" }}`},
		{`{"spec":{"name":"a" , "u":2 }}`, `{"spec":{"name":"a"  }}`},
		{`{"spec":{ "u":1, "name":2}}`, `{"spec":{ "name":2}}`},
		{`{"spec":{ "u":1 , "v" : 2 , "name":2}}`, `{"spec":{ "name":2}}`},
		{`{"spec":{ "u":1 }}`, `{"spec":{  }}`},
		{`{"spec":{ "u":1 , "v":2 }}`, `{"spec":{  }}`},
		{`{"spec":{"u":1}}`, `{"spec":{}}`},
		{`{"spec":{"name":1,"u":2,"v":3,"count":4,"w":5}}`, `{"spec":{"name":1,"count":4}}`},
		{`{"spec":{"u":0,"name":1, "u":2, "v":3, "count":4, "w":5 }}`, `{"spec":{"name":1, "count":4 }}`},
		{"{\n  \"spec\": {\n    \"u\": 1,\n    \"name\": \"a\",\n    \"v\": 2\n  },\n  \"w\": 3\n}\n", "{\n  \"spec\": {\n    \"name\": \"a\"\n  }\n}\n"},
		// In the place of a leaf.
		{`{"spec":{"name":{ "x":1 }}}`, `{"spec":{"name":{}}}`},
		{`{"spec":{"name":{ }}}`, `{"spec":{"name":{ }}}`},
		{`{"spec":{"name":[ { "x":1 }, 2, [ { "y" : 1 } ] ]}}`, `{"spec":{"name":[ {}, 2, [ {} ] ]}}`},
		{`{"spec":{"steps":{ "run":1 }}}`, `{"spec":{"steps":{}}}`},
		// Keys count by their decoded form, and stay as they are written.
		{`{"\u0073pec":{"n\u0061me":1,"\u006eome":2}}`, `{"\u0073pec":{"n\u0061me":1}}`},
		{"{\"spec\":{\"\xff\":1,\"\\ud800\":2,\"\ufffd\":3,\"\xff\xff\":4}}", "{\"spec\":{\"\xff\":1,\"\\ud800\":2,\"\ufffd\":3}}"},
		{`{"spec":{"":1,"\u0000":2}}`, `{"spec":{"":1}}`},
		{`{"spec" :1,"spe" :2}`, `{"spec" :1}`},
		// Of duplicate keys every one is walked.
		{`{"spec":{"u":1,"name":2},"spec":{"name":3,"u":4}}`, `{"spec":{"name":2},"spec":{"name":3}}`},
		// Numbers stay as they are written.
		{`{"spec":{"count":-0.00e+00,"u":1E400}}`, `{"spec":{"count":-0.00e+00}}`},
		{`{"spec":{"count":1e400}}`, `{"spec":{"count":1e400}}`},
		// Metadata.
		{`{"metadata":{"name":"a","x":1,"labels":{"a":{"b":1}},"ownerReferences":[{"y":1}]}}`, `{"metadata":{"name":"a","labels":{"a":{}},"ownerReferences":[{}]}}`},
		{`{"metadata":[{"x":1}],"kind":{"x":1},"apiVersion":[{"x":1}]}`, `{"metadata":[{"x":1}],"kind":{"x":1},"apiVersion":[{"x":1}]}`},
		{`{"spec":{"template":{"metadata":{"x":1},"y":{"z":1}}}}`, `{"spec":{"template":{"metadata":{},"y":{"z":1}}}}`},
		{`{"spec":{"templates":{"a":{"metadata":{"x":1},"y":1,"spec":{"z":1}}}}}`, `{"spec":{"templates":{"a":{"metadata":{},"spec":{}}}}}`},
		// Preserved.
		{`{"spec":{"free":{"a":{"b":1},"c":{"d":1}}}}`, `{"spec":{"free":{"a":{},"c":{"d":1}}}}`},
		{`{"spec":{"map":{"x":{"a":1,"b":2},"y":[{"a":1}]}}}`, `{"spec":{"map":{"x":{"a":1},"y":[{}]}}}`},
	} {
		got, err := r.PruneJSON(nil, []byte(tt.in))
		if err != nil || string(got) != tt.want {
			t.Errorf("%q\n\thave %q, %v\n\twant %q", tt.in, got, err, tt.want)
		}
		if err := jsondocs.Check(r, []byte(tt.in)); err != nil {
			t.Errorf("%q: %v", tt.in, err)
		}
	}
}

func TestListsInJSON(t *testing.T) {
	r := compileWidget(t)
	const widget = `{"apiVersion":"example.com/v1","kind":"Widget","u":1}`
	const pruned = `{"apiVersion":"example.com/v1","kind":"Widget"}`
	for _, tt := range []struct{ name, in, want string }{
		{"a list of the kind", `{"kind":"WidgetList","items":[{"u":1},` + widget + `,{"kind":"Pod","u":1},null,[{"u":1}]],"u":1,"metadata":{"u":1}}`,
			`{"kind":"WidgetList","items":[{},` + pruned + `,{"kind":"Pod"},null,[{"u":1}]],"u":1,"metadata":{"u":1}}`},
		{"kind behind items", `{"items":[{"u":1}],"kind":"WidgetList"}`, `{"items":[{}],"kind":"WidgetList"}`},
		{"the last kind counts", `{"kind":"Widget","items":[{"u":1}],"\u006bind":"WidgetList"}`, `{"kind":"Widget","items":[{}],"\u006bind":"WidgetList"}`},
		{"and says that it is none", `{"kind":"WidgetList","items":[{"u":1}],"kind":"Widget"}`, `{"kind":"WidgetList","kind":"Widget"}`},
		{"as what is no string does", `{"kind":"WidgetList","items":[{"u":1}],"kind":["WidgetList"]}`, `{"kind":"WidgetList","kind":["WidgetList"]}`},
		{"what kubectl prints", `{"apiVersion":"v1","items":[` + widget + `,{"apiVersion":"v1","kind":"Pod","u":1}],"kind":"List","metadata":{"resourceVersion":""}}`,
			`{"apiVersion":"v1","items":[` + pruned + `,{"apiVersion":"v1","kind":"Pod","u":1}],"kind":"List","metadata":{"resourceVersion":""}}`},
		{"items of another version", `{"apiVersion":"v1","items":[{"apiVersion":"example.com/v2","kind":"Widget","u":1},{"u":1}],"kind":"List"}`,
			`{"apiVersion":"v1","items":[{"apiVersion":"example.com/v2","kind":"Widget","u":1},{"u":1}],"kind":"List"}`},
		{"the last kind of an item counts", `{"apiVersion":"v1","items":[{"kind":"Pod","apiVersion":"example.com/v1","u":1,"kind":"Widget"}],"kind":"List"}`,
			`{"apiVersion":"v1","items":[{"kind":"Pod","apiVersion":"example.com/v1","kind":"Widget"}],"kind":"List"}`},
		{"a List of another group", `{"apiVersion":"example.com/v1","items":[` + widget + `],"kind":"List"}`, `{"apiVersion":"example.com/v1","kind":"List"}`},
		{"items are no lists", `{"kind":"WidgetList","items":[{"kind":"WidgetList","items":[{"u":1}]}]}`, `{"kind":"WidgetList","items":[{"kind":"WidgetList"}]}`},
		{"items that are no list", `{"kind":"WidgetList","items":{"u":[{"u":1}]}}`, `{"kind":"WidgetList","items":{"u":[{"u":1}]}}`},
		{"items twice", `{"kind":"WidgetList","items":[{"u":1}],"items":[{"u":2}]}`, `{"kind":"WidgetList","items":[{}],"items":[{}]}`},
	} {
		got, err := r.PruneJSON(nil, []byte(tt.in))
		if err != nil || string(got) != tt.want {
			t.Errorf("%s:\n\thave %s, %v\n\twant %s", tt.name, got, err, tt.want)
		}
		if err := jsondocs.Check(r, []byte(tt.in)); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	r.Kind, r.ListKind = "Widgets", "Widgets"
	same := interpretjson.With(r, structuraltest.NewSchema(t, "type: object"), interpret.PruneOptions{})
	if got, err := same.PruneJSON(nil, []byte(`{"kind":"Widgets","items":[{}]}`)); err != nil || string(got) != `{"kind":"Widgets"}` {
		t.Errorf("a kind with the name of its lists: %s, %v", got, err)
	}
}

func TestReportsOnJSON(t *testing.T) {
	r := compileWidget(t)
	for _, tt := range []struct {
		in                 string
		dropped, duplicate []string
	}{
		{`{"spec":{"name":"a"}}`, nil, nil},
		{`{"v":1,"u":1,"spec":{"steps":[{},{"x.y":{"z":1}}]}}`, []string{"spec.steps[1].x.y", "u", "v"}, nil},
		{`{"metadata":{"x":1},"spec":{"templates":{"web":{"metadata":{"y":1,"labels":{"a":{"b":1}}},"z":1}}}}`,
			[]string{"metadata.x", "spec.templates.web.z", "spec.templates[web].metadata.labels.a.b", "spec.templates[web].metadata.y"}, nil},
		{`{"kind":"WidgetList","items":[{},{"u":1,"metadata":{"x":1}}]}`, []string{"items[1].metadata.x", "items[1].u"}, nil},
		{`{"spec":{"name":1,"name":2,"\u006eame":3},"spec":{"steps":[1,{"run":1,"run":2}],"name":1,"name":2}}`, nil,
			[]string{"spec.name", "spec", "spec.steps[1].run"}},
		{`{"u":{"a":[[{"b":1,"b":2}]],"a":1},"":{"":1,"":2},"":0}`, []string{"", "", "u"}, []string{"u.a[0][0].b", "u.a", ".", ""}},
		{`{"spec":{"u":1,"v":1},"spec":{"u":2}}`, []string{"spec.u", "spec.u", "spec.v"}, []string{"spec"}},
	} {
		_, got, err := r.PruneJSONReport(nil, []byte(tt.in))
		if err != nil || !slices.Equal(got.Dropped, tt.dropped) || !slices.Equal(got.Duplicate, tt.duplicate) {
			t.Errorf("%s\n\thave %q, %v\n\twant %q and %q", tt.in, got, err, tt.dropped, tt.duplicate)
		}
		if err := jsondocs.Check(r, []byte(tt.in)); err != nil {
			t.Errorf("%q: %v", tt.in, err)
		}
	}
}

func TestDecodingJSON(t *testing.T) {
	r := compileWidget(t)
	got, err := r.DecodeJSON([]byte(`{"spec":{"count":[1,-0,1.0,1e2,9223372036854775808,-9223372036854775808],"name":"\u00e4\ud800","u":1e400}}`))
	want := map[string]any{"spec": map[string]any{
		"count": []any{int64(1), int64(0), 1.0, 100.0, 9223372036854775808.0, int64(-9223372036854775808)}, "name": "ä\ufffd",
	}}
	if err != nil || fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", want) {
		t.Errorf("have %#v, %v\nwant %#v", got, err, want)
	}
	got, err = r.DecodeJSON([]byte(`{"spec":{"count": -1e400,"count":1}}`))
	if syntax := (*prunert.SyntaxError)(nil); got != nil || !errors.As(err, &syntax) || syntax.Offset != 18 {
		t.Errorf("a number that is too large: %v, %v", got, err)
	}
}

// TestOddTexts puts each text into documents in several places.
func TestOddTexts(t *testing.T) {
	testsize.NotShort(t)
	t.Parallel()
	r := compileWidget(t)
	n := 0
	for _, text := range jsondocs.All() {
		docs := jsondocs.Around(text.JSON)
		switch n := len(text.JSON); {
		case n > 1000:
			docs = map[string]string{"known": docs["known"]}
		case n > 100:
			docs = map[string]string{"known": docs["known"], "unknown": docs["unknown"], "an item": docs["an item"]}
		}
		docs["alone"] = text.JSON
		for place, doc := range docs {
			n++
			if err := jsondocs.Check(r, []byte(doc)); err != nil {
				t.Errorf("%s, %s: %.200q: %v", text.Name, place, doc, err)
			}
		}
	}
	t.Logf("%d documents", n)
}

// TestPruningBytesIsPruningObjects prunes random objects by random schemas, both ways.
func TestPruningBytesIsPruningObjects(t *testing.T) {
	for i := range uint64(150) {
		s := structuraltest.RandomSchema(t, i, specimentest.SchemaOptions{Depth: 4, Loose: true})
		for _, opts := range []interpret.PruneOptions{{}, {Semantics: structural.KEP2332}, {PreserveUnknownFields: true}} {
			r := interpretjson.With(prunert.Resource{
				Group: "example.com", Version: "v1", Kind: "Widget",
				PruneReport: func(obj map[string]any) []string { return interpret.Prune(obj, s, opts) },
			}, s, opts)
			obj := structuraltest.RandomObject(s, i)
			for spelling := range jsondocs.Spellings {
				doc := jsondocs.Spell(obj, spelling, i)
				if err := jsondocs.Check(r, doc); err != nil {
					t.Fatalf("%d, %v: %q: %v", i, opts, doc, err)
				}
			}
		}
	}
}

func FuzzJSON(f *testing.F) {
	r := compileWidget(f)
	for _, text := range jsondocs.All() {
		if len(text.JSON) < 1000 {
			f.Add([]byte(text.JSON))
			f.Add([]byte(jsondocs.Around(text.JSON)["known"]))
		}
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		if err := jsondocs.Check(r, doc); err != nil {
			t.Errorf("%q: %v", doc, err)
		}
	})
}
