package structural_test

import (
	"encoding/json"
	"reflect"
	"testing"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// A finding is read from its JSON as it was.
func TestFindingsReadTheirJSON(t *testing.T) {
	for _, causes := range [][]string{nil, {"one"}, {"one", "", "two"}} {
		f := structural.Finding{Causes: causes, ID: "a/b", File: "f.yaml", Line: 1, Column: 2, CRD: "c", Version: "v1", Object: "o", Severity: structural.SeverityError, Level: "l", Path: ".p", Message: "m", Hint: "h"}
		data, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		var read structural.Finding
		if err := json.Unmarshal(data, &read); err != nil || !reflect.DeepEqual(read, f) {
			t.Errorf("%s: %+v, %v, want %+v", data, read, err, f)
		}
		// Steps are not in it.
		if with, err := json.Marshal(f.WithPath(f.Path, prunert.FieldPath("p"))); err != nil || string(with) != string(data) {
			t.Errorf("%s with steps, %v, want %s", with, err, data)
		}
	}
	for _, text := range []string{`{"causes":"one"}`, `{"causes":[1]}`} {
		if err := json.Unmarshal([]byte(text), new(structural.Finding)); err == nil {
			t.Errorf("%s is read", text)
		}
	}
}
