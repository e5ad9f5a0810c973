package measure

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/bytedance/sonic"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

const crd = `{
	"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "widgets.example.com"},
	"spec": {
		"group": "example.com", "names": {"kind": "Widget", "plural": "widgets"}, "scope": "Namespaced",
		"versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
			"type": "object", "properties": {"spec": {"type": "object", "properties": {"name": {"type": "string"}}}}
		}}}]
	}
}`

// interpreted returns the interpreter's functions in the place of generated ones.
func interpreted(t *testing.T) prunert.Resource {
	t.Helper()
	c, err := dynamic.LoadCRD([]byte(crd))
	if err != nil {
		t.Fatal(err)
	}
	all, err := dynamic.Compile(c)
	if err != nil {
		t.Fatal(err)
	}
	return all[0]
}

func jsonInput() Input {
	in := Input{Resources: []Resource{{Kind: "Widget", Version: "v1", CRD: json.RawMessage(crd)}}, Rounds: 2, Turn: time.Microsecond, Clock: Wall}
	for _, r := range jsonRows {
		in.Rows = append(in.Rows, r.ID)
	}
	const clean, dirty = `{"apiVersion":"example.com/v1","kind":"Widget","spec":{"name":"a"}}`, `{"spec":{"name":"a","u":1},"v":2}`
	for state, docs := range map[State][]string{
		Clean: {clean}, CleanIndented: {" " + clean}, CleanRotating: {clean, "{}", clean + "\n"},
		Dirty: {dirty}, DirtyIndented: {" " + dirty}, DirtyRotating: {dirty, `{"u":1}`},
	} {
		o := Object{Kind: "Widget", Size: "small", State: state}
		for _, doc := range docs {
			o.Documents = append(o.Documents, []byte(doc))
		}
		in.Objects = append(in.Objects, o)
	}
	return in
}

func TestRowsOnJSONHaveResults(t *testing.T) {
	out, err := measure(jsonInput(), map[string]prunert.Resource{"Widget": interpreted(t)})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range jsonRows {
		c := Compare(r, out.Results)
		if len(c.Lines) != 1 || !(c.Mean > 0) {
			t.Errorf("%s: %d lines, mean %v", r.ID, len(c.Lines), c.Mean)
		}
	}
}

func TestRowsOnJSONTakePartWhereTheFunctionWasGenerated(t *testing.T) {
	r := interpreted(t)
	r.PruneJSON = nil
	out, err := measure(jsonInput(), map[string]prunert.Resource{"Widget": r})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range jsonRows {
		if lines := len(Compare(row, out.Results).Lines); lines != map[bool]int{true: 1}[row.Ours == generatedDecodeJSON] {
			t.Errorf("%s: %d lines", row.ID, lines)
		}
	}
}

// Nothing is measured that is wrong: neither functions nor documents.
func TestFunctionsOnJSONMustAgree(t *testing.T) {
	for name, spoil := range map[string]func(r *prunert.Resource, in *Input){
		"keeps everything": func(r *prunert.Resource, _ *Input) {
			r.PruneJSON = func(dst, src []byte) ([]byte, error) { return append(dst, src...), nil }
		},
		"decodes nothing": func(r *prunert.Resource, _ *Input) {
			r.DecodeJSON = func([]byte) (map[string]any, error) { return map[string]any{}, nil }
		},
		"a dirty object that is clean": func(_ *prunert.Resource, in *Input) {
			in.Objects[0].State = Dirty
			in.Objects[0].Documents = [][]byte{[]byte(`{}`)}
		},
		"a clean object that is dirty": func(_ *prunert.Resource, in *Input) {
			in.Objects[0].State = CleanRotating
			in.Objects[0].Documents = [][]byte{[]byte(`{}`), []byte(`{"u":1}`)}
		},
	} {
		r, in := interpreted(t), jsonInput()
		spoil(&r, &in)
		if _, err := measure(in, map[string]prunert.Resource{"Widget": r}); err == nil {
			t.Errorf("%s: it was measured", name)
		}
	}
}

func TestDocumentsTakeTurns(t *testing.T) {
	var got string
	c := onJSON("F", "us", "F", func(*Subject) func([]byte) { return func(doc []byte) { got += string(doc) } })
	op := c.Prepare(&Subject{Documents: [][]byte{[]byte("a"), []byte("b"), []byte("c")}})
	for range 7 {
		op(nil)
	}
	if got != "abcabca" {
		t.Errorf("in this order: %s", got)
	}
}

// The rows against sonic.Valid say so.
func TestSonicValidDoesNotCheckWhatIsInStrings(t *testing.T) {
	for _, doc := range []string{`{"a":"\x"}`, `{"a":"\u12"}`, "{\"a\":\"\n\"}"} {
		if json.Valid([]byte(doc)) {
			t.Errorf("%s is valid", doc)
		}
		if !sonic.Valid([]byte(doc)) {
			t.Errorf("sonic calls %s invalid", doc)
		}
	}
}
