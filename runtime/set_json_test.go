package prunert

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// withoutX returns a resource whose functions drop the text ,"x":1 from documents of its kind. In a List they drop it from the
// items of their kind, as generated functions do.
func withoutX(version string) Resource {
	r := Resource{Group: "example.com", Version: version, Kind: "App"}
	prune := func(src []byte) []byte {
		mine := []byte(`"apiVersion":"example.com/` + version + `","kind":"App"`)
		if !bytes.Contains(src, []byte(`List"`)) {
			return bytes.ReplaceAll(src, []byte(`,"x":1`), nil)
		}
		return bytes.ReplaceAll(src, append(mine, `,"x":1`...), mine)
	}
	r.PruneJSON = func(dst, src []byte) ([]byte, error) { return append(dst, prune(src)...), nil }
	r.PruneJSONReport = func(dst, src []byte) ([]byte, JSONReport, error) {
		var report JSONReport
		out := prune(src)
		if len(out) < len(src) {
			report.Dropped = []string{"x of " + version}
		}
		report.Duplicate = []string{"by " + version}
		return append(dst, out...), report, nil
	}
	r.DecodeJSON = func(src []byte) (obj map[string]any, err error) {
		err = json.Unmarshal(prune(src), &obj)
		return obj, err
	}
	return r
}

func jsonSet(t *testing.T) *Set {
	t.Helper()
	var s Set
	if err := s.AddPartial(withoutX("v1"), withoutX("v2"), Resource{Group: "example.com", Version: "v1", Kind: "Bare"}); err != nil {
		t.Fatal(err)
	}
	return &s
}

const (
	app1 = `{"apiVersion":"example.com/v1","kind":"App","x":1}`
	app2 = `{"apiVersion":"example.com/v2","kind":"App","x":1}`
	// What is left of them.
	pruned1 = `{"apiVersion":"example.com/v1","kind":"App"}`
	pruned2 = `{"apiVersion":"example.com/v2","kind":"App"}`
)

func list(items string) string { return `{"apiVersion":"v1","kind":"List","items":` + items + `}` }

func TestASetPrunesJSONByTheKindInTheDocument(t *testing.T) {
	s := jsonSet(t)
	for _, tt := range []struct{ name, src, want, fail string }{
		{"an object", app1, pruned1, ""},
		{"keys in another order", `{"x":0,"kind":"App","apiVersion":"example.com/v2","x":1}`, `{"x":0,"kind":"App","apiVersion":"example.com/v2"}`, ""},
		{"a list of the kind", `{"apiVersion":"example.com/v1","kind":"AppList","items":[` + app1 + `]}`, `{"apiVersion":"example.com/v1","kind":"AppList","items":[` + pruned1 + `]}`, ""},
		{"a List", list("[" + app1 + "," + app2 + "]"), list("[" + pruned1 + "," + pruned2 + "]"), ""},
		{"an empty List", list("[]"), list("[]"), ""},
		{"a List without items", list("null"), list("null"), ""},
		{"a List whose items are an object", list("{}"), "", "items: want a list"},
		{"unknown items", list(`[{"kind":"App"},` + app1 + `,{"apiVersion":"v1","kind":"Pod"},3]`), "",
			"items[0]: apiVersion and kind must be non-empty strings\nitems[2]: no code for v1 Pod\nitems[3]: got a JSON number, want an object at offset 0"},
		{"an unknown kind", `{"apiVersion":"example.com/v3","kind":"App"}`, "", "no code for example.com/v3 App, only for the versions v1, v2"},
		{"keys that differ in case", `{"APIVersion":"example.com/v1","Kind":"App"}`, "", "apiVersion and kind must be non-empty strings"},
		{"a kind that is a number", `{"apiVersion":"example.com/v1","kind":1}`, "", "apiVersion and kind must be non-empty strings"},
		{"a kind without the function", `{"apiVersion":"example.com/v1","kind":"Bare"}`, "", "no function %s was generated for example.com/v1 Bare"},
		{"a string", `"App"`, "", "got a JSON string, want an object at offset 0"},
		{"a document that ends early", `{"kind":`, "", "unexpected end of JSON input at offset 8"},
		{"a letter too many", `{"kind":x}`, "", "invalid character 'x' looking for beginning of value at offset 8"},
	} {
		fail := func(function string) string { return strings.ReplaceAll(tt.fail, "%s", function) }
		if have, err := s.PruneJSON(nil, []byte(tt.src)); string(have) != tt.want || text(err) != fail("PruneJSON") {
			t.Errorf("PruneJSON of %s: %s, %v", tt.name, have, err)
		}
		if have, _, err := s.PruneJSONReport(nil, []byte(tt.src)); string(have) != tt.want || text(err) != fail("PruneJSONReport") {
			t.Errorf("PruneJSONReport of %s: %s, %v", tt.name, have, err)
		}
		have, err := s.DecodeJSON([]byte(tt.src))
		var want map[string]any
		if tt.want != "" {
			if err := json.Unmarshal([]byte(tt.want), &want); err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(have, want) || text(err) != fail("DecodeJSON") {
			t.Errorf("DecodeJSON of %s: %v, %v", tt.name, have, err)
		}
	}
}

func TestASetReportsForEachKindOfAList(t *testing.T) {
	out, report, err := jsonSet(t).PruneJSONReport([]byte("before "), []byte(list("["+app2+","+app1+"]")))
	want := JSONReport{Dropped: []string{"x of v1", "x of v2"}, Duplicate: []string{"by v2"}}
	if err != nil || string(out) != "before "+list("["+pruned2+","+pruned1+"]") || !reflect.DeepEqual(report, want) {
		t.Errorf("%s, %+v, %v", out, report, err)
	}
}
